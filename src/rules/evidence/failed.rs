//! `evidence/failed`

use super::{EvidenceContext, Text as Labels, outcome};
use crate::api::Version;
use crate::evidence::Logged;
use crate::evidence::log::Outcome;
use crate::rules::{Check, Findings, Remedy, Rule};
use crate::text::message::{Words, texts};

/// The rule.
pub static RULE: Rule = Rule::error(
    "evidence/failed",
    include_str!("failed.md"),
    Check::Evidence(check),
)
.sources(&["suite: func Run", "GEP-1709, proof of conformance"])
.related(&["evidence/not-failed", "report/failed-tests"])
.texts(&[Text::TEMPLATES, Labels::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text<'a> {
        Failed { test: &'a str, claimed: Words } => "test {test} failed in the log, but the report counts it as {claimed}",
        Early { release: &'a Version } => "the suite of {release} wrote the report before this test ran (gateway-api#5142): run the suite again once it passes",
    }
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    let failed = |claimed, logged| logged == Logged::Failed && claimed != Outcome::Failed;
    for one in cx.results(failed) {
        let text = Text::Failed {
            test: one.test,
            claimed: outcome(one.claimed),
        };
        let finding = out.at(one.anchor(cx), text);
        cx.point(finding, one.mark, Labels::InLog);
        if one.is_early {
            finding.help(Text::Early {
                release: cx.claim.release.version(),
            });
        } else {
            finding.help(Remedy::SubmitUnmodified);
        }
    }
}
