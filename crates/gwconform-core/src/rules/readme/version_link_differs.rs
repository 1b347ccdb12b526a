use super::Write;
use super::anchors::{self, Column};
use super::listing::ListedRow;
use super::markup::{link, plain};
use super::version::{
    Likeness, LinkMatch, cell_likeness, is_row_right, named_by_link, release_number,
    release_numbers, right_version,
};
use crate::report::facts::ReportFacts;
use crate::report::formats::{Repository, is_branch, is_no_snapshot};
use crate::rules::{Findings, ReadmeContext};
use crate::text::diagnostic::{Anchor, Fix};
use crate::text::message::{Line, Message};
use crate::text::source::Span;
use crate::tree::readme::Cell;

rule! {
    "version_link_differs.md", Readme(check), Text<'a>, Write;
    LinksTo { version: &'a str, other: &'a str } => "version {version} is linked to the page of {other}",
    LinksToOther { version: &'a str } => "version {version} is linked to the page of another version",
    Correct => "link the page of the tested release, or correct the version",
    OtherRepository { version: &'a str, other: String, own: String } => "version {version} is linked to a page of {other}, but the report names {own}",
    FrontPage { version: &'a str } => "version {version} is linked to the front page of a repository; expected the page of the release",
    Moving { version: &'a str } => "version {version} is linked to a page that changes with later releases; expected the page of the release",
}

#[derive(Clone, Copy)]
struct Target<'a> {
    url: &'a str,
    span: Span,
    link: Span,
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for row in &cx.listing.rows {
        let Some(cell) = row.cell(row.columns.version) else {
            continue;
        };
        let targets = targets(cx, cell);
        let links_repository = check_repositories(cx, row, cell, &targets, out);
        if !links_repository {
            check_versions(cx, row, cell, &targets, out);
        }
    }
}

fn targets<'a>(cx: &'a ReadmeContext<'_>, cell: &'a Cell) -> Vec<Target<'a>> {
    let links = cell.links.iter().map(|link| Target {
        url: &link.target,
        span: link.target_span,
        link: link.span,
    });
    let bare = cell.bare_url.map(|span| Target {
        url: cx.source.slice(span),
        span,
        link: span,
    });
    links.chain(bare).collect()
}

/// One link to the correct repository is sufficient.
fn check_repositories(
    cx: &ReadmeContext<'_>,
    row: &ListedRow<'_>,
    cell: &Cell,
    targets: &[Target<'_>],
    out: &mut Findings,
) -> bool {
    let version = cell.text.trim();
    let own = row.report.and_then(repository);
    let mut found = Vec::new();
    for target in targets {
        let Some((repository, below)) = Repository::of(target.url) else {
            return false;
        };
        let is_other = own.as_ref().filter(|own| **own != repository);
        let text = match (is_other, page(&repository, &below)) {
            (Some(own), _) => Text::OtherRepository {
                version,
                other: repository.to_string(),
                own: own.to_string(),
            },
            (None, Page::Front) => Text::FrontPage { version },
            (None, Page::Moving) => Text::Moving { version },
            (None, Page::Other) => return false,
        };
        found.push((*target, text));
    }
    let is_settled = !version.is_empty()
        && !is_no_snapshot(version)
        && row.report.is_none_or(|report| {
            let of_report = report.version().unwrap_or_default();
            !is_no_snapshot(of_report) && cell_likeness(cell, of_report) != Likeness::Different
        });
    if !is_settled {
        return false;
    }
    let is_found = !found.is_empty();
    for (target, text) in found {
        let page = match &text {
            Text::OtherRepository { .. } => None,
            _ => release_page(cx, row),
        };
        let written = written_version(row, version);
        let line = |page| Line(format!("[{written}]({page})"));
        let help = match &page {
            Some(page) => Write::Line {
                line: line(page.as_str()),
            },
            None => Write::LinkToPage {
                line: line("https://…"),
            },
        };
        let subject = anchors::cell(row, Column::Version).with_value(target.url);
        out.at(Anchor::new(cx.place(target.span), subject), text)
            .help(help)
            .fix_with(|| write_link(cx, row, cell, target, &page?));
    }
    is_found
}

fn repository(report: &ReportFacts) -> Option<Repository> {
    let (own, _) = Repository::of(report.url()?)?;
    own.is_complete().then_some(own)
}

/// True if the link may be a release page. This rule reports other links.
pub(super) fn may_be_a_release(url: &str, report: &ReportFacts) -> bool {
    Repository::of(url).is_none_or(|(linked, below)| {
        let is_own = repository(report).is_none_or(|own| own == linked);
        is_own && matches!(page(&linked, &below), Page::Other)
    })
}

enum Page {
    /// Page of the repository or its owner.
    Front,
    /// Page that later releases change, such as a branch.
    Moving,
    /// Other page, such as a release, tag or commit.
    Other,
}

fn page(repository: &Repository, below: &[String]) -> Page {
    let names: Vec<&str> = below.iter().map(String::as_str).collect();
    match names.as_slice() {
        [] => Page::Front,
        _ if !repository.is_complete() => Page::Front,
        ["releases", "latest"] | ["releases", "permalink", "latest", ..] => Page::Moving,
        ["tree" | "blob" | "commits", branch, ..] if is_branch(branch) => Page::Moving,
        ["src", "branch", ..] => Page::Moving,
        _ => Page::Other,
    }
}

fn release_page(cx: &ReadmeContext<'_>, row: &ListedRow<'_>) -> Option<String> {
    let report = row.report?;
    let of_row = row.text(row.columns.version).unwrap_or_default();
    let page = cx.release_page(report, right_version(of_row, report.version()?))?;
    Some(page.address)
}

fn written_version<'r>(row: &ListedRow<'r>, of_row: &'r str) -> &'r str {
    let of_report = row.report.and_then(|report| report.version());
    of_report.map_or(of_row, |of_report| right_version(of_row, of_report))
}

fn write_link(
    cx: &ReadmeContext<'_>,
    row: &ListedRow<'_>,
    cell: &Cell,
    target: Target<'_>,
    url: &str,
) -> Option<Fix> {
    if cx.source.slice(target.span) != target.url {
        return None;
    }
    let fix = Fix::unsafe_("link the page of the release");
    let version = written_version(row, cell.text.trim());
    if cell_likeness(cell, version) == Likeness::Spelled && target.link == cell.span {
        let fix = cx.fix(fix, cell.span, &link(version, url)?)?;
        return cx.with_link_text(fix, row, version);
    }
    cx.fix(fix, target.span, url)
}

fn check_versions(
    cx: &ReadmeContext<'_>,
    row: &ListedRow<'_>,
    cell: &Cell,
    targets: &[Target<'_>],
    out: &mut Findings,
) {
    let of_report = row.report.and_then(|report| report.version());
    let versions = [Some(cell.text.trim()), of_report];
    for target in targets {
        let mut named = versions
            .iter()
            .flatten()
            .filter(|version| !version.is_empty());
        let is_other = |version: &&str| named_by_link(target.url, version) == LinkMatch::Other;
        if named.clone().next().is_none() || !named.all(is_other) {
            continue;
        }
        let version = cell.text.trim();
        let message: Message = match other(target.url, version, of_report) {
            Some(other) => Text::LinksTo { version, other }.into(),
            None => Text::LinksToOther { version }.into(),
        };
        let subject = anchors::cell(row, Column::Version).with_value(target.url);
        out.at(Anchor::new(cx.place(target.span), subject), message)
            .help(Text::Correct)
            .fix_with(|| fix(cx, row, cell, *target));
    }
}

/// The fix is unsafe, because the page may not exist.
fn fix(
    cx: &ReadmeContext<'_>,
    row: &ListedRow<'_>,
    cell: &Cell,
    target: Target<'_>,
) -> Option<Fix> {
    let of_row = cell.text.trim();
    let of_report = row.report.and_then(|report| report.version());
    let version = plain(of_report.unwrap_or(of_row))?;
    let likeness = cell_likeness(cell, version);
    // If the row and the report give different versions, either can be wrong, so propose no fix.
    let is_settled = likeness != Likeness::Different && !is_row_right(of_row, version);
    let url = address_with(target.url, of_row, version).filter(|_| is_settled)?;
    write_link(cx, row, cell, target, &url)
}

pub(super) fn address_with(url: &str, of_row: &str, version: &str) -> Option<String> {
    let other = other(url, of_row, Some(version))?;
    // Next to `v3.2.0-rc2`, a tag `v3.2` is unlikely.
    let are_alike = release_numbers(other)? == release_numbers(version)?;
    let number = release_number(version)?;
    release_number(other)?;
    let prefix = if other.starts_with('v') { "v" } else { "" };
    (are_alike && url.matches(other).count() == 1)
        .then(|| url.replacen(other, &format!("{prefix}{number}"), 1))
}

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
