//! Output of `needs`: required features, and implementations that support them.

use serde::Serialize;

use super::page::{Inline, Page, code, words};
use crate::api::{Family, Level};
use crate::certify::catalog::Nearness;
use crate::cluster::needs::BeyondKind;
use crate::needs::{
    Answers, FeatureNeed, IngressNeeds, NeedsFound, NeedsReport, OlderAnswer, OneAnswer,
    ProvedFeature, ResolvedPlaces, Unknown,
};
use crate::text::message::Message;
use crate::text::{counted, joined};

/// Input for the output of `needs`.
#[derive(Debug, Clone, Copy)]
pub struct NeedsInput<'a> {
    /// Required features and matching implementations.
    pub found: &'a NeedsFound,
    /// Site URL with a trailing slash. Without it, the output contains page names instead of links.
    pub site: Option<&'a str>,
    /// True to list implementations that lack many features.
    pub is_all: bool,
}

/// Output of `gwconform needs --format json` without a target.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Features that manifests need"))]
pub struct Document<'a> {
    /// Format version, always 1.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    version: u32,
    /// Number of objects whose kind gwconform knows.
    resources: usize,
    /// Number of other objects and of documents that are not objects.
    passed_over: usize,
    #[serde(flatten)]
    needs: &'a NeedsReport,
    /// Search criteria for reports in the `--in` tree; null if `--in` is not used.
    question: Option<&'a Answers>,
    /// Newest report of each implementation, best matches first. Null if `--in` is not used.
    answers: Option<&'a [OneAnswer]>,
}

impl<'a> Document<'a> {
    /// Creates the document from the result of `needs`.
    pub fn new(found: &'a NeedsFound) -> Self {
        let counts = found.needs.counts;
        Self {
            version: 1,
            resources: counts.known,
            passed_over: counts.passed_over + counts.no_objects,
            needs: &found.needs,
            question: found.answers.as_ref(),
            answers: found.answers.as_ref().map(|found| &found.answers[..]),
        }
    }
}

/// Renders features and matching implementations.
pub fn page(input: NeedsInput<'_>) -> Page {
    let report = &input.found.needs;
    let mut page = Page::default();
    let mut heading = format!("Needs of {}", super::resources(&report.counts));
    if let Some(not_read) = report.not_read_in_short() {
        heading.push_str(&format!("; {not_read}"));
    }
    page.heading(1, heading);
    page.gap();
    let extended: Vec<&FeatureNeed> = of_level(report, Level::Extended).collect();
    match extended.is_empty() {
        true => page.item(words("No extended features")),
        false => page.table(
            &[
                "Extended feature",
                "Since",
                "Channel",
                "Places",
                "First place",
            ],
            extended.into_iter().map(|need| row(need).into()).collect(),
        ),
    }
    let core: Vec<&str> = of_level(report, Level::Core)
        .map(|need| need.feature.as_str())
        .collect();
    if !core.is_empty() {
        page.item(format!("Core: {}", core.join(", ")));
    }
    for need in &report.perhaps {
        let because = need.because.as_deref().unwrap_or_default();
        let (place, feature) = (first(&need.places), &need.feature);
        page.item(format!("{}: {feature} ({place}: {because})", perhaps(need)));
    }
    if let Some(ingresses) = &report.ingresses {
        page.item(ingress_counts(ingresses));
    }
    let uncovered = report.uncovered.iter();
    let uncovered = uncovered.map(|one| (one.name.clone(), &one.places));
    add_places(&mut page, NO_TEST, uncovered.collect());
    let (none, beyond): (Vec<_>, Vec<_>) =
        (report.beyond.iter()).partition(|one| one.kind == BeyondKind::NoEquivalent);
    for (title, all) in [(BEYOND, beyond), (NO_EQUIVALENT, none)] {
        let named = all.into_iter();
        let named = named.map(|one| (one.title.to_string().replace('`', ""), &one.places));
        add_places(&mut page, title, named.collect());
    }
    if let Some(ingresses) = &report.ingresses {
        add_annotations(&mut page, ingresses);
    }
    if let Some(answers) = &input.found.answers {
        add_answers(&mut page, answers, input);
    }
    if let Some(ingresses) = &report.ingresses
        && !ingresses.convert.is_empty()
    {
        page.gap();
        page.item(words(
            "Convert the Ingresses, then read the result with `needs` again:",
        ));
        for command in &ingresses.convert {
            page.subitem(code(command.as_str()));
        }
    }
    page.gap();
    for remark in remarks(input.found) {
        page.item(Inline::message(&Message::of_text(&remark)));
    }
    for unknown in &report.unknown {
        page.item(format!("Not known: {}", not_known(unknown)));
    }
    for field in &report.unknown_fields {
        let count = match field.count {
            1 => String::new(),
            count => format!(" ({})", counted(count, "place")),
        };
        page.item(Inline::message(&Message::of_text(&format!(
            "Not known: {}:{}: {}{count}",
            field.path, field.line, field.reason
        ))));
    }
    for one in &report.unread {
        page.item(format!(
            "Not read: {}:{}: {}",
            one.path, one.line, one.reason
        ));
    }
    if let Some(kinds) = report.kinds_not_read() {
        page.item(format!("Kinds not read: {kinds}"));
    }
    page
}

