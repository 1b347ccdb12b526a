//! Catalog of implementations, independent of the order of reports. Reports outside of the catalog
//! are listed in [`Catalog::left_out`].

mod absence;
mod matching_reports;
mod proofs;
mod find_implementation;
mod former_addresses;
mod history;
mod judged_reports;
mod names;
mod predecessor;
mod published;
mod scopes;
mod state;
mod feature_support;
mod test_results;
mod unseen;
mod unsubmitted;
mod state_order;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::certify::details::Details;
use crate::certify::{AsOf, Certified, DaySource, Judged, Minors, Reviews, Windows, day_of, judge};
use crate::report::facts::{MAX_NAMES, MAX_PROFILES, Name, ReportFacts};
use crate::report::formats::is_web_address;
use crate::report::naming::folded_pair;
use crate::rules::check::{CheckReport, Skipped};
use crate::rules::configuration::{self, Config, Pair};
use crate::rules::conflicts::{ConflictingReports, is_conflict};
use crate::rules::yaml::SYNTAX;
use crate::tree::readme::included;
use gwconform_base::api::{Family, Minor, NameKind};
use gwconform_base::release::Registry;
use gwconform_base::text::diagnostic::Severities;

pub use crate::report::naming::address::address;
pub use crate::report::naming::slug::{file_names, slug};
pub use absence::{Absence, release_of};
pub use feature_support::FeatureSupport;
pub use find_implementation::FindError;
pub use history::Stretch;
pub use matching_reports::{
    Answer, Found, Nearness, Question, found, is_of_channel, state_in, state_of_others,
};
pub use names::OtherName;
pub use names::derived as derived_name;
pub(crate) use predecessor::line;
pub(crate) use predecessor::own_name;
pub use predecessor::{First, FirstOf, Predecessor};
pub(crate) use proofs::MAX_UNKNOWN_FEATURES;
pub use proofs::{ProfileFeatures, Proofs, ShownTests, TestState};
pub use published::{Published, PublishedError};
use scopes::ScopeVerdicts;
pub use state::{State, StateKind};
pub use state_order::{is_claimed, rank, state_in_words};
pub use test_results::{ResultsByTest, TestResult, contradicting, newest};
pub use unseen::{Results, UnseenTests};
pub use unsubmitted::UnsubmittedProfile;

/// Inputs of a catalog.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a> {
    /// Reports, unreadable files, and findings.
    pub outcome: &'a CheckReport,
    /// Release data for features and profiles.
    pub registry: &'a Registry,
    /// Configured names, links, aliases, windows and newest minor.
    pub config: &'a Config,
    /// Date of the verdicts.
    pub as_of: AsOf,
    /// Files of the implementation list next to the tree.
    pub details: &'a [Details],
}

/// Implementations of a tree.
#[derive(Debug)]
pub struct Catalog<'a> {
    /// Minors by which verdicts expire.
    pub minors: Minors,
    /// Numbers of minors for which reports count.
    pub windows: Windows,
    /// Date of the verdicts.
    pub as_of: AsOf,
    /// Newest known minor with a report, even if its release review is pending.
    pub newest_reported: Option<Minor>,
    /// Implementations, sorted by organization and project.
    pub implementations: Vec<Implementation<'a>>,
    /// Reports and settings that are not in the catalog, sorted by path.
    pub left_out: Vec<LeftOut>,
    /// Reports of different implementations that claim the same run or similar names.
    pub conflicts: BTreeSet<ConflictingReports>,
    /// Tests that prove each feature.
    pub proofs: Proofs<'a>,
}

/// Implementation with its reports and verdicts.
#[derive(Debug)]
pub struct Implementation<'a> {
    /// `organization` in the configured or usual spelling.
    pub organization: &'a str,
    /// `project` in the configured or usual spelling.
    pub project: &'a str,
    /// Former names first, then other spellings.
    pub other_names: Vec<OtherName<'a>>,
    /// Path in URLs ([`address`]), such as `acme/operator`.
    pub slug: String,
    /// Paths of former names, which redirect to the current path.
    pub aliases: Vec<String>,
    /// Configured and well-known products that contain the implementation.
    pub products: Vec<String>,
    /// Display name. By default, derived from organization and project.
    pub name: String,
    /// Description from the configuration or the details file, as one line of plain text.
    pub description: Option<String>,
    /// Description in Markdown that is safe below a heading of level 3 ([`included`]).
    pub description_markdown: Option<String>,
    /// Configured website or documentation.
    pub url: Option<String>,
    /// Reports, sorted by release, implementation version, channel, mode and path.
    pub reports: Vec<Report<'a>>,
    /// Verdict for each family, gateway first.
    pub families: Vec<(Family, Certified)>,
    /// Verdict for each family and minor, newest first.
    pub by_minor: Vec<(Family, Minor, Certified)>,
    /// Verdict for each profile.
    pub by_profile: Vec<(Family, Name, Certified)>,
}

