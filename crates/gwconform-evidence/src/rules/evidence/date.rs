use super::EvidenceContext;
use crate::rules::{Findings, rule};
use gwconform_report::rules::Remedy;

rule! {
    "date.md", EvidenceContext(check), Text, Remedy;
    Outside { start: String, end: String } => "the date is outside of the run; expected a time from {start} to {end}",
    OutsideMoment { time: String } => "the date is outside of the run; expected about {time}, the only time in the log",
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    let (Some(date), Some((start, end)), true) = (
        cx.claim.report.date,
        crate::log::times(cx.claim.run),
        cx.comparison.is_date_outside,
    ) else {
        return;
    };
    let text = if start == end {
        Text::OutsideMoment {
            time: start.to_string(),
        }
    } else {
        Text::Outside {
            start: start.to_string(),
            end: end.to_string(),
        }
    };
    out.at(cx.node(date.node), text)
        .help(Remedy::SubmitUnmodified);
}
