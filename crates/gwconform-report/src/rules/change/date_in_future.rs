use jiff::ToSpan;
use jiff::tz::TimeZone;

use crate::report::formats::rfc3339;
use crate::rules::report::is_too_late;
use crate::rules::{ChangeContext, Findings, Remedy, rule};
use gwconform_base::text::message::Message;

rule! {
    "date_in_future.md", ChangeContext(check), Text<'a>, Remedy;
    TooLate { date: &'a str, committed: Message } => "the suite ran at {date}, after the report was committed at {committed}",
}

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    let Some(committed) = cx.committed else {
        return;
    };
    // Allow one day of clock difference.
    let Ok(latest) = committed.checked_add(24.hours()) else {
        return;
    };
    for report in cx.pairs.iter().filter_map(|pair| pair.after) {
        let Some(date) = &report.date else { continue };
        let Some(ran_at) = rfc3339(&date.value).filter(|ran_at| *ran_at > latest) else {
            continue;
        };
        let newest = cx
            .registry
            .newest()
            .map(|release| release.version().minor());
        let stated = report.release.version.as_ref();
        let is_known = stated.is_none_or(|version| Some(version.minor()) <= newest);
        let day = ran_at.to_zoned_datetime(TimeZone::UTC).date();
        let is_elsewhere = is_known && is_too_late(day, cx.registry);
        if is_elsewhere {
            // Reported by report/date-in-future.
            continue;
        }
        let message = Text::TooLate {
            date: &date.value,
            committed: Message::words(committed.to_string()),
        };
        out.at(date.about("/date"), message)
            .help(Remedy::SubmitUnmodified);
    }
}
