//! `readme/version-link-differs`

use super::fixes::plain;
use super::quoted;
use super::version::{Named, named_by_link, release_numbers};
use crate::diagnostic::Fix;
use crate::readme::Link;
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "readme/version-link-differs",
    include_str!("version_link_differs.md"),
    Check::Readme(check),
)
.not_legacy()
.fixes(Fixes::Unsafe);

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
            .help("link the page of the release that was tested, or correct the version")
            .fix_with(|| fix(cx, link, cell.text.trim(), stated));
        }
    }
}

/// Puts the version into the address in the place of the other one. Whether there is such a page is
/// not known.
fn fix(cx: &ReadmeContext<'_>, link: &Link, shown: &str, stated: Option<&str>) -> Option<Fix> {
    let version = plain(stated.unwrap_or(shown))?;
    let other = other(&link.target, shown, stated)?;
    // `v3.2` is no tag where another is `v3.2.0-rc2`.
    let are_alike = release_numbers(other)? == release_numbers(version)?;
    if !are_alike || link.target.matches(other).count() != 1 {
        return None;
    }
    let number = version.trim_start_matches('v');
    let prefix = if other.starts_with('v') { "v" } else { "" };
    let target = link.target.replacen(other, &format!("{prefix}{number}"), 1);
    (cx.source.slice(link.target_span) == link.target).then(|| {
        let fix = Fix::unsafe_("link the page of the version in the row");
        cx.fix(fix, link.target_span, &target)
    })?
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
