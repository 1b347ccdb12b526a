//! Fuzzes `verify` with arbitrary bytes as the log. No report may be proved unless its core tests
//! passed.

#![no_main]

use std::collections::BTreeSet;

use gwconform::workspace::{Configuration, Options, Target, Workspace};
use gwconform_base::api::NameKind;
use gwconform_base::files::MemoryFiles;
use gwconform_base::release::Registry;
use gwconform_evidence::log::Log;
use gwconform_evidence::verify::Choice;
use gwconform_report::rules::check::Selection;
use gwconform_report::statement::Verdict;
use libfuzzer_sys::fuzz_target;

const REPORT: &str = include_str!("../../examples/verify/report.yaml");

fuzz_target!(|bytes: &[u8]| {
    let known: BTreeSet<&str> = Registry::embedded().names(NameKind::Test);
    let Ok(log) = Log::read("fuzz.log", bytes, &known) else {
        return;
    };
    for run in &log.runs {
        if let Some(printed) = &run.said.printed {
            assert_eq!(printed.text.lines().count(), printed.lines.len());
        }
    }
    let options = Options {
        target: Target::Texts,
        config: Configuration::Default,
        ..Options::default()
    };
    let workspace = Workspace::open(MemoryFiles::new([]).unwrap(), options).unwrap();
    let path = workspace.base().absolute("report.yaml".as_ref());
    let logs = [log];
    for report in [Some((path.as_path(), REPORT.as_bytes().to_vec())), None] {
        let Ok(found) = workspace.verify(report, &logs, &Choice::default(), &Selection::default())
        else {
            continue;
        };
        // The profile of the report has two core tests, and both must have passed.
        if found.summary.verdict == Verdict::Proved
            && found.statement.subject[0].name == "report.yaml"
        {
            assert!(found.statement.predicate.passed_tests.len() >= 2);
        }
    }
});
