use super::EvidenceContext;
use crate::rules::{Findings, rule};
use gwconform_base::api::Version;
use gwconform_base::text::diagnostic::{Anchor, Subject};
use gwconform_base::text::message::Message;
use gwconform_report::rules::message_parts;

rule! {
    "unknown_test.md", EvidenceContext(check), Text<'a>;
    Unknown { test: &'a str, release: &'a Version } => "test {test} is not a test of {release}",
    Fits { releases: Message } => "all tests of this run are tests of {releases}",
    FitsNone => "no known release has all tests of this run: the suite may be built from a branch, or contain custom tests",
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    if cx.comparison.unknown.is_empty() {
        return;
    }
    let tests = &cx.claim.run.tests;
    let has_all = cx
        .claim
        .registry
        .released_first(|release| tests.keys().all(|test| release.test(test).is_some()));
    for (test, mark) in &cx.comparison.unknown {
        let text = Text::Unknown {
            test,
            release: cx.claim.release.version(),
        };
        let finding = out.at(Anchor::new(cx.line(mark), Subject::new(test)), text);
        if has_all.is_empty() {
            finding.help(Text::FitsNone)
        } else {
            finding.help(Text::Fits {
                releases: message_parts::releases(cx.claim.registry, &has_all),
            })
        };
    }
}
