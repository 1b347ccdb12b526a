//! `report/url`

use crate::formats::is_web_address;
use crate::message::texts;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning("report/url", include_str!("url.md"), Check::Report(check))
    .sources(&["reports README, Reports rules"])
    .related(&["report/empty-value"])
    .texts(&[Text::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text<'a> {
        NoScheme { value: &'a str } => "{value} has no scheme; expected a URL with http or https",
        NotAnAddress { value: &'a str } => "{value} is not the address of a website; expected a URL with http or https",
    }
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(url) = cx.report.implementation.url else {
        return;
    };
    let value = url.value;
    if value.is_empty() || is_web_address(value) {
        return;
    }
    let completed = format!("https://{value}");
    let is_address = !value.contains("://") && !value.contains('@') && is_web_address(&completed);
    let (text, remedy) = match is_address {
        true => (Text::NoScheme { value }, Remedy::with("url", &completed)),
        false => (
            Text::NotAnAddress { value },
            Remedy::like("url", "<https://…>"),
        ),
    };
    out.at(cx.value(url.node), text).help(remedy);
}
