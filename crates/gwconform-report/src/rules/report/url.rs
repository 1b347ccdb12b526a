use crate::report::formats::{completed_url, is_placeholder_url, is_website};
use crate::rules::{Findings, Remedy, ReportContext, rule};

rule! {
    "url.md", ReportContext(check), Text<'a>, Remedy;
    NotAnAddress { value: &'a str } => "{value} is not the URL of a website; expected a URL with http or https",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(url) = cx.report.implementation.url.filter(|_| !cx.is_cut) else {
        return;
    };
    let value = url.value;
    let is_for_others = value.is_empty() || is_placeholder_url(value);
    if is_for_others || is_website(value) || completed_url(value).is_some() {
        return;
    }
    out.at(cx.value(url.node), Text::NotAnAddress { value })
        .help(Remedy::like("url", "<https://…>"));
}
