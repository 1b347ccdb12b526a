//! `tree/copied-elsewhere`

use std::collections::{BTreeMap, BTreeSet};

use super::{Copy, copies};
use crate::diagnostic::{Anchor, Place};
use crate::facts::ReportFacts;
use crate::message::texts;
use crate::rules::{Check, Findings, Rule, TreeContext};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/copied-elsewhere",
    include_str!("copied_elsewhere.md"),
    Check::Tree(check),
)
.related(&[
    "tree/shared-run",
    "tree/copied-report",
    "tree/same-identity-elsewhere",
])
.blocks_verdict()
.texts(&[Text::TEMPLATES, Copy::TEMPLATES]);

texts! {
    enum Text {
        SubmitOnce => "submit each run of the suite once, in the folder of the release of that suite",
    }
}

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    // tree/copied-report reports copies within a submission: only one of each is compared here.
    let mut submissions: BTreeMap<_, Vec<&ReportFacts>> = BTreeMap::new();
    for report in cx.reports {
        let submission = submissions.entry(&report.submission).or_default();
        submission.push(report);
    }
    let within: BTreeSet<_> = submissions
        .into_values()
        .flat_map(|reports| copies(reports, cx.names))
        .map(|(copy, _)| &copy.path)
        .collect();
    let is_other = |report: &&ReportFacts| !within.contains(&report.path);
    for (copy, original) in copies(cx.reports.iter().filter(is_other), cx.names) {
        out.at(
            Anchor::path(&copy.path).about(format!("copy of {}", original.path)),
            Copy::of(copy, original, &original.path),
        )
        .label(Place::path(&original.path), Copy::Original)
        .help(Text::SubmitOnce);
    }
}
