use super::Write;
use super::anchors::Column;
use super::fixes::adds_no_information;
use super::listing::{ListedRow, is_x};
use super::markup::{link, plain};
use super::version::{Likeness, cell_likeness, is_row_right, right_version};
use crate::report::formats::is_no_snapshot;
use crate::rules::{Findings, ReadmeContext};
use crate::text::diagnostic::Fix;
use crate::text::message::Line;
use crate::tree::readme::Cell;

rule! {
    "version_link.md", Readme(check), Text<'a>, Write;
    OnlyBrackets { version: &'a str } => "version {version} is in brackets but not linked; expected a link to its release page",
    NotLinked { version: &'a str } => "version {version} is not linked; expected a link to its release page",
}

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
        let likeness = of_report(row).map(|version| cell_likeness(cell, version));
        if likeness == Some(Likeness::Different) {
            // Handled by readme/row-version.
            continue;
        }
        let written_name = text.split_whitespace().next().unwrap_or(text);
        let written_name = written_name.trim_matches(['[', ']']);
        let name = of_report(row).map_or(written_name, |version| right_version(text, version));
        let target = cell
            .bare_url
            .map_or("https://…", |url| cx.source.slice(url));
        let line = Line(format!("[{name}]({target})"));
        let message = match written {
            true => Text::OnlyBrackets {
                version: written_name,
            },
            false => Text::NotLinked { version: text },
        };
        out.at(cx.cell(row, Column::Version), message)
            .help(Write::LinkToPage { line })
            .fix_with(|| fix(cx, row, cell));
    }
}

fn of_report<'r>(row: &'r ListedRow<'_>) -> Option<&'r str> {
    let version = row.report?.version.as_ref()?.value.as_str();
    plain(version).filter(|version| !is_no_snapshot(version))
}

fn fix(cx: &ReadmeContext<'_>, row: &ListedRow<'_>, cell: &Cell) -> Option<Fix> {
    let title = "link the version to its release";
    let text = cell.text.trim();
    // Keep the cell's version if it is more exact.
    let spelled = |written: &str| match of_report(row) {
        None => Some(written.to_owned()),
        Some(version) if is_row_right(written, version) => Some(written.to_owned()),
        Some(version) => adds_no_information(written, version).then(|| version.to_owned()),
    };
    if let Some(span) = cell.bare_url {
        let url = cx.source.slice(span);
        let first = text
            .split_once(['(', ' '])
            .map_or(text, |(before, _)| before);
        let name = plain(first.trim().trim_matches(['[', ']']))?;
        let rest = text.replacen(url, "", 1).replacen(name, "", 1);
        let is_all = rest.chars().all(|c| " []()<>".contains(c));
        let name = spelled(name)?;
        let fix = is_all.then(|| cx.fix(Fix::safe(title), cell.span, &link(&name, url)?))??;
        return cx.with_link_text(fix, row, &name);
    }
    let name = spelled(plain(text.trim_matches(['[', ']']))?)?;
    let page = cx.release_page(row.report?, &name)?;
    let fix = page.fix(title);
    let fix = cx.fix(fix, cell.span, &link(&name, &page.address)?)?;
    cx.with_link_text(fix, row, &name)
}
