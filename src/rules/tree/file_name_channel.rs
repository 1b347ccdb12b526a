//! `tree/file-name-channel`

use super::renames::Renames;
use crate::diagnostic::{Place, in_code};
use crate::naming::{self, is_channel};
use crate::rules::{Check, Findings, Fixes, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/file-name-channel",
    include_str!("file_name_channel.md"),
    Check::Submission(check),
)
.fixes(Fixes::Unsafe);

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let renames = Renames::of(cx);
    for report in cx.reports {
        let Some(channel) = &report.channel else {
            continue;
        };
        let Some(in_name) = naming::channel_in_file_name(&report.file_name) else {
            continue;
        };
        if in_name == channel.value || !is_channel(&channel.value) {
            continue;
        }
        let message = format!(
            "the file name says `{in_name}`, the report says `{}`",
            in_code(&channel.value),
            in_name = in_code(&in_name)
        );
        let finding = out.at(Place::path(&report.path), message);
        finding.label(
            channel.place.clone(),
            "the channel of the CRDs that were tested",
        );
        match naming::file_name(report) {
            Some(expected) => {
                let finding = finding.fix_with(|| renames.fix(report, &expected));
                finding.help(format!(
                    "rename it to `{}`, if this is the report that was meant",
                    in_code(&expected)
                ))
            }
            None => finding.help("is this the report that was meant?"),
        };
    }
}
