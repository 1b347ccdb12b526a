//! `report/date-before-release`

use jiff::ToSpan;

use crate::diagnostic::Severity;
use crate::formats::day_of_rfc3339;
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
.related(&["report/date-in-future"])
.texts(&[Text::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text<'a> {
        TooEarly { day: Message, version: &'a Version, released: Message } => "the suite ran on {day}, before {version} was released on {released}",
    }
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    // The release that the report states: it has no other day than its own, and a patch or candidate
    // that is not known here has a day that is not known here.
    let stated = cx.stated_version();
    let facts = cx.facts();
    let facts = facts.filter(|(release, _)| Some(release.version()) == stated.as_ref());
    let (Some(field), Some((release, true))) = (cx.report.date, facts) else {
        return;
    };
    let Some(day) = day_of_rfc3339(field.value) else {
        return;
    };
    // A tag has the day of a place that is not known; one day makes up for that.
    let Some(released) = release.date() else {
        return;
    };
    let Ok(earliest) = released.checked_sub(1.day()) else {
        return;
    };
    if day < earliest {
        let text = Text::TooEarly {
            day: Message::words(day.to_string()),
            version: release.version(),
            released: Message::words(released.to_string()),
        };
        out.at(cx.value(field.node), text)
            .help(words::rerun_release(cx));
    }
}