/// Report of an implementation in the catalog.
#[derive(Debug)]
pub struct Report<'a> {
    /// Facts of the report, with profile verdicts.
    pub judged: Judged<'a>,
    /// Unique for the implementation and release.
    pub slug: String,
    /// Release in URLs, such as `v1.5.1`.
    pub release: String,
    /// Number of findings by severity.
    pub findings: Severities,
    /// Earlier report to compare with.
    pub before: Option<Predecessor>,
    /// Rank among equal results. Lower ranks are preferred.
    pub preference: usize,
}

/// File, or document in it, that an answer does not include.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct LeftOut {
    /// Path of the file or folder.
    pub path: String,
    /// Index of the YAML document in the file, from 0; null for the whole file or folder.
    pub document: Option<usize>,
    /// Reason, and the part that is left out, if it is not all.
    pub reason: String,
}

impl From<&Skipped> for LeftOut {
    fn from(skipped: &Skipped) -> Self {
        Self {
            path: skipped.path.clone(),
            document: None,
            reason: skipped.reason.clone(),
        }
    }
}

impl<'a> Catalog<'a> {
    /// Builds the catalog from checked reports.
    pub fn new(parts: Parts<'a>) -> Self {
        let Parts {
            outcome, config, ..
        } = parts;
        let policy = &config.policy;
        let windows = Windows {
            conformant: policy.conformant_minors,
            partial: policy.partially_conformant_minors,
        };
        let mut left_out: Vec<_> = outcome.unreadable.iter().map(LeftOut::from).collect();
        left_out.extend(outcome.unread.iter().map(unread));
        let mut named: Vec<(Pair<'a>, &ReportFacts)> = Vec::new();
        for facts in &outcome.reports {
            match not_known(facts, parts).map_or_else(|| name_of(facts), |why| Err(why.into())) {
                Ok(name) => named.push((name, facts)),
                Err(reason) => left_out.push(without(facts, reason)),
            }
        }
        let reviews = Reviews::by(parts.as_of.day, config.reviews());
        let minors = Minors::new(parts.registry, policy.configured_newest(), &reviews);
        let entries = config.by_name();
        let mut by_name: BTreeMap<(String, String), Vec<&ReportFacts>> = BTreeMap::new();
        for (name, facts) in named {
            let name = folded_pair(entries.current(name));
            by_name.entry(name).or_default().push(facts);
        }
        let (counts, details) = (counts(outcome), names::details(parts.details));
        let mut implementations = Vec::new();
        for (name, facts) in by_name {
            let reports = judged_reports::reports(facts, parts.registry, &counts);
            for report in &reports {
                left_out.extend(strange_profiles(&report.judged));
                left_out.extend(beyond_bounds(report.judged.facts, parts.registry));
            }
            let scopes = ScopeVerdicts::new(&reports, &minors, windows);
            let configured = entries.entry((&name.0, &name.1));
            let usual = configured.map_or_else(|| names::usual(&reports), |entry| entry.pair());
            let (organization, project) = usual;
            let other_names = names::others(usual, &reports, configured);
            let former = configured
                .into_iter()
                .flat_map(|entry| entry.former_names());
            let mut all_names = [usual].into_iter().chain(former);
            let listed = all_names.find_map(|name| details.get(&folded_pair(name)).copied());
            let name = configured
                .and_then(|one| one.name.clone())
                .or_else(|| listed.and_then(|one| one.full_name.clone()));
            let description = configured
                .and_then(|one| one.description.clone())
                .or_else(|| listed.and_then(|one| one.description.clone()));
            let url = configured.and_then(|one| one.url.as_ref());
            let slug = address(organization, project);
            implementations.push(Implementation {
                organization,
                project,
                url: url.map(|url| url.get_ref().clone()),
                aliases: aliases(configured, &slug),
                slug,
                products: products(configured, parts.registry, usual),
                name: name.unwrap_or_else(|| names::derived(organization, project)),
                other_names,
                description: description.as_deref().map(included::one_line),
                description_markdown: description.map(|text| included::included(&text, 3)),
                families: scopes.families(),
                by_minor: scopes.by_minor(),
                by_profile: scopes.by_profile(),
                reports,
            });
        }
        implementations.sort_by_key(|one| (one.organization, one.project));
        let known: BTreeSet<Pair<'_>> = (implementations.iter())
            .map(|one| (one.organization, one.project))
            .collect();
        let entries = config.implementation.iter().map(|entry| entry.pair());
        left_out.extend(
            entries
                .filter(|name| !known.contains(name))
                .map(entry_without_report),
        );
        matching_reports::give_preferences(&mut implementations);
        left_out.sort();
        let reports = implementations.iter().flat_map(|one| &one.reports);
        let reported = reports.filter_map(|report| report.judged.minor());
        Self {
            newest_reported: reported.filter(|minor| minors.is_known(*minor)).max(),
            minors,
            windows,
            as_of: parts.as_of,
            implementations,
            left_out,
            conflicts: outcome.conflicts.clone(),
            proofs: Proofs::new(parts.registry),
        }
    }

    /// Keeps one implementation, with its entries of [`Catalog::left_out`] and its conflicts.
    pub fn restrict_to(&mut self, slug: &str) {
        self.implementations.retain(|one| one.slug == slug);
        let reports = self.implementations.iter().flat_map(|one| &one.reports);
        let paths: BTreeSet<&str> = reports
            .map(|report| report.judged.facts.path.as_str())
            .collect();
        self.left_out
            .retain(|left_out| paths.contains(left_out.path.as_str()));
        let is_own = |path: &String| paths.contains(path.as_str());
        self.conflicts
            .retain(|conflict| conflict.paths.iter().any(is_own));
    }

    /// Implementations by their current and former paths in URLs.
    pub fn addresses(&self) -> BTreeMap<&str, &Implementation<'a>> {
        let all = self.implementations.iter();
        all.flat_map(|one| {
            let aliases = one.aliases.iter();
            let slugs = [&one.slug].into_iter().chain(aliases);
            slugs.map(move |slug| (slug.as_str(), one))
        })
        .collect()
    }

