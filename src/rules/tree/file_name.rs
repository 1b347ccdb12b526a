//! `tree/file-name`

use crate::diagnostic::{Place, Severity};
use crate::facts::ReportFacts;
use crate::registry::Channel;
use crate::rules::{Check, Findings, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule {
    id: "tree/file-name",
    severity: Severity::Warning,
    legacy: None,
    strict: true,
    doc: include_str!("file_name.md"),
    check: Check::Submission(check),
};

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    for report in cx.reports.iter().filter(|report| report.document == 0) {
        let Some(expected) = expected_name(report) else {
            continue;
        };
        let name = &report.file_name;
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
        out.at(
            Place::path(&report.path),
            format!("the file name {why}: expected `{expected}`"),
        )
        .help(format!(
            "rename it to {expected}, and the link in README.md with it"
        ));
    }
}

/// `<channel>-<version>-<mode>-report.yaml`, made from the report's fields (reports README, "Table
/// of Contents"). `None` when a field is missing, or is nothing that a file name can hold.
pub fn expected_name(report: &ReportFacts) -> Option<String> {
    let parts = [&report.channel, &report.version, &report.mode];
    let mut name = String::new();
    for part in parts {
        let value = part.as_ref()?.value.as_str();
        let can_be_name =
            |c: char| !c.is_control() && !c.is_whitespace() && !"/\\:*?\"<>|".contains(c);
        if value.is_empty() || !value.chars().all(can_be_name) {
            return None;
        }
        name.push_str(value);
        name.push('-');
    }
    Some(name + "report.yaml")
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
