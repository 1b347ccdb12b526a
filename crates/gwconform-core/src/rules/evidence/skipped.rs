use super::{ResultText, Text as Labels};
use crate::evidence::log::Outcome;
use crate::rules::Remedy;

rule!(
    "skipped.md",
    Evidence(|cx, out| cx.report_results(Outcome::Passed, out)),
    ResultText,
    Labels,
    Remedy
);
