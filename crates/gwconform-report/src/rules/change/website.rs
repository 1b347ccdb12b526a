use crate::report::formats::host_of;
use crate::rules::tree::implementation;
use crate::rules::{ChangeContext, Findings, rule};
use gwconform_base::text::shell;

rule! {
    "website.md", ChangeContext(check), Text;
    Other { host: String, usual: String, implementation: String } => "the website is on {host}; expected {usual}, as in the newest report of {implementation}",
    Confirm { argument: String } => "confirm that the project moved its website; otherwise, run the suite again with {argument} and submit the new report",
}

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    for (report, known) in cx.of_known() {
        let newest = known.newest.and_then(|newest| newest.url.as_ref());
        let (Some(url), Some(newest)) = (&report.url, newest) else {
            continue;
        };
        let (Some(host), Some(usual)) = (host_of(&url.value), host_of(&newest.value)) else {
            continue;
        };
        let mut reports = known.reports.iter();
        let is_kept = reports.any(|one| one.path == report.path && one.url() == report.url());
        if host == usual || is_kept {
            continue;
        }
        let message = Text::Other {
            host,
            usual,
            implementation: implementation(report),
        };
        let finding = out.at(url.about("/implementation/url"), message);
        if let Some(argument) = shell::flag("url", &newest.value) {
            finding.help(Text::Confirm { argument });
        }
    }
}
