use super::EvidenceContext;
use crate::log::Failure;
use crate::rules::{Findings, rule};
use gwconform_base::text::diagnostic::{Anchor, Subject};

rule! {
    "run_failed.md", EvidenceContext(check), Text<'a>;
    Setup { root: &'a str } => "{root} failed in its setup: no test ran, so the log cannot prove the report",
    Failed { root: &'a str } => "{root} failed, but none of its tests did",
    Skipped { root: &'a str } => "{root} was skipped, so its results may not be complete",
    PanicInSetup { root: &'a str } => "{root} panicked in its setup: no test ran, so the log cannot prove the report",
    Panic => "the test binary panicked",
    Race => "`go test` found a data race",
    Binary => "the test binary failed, but none of its tests did",
    Look => "find the failure in the log, before the first test or after the last one",
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    let run = cx.claim.run;
    let Some((failure, mark)) = &run.failure else {
        return;
    };
    let root = run.root.as_str();
    let text = match failure {
        Failure::Setup => Text::Setup { root },
        Failure::Root => Text::Failed { root },
        Failure::RootSkipped => Text::Skipped { root },
        Failure::Panic if run.failed_in_setup() => Text::PanicInSetup { root },
        Failure::Panic => Text::Panic,
        Failure::Race => Text::Race,
        Failure::Package => Text::Binary,
    };
    let anchor = Anchor::new(cx.line(mark), Subject::new(root));
    out.at(anchor, text).help(Text::Look);
}
