//! Output of `needs`: required features, and implementations that support them.

mod answers;
mod ingresses;

use super::page::{Inline, Page, code, words};
use gwconform_base::api::{Family, Level};
use gwconform_base::text::message::Message;
use gwconform_base::text::{counted, joined};
use gwconform_cluster::needs::BeyondKind;
use gwconform_cluster::support::{Asked, FeatureNeed, NeedsFound, NeedsReport, ResolvedPlaces};

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

/// Renders features and matching implementations.
pub fn page(input: NeedsInput<'_>) -> Page {
    let report = &input.found.needs;
    let mut page = Page::default();
    let mut heading = format!("Needs of {}", super::resources(&report.read));
    if let Some(not_read) = report.not_read_in_short() {
        heading.push_str(&format!("; {not_read}"));
    }
    page.heading(1, heading);
    page.gap();
    let extended: Vec<&FeatureNeed> = of_level(report, Level::Extended).collect();
    if extended.is_empty() {
        page.item(words("No extended features"));
    } else {
        page.table(
            &[
                "Extended feature",
                "Since",
                "Channel",
                "Places",
                "First place",
            ],
            extended.into_iter().map(|need| row(need).into()).collect(),
        );
    }
    let core: Vec<&str> = of_level(report, Level::Core)
        .map(|need| need.feature.as_str())
        .collect();
    if !core.is_empty() {
        page.item(format!("Core: {}", core.join(", ")));
    }
    for need in &report.perhaps {
        let reason = need.reason.as_deref().unwrap_or_default();
        let (place, feature) = (first(&need.places), &need.feature);
        page.item(format!("{}: {feature} ({place}: {reason})", perhaps(need)));
    }
    if let Some(ingresses) = &report.ingresses {
        page.item(ingresses::counts(ingresses));
    }
    let uncovered = report.uncovered.iter();
    let uncovered = uncovered.map(|one| (one.field.clone(), &one.places));
    add_places(&mut page, NO_TEST, uncovered.collect());
    let (none, beyond): (Vec<_>, Vec<_>) =
        (report.beyond.iter()).partition(|one| one.kind == BeyondKind::NoEquivalent);
    for (title, all) in [(BEYOND, beyond), (NO_EQUIVALENT, none)] {
        let named = all.into_iter();
        let named = named.map(|one| (one.title.to_string().replace('`', ""), &one.places));
        add_places(&mut page, title, named.collect());
    }
    if let Some(ingresses) = &report.ingresses {
        ingresses::add_annotations(&mut page, ingresses);
    }
    if let Some(answers) = &input.found.answers {
        answers::add(&mut page, answers, input);
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
    let known = report.unknown.iter().map(|one| (one, "object"));
    let fields = report.unknown_fields.iter().map(|one| (one, "place"));
    let unknown = known.chain(fields).map(|(one, noun)| {
        let count = match one.places.count {
            1 => String::new(),
            count => format!(" ({})", counted(count, noun)),
        };
        format!("Not known: {one}{count}")
    });
    let unread = report.unread.iter();
    let unread = unread.map(|one| format!("Not read: {one}"));
    for mut lines in [unknown.collect::<Vec<_>>(), unread.collect()] {
        let more = lines.len().saturating_sub(MAX_LINES);
        lines.truncate(MAX_LINES);
        if more > 0 {
            lines.push(format!("{more} more: see `--format json`"));
        }
        for line in lines {
            page.item(Inline::message(&Message::of_text(&line)));
        }
    }
    if let Some(kinds) = report.kinds_not_read() {
        page.item(format!("Kinds not read: {kinds}"));
    }
    page
}

/// Maximum lines of each list of unknown or unread input.
const MAX_LINES: usize = 20;

const NO_TEST: &str = "Not covered by any test (extended, without a feature)";
const NO_EQUIVALENT: &str = "No equivalent in the API";
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
    let rows = all.into_iter().map(row).collect();
    page.table(&["What", "Places", "First place"], rows);
}

fn first(places: &ResolvedPlaces) -> String {
    let place = places.kept.first().map(|one| {
        let title = one.title.to_string().replace('`', "");
        let place = &one.place;
        format!("{}:{}:{} {title}", place.path, place.line, place.column)
    });
    place.unwrap_or_default()
}

fn of_level(report: &NeedsReport, level: Level) -> impl Iterator<Item = &FeatureNeed> {
    let needs = report.certain.iter();
    needs.filter(move |need| need.level == level)
}

fn perhaps(need: &FeatureNeed) -> &'static str {
    if need.is_apart {
        "Only used by the suite"
    } else {
        "Possibly"
    }
}

fn tested(asked: &Asked) -> String {
    let families = asked.families.iter().map(|family| match family {
        Family::Gateway => "a Gateway".to_owned(),
        Family::Mesh => "a mesh".to_owned(),
    });
    if asked.profiles.is_empty() {
        joined(&families.collect::<Vec<_>>(), "or")
    } else {
        joined(&asked.profiles, "and")
    }
}

fn remarks(found: &NeedsFound) -> Vec<String> {
    let report = &found.needs;
    let mut remarks = Vec::new();
    if let missing @ 1.. = report.counts.services_not_there {
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
    if let omitted @ 1.. = report.counts.omitted {
        remarks.push(format!("{omitted} more losses are not listed"));
    }
    let asked = &found.asked;
    if found.answers.is_some() && !asked.untested.is_empty() {
        remarks.push(format!(
            "Not covered by any test of {}: {}",
            tested(asked),
            asked.untested.join(", ")
        ));
    }
    for kept in &report.kept {
        remarks.push(format!(
            "Keep working with any gateway: annotations of {} ({})",
            kept.tool,
            counted(kept.places.count, "place")
        ));
    }
    remarks
}
