use super::EvidenceContext;
use crate::rules::{Findings, rule};
use crate::{Gap, GapCause};
use gwconform_base::text::message::Message;
use gwconform_report::rules::message_parts;

rule! {
    "not_run.md", EvidenceContext(check), Text;
    Missing { tests: Message } => "the log has no result of {tests}",
    Unexplained { tests_were: Message } => "{tests_were} skipped, and the log does not show the reason",
    Exempt { tests_were: Message } => "{tests_were} skipped because a core feature is exempt; the report does not count core tests that are skipped for this reason",
    WholeLog => "pass the whole log: `go test -v` prints the reason of a skip when the test runs",
    RunCore => "run the suite without exempt features that are core features of a profile",
    RunAll => "run all tests, without `-run`, `--run-test` or `--fail-fast`",
    Verbose => "run `go test` with `-v`: without it the log names only tests that failed",
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    // Reported by evidence/run-failed.
    if cx.claim.run.failed_in_setup() {
        return;
    }
    missing(cx, out);
    let unexplained = names(cx, |cause| matches!(cause, GapCause::Unexplained(_)));
    if !unexplained.is_empty() {
        let tests_were = message_parts::names_were(unexplained.iter().copied());
        let text = Text::Unexplained { tests_were };
        let anchor = cx.whole().about(unexplained.join(" "));
        out.at(anchor, text).help(Text::WholeLog);
    }
    let exempt = names(cx, |cause| matches!(cause, GapCause::Exempt(_)));
    if !exempt.is_empty() {
        let tests_were = message_parts::names_were(exempt.iter().copied());
        let text = Text::Exempt { tests_were };
        let anchor = cx.whole().about(exempt.join(" "));
        out.at(anchor, text).help(Text::RunCore);
    }
}

fn names<'c>(cx: &EvidenceContext<'c>, is: fn(&GapCause) -> bool) -> Vec<&'c str> {
    let gaps: &'c [Gap] = &cx.comparison.gaps;
    let of_cause = gaps.iter().filter(|gap| is(&gap.cause));
    of_cause.map(|gap| gap.test.as_str()).collect()
}

fn missing(cx: &EvidenceContext<'_>, out: &mut Findings) {
    let names = names(cx, |cause| matches!(cause, GapCause::NotNamed));
    if names.is_empty() {
        return;
    }
    let text = Text::Missing {
        tests: message_parts::names(names.iter().copied()),
    };
    let finding = out.at(cx.whole().about(names.join(" ")), text);
    finding.help(if cx.claim.run.names_passed_tests() {
        Text::RunAll
    } else {
        Text::Verbose
    });
}
