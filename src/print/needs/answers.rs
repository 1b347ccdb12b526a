//! Prints the implementations that support the needs.

use super::NeedsInput;
use crate::print::page::{Inline, Page, code, words};
use gwconform_base::api::Channel;
use gwconform_base::text::{joined, listed, listed_briefly};
use gwconform_cluster::support::{Answers, OlderAnswer, OneAnswer, ProvedFeature};
use gwconform_report::certify::catalog::Nearness;

pub(super) fn add(page: &mut Page, answers: &Answers, input: NeedsInput<'_>) {
    if answers.asked.must.is_empty() {
        page.gap();
        page.paragraph(words(NOTHING_TO_ASK));
        add_left_out(page, answers);
        return;
    }
    let what = if answers.asked.left_out.is_empty() {
        "them"
    } else {
        "what was read"
    };
    page.heading(
        3,
        format!("Implementations that support {what} ({})", asked(answers)),
    );
    if answers.asked.is_core {
        let count = answers.answers.len();
        page.item(format!(
            "every conformant implementation ({count} in this tree)"
        ));
    } else {
        add_groups(page, answers, input);
    }
    for need in &answers.asked.defaults {
        page.item(format!(
            "not counted: {}, a default or an approximate equivalent ({} of {} with it, {} of {} with {})",
            need.feature, need.with, need.of, need.without, need.of, need.alternative
        ));
    }
    add_left_out(page, answers);
    let address = format!("{}find/?{}", input.site.unwrap_or_default(), answers.query);
    page.item(words("Find:"));
    page.subitem(match input.site {
        Some(_) => Inline::link(address.as_str(), address.as_str()),
        None => code(address),
    });
}

fn add_left_out(page: &mut Page, answers: &Answers) {
    let left_out = &answers.asked.left_out;
    if !left_out.is_empty() {
        page.item(format!("not part of this answer: {}", listed(left_out)));
    }
}

fn add_groups(page: &mut Page, answers: &Answers, input: NeedsInput<'_>) {
    let (groups, left_out) = groups(answers, input);
    for group in &groups {
        let members = group.answers.iter().map(|answer| {
            let name = name(answer, answers.asked.channel);
            let details = [
                detail(answer, group.detail),
                answer.older.as_ref().map(older),
            ];
            match joined_details(&details) {
                Some(details) => format!("{name} ({details})"),
                None => name,
            }
        });
        let members: Vec<String> = members.collect();
        page.item(format!("{}: {}", group.title, members.join(" · ")));
    }
    if groups.is_empty() {
        page.item(words("no near matches"));
    }
    if left_out > 0 {
        page.item(words(format!(
            "other implementations: {left_out} (list them with `--all`)"
        )));
    }
}

const NOTHING_TO_ASK: &str = "These objects need no feature that reports list.";

struct Group<'a> {
    title: String,
    answers: Vec<&'a OneAnswer>,
    detail: Detail,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    None,
    Claimed,
    Lacking,
}

fn groups<'a>(answers: &'a Answers, input: NeedsInput<'_>) -> (Vec<Group<'a>>, usize) {
    let all = match answers.asked.must.len() {
        0 | 1 => String::new(),
        2 => ", both".to_owned(),
        count => format!(", all {count}"),
    };
    let short =
        |lacking: usize| move |answer: &OneAnswer| answer.nearness == Nearness::Short(lacking);
    let is_far = |answer: &OneAnswer| matches!(answer.nearness, Nearness::Short(3..));
    let of = |title: String, detail: Detail, is_in: &dyn Fn(&OneAnswer) -> bool| Group {
        title,
        answers: answers.answers.iter().filter(|one| is_in(one)).collect(),
        detail,
    };
    let mut groups = vec![
        of(format!("proved{all}"), Detail::None, &|one| {
            one.nearness == Nearness::Proved
        }),
        of(
            format!("supported without proof{all}"),
            Detail::Claimed,
            &|one| one.nearness == Nearness::Claimed,
        ),
        of("one short".to_owned(), Detail::Lacking, &short(1)),
        of("two short".to_owned(), Detail::Lacking, &short(2)),
    ];
    let far = of("others".to_owned(), Detail::Lacking, &is_far);
    let mut left_out = far.answers.len();
    if input.is_all {
        left_out = 0;
        groups.push(far);
    }
    groups.retain(|group| !group.answers.is_empty());
    (groups, left_out)
}

fn name(answer: &OneAnswer, asked: Option<Channel>) -> String {
    let mut name = answer.name.clone();
    if let Some(version) = &answer.version {
        name.push(' ');
        name.push_str(version);
    }
    let verdict = answer.verdict.map(|verdict| verdict.to_string());
    let verdict = verdict.filter(|verdict| verdict != "conformant");
    let is_experimental = answer.channel.as_deref() == Some("experimental");
    let run = (is_experimental && asked.is_none()).then(|| "experimental CRDs".to_owned());
    let notes: Vec<String> = verdict.into_iter().chain(run).collect();
    if !notes.is_empty() {
        name.push_str(&format!(" [{}]", notes.join(", ")));
    }
    name
}

fn joined_details(details: &[Option<String>]) -> Option<String> {
    let details: Vec<&str> = details.iter().flatten().map(String::as_str).collect();
    (!details.is_empty()).then(|| details.join("; "))
}

/// `proved by v1.6.0 (v1.4.0)`
fn older(answer: &OlderAnswer) -> String {
    let version = answer.version.as_deref().unwrap_or("an older report");
    let release = answer.release.as_ref();
    let release = release
        .map(|release| format!(" ({release})"))
        .unwrap_or_default();
    format!("{} by {version}{release}", answer.text)
}

fn detail(answer: &OneAnswer, detail: Detail) -> Option<String> {
    let features: Vec<&ProvedFeature> = match detail {
        Detail::None => return None,
        Detail::Claimed => answer.claimed.iter().collect(),
        Detail::Lacking => answer.lacking.iter().chain(&answer.unknown).collect(),
    };
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for one in features {
        let word = one.word.as_str();
        match groups.iter_mut().find(|(known, _)| *known == word) {
            Some((_, names)) => names.push(&one.feature),
            None => groups.push((word, vec![&one.feature])),
        }
    }
    let texts: Vec<String> = groups
        .iter()
        .map(|(word, names)| format!("{word}: {}", listed_briefly(names)))
        .collect();
    Some(texts.join("; "))
}

fn asked(answers: &Answers) -> String {
    let mut parts = Vec::new();
    if !answers.asked.profiles.is_empty() {
        parts.push(joined(&answers.asked.profiles, "and"));
    }
    if let Some(channel) = answers.asked.channel {
        parts.push(format!("{channel} channel"));
    }
    parts.push(if answers.minors.is_empty() {
        "reports for all releases".to_owned()
    } else {
        let minors: Vec<String> = answers.minors.iter().map(ToString::to_string).collect();
        format!("reports for {}", joined(&minors, "and"))
    });
    let parts = parts.join(", ");
    if answers.asked.is_core {
        return parts;
    }
    format!("{parts}; one report must meet all needs")
}
