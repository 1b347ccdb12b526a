//! `readme/listener-isolation`

use super::letters;
use crate::facts::LISTENER_ISOLATION;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::info(
    "readme/listener-isolation",
    include_str!("listener_isolation.md"),
    Check::Readme(check),
)
.not_legacy();

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let reports = cx.reports.unwrap_or_default();
    let lacking = reports
        .iter()
        .filter(|report| report.lacks_listener_isolation);
    let count = lacking.count();
    if count == 0 || letters(cx.source.text()).contains("listenerisolation") {
        return;
    }
    let noun = if count == 1 {
        "report lists"
    } else {
        "reports list"
    };
    out.at(
        cx.title(),
        format!("{count} {noun} {LISTENER_ISOLATION} as unsupported, and the README does not speak of it"),
    )
    .help("say in a sentence on Listener Isolation what happens to a request that two listeners match");
}
