//! `tree/file-name`

use std::collections::{BTreeMap, BTreeSet};

use super::renames::Renames;
use crate::diagnostic::{Place, Severity, in_code};
use crate::facts::ReportFacts;
use crate::registry::Channel;
use crate::release::is_legacy_folder;
use crate::rules::report::version_is_branch::is_branch;
use crate::rules::{Check, Findings, Fixes, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule {
    id: "tree/file-name",
    severity: Severity::Warning,
    legacy: Some(Severity::Info),
    strict: true,
    fixes: Some(Fixes::Unsafe),
    doc: include_str!("file_name.md"),
    check: Check::Submission(check),
};

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    if is_legacy_folder(cx.submission.release.as_ref()) {
        return check_legacy(cx, out);
    }
    let mut wanted: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for report in cx.reports {
        if let Some(name) = expected_name(report) {
            wanted.entry(name).or_default().insert(&report.path);
        }
    }
    let renames = Renames::of(cx);
    for report in cx.reports.iter().filter(|report| report.document == 0) {
        let Some(expected) = expected_name(report) else {
            continue;
        };
        let name = &report.file_name;
        if cx.submission.stands_alone() || !name.ends_with(".yaml") {
            // Where it stands, or how it ends, is what must be mended first.
            continue;
        }
        let differs_in_channel =
            channel_in_name(name).is_some_and(|in_name| !expected.starts_with(in_name));
        let rest =
            |name: &str| channel_in_name(name).map(|channel| name[channel.len()..].to_owned());
        if *name == expected || (differs_in_channel && rest(name) == rest(&expected)) {
            // Another channel is an error, which tree/file-name-channel reports.
            continue;
        }
        let why = if channel_in_name(name).is_none() {
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
        let has_later_form = channel_in_name(name).is_some() && name.ends_with("-report.yaml");
        let Some(expected) = legacy_name(report).filter(|expected| expected != name) else {
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

/// Longest name that the usual file systems take, in bytes.
const MAX_NAME_BYTES: usize = 255;

/// `<channel>-<version>-<mode>-report.yaml`, made from the report's fields (reports README, "Table
/// of Contents"). `None` when a field is missing, is nothing that a file name can hold, or is a
/// channel that does not exist: the report is what must change then.
pub fn expected_name(report: &ReportFacts) -> Option<String> {
    if !is_channel(&report.channel.as_ref()?.value) {
        return None;
    }
    let parts = [&report.channel, &report.version, &report.mode];
    let [Some(channel), Some(version), Some(mode)] = parts else {
        return None;
    };
    name_of_parts([channel, version, mode].map(|part| part.value.as_str()))
}

/// `<version>-report.yaml`, the name of a report up to v1.0.x. `None` as in [`expected_name`].
pub fn legacy_name(report: &ReportFacts) -> Option<String> {
    name_of_parts([report.version.as_ref()?.value.as_str()])
}

/// `<part>-…-report.yaml`; `None` when a part is nothing that a file name can hold.
fn name_of_parts<const N: usize>(parts: [&str; N]) -> Option<String> {
    let mut name = String::new();
    for value in parts {
        let can_be_name =
            |c: char| !c.is_control() && !c.is_whitespace() && !"/\\:*?\"<>|".contains(c);
        if value.is_empty() || !value.chars().all(can_be_name) {
            return None;
        }
        name.push_str(value);
        name.push('-');
    }
    name.push_str("report.yaml");
    (name.len() <= MAX_NAME_BYTES).then_some(name)
}

/// True for `standard` and `experimental`.
pub fn is_channel(text: &str) -> bool {
    [Channel::Standard, Channel::Experimental]
        .iter()
        .any(|channel| channel.as_str() == text)
}

/// The channel that a file name starts with.
pub fn channel_in_name(name: &str) -> Option<&'static str> {
    let channels = [Channel::Standard, Channel::Experimental].map(Channel::as_str);
    let starts = |channel: &&str| {
        name.strip_prefix(channel)
            .is_some_and(|rest| rest.starts_with('-'))
    };
    channels.into_iter().find(|channel| starts(channel))
}
