use super::Write;
use super::anchors::Column;
use super::listing::is_x;
use super::markup::plain;
use crate::report::facts::Fact;
use crate::rules::{Findings, ReadmeContext};
use crate::text::diagnostic::Fix;
use crate::text::message::{Line, Words};

rule! {
    "x_cell.md", Readme(check), Text, Write;
    OnlyLegacy { noun: Words } => "`x` as {noun} is allowed only up to v1.0.0; expected the {noun} of the report",
    Write { noun: Words } => "write the {noun} of the report",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for row in &cx.listing.rows {
        let report = row.report;
        let columns = [
            (
                "channel",
                Column::Channel,
                row.columns.channel,
                report.and_then(|report| report.channel.as_ref()),
            ),
            (
                "mode",
                Column::Mode,
                row.columns.mode,
                report.and_then(|report| report.mode.as_ref()),
            ),
        ];
        for (name, named, column, fact) in columns {
            let noun = Words(name);
            let is_meant = |fact: &Fact| is_x(&fact.value);
            if !row.text(column).is_some_and(is_x) || fact.is_some_and(is_meant) {
                continue;
            }
            let finding = out.at(cx.cell(row, named), Text::OnlyLegacy { noun });
            match fact.filter(|fact| !fact.value.is_empty()) {
                Some(fact) => {
                    let fix = || {
                        let titled = Fix::safe(format!("write the report's {name}"));
                        cx.fix_cell(titled, row.cell(column), plain(&fact.value)?)
                    };
                    let line = Line(fact.value.clone());
                    finding.fix_with(fix).help(Write::Line { line })
                }
                None => finding.help(Text::Write { noun }),
            };
        }
    }
}
