//! `readme/version-link`

use super::listing::is_x;
use super::quoted;
use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/version-link",
    severity: Severity::Warning,
    legacy: None,
    strict: false,
    doc: include_str!("version_link.md"),
    check: Check::Readme(check),
};

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for row in &cx.listing.rows {
        let column = row.columns.version;
        let Some(cell) = row.cell(column) else {
            continue;
        };
        let text = cell.text.trim();
        let is_linked = !cell.links.is_empty() || cell.bare_url.is_some();
        let written = cell.bracketed_without_link;
        if text.is_empty() || is_x(text) || (is_linked && !written) {
            continue;
        }
        let name = text.split_whitespace().next().unwrap_or(text);
        let name = name.trim_matches(['[', ']']);
        let target = cell
            .bare_url
            .map_or("https://…", |url| cx.source.slice(url));
        let expected = quoted(&format!("[{name}]({target})"));
        let message = if written {
            format!("the brackets around {} make no link", quoted(name))
        } else {
            format!("{} is not linked to its release", quoted(text))
        };
        out.at(cx.cell(row.row, column), message).help(format!(
            "write {expected}, with the address of the release page"
        ));
    }
}