const NO_TEST: &str = "Not covered by any test (extended, without a feature)";
const NO_EQUIVALENT: &str = "No equivalent in the API";
const APPROXIMATE: &str = "Approximate (the equivalent in the API has a different effect)";
const OTHERS: &str = "Other controllers (their annotations are not read)";
const UNKNOWN: &str = "Unknown annotations of ingress-nginx";
const BEYOND: &str = "Beyond the API (check the implementation's documentation)";

fn row(need: &FeatureNeed) -> Vec<Inline> {
    let since = need.since.as_ref().map(ToString::to_string);
    vec![
        need.feature.as_str().into(),
        since.unwrap_or_default().into(),
        words(match &need.standard_since {
            Some(standard) => format!("standard since {standard}"),
            None => need.channel.as_str().to_owned(),
        }),
        words(need.places.count.to_string()),
        first(&need.places).into(),
    ]
}

fn add_places(page: &mut Page, title: &'static str, all: Vec<(String, &ResolvedPlaces)>) {
    if all.is_empty() {
        return;
    }
    page.heading(3, words(title));
    let row = |(name, places): (String, &ResolvedPlaces)| {
        let count = words(places.count.to_string());
        vec![name.into(), count, first(places).into()].into()
    };
    page.table(
        &["What", "Places", "First place"],
        all.into_iter().map(row).collect(),
    );
}

fn ingress_counts(found: &IngressNeeds) -> String {
    let parts = [
        (found.extended, "with extended features"),
        (found.beyond, "with settings beyond the API"),
        (found.no_equivalent, "with settings that have no equivalent"),
        (found.unknown, "with annotations that are not read"),
    ];
    let mut text = format!(
        "Ingresses: {}; {} of them only with core features",
        found.count, found.core
    );
    for (count, what) in parts.iter().filter(|(count, _)| *count > 0) {
        text.push_str(&format!(", {count} {what}"));
    }
    text
}

fn add_annotations(page: &mut Page, found: &IngressNeeds) {
    if !found.approximate.is_empty() {
        page.heading(3, words(APPROXIMATE));
    }
    for one in &found.approximate {
        let name = one.annotation.rsplit('/').next().unwrap_or_default();
        let (count, place) = (counted(one.places.count, "place"), first(&one.places));
        page.item(format!("{name}: {} ({count}, {place})", one.difference));
    }
    let unknown = found.unknown_annotations.iter();
    let unknown = unknown.map(|one| match &one.similar {
        Some(similar) => (
            format!("{} (did you mean {similar}?)", one.annotation),
            &one.places,
        ),
        None => (one.annotation.clone(), &one.places),
    });
    add_places(page, UNKNOWN, unknown.collect());
    let others = found.others.iter().map(|one| {
        let converter = match &one.provider {
            Some(provider) => format!("ingress2gateway print --providers {provider}"),
            None => "no converter known".to_owned(),
        };
        (format!("{}: {converter}", one.controller), &one.places)
    });
    add_places(page, OTHERS, others.collect());
}

