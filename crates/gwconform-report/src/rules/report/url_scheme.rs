use crate::report::formats::{completed_url, is_placeholder_url};
use crate::rules::{Findings, Remedy, ReportContext, rule};

rule! {
    "url_scheme.md", ReportContext(check), Text<'a>, Remedy;
    NoScheme { value: &'a str } => "{value} has no scheme; expected a URL with http or https",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(url) = cx.report.implementation.url.filter(|_| !cx.is_cut) else {
        return;
    };
    let value = url.value;
    let completed = completed_url(value).filter(|_| !is_placeholder_url(value));
    if let Some(completed) = completed {
        out.at(cx.value(url.node), Text::NoScheme { value })
            .help(Remedy::with("url", &completed));
    }
}
