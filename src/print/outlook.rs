//! Output of `outlook`: effects of a release on implementations.

mod sections;

use std::cmp::Reverse;

use serde::Serialize;

use super::certify::{FAMILIES, Listing};
use super::page::{self, Page, code, words};
use crate::outlook::{
    Coming, FamilyOutlook, ImplementationOutlook, NewRun, Outlook, ProfileOutlook,
};
use gwconform_base::api::{Family, Minor, Version};
use gwconform_base::release::{Commit, Release};
use gwconform_base::text::counted;
use gwconform_report::certify::{AsOf, Standing};
use gwconform_report::document::Verdict;

pub(crate) use sections::{FlagLine, Section, flags, sections};

/// Output of `gwconform outlook --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Impact of a release on implementations"))]
pub struct Content<'o> {
    /// Release whose effects are described; null if its data is unknown.
    release: Option<&'o Version>,
    /// False for a prerelease, a release without a date, and a release whose data is unknown.
    released: bool,
    /// Newest minor that currently counts toward verdicts; null if no release review is over.
    newest_minor: Option<Minor>,
    #[serde(flatten)]
    as_of: AsOf,
    /// Minor whose release review precedes the future verdicts.
    review_after: Minor,
    /// Features that an unreleased version adds to the newest release.
    new_features: &'o [String],
    /// Features of the newest release that an unreleased version removes.
    removed_features: &'o [String],
    /// One entry per implementation, sorted by organization and project.
    implementations: &'o [ImplementationOutlook<'o>],
}

impl<'o> Content<'o> {
    /// Creates the document with all implementations.
    pub fn new(outlook: &'o Outlook<'o>) -> Self {
        let release = outlook.coming.release();
        Self {
            release: release.map(Release::version),
            released: release.is_some_and(Release::is_released),
            newest_minor: outlook.newest,
            as_of: outlook.as_of,
            review_after: outlook.minor(),
            new_features: &outlook.new_features,
            removed_features: &outlook.removed_features,
            implementations: &outlook.implementations,
        }
    }
}

/// Level of detail for each implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// One line per implementation and family, for the listed implementations.
    Lines(Listing),
    /// All sections for each implementation.
    Full,
}

/// Renders one line or all sections for each implementation.
pub fn page(outlook: &Outlook<'_>, detail: Detail) -> Page {
    let mut page = Page::default();
    page.heading(1, words(format!("Outlook for {}", title(outlook.coming))));
    if let Some(basis) = basis(outlook.coming) {
        page.paragraph(words(basis));
    }
    match detail {
        Detail::Lines(listing) => add_lines(&mut page, outlook, listing),
        Detail::Full => {
            for (one, family) in outlook.families() {
                add_family(&mut page, outlook, one, family);
            }
        }
    }
    page
}

fn add_lines(page: &mut Page, outlook: &Outlook<'_>, listing: Listing) {
    if let Some(minor) = outlook.newest {
        page.paragraph(words(format!("Newest minor: {minor}")));
    }
    page.paragraph(words(headline(outlook)));
    let features = [
        ("New", &outlook.new_features),
        ("Removed", &outlook.removed_features),
    ];
    for (what, names) in features.into_iter().filter(|(_, names)| !names.is_empty()) {
        let count = names.len();
        page.paragraph(words(format!(
            "{what} features: {count} ({})",
            names.join(", ")
        )));
    }
    for (_, title, groups) in groups(outlook) {
        page.heading(2, title);
        for group in groups {
            let heading = format!("{}: {}", group.title(), group.rows.len());
            if group.is_past() && listing == Listing::Current {
                page.heading(3, words(format!("{heading} (list them with --all)")));
                continue;
            }
            page.heading(3, words(heading));
            let rows = group.rows.iter().map(|(one, family)| {
                if outlook.coming.release().is_none() {
                    return verdict_row(one, family);
                }
                let release = family.run.as_ref().map(last_release);
                let report = match &release {
                    Some(release) => format!("report for {release}"),
                    None => "no report".to_owned(),
                };
                let (name, summary) = (one.implementation.name.as_str(), summary(family));
                let release = release.unwrap_or_else(|| "none".to_owned());
                page::Row {
                    line: Some(format!("{name} ({report}): {summary}").into()),
                    cells: vec![name.into(), release.into(), words(summary)],
                }
            });
            let head = match outlook.coming {
                Coming::Release(_) => &HEAD,
                Coming::Minor(_) => &VERDICT_HEAD,
            };
            page.table(head, rows.collect());
        }
    }
}

