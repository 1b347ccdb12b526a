//! `readme/x-cell`

use super::fixes::plain;
use super::listing::is_x;
use super::quoted;
use crate::diagnostic::Fix;
use crate::facts::Fact;
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "readme/x-cell",
    include_str!("x_cell.md"),
    Check::Readme(check),
)
.not_legacy()
.strict()
.fixes(Fixes::Safe);

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for row in &cx.listing.rows {
        let report = row.report;
        let columns = [
            (
                "channel",
                row.columns.channel,
                report.and_then(|report| report.channel.as_ref()),
            ),
            (
                "mode",
                row.columns.mode,
                report.and_then(|report| report.mode.as_ref()),
            ),
        ];
        for (name, column, stated) in columns {
            let is_meant = |stated: &Fact| is_x(&stated.value);
            if !row.text(column).is_some_and(is_x) || stated.is_some_and(is_meant) {
                continue;
            }
            let finding = out.at(
                cx.cell(row.row, column),
                format!("`x` stands for the {name} only up to v1.0.0"),
            );
            match stated.filter(|stated| !stated.value.is_empty()) {
                Some(stated) => {
                    let fix = || {
                        let fix = Fix::safe(format!("write the report's {name}"));
                        cx.fix_cell(fix, row.cell(column), plain(&stated.value)?)
                    };
                    finding.fix_with(fix).help(format!(
                        "write {}, as the report has it",
                        quoted(&stated.value)
                    ))
                }
                None => finding.help(format!("write the {name} of the report")),
            };
        }
    }
}