fn first(places: &ResolvedPlaces) -> String {
    let place = places.kept.first().map(|place| {
        let title = place.title.to_string().replace('`', "");
        format!("{}:{}:{} {title}", place.path, place.line, place.column)
    });
    place.unwrap_or_default()
}

fn add_answers(page: &mut Page, answers: &Answers, input: NeedsInput<'_>) {
    if answers.must.is_empty() {
        page.gap();
        page.paragraph(words(NOTHING_TO_ASK));
        return;
    }
    page.heading(
        3,
        format!("Implementations that support them ({})", asked(answers)),
    );
    let (groups, left_out) = groups(answers, input);
    for group in &groups {
        let members = group.answers.iter().map(|answer| {
            let name = name(answer);
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
    let Some(query) = &answers.query else {
        page.item(words(NO_LINK));
        return;
    };
    let address = format!("{}find/?{query}", input.site.unwrap_or_default());
    page.item(words("Find:"));
    page.subitem(match input.site {
        Some(_) => Inline::link(address.as_str(), address.as_str()),
        None => code(address),
    });
}

const NO_LINK: &str =
    "No link to the page `find`: the page searches one profile, and these manifests need several";

const NOTHING_TO_ASK: &str = "These objects need no feature that reports list.";

/// Maximum missing features of a near match.
const MAX_LACKING: usize = 2;

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
    if input.is_all {
        left_out = 0;
        groups.push(far);
    }
    groups.retain(|group| !group.answers.is_empty());
    (groups, left_out)
}

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
        false => {
            let minors: Vec<String> = answers.minors.iter().map(ToString::to_string).collect();
            format!("reports for {}", joined(&minors, "and"))
        }
    });
    format!("{}; one report must meet all needs", parts.join(", "))
}

fn of_level(report: &NeedsReport, level: Level) -> impl Iterator<Item = &FeatureNeed> {
    let needs = report.certain.iter();
    needs.filter(move |need| need.level == level)
}

fn perhaps(need: &FeatureNeed) -> &'static str {
    match need.is_apart {
        true => "Only used by the suite",
        false => "Possibly",
    }
}

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

fn remarks(found: &NeedsFound) -> Vec<String> {
    let report = &found.needs;
    let mut remarks = Vec::new();
    if let missing @ 1.. = report.services_not_there {
        let services = counted(missing, "Service");
        remarks.push(format!(
            "Not known: {services} behind HTTPRoutes not in the input; an `appProtocol` of h2c, ws or wss requires another feature"
        ));
    }
    if !report.without_entry.is_empty() {
        remarks.push(format!(
            "Not detected, because `needs.json` has no entry: {}",
            report.without_entry.join(", ")
        ));
    }
    if let left_out @ 1.. = report.beyond_left_out {
        remarks.push(format!(
            "{left_out} more settings beyond the API are not listed"
        ));
    }
    if let Some(answers) = &found.answers
        && !answers.untested.is_empty()
    {
        remarks.push(format!(
            "Not covered by any test of {}: {}",
            tested(answers),
            answers.untested.join(", ")
        ));
    }
    for kept in &report.kept {
        remarks.push(format!(
            "Keep working with any gateway: annotations of {} ({})",
            kept.tool,
            counted(kept.places.count, "place")
        ));
    }
    let is_untold =
        !report.perhaps.is_empty() || !report.beyond.is_empty() || !report.uncovered.is_empty();
    if found.answers.is_some() && is_untold {
        remarks.push(
            "Features that are possibly needed, settings beyond the API and fields without a feature exclude no implementation"
                .to_owned(),
        );
    }
    remarks
}