const HEAD: [&str; 3] = ["Implementation", "Last report", "A new run"];
const VERDICT_HEAD: [&str; 3] = ["Implementation", "Evidence", "Now"];

const NO_DATA: &str =
    "The data of this release is unknown, so only the changes of verdicts are listed.";

fn verdict_row(one: &ImplementationOutlook<'_>, family: &FamilyOutlook<'_>) -> page::Row {
    let (name, reason) = (
        one.implementation.name.as_str(),
        family.before.reason.as_str(),
    );
    let minor = family.before.report_minor;
    let minor = minor.map_or_else(|| "none".to_owned(), |minor| minor.to_string());
    page::Row {
        line: Some(format!("{name}: {reason}").into()),
        cells: vec![name.into(), minor.into(), words(reason)],
    }
}

fn add_family(
    page: &mut Page,
    outlook: &Outlook<'_>,
    one: &ImplementationOutlook<'_>,
    family: &FamilyOutlook<'_>,
) {
    page.heading(2, format!("{}: {}", one.implementation.name, family.family));
    for (what, verdict) in verdicts(outlook, family) {
        page.item(format!("{what}: {verdict}"));
    }
    let Some(run) = &family.run else {
        if outlook.coming.release().is_none() {
            return;
        }
        page.item(words(summary(family)));
        return;
    };
    page.item(format!("Last report: {}", last_report(run)));
    let sections = sections(run);
    for profile in &run.profiles {
        page.heading(3, core_tests(profile));
        let is_own = |section: &&Section| section.profile.as_deref() == Some(&profile.profile);
        for section in sections.iter().filter(is_own) {
            page.item(words(section.title.as_str()));
            for item in &section.items {
                page.subitem(item.as_str());
            }
        }
    }
    for section in sections.iter().filter(|section| section.profile.is_none()) {
        page.heading(3, words(section.title.as_str()));
        for item in &section.items {
            page.item(item.as_str());
        }
    }
    let flags = flags(run);
    if !flags.is_empty() {
        page.heading(3, words(FLAGS));
    }
    for flag in flags {
        page.item(words(format!("{}:", flag.when)));
        page.subitem(code(flag.arguments));
    }
}

pub(crate) fn title(coming: Coming<'_>) -> String {
    let version = match coming {
        Coming::Minor(minor) => minor.to_string(),
        Coming::Release(release) => release.version().to_string(),
    };
    if coming.release().is_some_and(Release::is_released) {
        version
    } else {
        format!("{version} (not released)")
    }
}

/// Source of data that may still change, as in `Source of the data: upstream's main at 4564255ac2c3
/// of 2026-08-21.` A sentence without data otherwise. `None` for releases.
pub(crate) fn basis(coming: Coming<'_>) -> Option<String> {
    let Some(release) = coming.release() else {
        return Some(NO_DATA.to_owned());
    };
    let commit = release.commit()?;
    Some(format!("Source of the data: {}.", source(commit)))
}

/// Names a commit of upstream, as in `upstream's main at 4564255ac2c3 of 2026-08-21`.
pub fn source(commit: &Commit) -> String {
    let short: String = commit.id.chars().take(12).collect();
    format!("upstream's main at {short} of {}", commit.date)
}

pub(crate) struct Group<'o, 'r> {
    pub(crate) now: Standing,
    pub(crate) then: Standing,
    pub(crate) rows: Vec<InFamily<'o, 'r>>,
}

pub(crate) type InFamily<'o, 'r> = (&'o ImplementationOutlook<'r>, &'o FamilyOutlook<'r>);

impl Group<'_, '_> {
    pub(crate) fn title(&self) -> String {
        let mut title = self.now.words().to_owned();
        if let Some(first) = title.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        if self.is_past() {
            title
        } else if self.now == self.then {
            format!("{title}, unchanged")
        } else {
            format!("{title}, then {}", self.then.words())
        }
    }

    pub(crate) fn is_past(&self) -> bool {
        self.now == Standing::NotCurrent && self.then == Standing::NotCurrent
    }
}