    /// Implementations by current and former names ([`folded_pair`]).
    pub fn names(&self) -> BTreeMap<(String, String), &Implementation<'a>> {
        let all = self.implementations.iter();
        let names = all.flat_map(|one| one.names().map(move |name| (folded_pair(name), one)));
        let mut by_name = BTreeMap::new();
        for (name, one) in names {
            by_name.entry(name).or_insert(one);
        }
        by_name
    }

    /// Reports with their implementations.
    pub fn reports(&self) -> impl Iterator<Item = (&Implementation<'a>, &Report<'a>)> {
        let implementations = self.implementations.iter();
        implementations.flat_map(|one| one.reports.iter().map(move |report| (one, report)))
    }
}

/// Places of the reports that determine what an implementation shows: those with a verdict, or all
/// if no report has a verdict. A refused report beside them changes nothing.
fn decisive(reports: &[Report<'_>]) -> Vec<usize> {
    let all = || 0..reports.len();
    let sound: Vec<usize> = all()
        .filter(|&at| !reports[at].judged.is_refused())
        .collect();
    if sound.is_empty() {
        all().collect()
    } else {
        sound
    }
}

impl Report<'_> {
    /// URL path below the implementation, such as `v1.5.1/standard-v2.14.0-default`.
    pub fn address(&self) -> String {
        [self.release.as_str(), "/", &self.slug].concat()
    }
}

impl<'a> Implementation<'a> {
    /// Organization and project, followed by other names.
    pub fn names(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let others = self.other_names.iter();
        let own = [(self.organization, self.project)];
        own.into_iter()
            .chain(others.map(|other| (other.organization, other.project)))
    }
}

impl Implementation<'_> {
    /// Configured website, or else the URL in the newest report with a verdict, if it is safe to
    /// link.
    pub fn website(&self) -> Option<&str> {
        let mut newest_first = self.reports.iter().rev();
        let newest = newest_first.find(|report| !report.judged.is_refused());
        let url = self.url.as_deref().or_else(|| newest?.judged.facts.url())?;
        is_web_address(url).then_some(url)
    }

    /// Key of a report of the implementation: `<implementation>/<release>/<report>`.
    pub fn key_of(&self, report: &Report<'_>) -> String {
        [self.slug.as_str(), "/", &report.address()].concat()
    }

    /// `None` if the implementation has no profile of the family.
    pub fn family(&self, family: Family) -> Option<&Certified> {
        let mut families = self.families.iter();
        families.find_map(|(of, certified)| (*of == family).then_some(certified))
    }
}

fn unread(file: &Skipped) -> LeftOut {
    LeftOut {
        reason: format!("not read: {}", file.reason),
        ..file.into()
    }
}

fn entry_without_report((organization, project): Pair<'_>) -> LeftOut {
    LeftOut {
        path: configuration::FILE_NAME.to_owned(),
        document: None,
        reason: format!("no report of {organization}/{project} in this tree"),
    }
}

