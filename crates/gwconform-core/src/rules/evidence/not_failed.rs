use super::{ResultText, Text as Labels};
use crate::evidence::log::Outcome;
use crate::rules::Remedy;

rule!(
    "not_failed.md",
    Evidence(|cx, out| cx.report_results(Outcome::Failed, out)),
    ResultText,
    Labels,
    Remedy
);
