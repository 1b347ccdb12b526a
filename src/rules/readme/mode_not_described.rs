//! `readme/mode-not-described`

use std::cell::LazyCell;
use std::collections::BTreeMap;

use super::cells::is_described;
use super::{letters, quoted};
use crate::facts::Fact;
use crate::model::Mode;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "readme/mode-not-described",
    include_str!("mode_not_described.md"),
    Check::Readme(check),
)
.not_legacy();

/// Modes that are looked for; no more are named anyway.
const MAX_MODES: usize = 100;

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let sections = cx.readme.reproduce_sections();
    let Some(&first) = sections.first() else {
        return;
    };
    let said = LazyCell::new(|| -> String {
        let bodies = sections.iter().map(|&at| cx.readme.sections[at].body);
        bodies.map(|body| letters(cx.source.slice(body))).collect()
    });
    let modes = cx.reports.unwrap_or_default().iter();
    let modes = modes.filter_map(|report| report.mode.as_ref());
    let modes: BTreeMap<&str, &Fact> = modes.map(|mode| (mode.value.as_str(), mode)).collect();
    for (mode, fact) in modes.into_iter().take(MAX_MODES) {
        if mode.is_empty() || mode.eq_ignore_ascii_case(Mode::Default.as_str()) || is_described(mode, &said) {
            continue;
        }
        let heading = cx.readme.heading_of(first).map(|heading| heading.span);
        out.at(
            cx.span(heading.unwrap_or_default()),
            format!(
                "this section does not say how to set up mode {}",
                quoted(mode)
            ),
        )
        .label(fact.place.clone(), "the mode of this report")
        .help("name the mode there, and what is configured or installed differently for it");
    }
}