fn without(facts: &ReportFacts, reason: impl Into<String>) -> LeftOut {
    LeftOut {
        path: facts.path.clone(),
        document: Some(facts.document),
        reason: reason.into(),
    }
}

fn aliases(configured: Option<&configuration::Implementation>, slug: &str) -> Vec<String> {
    let names = configured.into_iter().flat_map(|one| one.former_names());
    let mut aliases = Vec::new();
    for alias in names.map(|(organization, project)| address(organization, project)) {
        if alias != slug && !aliases.contains(&alias) {
            aliases.push(alias);
        }
    }
    aliases
}

fn products(
    configured: Option<&configuration::Implementation>,
    registry: &Registry,
    (organization, project): Pair<'_>,
) -> Vec<String> {
    let known = &registry.words().products;
    let known = known.get(&format!("{organization}/{project}"));
    let all = configured.into_iter().flat_map(|one| &one.products);
    all.chain(known.into_iter().flatten()).cloned().collect()
}

/// Reason why a report is later than the date of the verdicts. Without its own date, a report has
/// the date of its release.
fn not_known(facts: &ReportFacts, parts: Parts<'_>) -> Option<String> {
    let is_option = parts.as_of.from == DaySource::Option;
    let day = parts.as_of.day.filter(|_| is_option)?;
    let of_release = || {
        let version = facts.release.version.as_ref()?;
        Some((
            parts.registry.release(version).release()?.date()?,
            "released",
        ))
    };
    let ran = day_of(facts).map(|day| (day, "run"));
    let (when, what) = ran.or_else(of_release)?;
    (when > day).then(|| format!("{what} on {when}, after {day}"))
}

fn name_of(facts: &ReportFacts) -> Result<(&str, &str), Cow<'static, str>> {
    let is_named = |name: &&str| !name.trim().is_empty();
    // Missing fields result from the truncation.
    let broken = facts
        .blocks
        .iter()
        .find(|block| block.rule == SYNTAX.about().id);
    let missing = |what: &'static str| match broken {
        Some(block) => Cow::Owned(format!("{what}: {}", block.message)),
        None => Cow::Borrowed(what),
    };
    if let Some(project) = &facts.other_project {
        return Err(format!("a report of {project}").into());
    }
    if !facts.is_report {
        return Err("not a ConformanceReport".into());
    }
    let organization = facts
        .organization()
        .filter(is_named)
        .ok_or_else(|| missing("no organization"))?;
    let project = facts.project().filter(is_named);
    let project = project.ok_or_else(|| missing("no project"))?;
    Ok((organization, project))
}

fn strange_profiles<'j>(judged: &'j Judged<'_>) -> impl Iterator<Item = LeftOut> + 'j {
    let strange = judged
        .verdicts
        .iter()
        .filter(|verdict| verdict.family.is_none())
        .map(|verdict| {
            let reason = if verdict.profile.is_empty() {
                "a profile without a name counts neither for gateway nor for mesh".to_owned()
            } else {
                let name = &verdict.profile;
                format!("unknown profile `{name}`: it counts neither for gateway nor for mesh")
            };
            without(judged.facts, reason)
        });
    let is_empty = judged.verdicts.is_empty();
    let empty = is_empty.then(|| without(judged.facts, "no profiles, so no verdict"));
    strange.chain(empty)
}

fn beyond_bounds(facts: &ReportFacts, registry: &Registry) -> Option<LeftOut> {
    let levels = facts.profiles.iter().flat_map(|profile| profile.levels());
    let lists =
        levels.flat_map(|(_, level)| [&level.supported_features, &level.unsupported_features]);
    let names = lists.flatten().flatten();
    let unknown = names.filter(|name| !registry.is_known(NameKind::Feature, name));
    let reason = if facts.exceeds_bounds {
        format!(
            "more than {MAX_PROFILES} profiles or {MAX_NAMES} names: the rest is not shown, and there is no verdict"
        )
    } else if unknown.count() > MAX_UNKNOWN_FEATURES {
        format!("more than {MAX_UNKNOWN_FEATURES} unknown features: the rest is not shown")
    } else {
        return None;
    };
    Some(without(facts, reason))
}

fn counts(outcome: &CheckReport) -> BTreeMap<&str, Severities> {
    let mut counts: BTreeMap<&str, Severities> = BTreeMap::new();
    let findings = outcome.findings.iter();
    for finding in findings.filter(|finding| !is_conflict(finding, &outcome.conflicts)) {
        let of_file = counts.entry(&finding.place.path).or_default();
        of_file.count(finding);
    }
    counts
}

pub(crate) fn judged<'a>(facts: &'a ReportFacts, registry: &Registry) -> Judged<'a> {
    Judged {
        facts,
        verdicts: judge(facts, registry),
    }
}
