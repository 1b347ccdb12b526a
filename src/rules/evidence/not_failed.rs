//! `evidence/not-failed`

use super::{EvidenceContext, Text as Labels};
use crate::evidence::Logged;
use crate::evidence::log::Outcome;
use crate::rules::{Findings, Remedy};
use crate::text::message::Words;

rule! {
    "not_failed.md", Evidence(check), Text<'a>, Labels, Remedy;
    Differs { test: &'a str, logged: Words } => "test {test} is listed as failed, but in the log it {logged}",
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    cx.report_results(
        |claimed, logged| claimed == Outcome::Failed && logged != Logged::Failed,
        |test, logged| Text::Differs { test, logged }.into(),
        out,
    );
}
