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
            let text = quoted(cell.text.trim());
            out.at(
                cx.span(link.target_span),
                match other(&link.target, cell.text.trim(), stated) {
                    Some(other) => {
                        format!("the link of {text} leads to {}", quoted(other))
                    }
                    None => format!("the link of {text} leads to another version"),
                },
            )
            .help("link the page of the release that was tested, or correct the version");
        }
    }
}

/// The part of a URL that names a version which is neither `shown` nor `stated`: the last one, as
/// the parts before it are of folders.
fn other<'u>(url: &'u str, shown: &str, stated: Option<&str>) -> Option<&'u str> {
    let path = url.split_once("://").map_or(url, |(_, rest)| {
        rest.split_once('/').map_or("", |(_, path)| path)
    });
    let wanted = [Some(shown), stated].into_iter().flatten();
    let wanted: Vec<&str> = wanted.filter(|version| !version.is_empty()).collect();
    path.rsplit(['/', '?', '#', '&', '=']).find(|part| {
        let mut wanted = wanted.iter();
        wanted.all(|version| named_by_link(part, version) == Named::Another)
    })
}
