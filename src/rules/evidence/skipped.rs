//! `evidence/skipped`

use super::{EvidenceContext, Text as Labels, logged};
use crate::evidence::Logged;
use crate::log::Outcome;
use crate::message::{Words, texts};
use crate::rules::{Check, Findings, Remedy, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "evidence/skipped",
    include_str!("skipped.md"),
    Check::Evidence(check),
)
.sources(&["suite: func Run"])
.related(&["evidence/not-skipped"])
.texts(&[Text::TEMPLATES, Labels::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text<'a> {
        Differs { test: &'a str, logged: Words } => "test {test} is counted as passed, but in the log it {logged}",
    }
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    for one in cx.results(|claimed, logged| claimed == Outcome::Passed && logged == Logged::Skipped)
    {
        let text = Text::Differs {
            test: one.test,
            logged: logged(one.logged),
        };
        let finding = out.at(one.anchor(cx), text);
        cx.point(finding, one.mark, Labels::InLog);
        finding.help(Remedy::SubmitUnmodified);
    }
}
