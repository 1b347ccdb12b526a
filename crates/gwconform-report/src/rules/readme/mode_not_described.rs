use std::cell::LazyCell;
use std::collections::BTreeMap;

use super::cells::is_described;
use super::letters;
use crate::report::facts::Fact;
use crate::rules::{Findings, MAX_FINDINGS, ReadmeContext, rule};
use gwconform_base::api::Mode;

rule! {
    "mode_not_described.md", ReadmeContext(check), Text<'a>;
    NotDescribed { mode: &'a str } => "mode {mode} is not described in this section; expected the steps that set it up",
    OfReport => "mode of the report",
    Describe => "name the mode, and describe what is configured or installed differently for it",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let sections = cx.readme.reproduce_sections();
    let Some(&first) = sections.first() else {
        return;
    };
    let described = LazyCell::new(|| -> String {
        let bodies = sections.iter().map(|&at| cx.readme.sections[at].body);
        bodies.map(|body| letters(cx.source.slice(body))).collect()
    });
    let reports = cx.reports.unwrap_or_default().iter();
    let modes: BTreeMap<&str, &Fact> = reports
        .filter_map(|report| report.mode.as_ref())
        .map(|mode| (mode.value.as_str(), mode))
        .collect();
    for (mode, fact) in modes.into_iter().take(MAX_FINDINGS) {
        let is_default = mode.eq_ignore_ascii_case(Mode::Default.as_str());
        if mode.is_empty() || is_default || is_described(mode, &described) {
            continue;
        }
        let heading_span = cx.readme.heading_of(first).map(|heading| heading.span);
        let anchor = cx.about(heading_span.unwrap_or_default(), format!("mode {mode}"));
        out.at(anchor, Text::NotDescribed { mode })
            .label(fact.place.clone(), Text::OfReport)
            .help(Text::Describe);
    }
}
