use super::letters;
use crate::report::facts::LISTENER_ISOLATION;
use crate::rules::{Findings, ReadmeContext, rule};

rule! {
    "listener_isolation.md", ReadmeContext(check), Text;
    OneReport { feature: &'static str } => "1 report lists {feature} as unsupported, but the README does not mention Listener Isolation",
    Reports { count: usize, feature: &'static str } => "{count} reports list {feature} as unsupported, but the README does not mention Listener Isolation",
    Describe => "add a sentence about Listener Isolation that describes what happens to a request that matches two listeners",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let reports = cx.reports.unwrap_or_default();
    let lacking = reports
        .iter()
        .filter(|report| report.lacks_listener_isolation);
    let count = lacking.count();
    if count == 0 || letters(cx.source.text()).contains("listenerisolation") {
        return;
    }
    let feature = LISTENER_ISOLATION;
    let message = match count {
        1 => Text::OneReport { feature },
        _ => Text::Reports { count, feature },
    };
    let anchor = cx.whole(cx.title()).about(LISTENER_ISOLATION);
    out.at(anchor, message).help(Text::Describe);
}
