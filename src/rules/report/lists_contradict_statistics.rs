//! `report/lists-contradict-statistics`

use crate::diagnostic::in_code;
use crate::model::Level;
use crate::report::view::{List, Number};
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/lists-contradict-statistics",
    include_str!("lists_contradict_statistics.md"),
    Check::Report(check),
);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for profile in &cx.report.profiles {
        let name = profile.name.map_or("a profile", |name| name.value);
        for (level, status) in profile.levels() {
            let Some(statistics) = status.statistics else {
                continue;
            };
            compare(
                cx,
                out,
                (name, level),
                ("Skipped", statistics.skipped),
                ("skippedTests", status.skipped_tests.as_ref()),
            );
            compare(
                cx,
                out,
                (name, level),
                ("Failed", statistics.failed),
                ("failedTests", status.failed_tests.as_ref()),
            );
        }
    }
}

fn compare(
    cx: &ReportContext<'_>,
    out: &mut Findings,
    (profile, level): (&str, Level),
    (counter, number): (&str, Option<Number>),
    (field, list): (&str, Option<&List<'_>>),
) {
    let Some(number) = number else { return };
    let listed = list.map_or(0, |list| list.items.len());
    if number.value == listed as u64 {
        return;
    }
    let names = match listed {
        0 => "names none".to_owned(),
        1 => "names 1 test".to_owned(),
        more => format!("names {more} tests"),
    };
    let finding = out.at(
        cx.node(number.node),
        format!(
            "{profile}: {level} counts {} under `{counter}`, but `{field}` {names}",
            number.value,
            counter = in_code(&counter),
            field = in_code(&field)
        ),
    );
    if let Some(list) = list {
        finding.label(cx.head(list.node), "named here");
    }
    finding.help(
        "the suite never contradicts itself: submit the report as it was written, or run it again",
    );
}
