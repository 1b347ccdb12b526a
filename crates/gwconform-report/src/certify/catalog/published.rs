//! Builds a catalog from published site data (`api/v1/`). Documents with missing fields are
//! rejected, and unknown fields are ignored.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer};

use super::matching_reports::give_preferences;
use super::{Catalog, Parts};
use crate::certify::{AsOf, DaySource, Status, judge};
use crate::report::facts::{
    Block, ByLog, Digest, Fact, LevelData, MAX_PROFILES, Name, Profile, ReportFacts,
};
use crate::report::model::{List, Spanned, Stated, Statistics};
use crate::rules::check::CheckReport;
use crate::rules::configuration::Config;
use gwconform_base::release::Registry;
use gwconform_base::release::stated::{ReferenceRelease, StatedRelease};
use gwconform_base::text::diagnostic::Place;

/// Reports from published site data.
#[derive(Debug)]
pub struct Published {
    /// Folder of the reports tree in its repository.
    pub tree: Option<String>,
    outcome: CheckReport,
    config: Config,
    as_of: AsOf,
    names: BTreeMap<String, String>,
    /// Key of each report, by path and document.
    keys: BTreeMap<(String, usize), String>,
}

/// Reason why published data cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PublishedError {
    /// The document is not JSON or has another structure.
    #[error("{path}: not index.json, implementations.json or reports.json of a site: {reason}")]
    Invalid {
        /// Path of the document.
        path: String,
        /// Parser error.
        reason: String,
    },
    /// A document is missing. Contains its name.
    #[error("expected index.json, implementations.json and reports.json of a site; found no {0}")]
    Missing(&'static str),
    /// A published status contradicts the published results.
    #[error("{report}: `{profile}` is {status} in the data, and {own} by its results")]
    Contradictory {
        /// Path of the report.
        report: String,
        /// Profile name, such as `GATEWAY-HTTP`.
        profile: String,
        /// Published status.
        status: String,
        /// Status computed from the results.
        own: &'static str,
    },
    /// Two implementations have the same path in URLs.
    #[error("implementations.json has `{0}` twice")]
    Twice(String),
    /// The implementation of a report is not published.
    #[error("{report}: implementation `{implementation}` is not in implementations.json")]
    Stranger {
        /// Path of the report.
        report: String,
        /// Path of the unknown implementation in URLs.
        implementation: String,
    },
}

/// Document of any type. Exactly one optional field is set.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Document {
    version: u32,
    #[serde(flatten)]
    index: Option<Index>,
    implementations: Option<Vec<Implementation>>,
    reports: Option<Vec<Report>>,
}

#[derive(Deserialize)]
struct Index {
    #[serde(deserialize_with = "there")]
    tree: Option<String>,
    #[serde(deserialize_with = "there")]
    newest_minor: Option<String>,
    #[serde(deserialize_with = "there")]
    as_of: Option<String>,
    as_of_from: DaySource,
    conformant_minors: u32,
    partially_conformant_minors: u32,
}

#[derive(Deserialize)]
struct Implementation {
    implementation: String,
    organization: String,
    project: String,
    name: String,
}

#[derive(Deserialize)]
struct Report {
    report: String,
    implementation: String,
    #[serde(deserialize_with = "there")]
    implementation_version: Option<String>,
    #[serde(deserialize_with = "there")]
    release: Option<String>,
    #[serde(deserialize_with = "there")]
    channel: Option<String>,
    #[serde(deserialize_with = "there")]
    mode: Option<String>,
    #[serde(deserialize_with = "there")]
    date: Option<String>,
    path: String,
    document: usize,
    profiles: Vec<ReportProfile>,
    #[serde(deserialize_with = "there")]
    passed_in_log: Option<Vec<String>>,
    succeeded_provisional_tests: Vec<String>,
}

#[derive(Deserialize)]
struct ReportProfile {
    profile: String,
    status: String,
    blocked_by: Vec<ReportBlock>,
    #[serde(deserialize_with = "there")]
    core: Option<ReportLevel>,
    #[serde(deserialize_with = "there")]
    extended: Option<ReportLevel>,
}

#[derive(Deserialize)]
struct ReportBlock {
    message: String,
}

