use std::collections::BTreeMap;

use crate::report::view::{Level, Text as Scalar};
use crate::rules::{Findings, Remedy, ReportContext, rule};

rule! {
    "provisional_contradicts_lists.md", ReportContext(check), Text<'a>, Remedy;
    Both { test: &'a str, field: &'a str } => "{test} is listed in {field} and in `succeededProvisionalTests`",
    Succeeded => "succeeded here",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let succeeded = cx.report.succeeded_provisional_tests.iter();
    let succeeded: BTreeMap<&str, Scalar<'_>> = succeeded
        .flat_map(|list| &list.items)
        .map(|test| (test.value, *test))
        .collect();
    for (field, test) in cx.report.levels().flat_map(not_passed) {
        if let Some(other) = succeeded.get(test.value) {
            let name = test.value;
            out.at(cx.value(test.node), Text::Both { test: name, field })
                .label(cx.value(other.node), Text::Succeeded)
                .help(Remedy::SubmitUnmodified);
        }
    }
}

fn not_passed<'l, 'a>(
    level: &'l Level<'a>,
) -> impl Iterator<Item = (&'static str, Scalar<'a>)> + use<'l, 'a> {
    let lists = [
        ("failedTests", &level.failed_tests),
        ("skippedTests", &level.skipped_tests),
    ];
    lists.into_iter().flat_map(|(field, list)| {
        let items = list.iter().flat_map(|list| &list.items);
        items.map(move |test| (field, *test))
    })
}
