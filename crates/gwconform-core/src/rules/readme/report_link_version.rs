use super::Write;
use super::anchors::Column;
use super::listing::ListedRow;
use super::report_link::{expected, fix};
use super::version::{Spelling, release_numbers, words};
use crate::report::facts::ReportFacts;
use crate::rules::{Findings, ReadmeContext};

rule! {
    "report_link_version.md", Readme(check), Text<'a>, Write;
    Other { found: &'a str, version: &'a str } => "the link text names {found}, but the version of the report is {version}",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (row, report) in cx.listing.rows_with_reports() {
        let Some(cell) = row.cell(row.columns.report) else {
            continue;
        };
        let Some((found, version)) = other_version(&cell.text, row, report) else {
            continue;
        };
        out.at(cx.cell(row, Column::Report), Text::Other { found, version })
            .help(Write::Line {
                line: expected(row),
            })
            .fix_with(|| fix(cx, row, &cell.text));
    }
}

/// The version in a link text and the report's version, if they differ. Texts may also name the
/// release of the API.
pub fn other_version<'t>(
    text: &'t str,
    row: &'t ListedRow<'_>,
    report: &'t ReportFacts,
) -> Option<(&'t str, &'t str)> {
    let version = report
        .version()
        .filter(|version| release_numbers(version).is_some())?;
    let release = report.release.version.as_ref().map(ToString::to_string);
    let of_row = row.text(row.columns.version).unwrap_or_default();
    let right = [version, of_row, release.as_deref().unwrap_or_default()].map(Spelling::new);
    let is_right = |word: &str| {
        let word = Spelling::new(word);
        right
            .iter()
            .any(|right| word.is_same(right) || word.is_near(right))
    };
    let mut named = words(text)
        .skip(1)
        .filter(|word| release_numbers(word).is_some());
    let first = named.next()?;
    let is_named = is_right(first) || named.any(is_right);
    (!is_named && !text.contains(".yaml")).then_some((first, version))
}