#[derive(Deserialize)]
struct ReportLevel {
    #[serde(deserialize_with = "there")]
    result: Option<String>,
    #[serde(deserialize_with = "there")]
    passed: Option<u64>,
    #[serde(deserialize_with = "there")]
    skipped: Option<u64>,
    #[serde(deserialize_with = "there")]
    failed: Option<u64>,
    skipped_tests: Vec<String>,
    failed_tests: Vec<String>,
    supported_features: Vec<String>,
    unsupported_features: Vec<String>,
}

/// Makes a nullable field required. By default, serde accepts missing `Option` fields.
fn there<'de, D: Deserializer<'de>, T: Deserialize<'de>>(field: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(field)
}

/// Placeholder rule id, because published blocks do not name their rule.
const BLOCKED: &str = "";

const VERSION: u32 = 1;

impl Published {
    /// Reads the three documents from pairs of path and content.
    pub fn read<'d>(
        documents: impl IntoIterator<Item = (&'d str, &'d [u8])>,
        registry: &Registry,
    ) -> Result<Self, PublishedError> {
        let (mut index, mut implementations, mut reports) = (None, None, None);
        for (path, bytes) in documents {
            let invalid = |reason: String| PublishedError::Invalid {
                path: path.to_owned(),
                reason,
            };
            let one: Document =
                serde_json::from_slice(bytes).map_err(|error| invalid(error.to_string()))?;
            if one.version != VERSION {
                return Err(invalid(format!("version {} is not known", one.version)));
            }
            let is_second = match (one.index, one.implementations, one.reports) {
                (Some(one), None, None) => index.replace(one).is_some(),
                (None, Some(one), None) => implementations.replace(one).is_some(),
                (None, None, Some(one)) => reports.replace(one).is_some(),
                _ => return Err(invalid("its fields match none of them".to_owned())),
            };
            if is_second {
                return Err(invalid("a file of this kind was already read".to_owned()));
            }
        }
        let index = index.ok_or(PublishedError::Missing("index.json"))?;
        let implementations =
            implementations.ok_or(PublishedError::Missing("implementations.json"))?;
        let reports = reports.ok_or(PublishedError::Missing("reports.json"))?;
        let mut by_slug: BTreeMap<&str, &Implementation> = BTreeMap::new();
        for one in &implementations {
            if by_slug.insert(&one.implementation, one).is_some() {
                return Err(PublishedError::Twice(one.implementation.clone()));
            }
        }
        let facts = reports.iter().map(|report| {
            let implementation = by_slug.get(report.implementation.as_str());
            let implementation = implementation.ok_or_else(|| PublishedError::Stranger {
                report: report.path.clone(),
                implementation: report.implementation.clone(),
            })?;
            facts(report, implementation, registry)
        });
        let outcome = CheckReport {
            reports: facts.collect::<Result<_, PublishedError>>()?,
            ..CheckReport::default()
        };
        let mut config = Config::default();
        config.policy.conformant_minors = index.conformant_minors;
        config.policy.partially_conformant_minors = index.partially_conformant_minors;
        config.policy.newest_minor = index
            .newest_minor
            .map(|minor| toml::Spanned::new(0..0, minor));
        let names = implementations.into_iter();
        Ok(Self {
            tree: index.tree,
            outcome,
            config,
            as_of: AsOf {
                day: index.as_of.and_then(|day| day.parse().ok()),
                from: index.as_of_from,
            },
            keys: (reports.into_iter())
                .map(|one| ((one.path, one.document), one.report))
                .collect(),
            names: names.map(|one| (one.implementation, one.name)).collect(),
        })
    }

    /// Builds the catalog with the implementation names and URLs of the published site.
    pub fn catalog<'a>(&'a self, registry: &'a Registry) -> Catalog<'a> {
        let mut catalog = Catalog::new(Parts {
            outcome: &self.outcome,
            registry,
            config: &self.config,
            as_of: self.as_of,
            details: &[],
        });
        for implementation in &mut catalog.implementations {
            let report = implementation.reports.first();
            let folder = report.and_then(|report| report.judged.facts.submission.to_str());
            if let Some((slug, name)) = folder.and_then(|slug| self.names.get_key_value(slug)) {
                implementation.slug.clone_from(slug);
                implementation.name.clone_from(name);
            }
            for report in &mut implementation.reports {
                let facts = report.judged.facts;
                let key = self.keys.get(&(facts.path.clone(), facts.document));
                let slug = key.and_then(|key| key.rsplit('/').next());
                report.slug = slug.unwrap_or_default().to_owned();
            }
        }
        give_preferences(&mut catalog.implementations);
        catalog
    }
}

