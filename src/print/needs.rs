//! What manifests need and who has it, for people and programs. As in [`super::json`], fields are
//! only ever added, and `version` changes when one changes its meaning.

mod human;
mod json;
mod markdown;

pub use human::write as write_human;
pub use json::{Document, write as write_json};
pub use markdown::write as write_markdown;

use crate::api::{Family, Level};
use crate::certify::catalog::Nearness;
use crate::needs::{Answers, FeatureNeed, NeedsFound, NeedsReport, OneAnswer, Unknown};
use crate::text::{counted, joined};

/// What is shown.
#[derive(Debug, Clone, Copy)]
pub struct NeedsInput<'a> {
    /// What was found.
    pub found: &'a NeedsFound,
    /// The address of the site, with a slash at its end; without one its pages are named alone.
    pub site: Option<&'a str>,
    /// True to list the implementations that come nowhere near.
    pub is_all: bool,
}

/// Printed in place of the answers if no feature is needed.
const NOTHING_TO_ASK: &str = "The objects that were read need no feature that reports list.";

/// How many features a report may lack to be listed as near.
const MAX_LACKING: usize = 2;

/// A group of answers, with how the line of each goes on behind its name.
struct Group<'a> {
    title: String,
    answers: Vec<&'a OneAnswer>,
    detail: Detail,
}

/// What is said of an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    None,
    Claimed,
    Lacking,
}

/// The answers that are shown, better ones first, and how many are not.
fn groups(answers: &Answers, is_all: bool) -> (Vec<Group<'_>>, usize) {
    let all = match answers.must.len() {
        0 | 1 => String::new(),
        2 => ", both".to_owned(),
        count => format!(", all {count}"),
    };
    let short =
        |lacking: usize| move |answer: &OneAnswer| answer.nearness == Nearness::Short(lacking);
    let is_near = |answer: &OneAnswer| (1..=MAX_LACKING).any(|lacking| short(lacking)(answer));
    let is_far =
        |answer: &OneAnswer| matches!(answer.nearness, Nearness::Short(_)) && !is_near(answer);
    let of = |title: String, detail: Detail, is_in: &dyn Fn(&OneAnswer) -> bool| Group {
        title,
        answers: answers.answers.iter().filter(|one| is_in(one)).collect(),
        detail,
    };
    let mut groups = vec![
        of(format!("proved{all}"), Detail::None, &|one| {
            one.nearness == Nearness::Proved
        }),
        of(format!("claimed{all}"), Detail::Claimed, &|one| {
            one.nearness == Nearness::Claimed
        }),
        of("one short".to_owned(), Detail::Lacking, &short(1)),
        of("two short".to_owned(), Detail::Lacking, &short(2)),
    ];
    let far = of("others".to_owned(), Detail::Lacking, &is_far);
    let mut left_out = far.answers.len();
    if is_all {
        left_out = 0;
        groups.push(far);
    }
    groups.retain(|group| !group.answers.is_empty());
    (groups, left_out)
}

/// `acme-gateway 2.3.0 (partial)`
fn name(answer: &OneAnswer) -> String {
    let mut name = answer.name.clone();
    if let Some(version) = &answer.version {
        name.push(' ');
        name.push_str(version);
    }
    if let Some(verdict) = answer
        .verdict
        .filter(|verdict| verdict.as_str() != "conformant")
    {
        name.push_str(&format!(" [{verdict}]"));
    }
    name
}

/// What the name of an answer is followed by: what it claims without proof, or lacks, by state.
fn detail(answer: &OneAnswer, detail: Detail) -> Option<String> {
    let features = match detail {
        Detail::None => return None,
        Detail::Claimed => answer
            .met
            .iter()
            .filter(|one| !one.state.is_proof())
            .collect(),
        Detail::Lacking => answer.lacking.iter().collect::<Vec<_>>(),
    };
    const MAX_NAMED: usize = 5;
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for one in features.iter().take(MAX_NAMED) {
        let word = one.word.as_str();
        match groups.iter_mut().find(|(known, _)| *known == word) {
            Some((_, names)) => names.push(&one.feature),
            None => groups.push((word, vec![&one.feature])),
        }
    }
    let mut texts: Vec<String> = groups
        .iter()
        .map(|(word, names)| format!("{word}: {}", names.join(", ")))
        .collect();
    if let more @ 1.. = features.len().saturating_sub(MAX_NAMED) {
        texts.push(format!("{more} more"));
    }
    Some(texts.join("; "))
}