pub(crate) fn groups<'o, 'r>(
    outlook: &'o Outlook<'r>,
) -> Vec<(Family, &'static str, Vec<Group<'o, 'r>>)> {
    let families = FAMILIES.iter().map(|&(family, title)| {
        let mut groups: Vec<Group<'_, '_>> = Vec::new();
        for (one, of) in outlook.families().filter(|(_, of)| of.family == family) {
            let (now, then) = (of.before.standing, of.after.standing);
            let known = groups
                .iter_mut()
                .find(|group| group.now == now && group.then == then);
            match known {
                Some(group) => group.rows.push((one, of)),
                None => groups.push(Group {
                    now,
                    then,
                    rows: vec![(one, of)],
                }),
            }
        }
        groups.sort_by_key(|group| {
            let loss = group.then < group.now;
            (
                Reverse(loss),
                loss.then_some(group.then),
                Reverse(group.now),
            )
        });
        for group in &mut groups {
            group.rows.sort_by_cached_key(|(one, _)| {
                let one = &one.implementation;
                (one.name.to_lowercase(), one.implementation.clone())
            });
        }
        (family, title, groups)
    });
    families.filter(|(.., groups)| !groups.is_empty()).collect()
}

pub(crate) fn headline(outlook: &Outlook<'_>) -> String {
    let minor = outlook.minor();
    if let Some(newest) = outlook.newest.filter(|newest| *newest >= minor) {
        return format!("Verdicts already count from {newest}: none changes.");
    }
    match outlook.drops().count() {
        0 => format!("No verdict drops at the review after {minor}."),
        1 => format!(
            "1 verdict drops at the review after {minor} unless a newer report is submitted."
        ),
        count => format!(
            "{count} verdicts drop at the review after {minor} unless newer reports are submitted."
        ),
    }
}

pub(crate) fn last_release(run: &NewRun<'_>) -> String {
    let version = run.last.report.release.as_ref();
    version.map_or_else(|| "unknown release".to_owned(), ToString::to_string)
}

/// Verdicts now and after the review, as in `Now: conformant (conformant in v1.6, …)`.
pub(crate) fn verdicts(outlook: &Outlook<'_>, family: &FamilyOutlook<'_>) -> Vec<(String, String)> {
    let (now, then) = (&family.before, &family.after);
    let text = |of: &Verdict| format!("{} ({})", of.standing.words(), of.reason);
    let mut verdicts = vec![("Now".to_owned(), text(now))];
    if outlook.newest < Some(outlook.minor()) {
        let then = if then == now {
            "unchanged".to_owned()
        } else {
            text(then)
        };
        verdicts.push((format!("At the review after {}", outlook.minor()), then));
    }
    verdicts
}

pub(crate) fn last_report(run: &NewRun<'_>) -> String {
    let last = &run.last;
    let document = match last.report.document {
        0 => String::new(),
        more => format!(", document {}", more + 1),
    };
    let suite = match last.facts {
        None => ", whose suite is unknown".to_owned(),
        Some(facts) if Some(facts.version()) != last.report.release.as_ref() => {
            format!(", compared as {}", facts.version())
        }
        Some(_) => String::new(),
    };
    format!(
        "{} ({}{suite}{document})",
        last.report.path,
        last_release(run)
    )
}

pub(crate) fn core_tests(profile: &ProfileOutlook<'_>) -> String {
    let (before, now) = (profile.core_test_count, profile.new_core_test_count);
    let name = &profile.profile;
    let tests = counted(now, "core test");
    match (profile.profiles_in_release.is_empty(), before) {
        (true, _) => format!("{name}: not in this release"),
        (false, 0) => format!("{name}: {tests}"),
        (false, before) => format!("{name}: {tests}, {before} in the last report"),
    }
}

pub(crate) const FLAGS: &str =
    "Changed flags of the suite (features that need a decision are exempt)";

/// Summarizes the changes, such as `4 new core tests, 2 features gone`.
pub(crate) fn summary(family: &FamilyOutlook<'_>) -> String {
    let Some(run) = &family.run else {
        return "no report for this release or an older one".to_owned();
    };
    let has_no_facts = run.last.facts.is_none();
    let tests = [
        (run.core_new().len(), "new core test", ""),
        (run.extended_new().len(), "new test", " of claimed features"),
        (run.not_passed().len(), "test", " failed or skipped before"),
        (run.not_proved().len(), "test", " with an unknown result"),
        (run.renamed.len(), "name", " changed"),
        (run.removed_features.len(), "feature", " gone"),
        (run.features_to_decide.len(), "feature", " to decide on"),
    ];
    let mut parts: Vec<String> = tests
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, noun, rest)| counted(count, noun) + rest)
        .collect();
    if has_no_facts {
        parts.insert(0, "the last suite is unknown".to_owned());
    }
    if parts.is_empty() {
        "nothing new".to_owned()
    } else {
        parts.join(", ")
    }
}
