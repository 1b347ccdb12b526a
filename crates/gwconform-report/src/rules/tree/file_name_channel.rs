use std::cell::LazyCell;

use crate::report::naming::{self, is_channel};
use crate::rules::file_renames::Renames;
use crate::rules::readme::version::expected_file_name;
use crate::rules::{Findings, SubmissionContext, rule};
use gwconform_base::api::SUBJECT;
use gwconform_base::text::diagnostic::Anchor;

rule! {
    "file_name_channel.md", SubmissionContext(check), Text<'a>;
    Differs { in_name: &'a str, channel: &'a str } => "the file name starts with {in_name}, but the channel of the report is {channel}",
    OfReport => "channel of the tested CRDs",
    Rename { expected: &'a str } => "rename it to {expected}, or submit the report that belongs to this name",
    SubmitOther => "submit the report that belongs to this name",
}

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let renames = LazyCell::new(|| Renames::new(cx));
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
        let message = Text::Differs {
            in_name,
            channel: &channel.value,
        };
        let field = format!("/{}", SUBJECT.channel_field);
        let subject = channel.about(&field).subject;
        let anchor = Anchor {
            subject,
            ..Anchor::path(&report.path)
        };
        let finding = out.at(anchor, message);
        finding.label(channel.place.clone(), Text::OfReport);
        match expected_file_name(report) {
            Some(expected) => {
                let expected = expected.as_str();
                finding
                    .fix_with(|| renames.fix(report, expected))
                    .help(Text::Rename { expected })
            }
            None => finding.help(Text::SubmitOther),
        };
    }
}
