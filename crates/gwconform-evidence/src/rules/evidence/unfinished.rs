use super::EvidenceContext;
use crate::rules::{Findings, rule};
use gwconform_base::text::diagnostic::{Anchor, Place, Subject};
use gwconform_base::text::message::Message;
use gwconform_report::rules::message_parts;

rule! {
    "unfinished.md", EvidenceContext(check), Text<'a>;
    Test { test: &'a str } => "test {test} started but has no result",
    RunWithTests { root: &'a str, line: u32, tests: Message } => "the end of {root} is missing: the log ends at line {line} before the results of {tests}",
    Run { root: &'a str, line: u32 } => "the end of {root} is missing: the log ends at line {line}",
    Cut => "pass the whole log; after a panic or a timeout run the suite again",
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    let run = cx.claim.run;
    let log = &cx.claim.log.path;
    let gaps = cx.comparison.gaps.iter();
    let begun: Vec<_> = gaps
        .filter_map(|gap| Some((gap.test.as_str(), gap.begun()?)))
        .collect();
    let (root, line) = (run.root.as_str(), run.last_line);
    let whole = Anchor::new(Place::path(log), Subject::new(root));
    if run.outcome.is_none() && !begun.is_empty() {
        let tests = message_parts::names(begun.iter().map(|(test, _)| *test));
        out.at(whole, Text::RunWithTests { root, line, tests })
            .help(Text::Cut);
        return;
    }
    for (test, begun) in begun {
        let anchor = Anchor::new(cx.line(begun), Subject::new(test));
        out.at(anchor, Text::Test { test }).help(Text::Cut);
    }
    if !run.is_complete {
        out.at(whole, Text::Run { root, line }).help(Text::Cut);
    }
}
