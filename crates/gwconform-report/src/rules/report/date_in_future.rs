use jiff::ToSpan;
use jiff::civil::Date;

use crate::report::formats::day_of_rfc3339;
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::release::{Registry, Release};
use gwconform_base::text::message::Message;

rule! {
    "date_in_future.md", ReportContext(check), Text, Remedy;
    TooLate { day: Message, last: Message } => "the suite ran on {day}, more than two years after {last}, the date of the newest known release",
}

const YEARS: i32 = 2;

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(field) = cx.report.date else {
        return;
    };
    let day = day_of_rfc3339(field.value).filter(|day| is_too_late(*day, cx.registry));
    let (Some(day), Some(last)) = (day, last_release(cx.registry)) else {
        return;
    };
    let text = Text::TooLate {
        day: Message::words(day.to_string()),
        last: Message::words(last.to_string()),
    };
    out.at(cx.value(field.node), text)
        .help(Remedy::SubmitUnmodified);
}

/// True if `day` is more than two years after the newest known release.
pub(crate) fn is_too_late(day: Date, registry: &Registry) -> bool {
    let last = last_release(registry).and_then(|last| last.checked_add(YEARS.years()).ok());
    last.is_some_and(|last| day > last)
}

fn last_release(registry: &Registry) -> Option<Date> {
    registry.released().filter_map(Release::date).max()
}
