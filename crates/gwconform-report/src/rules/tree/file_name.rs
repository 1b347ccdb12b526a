use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::report::facts::ReportFacts;
use crate::report::formats::{is_no_snapshot, is_placeholder};
use crate::report::naming;
use crate::rules::file_renames::Renames;
use crate::rules::readme::suggestions::linked_by_right_name;
use crate::rules::readme::version::expected_file_name;
use crate::rules::report::invisible::invisible;
use crate::rules::{Findings, Remedy, SubmissionContext, rule};
use gwconform_base::release::stated::is_legacy_folder;
use gwconform_base::text::diagnostic::{Anchor, Severity};
use gwconform_base::text::message::Message;

rule! {
    "file_name.md", SubmissionContext(check), Text<'a>, Remedy;
    Mode { mode: &'a str } => "mode {mode} cannot be part of a file name",
    LacksChannel { expected: &'a str } => "the file name lacks the channel; expected {expected}",
    LacksChannelAndMode { expected: &'a str } => "the file name lacks channel and mode; expected {expected}",
    OtherCase { expected: &'a str } => "the file name differs from the report's fields in upper and lower case; expected {expected}",
    Differs { expected: &'a str } => "the file name differs from the report's fields; expected {expected}",
    NotTheVersion { expected: &'a str } => "the file name differs from the report's version; expected {expected} for a release up to v1.0.0",
    ExpectedTwice { remedy: Message } => "{remedy}; another report of this submission has the same expected name",
    RenameOr { expected: &'a str, remedy: Message } => "rename it to {expected} and correct the link in README.md; if the mode in its row is the tested one, {remedy}",
    Rename { expected: &'a str } => "rename it to {expected} and correct the link in README.md",
    RenameOnly { expected: &'a str } => "rename it to {expected}",
}

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    if is_legacy_folder(cx.submission.release.as_ref()) {
        return check_legacy(cx, out);
    }
    let expected: Vec<Option<String>> = cx.reports.iter().map(expected_file_name).collect();
    let mut wanted: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (report, name) in cx.reports.iter().zip(&expected) {
        if let Some(name) = name {
            wanted.entry(name).or_default().insert(&report.path);
        }
    }
    // Computed on first use, because most names are correct.
    let renames = LazyCell::new(|| Renames::new(cx));
    let linked = LazyCell::new(|| linked_by_right_name(cx));
    let reports = cx.reports.iter().zip(&expected);
    for (report, expected) in reports.filter(|(report, _)| report.document == 0) {
        let name = &report.file_name;
        let Some(expected) = expected else {
            check_mode(report, out);
            continue;
        };
        let version = report.version().unwrap_or_default();
        if cx.submission.is_standalone() || !name.ends_with(".yaml") || is_no_snapshot(version) {
            continue;
        }
        let differs_in_channel = naming::channel_in_file_name(name)
            .is_some_and(|in_name| !expected.starts_with(in_name));
        let rest = |name: &str| {
            naming::channel_in_file_name(name).map(|channel| name[channel.len()..].to_owned())
        };
        if name == expected || (differs_in_channel && rest(name) == rest(expected)) {
            // Reported by tree/file-name-channel.
            continue;
        }
        if linked.contains(name) {
            // Reported by readme/row-without-report.
            continue;
        }
        let expected = expected.as_str();
        let without_channel = expected.split_once('-').map(|(_, rest)| rest);
        let message = if without_channel == Some(name) {
            Text::LacksChannel { expected }
        } else if naming::legacy_file_name(report).as_ref() == Some(name) {
            Text::LacksChannelAndMode { expected }
        } else if name.eq_ignore_ascii_case(expected) {
            Text::OtherCase { expected }
        } else {
            Text::Differs { expected }
        };
        let is_wanted_twice = wanted.get(expected).is_some_and(|paths| paths.len() > 1);
        let help = if is_wanted_twice {
            let remedy = Remedy::like("mode", "<name>").into();
            Text::ExpectedTwice { remedy }
        } else if let Some(mode) = renames.other_mode(report) {
            let remedy = Remedy::with("mode", mode).into();
            Text::RenameOr { expected, remedy }
        } else if renames.has_right_link(report, expected) {
            Text::RenameOnly { expected }
        } else {
            Text::Rename { expected }
        };
        let anchor = Anchor::path(&report.path).about(format!("expected {expected}"));
        let severity = match out.severity() {
            Severity::Warning if is_short_form(report, expected) => Severity::Info,
            severity => severity,
        };
        let finding = out.at(anchor, message);
        finding.severity = severity;
        finding
            .help(help)
            .fix_with(|| renames.fix(report, expected));
    }
}

/// Whether the name lacks only a leading `v` or the mode. Such names were accepted for years.
fn is_short_form(report: &ReportFacts, expected: &str) -> bool {
    let end = format!("-{}-report.yaml", report.mode().unwrap_or_default());
    let Some(start) = expected.strip_suffix(&end) else {
        return false;
    };
    let bare = start.replacen("-v", "-", 1);
    let forms =
        [start, &bare].map(|start| [&*end, "-report.yaml"].map(|end| format!("{start}{end}")));
    forms.as_flattened().contains(&report.file_name)
}

/// Other rules report spaces, invisible characters and placeholders in modes.
fn check_mode(report: &ReportFacts, out: &mut Findings) {
    let Some(mode) = &report.mode else { return };
    let value = mode.value.as_str();
    let is_for_others = value.is_empty() || invisible(value).is_some() || is_placeholder(value);
    if !is_for_others && !naming::is_part(value) {
        out.at(mode.about("/mode"), Text::Mode { mode: value })
            .help(Remedy::like("mode", "<name>"));
    }
}

/// Reports up to v1.0.x have no channel or mode. Newer file names are accepted too.
fn check_legacy(cx: &SubmissionContext<'_>, out: &mut Findings) {
    for report in cx.reports.iter().filter(|report| report.document == 0) {
        let name = &report.file_name;
        let has_later_form =
            naming::channel_in_file_name(name).is_some() && name.ends_with("-report.yaml");
        let Some(expected) = naming::legacy_file_name(report).filter(|expected| expected != name)
        else {
            continue;
        };
        if has_later_form || cx.submission.is_standalone() || !name.ends_with(".yaml") {
            continue;
        }
        let message = Text::NotTheVersion {
            expected: &expected,
        };
        let anchor = Anchor::path(&report.path).about(format!("expected {expected}"));
        out.at(anchor, message);
    }
}
