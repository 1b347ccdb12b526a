//! `evidence/not-run`

use super::EvidenceContext;
use crate::message::{Message, texts};
use crate::rules::{Check, Findings, Rule, words};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "evidence/not-run",
    include_str!("not_run.md"),
    Check::Evidence(check),
)
.sources(&["suite: func Run", "go test: flags -run and -v"])
.related(&["evidence/unfinished"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text {
        Missing { tests: Message } => "the log has no result of {tests}",
        RunAll => "run all tests: without `-run`, `--run-test` and `--fail-fast`",
        Verbose => "run `go test` with `-v`: without it the log names only tests that failed",
    }
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    let gaps = cx.comparison.gaps.iter();
    let missing = gaps.filter(|gap| gap.begun.is_none());
    let names: Vec<&str> = missing.map(|gap| gap.test.as_str()).collect();
    if names.is_empty() {
        return;
    }
    let text = Text::Missing {
        tests: words::names(names.iter().copied()),
    };
    let finding = out.at(cx.whole().about(names.join(" ")), text);
    finding.help(match cx.claim.run.names_passed_tests() {
        true => Text::RunAll,
        false => Text::Verbose,
    });
}
