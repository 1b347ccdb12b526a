use std::collections::BTreeMap;

use crate::rules;
use gwconform_base::text::diagnostic::Diagnostic;
use gwconform_base::text::source::Position;
use gwconform_report::rules::check::CheckReport;

/// Combines two checks. A finding in both gets the higher severity.
pub(in crate::workspace) fn stricter(mut now: CheckReport, mut before: CheckReport) -> CheckReport {
    // Users need not remove entries that only one configuration makes unused.
    let is_about_config = |finding: &Diagnostic| {
        rules::find(gwconform_report::rules::config::ABOUT, finding.rule).is_some()
    };
    before.findings.retain(|finding| !is_about_config(finding));
    let mut others: BTreeMap<Key, Vec<Diagnostic>> = BTreeMap::new();
    for finding in before.findings {
        others.entry(key(&finding)).or_default().push(finding);
    }
    for finding in &mut now.findings {
        let other = others.get_mut(&key(finding)).and_then(Vec::pop);
        finding.severity = finding
            .severity
            .max(other.map_or(finding.severity, |other| other.severity));
    }
    now.findings.extend(others.into_values().flatten());
    now.skipped.append(&mut before.skipped);
    now.ignored = now.ignored.min(before.ignored);
    now.accepted = now.accepted.min(before.accepted);
    now.hidden.raise(before.hidden);
    let mut all = CheckReport::default();
    all.merge(now);
    all
}

/// The region is included, because a baseline can accept the first of two equal subjects.
type Key = (&'static str, String, Option<(Position, Position)>, String);

fn key(finding: &Diagnostic) -> Key {
    let (path, region) = finding.place.sort_key();
    (
        finding.rule,
        path.to_owned(),
        region,
        finding.subject.to_string(),
    )
}
