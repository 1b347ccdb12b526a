use super::{EvidenceContext, ResultText, Text as Labels};
use crate::evidence::Logged;
use crate::evidence::log::Outcome;
use crate::rules::{Findings, Remedy};

rule!("skipped.md", Evidence(check), ResultText, Labels, Remedy);

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    cx.report_results(
        "counted as passed",
        |claimed, logged| claimed == Outcome::Passed && logged == Logged::Skipped,
        out,
    );
}
