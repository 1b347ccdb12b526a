use super::{SameIdentity, repeated};
use crate::report::facts::ReportFacts;
use crate::rules::{Findings, rule};
use crate::rules::{Remedy, SubmissionContext};
use gwconform_base::text::message::Message;

rule! {
    "same_identity.md", SubmissionContext(check), Text, SameIdentity, Remedy;
    Same { identity: Message } => "two reports of this submission have the same identity, {identity}; expected another channel, version or mode",
}

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let reports = cx.reports.iter();
    let reports = reports.filter_map(|report| Some((report.identity()?, report)));
    // Reported by tree/copied-report.
    let is_copy = |a: &ReportFacts, b: &ReportFacts| a.run() == b.run() && a.path != b.path;
    repeated(
        reports,
        is_copy,
        |identity| Text::Same { identity }.into(),
        out,
    );
}
