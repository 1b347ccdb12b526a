use super::{ResultText, Text as Labels};
use crate::log::Outcome;
use crate::rules::{EvidenceContext, rule};
use gwconform_report::rules::Remedy;

rule!(
    "skipped.md",
    EvidenceContext(|cx, out| cx.report_results(Outcome::Passed, out)),
    ResultText,
    Labels,
    Remedy
);
