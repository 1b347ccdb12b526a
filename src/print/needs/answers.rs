//! Prints the implementations that support the needs.

use super::NeedsInput;
use crate::print::page::{Inline, Page, code, words};
use gwconform_base::api::Channel;
use gwconform_base::text::{joined, listed, listed_briefly};
use gwconform_cluster::support::{AnswerFeature, Asked, DefaultCounts, OneAnswer};
use gwconform_report::certify::Status;
use gwconform_report::certify::catalog::Nearness;
use gwconform_report::document::ReportRef;

pub(super) fn add(page: &mut Page, answers: &[OneAnswer], input: NeedsInput<'_>) {
    let asked = &input.found.asked;
    if asked.must.is_empty() {
        page.gap();
        page.paragraph(words(NOTHING_TO_ASK));
        add_undecided(page, asked);
        return;
    }
    let what = if asked.undecided.is_empty() {
        "them"
    } else {
        "what was read"
    };
    let heading = format!("Implementations that support {what} ({})", scope(asked));
    page.heading(3, heading);
    if asked.is_core {
        let count = answers.len();
        page.item(format!(
            "every conformant implementation ({count} in this tree)"
        ));
    } else {
        add_groups(page, answers, input);
    }
    for need in &asked.defaults {
        let Some(DefaultCounts { with, without, of }) = need.counts else {
            continue;
        };
        page.item(format!(
            "not counted: {}, a default or an approximate equivalent ({with} of {of} with it, {without} of {of} with {})",
            need.feature, need.alternative
        ));
    }
    add_undecided(page, asked);
    let address = format!("{}find/?{}", input.site.unwrap_or_default(), asked.query);
    page.item(words("Find:"));
    page.subitem(match input.site {
        Some(_) => Inline::link(address.as_str(), address.as_str()),
        None => code(address),
    });
}

fn add_undecided(page: &mut Page, asked: &Asked) {
    if !asked.undecided.is_empty() {
        page.item(format!(
            "not part of this answer: {}",
            listed(&asked.undecided)
        ));
    }
}

/// The answers are sorted by [`Nearness`].
fn add_groups(page: &mut Page, answers: &[OneAnswer], input: NeedsInput<'_>) {
    let asked = &input.found.asked;
    let shown = answers.partition_point(|one| input.is_all || one.nearness < Nearness::Short(3));
    let (shown, others) = answers.split_at(shown);
    for group in shown.chunk_by(|a, b| title(a, asked) == title(b, asked)) {
        let members = group.iter().map(|answer| {
            let name = name(answer, asked.channel);
            let older = older(answer);
            let details: Vec<String> = details(answer).into_iter().chain(older).collect();
            if details.is_empty() {
                return name;
            }
            format!("{name} ({})", details.join("; "))
        });
        let members: Vec<String> = members.collect();
        page.item(format!(
            "{}: {}",
            title(&group[0], asked),
            members.join(" · ")
        ));
    }
    if shown.is_empty() {
        page.item(words("none supports all of them, or all but two"));
    }
    if !others.is_empty() {
        page.item(words(format!(
            "other implementations: {} (list them with `--all`)",
            others.len()
        )));
    }
}

const NOTHING_TO_ASK: &str = "These objects need no feature that reports list.";

fn title(answer: &OneAnswer, asked: &Asked) -> String {
    let all = match asked.must.len() {
        0 | 1 => String::new(),
        2 => ", both".to_owned(),
        count => format!(", all {count}"),
    };
    match answer.nearness {
        Nearness::Proved => format!("proved{all}"),
        Nearness::Claimed => format!("supported without proof{all}"),
        Nearness::Short(1) => "one short".to_owned(),
        Nearness::Short(2) => "two short".to_owned(),
        Nearness::Short(_) => "others".to_owned(),
    }
}

fn name(answer: &OneAnswer, asked: Option<Channel>) -> String {
    let mut name = answer.implementation.name.clone();
    if let Some(version) = version(&answer.report) {
        name.push(' ');
        name.push_str(version);
    }
    let status = answer.status.filter(|status| *status != Status::Conformant);
    let is_experimental = answer.report.channel.as_deref() == Some("experimental");
    let run = (is_experimental && asked.is_none()).then_some("experimental CRDs");
    let notes: Vec<&str> = status.map(Status::as_str).into_iter().chain(run).collect();
    if !notes.is_empty() {
        name.push_str(&format!(" [{}]", notes.join(", ")));
    }
    name
}

fn version(report: &ReportRef) -> Option<&str> {
    let version = report.implementation_version.as_deref();
    version.filter(|version| !version.is_empty())
}

/// `proved by v1.6.0 (v1.4.0)`
fn older(answer: &OneAnswer) -> Option<String> {
    let (report, text) = answer.older.as_ref().zip(answer.older_text.as_ref())?;
    let version = version(report).unwrap_or("an older report");
    let release = report.release.as_ref();
    let release = release.map(|release| format!(" ({release})"));
    Some(format!(
        "{text} by {version}{}",
        release.unwrap_or_default()
    ))
}

/// Missing features or, if none is missing, those that are not proved, by state.
fn details(answer: &OneAnswer) -> Vec<String> {
    let missing = answer.lacking.iter().chain(&answer.unknown);
    let features: Vec<&AnswerFeature> = match answer.nearness {
        Nearness::Short(_) => missing.collect(),
        _ => answer.claimed.iter().collect(),
    };
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for one in features {
        let word = one.word.as_str();
        match groups.iter_mut().find(|(known, _)| *known == word) {
            Some((_, names)) => names.push(&one.feature),
            None => groups.push((word, vec![&one.feature])),
        }
    }
    let groups = groups.iter();
    let texts = groups.map(|(word, names)| format!("{word}: {}", listed_briefly(names)));
    texts.collect()
}

fn scope(asked: &Asked) -> String {
    let mut parts = Vec::new();
    if !asked.profiles.is_empty() {
        parts.push(joined(&asked.profiles, "and"));
    }
    if let Some(channel) = asked.channel {
        parts.push(format!("{channel} channel"));
    }
    let minors = asked.minors.iter().flatten();
    let minors: Vec<String> = minors.map(ToString::to_string).collect();
    parts.push(if minors.is_empty() {
        "reports for all releases".to_owned()
    } else {
        format!("reports for {}", joined(&minors, "and"))
    });
    let parts = parts.join(", ");
    if asked.is_core {
        return parts;
    }
    format!("{parts}; one report must meet all needs")
}