/// The path in URLs replaces the submission folder, because the site has already joined names.
fn facts(
    report: &Report,
    implementation: &Implementation,
    registry: &Registry,
) -> Result<ReportFacts, PublishedError> {
    let fact = |text: Option<&str>| {
        text.map(|text| Fact {
            value: text.to_owned(),
            place: Place::path(&*report.path),
        })
    };
    let release = report.release.as_deref();
    let reference = ReferenceRelease::new(release, None, registry);
    let profiles = || report.profiles.iter().take(MAX_PROFILES);
    let blocks = profiles().enumerate().flat_map(|(at, one)| {
        // Published data has no details about unreadable profiles.
        let unreadable = (one.status == Status::Unreadable.as_str()).then(String::new);
        let stated = one.blocked_by.iter().map(|block| block.message.clone());
        stated.chain(unreadable).map(move |message| Block {
            rule: BLOCKED,
            message,
            profile: Some(at),
        })
    });
    let by_log = report.passed_in_log.as_ref().map(|passed| ByLog {
        passed: passed
            .iter()
            .map(|test| registry.shared_name(test))
            .collect(),
    });
    let mut facts = ReportFacts {
        path: report.path.clone(),
        file_name: String::new(),
        document: report.document,
        submission: PathBuf::from(&report.implementation),
        reproduce: None,
        digest: Digest([0; 32]),
        ran_at: None,
        fits_folder: true,
        release: StatedRelease::new(release, &reference),
        organization: fact(Some(&implementation.organization)),
        project: fact(Some(&implementation.project)),
        version: fact(report.implementation_version.as_deref()),
        channel: fact(report.channel.as_deref()),
        mode: fact(report.mode.as_deref()),
        date: fact(report.date.as_deref()),
        lacks_listener_isolation: false,
        api_version: None,
        url: None,
        contact: Vec::new(),
        profiles: profiles().map(|one| profile(one, registry)).collect(),
        lines: Vec::new(),
        succeeded_provisional: names(&report.succeeded_provisional_tests, registry),
        blocks: blocks.collect(),
        by_log,
        is_report: true,
        other_project: None,
        is_cut: false,
        exceeds_bounds: report.profiles.len() > MAX_PROFILES,
    };
    // Published data omits whether the file is truncated, so the status determines it.
    let verdicts = judge(&facts, registry);
    let both = report.profiles.iter().zip(&verdicts);
    let other = both.filter(|(one, own)| one.status != own.status.as_str());
    let other: Vec<_> = other.collect();
    let unreadable = Status::Unreadable.as_str();
    facts.is_cut = other.iter().any(|(one, _)| one.status == unreadable);
    match other.first() {
        Some((one, own)) if !facts.is_cut => Err(PublishedError::Contradictory {
            report: report.path.clone(),
            profile: one.profile.clone(),
            status: one.status.clone(),
            own: own.status.as_str(),
        }),
        _ => Ok(facts),
    }
}

fn profile(profile: &ReportProfile, registry: &Registry) -> Profile {
    let name = Some(profile.profile.as_str()).filter(|name| !name.is_empty());
    let level = |level: &ReportLevel| self::level(level, registry);
    Profile {
        node: (),
        name: name.map(|name| registry.shared_name(name).into()),
        summary: None,
        core: profile.core.as_ref().map(level),
        extended: profile.extended.as_ref().map(level),
    }
}

fn level(level: &ReportLevel, registry: &Registry) -> LevelData {
    let list = |items: &[String]| (!items.is_empty()).then(|| List::new(names(items, registry)));
    let result = level.result.as_deref();
    let number = |number: Option<u64>| number.map(Spanned::from);
    LevelData {
        node: (),
        result: Stated::of(result.map(|text| registry.shared_name(text).into())),
        summary: None,
        statistics: Some(Statistics {
            node: (),
            passed: number(level.passed),
            skipped: number(level.skipped),
            failed: number(level.failed),
        }),
        skipped_tests: list(&level.skipped_tests),
        failed_tests: list(&level.failed_tests),
        supported_features: list(&level.supported_features),
        unsupported_features: list(&level.unsupported_features),
    }
}

fn names(names: &[String], registry: &Registry) -> Vec<Name> {
    let names = names.iter();
    names.map(|name| registry.shared_name(name)).collect()
}
