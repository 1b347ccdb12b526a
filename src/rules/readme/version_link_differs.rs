//! `readme/version-link-differs`

use super::quoted;
use super::version::{Named, named_by_link};
use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/version-link-differs",
    severity: Severity::Warning,
    legacy: None,
    strict: false,
    doc: include_str!("version_link_differs.md"),
    check: Check::Readme(check),
};

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for row in &cx.listing.rows {
        let Some(cell) = row.cell(row.columns.version) else {
            continue;
        };
        let stated = row.report.and_then(|report| report.version.as_ref());
        let stated = stated.map(|version| version.value.as_str());
        let versions = [Some(cell.text.trim()), stated];
        for link in &cell.links {
            let mut named = versions
                .iter()
                .flatten()
                .filter(|version| !version.is_empty());
            let is_other = |version: &&str| named_by_link(&link.target, version) == Named::Another;
            if named.clone().next().is_none() || !named.all(is_other) {
                continue;
            }
            out.at(
                cx.span(link.target_span),
                format!(
                    "the link of {} leads to another version",
                    quoted(cell.text.trim())
                ),
            )
            .help("link the page of the release that was tested, or correct the version");
        }
    }
}
