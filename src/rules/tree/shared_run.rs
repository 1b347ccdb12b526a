//! `tree/shared-run`

use std::collections::BTreeMap;

use super::{folded_name, implementation};
use crate::diagnostic::{Anchor, Place};
use crate::facts::{ReportFacts, Run};
use crate::message::texts;
use crate::rules::{Check, Findings, Rule, TreeContext};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/shared-run",
    include_str!("shared_run.md"),
    Check::Tree(check),
)
.sources(&["reports README, Reports"])
.related(&["tree/copied-elsewhere", "tree/copied-report"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text {
        Shared { name: String, other: String } => "one run of the suite is submitted for {name} and for {other}: date and results are identical",
        Other => "other report of this run",
        RemoveCopy => "find out which of the two is a copy, and remove that one; each implementation submits its own runs",
    }
}

type Name = (String, String);

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    let mut counts: BTreeMap<Name, usize> = BTreeMap::new();
    let mut runs: BTreeMap<Run, BTreeMap<Name, &ReportFacts>> = BTreeMap::new();
    for report in cx.reports {
        let Some(name) = folded_name(report, cx.names) else {
            continue;
        };
        *counts.entry(name.clone()).or_default() += 1;
        // The same bytes name the same implementation.
        if let run @ Run::Results { .. } = report.run() {
            runs.entry(run).or_default().entry(name).or_insert(report);
        }
    }
    for reports in runs.into_values() {
        let known = |name: &Name| counts.get(name).copied().unwrap_or_default();
        let most = reports.iter().rev().max_by_key(|(name, _)| known(name));
        let Some((_, &usual)) = most else { continue };
        for report in reports.into_values() {
            if std::ptr::eq(report, usual) {
                continue;
            }
            let mut names = [implementation(report), implementation(usual)];
            names.sort();
            let [name, other] = names;
            // The same for both: the finding may be moved to the other one (`check --since`).
            let subject = format!("run of {name} and {other}");
            let anchor = Anchor::path(&report.path).about(subject);
            out.at(anchor, Text::Shared { name, other })
                .label(Place::path(&usual.path), Text::Other)
                .help(Text::RemoveCopy);
        }
    }
}
