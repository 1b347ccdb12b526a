use std::collections::BTreeMap;

use crate::report::facts::ReportFacts;
use crate::rules::{Findings, TreeContext, message_parts, rule};
use gwconform_base::api::Version;
use gwconform_base::text::diagnostic::{Anchor, Place};
use gwconform_base::text::message::Message;

rule! {
    "extended_lost.md", TreeContext(check), Text<'a>;
    Lost { profiles: Message, version: &'a Version } => "{profiles}: no extended result; the last report, for {version}, has one",
    Last => "the last report",
    Claim => "if the features are still supported, run the suite again with `--supported-features` and submit the new report",
}

type Line<'f> = [Option<&'f str>; 4];

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    let mut lines: BTreeMap<Line<'_>, Vec<(&Version, &ReportFacts)>> = BTreeMap::new();
    for report in cx
        .reports
        .iter()
        .filter(|report| report.is_report && !report.is_cut)
    {
        let named = report.organization().and(report.project());
        if let (Some(_), Some(version)) = (named, &report.release.version) {
            let line = [
                report.organization(),
                report.project(),
                report.channel(),
                report.mode(),
            ];
            lines.entry(line).or_default().push((version, report));
        }
    }
    for reports in lines.values_mut() {
        reports.sort_by_key(|(version, report)| (*version, &report.path, report.document));
        let mut last = None;
        for releases in reports.chunk_by(|a, b| a.0 == b.0) {
            if let Some((version, before)) = last {
                for (_, report) in releases {
                    lost(version, before, report, out);
                }
            }
            last = releases.last().copied();
        }
    }
}

fn lost(version: &Version, before: &ReportFacts, report: &ReportFacts, out: &mut Findings) {
    let has_extended = |report: &ReportFacts, name: &str| {
        let mut profiles = report.profiles.iter();
        profiles.any(|profile| profile.name() == Some(name) && profile.extended.is_some())
    };
    let profiles = report
        .profiles
        .iter()
        .filter(|profile| profile.core.is_some());
    let lost: Vec<&str> = profiles
        .filter_map(|profile| profile.name())
        .filter(|name| !has_extended(report, name) && has_extended(before, name))
        .collect();
    if lost.is_empty() {
        return;
    }
    let about = format!("no extended {} since {version}", lost.join(" "));
    let text = Text::Lost {
        profiles: message_parts::names(lost),
        version,
    };
    out.at(Anchor::path(&report.path).about(about), text)
        .label(Place::path(&before.path), Text::Last)
        .help(Text::Claim);
}
