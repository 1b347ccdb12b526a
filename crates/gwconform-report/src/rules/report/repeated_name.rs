use std::collections::BTreeMap;

use crate::report::view::List;
use crate::rules::{Findings, Remedy, ReportContext, rule};

rule! {
    "repeated_name.md", ReportContext(check), Text<'a>, Remedy;
    Duplicate { field: &'a str, name: &'a str } => "{field}: duplicate name {name}",
    InTwo { name: &'a str, first: &'a str, second: &'a str } => "{name} is in both {first} and {second}",
    First => "first occurrence",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for profile in &cx.report.profiles {
        for (_, level) in profile.levels() {
            let tests = [
                ("skippedTests", level.skipped_tests.as_ref()),
                ("failedTests", level.failed_tests.as_ref()),
            ];
            repeated(cx, out, &tests);
            repeated(
                cx,
                out,
                &[("supportedFeatures", level.supported_features.as_ref())],
            );
            repeated(
                cx,
                out,
                &[("unsupportedFeatures", level.unsupported_features.as_ref())],
            );
        }
    }
    let provisional = cx.report.succeeded_provisional_tests.as_ref();
    repeated(cx, out, &[("succeededProvisionalTests", provisional)]);
}

fn repeated(
    cx: &ReportContext<'_>,
    out: &mut Findings,
    lists: &[(&'static str, Option<&List<'_>>)],
) {
    let names = lists
        .iter()
        .filter_map(|(_, list)| *list)
        .flat_map(|list| &list.items)
        .map(|item| item.value);
    if names.is_sorted_by(|a, b| a < b) {
        return;
    }
    let mut first = BTreeMap::new();
    for &(field, list) in lists {
        for item in list.map_or(&[][..], |list| &list.items) {
            let Some(&(first_field, node)) = first.get(item.value) else {
                first.insert(item.value, (field, item.node));
                continue;
            };
            let name = item.value;
            let text = if first_field == field {
                Text::Duplicate { field, name }
            } else {
                Text::InTwo {
                    name,
                    first: first_field,
                    second: field,
                }
            };
            out.at(cx.value(item.node), text)
                .label(cx.value(node), Text::First)
                .help(Remedy::SubmitUnmodified);
        }
    }
}
