use super::{ResultText, Text as Labels};
use crate::log::Outcome;
use crate::rules::{EvidenceContext, rule};
use gwconform_report::rules::Remedy;

rule!(
    "not_failed.md",
    EvidenceContext(|cx, out| cx.report_results(Outcome::Failed, out)),
    ResultText,
    Labels,
    Remedy
);
