use super::{ResultText, Text as Labels};
use crate::evidence::log::Outcome;
use crate::rules::{EvidenceContext, Remedy, rule};

rule!(
    "not_failed.md",
    EvidenceContext(|cx, out| cx.report_results(Outcome::Failed, out)),
    ResultText,
    Labels,
    Remedy
);
