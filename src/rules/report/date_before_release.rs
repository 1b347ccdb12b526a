//! `report/date-before-release`

use jiff::ToSpan;
use jiff::tz::TimeZone;

use crate::diagnostic::Severity;
use crate::formats::is_rfc3339;
use crate::message::{Message, texts};
use crate::registry::Version;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule, words};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "report/date-before-release",
    include_str!("date_before_release.md"),
    Check::Report(check),
)
.legacy(Severity::Info)
.texts(&[Text::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text<'a> {
        TooEarly { day: Message, version: &'a Version, released: Message } => "the suite ran on {day}, before {version} was released on {released}",
    }
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    // A patch that is not known here has a date that is not known here.
    let (Some(field), Some((release, true))) = (cx.report.date, cx.facts()) else {
        return;
    };
    if !is_rfc3339(field.value) {
        return;
    }
    let Ok(run) = field.value.parse::<jiff::Timestamp>() else {
        return;
    };
    // A tag has the day of a place that is not known; one day makes up for that.
    let Ok(earliest) = release.date().checked_sub(1.day()) else {
        return;
    };
    let day = run.to_zoned(TimeZone::UTC).date();
    if day < earliest {
        let text = Text::TooEarly {
            day: Message::words(day.to_string()),
            version: release.version(),
            released: Message::words(release.date().to_string()),
        };
        out.at(cx.value(field.node), text)
            .help(words::rerun_release(cx));
    }
}