/// `GATEWAY-HTTP, reports for v1.6, v1.5 and v1.4; one report must meet all`
fn asked(answers: &Answers) -> String {
    let mut parts = Vec::new();
    if !answers.profiles.is_empty() {
        parts.push(joined(&answers.profiles, "and"));
    }
    if let Some(channel) = answers.channel {
        parts.push(format!("{channel} channel"));
    }
    parts.push(match answers.minors.is_empty() {
        true => "reports for all releases".to_owned(),
        false => format!("reports for {}", joined(&answers.minors, "and")),
    });
    format!("{}; one report must meet all", parts.join(", "))
}

/// The features of a level.
fn of_level(report: &NeedsReport, level: Level) -> impl Iterator<Item = &FeatureNeed> {
    let needs = report.certain.iter();
    needs.filter(move |need| need.level == level)
}

/// What stands for the link where no page asks the same.
const NO_LINK: &str =
    "No link to the page `find`: it asks about one profile, and these manifests need several";

/// The address of the page `find` with the same question.
fn find_address(answers: &Answers, site: Option<&str>) -> Option<String> {
    let query = answers.query.as_deref()?;
    Some(format!("{}find/?{query}", site.unwrap_or_default()))
}

/// What stands before a feature that may be relied on.
fn perhaps(need: &FeatureNeed) -> &'static str {
    match need.is_apart {
        true => "Of the suite alone",
        false => "Perhaps",
    }
}

/// `routes.yaml:2: no known release has a kind `HTTPRuote` (3 objects)`
fn not_known(unknown: &Unknown) -> String {
    let objects = match unknown.count {
        1 => String::new(),
        count => format!(" ({})", counted(count, "object")),
    };
    let Unknown {
        path, line, reason, ..
    } = unknown;
    format!("{path}:{line}: {reason}{objects}")
}

/// `MESH-HTTP`; the families where no profile is about the Routes.
fn tested(answers: &Answers) -> String {
    let family = |family: &Family| match family {
        Family::Gateway => "a Gateway".to_owned(),
        Family::Mesh => "a mesh".to_owned(),
    };
    match answers.profiles.is_empty() {
        true => joined(
            &answers.families.iter().map(family).collect::<Vec<_>>(),
            "or",
        ),
        false => joined(&answers.profiles, "and"),
    }
}

/// What no report can tell, one sentence each.
fn remarks(found: &NeedsFound) -> Vec<String> {
    let report = &found.needs;
    let mut remarks = Vec::new();
    if let missing @ 1.. = report.services_not_there {
        let services = counted(missing, "Service");
        remarks.push(format!(
            "Not known: {services} behind HTTPRoutes not in the input; an `appProtocol` of h2c, ws or wss there needs a feature of its own"
        ));
    }
    if let left_out @ 1.. = report.beyond_left_out {
        remarks.push(format!(
            "{left_out} more things beyond the API are not listed"
        ));
    }
    if let Some(answers) = &found.answers
        && !answers.untested.is_empty()
    {
        remarks.push(format!(
            "No test of {} shows: {}",
            tested(answers),
            answers.untested.join(", ")
        ));
    }
    let is_untold =
        !report.perhaps.is_empty() || !report.beyond.is_empty() || !report.uncovered.is_empty();
    if found.answers.is_some() && is_untold {
        remarks.push(
            "No report can tell what is perhaps needed, beyond the API, or without a feature: it excludes none of these"
                .to_owned(),
        );
    }
    remarks
}
