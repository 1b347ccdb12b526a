//! `readme/version-link-differs`

use super::anchors::{self, Column};
use super::fixes::plain;
use super::version::{LinkMatch, named_by_link, release_numbers};
use crate::diagnostic::{Anchor, Fix};
use crate::message::texts;
use crate::readme::Link;
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "readme/version-link-differs",
    include_str!("version_link_differs.md"),
    Check::Readme(check),
)
.not_legacy()
.fixes(Fixes::Unsafe)
.related(&["readme/version-link", "readme/row-version"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        LinksTo { version: &'a str, other: &'a str } => "version {version} is linked to the page of {other}",
        LinksToOther { version: &'a str } => "version {version} is linked to the page of another version",
        Correct => "link the page of the tested release, or correct the version",
    }
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for row in &cx.listing.rows {
        let Some(cell) = row.cell(row.columns.version) else {
            continue;
        };
        let fact = row.report.and_then(|report| report.version.as_ref());
        let of_report = fact.map(|version| version.value.as_str());
        let versions = [Some(cell.text.trim()), of_report];
        for link in &cell.links {
            let mut named = versions
                .iter()
                .flatten()
                .filter(|version| !version.is_empty());
            let is_other =
                |version: &&str| named_by_link(&link.target, version) == LinkMatch::Other;
            if named.clone().next().is_none() || !named.all(is_other) {
                continue;
            }
            let version = cell.text.trim();
            let message = match other(&link.target, version, of_report) {
                Some(other) => Text::LinksTo { version, other },
                None => Text::LinksToOther { version },
            };
            let subject = anchors::cell(row, Column::Version).with_value(&link.target);
            out.at(Anchor::new(cx.place(link.target_span), subject), message)
                .help(Text::Correct)
                .fix_with(|| fix(cx, link, version, of_report));
        }
    }
}

/// Puts the version into the address in the place of the other one. Whether there is such a page is
/// not known.
fn fix(cx: &ReadmeContext<'_>, link: &Link, of_row: &str, of_report: Option<&str>) -> Option<Fix> {
    let version = plain(of_report.unwrap_or(of_row))?;
    let other = other(&link.target, of_row, of_report)?;
    // Where one tag is `v3.2.0-rc2`, there is probably none called `v3.2`.
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

/// The part of a URL that names a version which is neither `of_row` nor `of_report`: the last one, as
/// the parts before it are of folders.
fn other<'u>(url: &'u str, of_row: &str, of_report: Option<&str>) -> Option<&'u str> {
    let path = url.split_once("://").map_or(url, |(_, rest)| {
        rest.split_once('/').map_or("", |(_, below)| below)
    });
    let wanted: Vec<&str> = [Some(of_row), of_report]
        .into_iter()
        .flatten()
        .filter(|version| !version.is_empty())
        .collect();
    path.rsplit(['/', '?', '#', '&', '=']).find(|part| {
        wanted
            .iter()
            .all(|version| named_by_link(part, version) == LinkMatch::Other)
    })
}
