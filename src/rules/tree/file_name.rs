//! `tree/file-name`

use std::collections::{BTreeMap, BTreeSet};

use super::renames::Renames;
use crate::diagnostic::{Place, Severity, in_code};
use crate::formats::is_branch;
use crate::naming;
use crate::release::is_legacy_folder;
use crate::rules::{Check, Findings, Fixes, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "tree/file-name",
    include_str!("file_name.md"),
    Check::Submission(check),
)
.legacy(Severity::Info)
.strict()
.fixes(Fixes::Unsafe);

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    if is_legacy_folder(cx.submission.release.as_ref()) {
        return check_legacy(cx, out);
    }
    let mut wanted: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for report in cx.reports {
        if let Some(name) = naming::file_name(report) {
            wanted.entry(name).or_default().insert(&report.path);
        }
    }
    let renames = Renames::of(cx);
    for report in cx.reports.iter().filter(|report| report.document == 0) {
        let Some(expected) = naming::file_name(report) else {
            continue;
        };
        let name = &report.file_name;
        if cx.submission.stands_alone() || !name.ends_with(".yaml") {
            // Where it stands, or how it ends, is what must be mended first.
            continue;
        }
        let differs_in_channel = naming::channel_in_file_name(name)
            .is_some_and(|in_name| !expected.starts_with(in_name));
        let rest = |name: &str| {
            naming::channel_in_file_name(name).map(|channel| name[channel.len()..].to_owned())
        };
        if *name == expected || (differs_in_channel && rest(name) == rest(&expected)) {
            // Another channel is an error, which tree/file-name-channel reports.
            continue;
        }
        let why = if naming::channel_in_file_name(name).is_none() {
            "lacks the channel"
        } else {
            "differs from the report's fields"
        };
        let is_wanted_twice = wanted.get(&expected).is_some_and(|paths| paths.len() > 1);
        let help = if is_wanted_twice {
            "another report of this submission would have that name too: run the suite again with a `--mode` of its own for each way of deploying".to_owned()
        } else if report
            .version
            .as_ref()
            .is_some_and(|version| is_branch(&version.value))
        {
            "the name follows from the report: run the suite again with `--version=<release>` first"
                .to_owned()
        } else {
            format!(
                "rename it to `{}`, and the link in README.md with it",
                in_code(&expected)
            )
        };
        out.at(
            Place::path(&report.path),
            format!(
                "the file name {why}: expected `{expected}`",
                expected = in_code(&expected)
            ),
        )
        .help(help)
        .fix_with(|| renames.fix(report, &expected));
    }
}

/// Reports up to v1.0.x have no channel and no mode: their files are named for the version. The
/// later form is as good there, whatever stands in it, as no field can be held against it.
fn check_legacy(cx: &SubmissionContext<'_>, out: &mut Findings) {
    for report in cx.reports.iter().filter(|report| report.document == 0) {
        let name = &report.file_name;
        let has_later_form =
            naming::channel_in_file_name(name).is_some() && name.ends_with("-report.yaml");
        let Some(expected) = naming::legacy_file_name(report).filter(|expected| expected != name)
        else {
            continue;
        };
        if has_later_form || cx.submission.stands_alone() || !name.ends_with(".yaml") {
            continue;
        }
        out.at(
            Place::path(&report.path),
            format!(
                "up to v1.0.0 a report is named for its version: expected `{expected}`",
                expected = in_code(&expected)
            ),
        );
    }
}
