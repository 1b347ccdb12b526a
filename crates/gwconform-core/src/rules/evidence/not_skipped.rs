use super::{EvidenceContext, ResultText, Text as Labels};
use crate::evidence::Logged;
use crate::evidence::log::Outcome;
use crate::rules::{Findings, Remedy};

rule!(
    "not_skipped.md",
    Evidence(check),
    ResultText,
    Labels,
    Remedy
);

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    cx.report_results(
        "listed as skipped",
        |claimed, logged| claimed == Outcome::Skipped && logged != Logged::Failed,
        out,
    );
}
