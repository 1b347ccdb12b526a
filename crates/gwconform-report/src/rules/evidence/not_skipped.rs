use super::{ResultText, Text as Labels};
use crate::evidence::log::Outcome;
use crate::rules::{EvidenceContext, Remedy, rule};

rule!(
    "not_skipped.md",
    EvidenceContext(|cx, out| cx.report_results(Outcome::Skipped, out)),
    ResultText,
    Labels,
    Remedy
);
