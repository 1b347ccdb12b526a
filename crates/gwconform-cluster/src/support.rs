//! Implements `gwconform needs`: the features that manifests require, the implementations that
//! support them, and the effects of a migration.

mod answers;
mod ingresses;
mod resolved;
mod resolved_places;
mod target_report;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::needs::absent_fields::Crds;
use crate::needs::{Listed, Needs, Target};
use crate::rules::{self, CrdsContext, NeedsContext};
use crate::{Cluster, File};
use gwconform_base::api::Family;
use gwconform_base::release::Registry;
use gwconform_base::text::counted;
use gwconform_base::text::source::Source;
use gwconform_report::certify::catalog::{Catalog, FindError};
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::rules::check::{CheckReport, Checked, Settings};

pub use answers::{AnswerFeature, Asked, DefaultCounts, DefaultNeed, OneAnswer};
pub use ingresses::{
    Approximate, IgnoredAnnotation, IngressNeeds, OtherController, UnknownAnnotation,
};
pub use resolved::{
    BeyondNeed, FeatureNeed, InputCounts, KeptAnnotations, NeedsReport, NotRead, UncoveredField,
    Unknown, Unread,
};
pub use resolved_places::{ResolvedPlace, ResolvedPlaces};

/// Requested implementation of a reports tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// Name accepted by [`Catalog::find`].
    pub name: &'a str,
    /// `implementation.version` of the report. `None` for the newest report.
    pub version: Option<&'a str>,
}

/// Targets to compare manifests with.
#[derive(Debug, Default)]
pub struct Against<'a> {
    /// Catalog to find implementations.
    pub catalog: Option<&'a Catalog<'a>>,
    /// Implementation to migrate to.
    pub to: Option<Wanted<'a>>,
    /// Implementation in use. Its report limits the findings to proved features.
    pub from: Option<Wanted<'a>>,
    /// Report of the target, instead of an implementation in the catalog.
    pub report: Option<&'a ReportFacts>,
    /// Requested profile. By default, the Routes determine the profiles.
    pub profile: Option<&'a str>,
    /// True to consider reports for all releases.
    pub is_of_all: bool,
    /// GatewayClasses and meshes of the target cluster.
    pub listed: &'a [Listed],
    /// CRDs of the target cluster.
    pub crds: Option<&'a Crds<'a>>,
}

impl Against<'_> {
    /// True if the rules have a target.
    pub fn has_target(&self) -> bool {
        self.to.is_some() || self.report.is_some() || !self.listed.is_empty() || self.crds.is_some()
    }
}

/// Output of `gwconform needs --format json` without a target.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(title = "Features that manifests need")]
pub struct NeedsFound {
    /// Requirements of the manifests.
    #[serde(flatten)]
    pub needs: NeedsReport,
    /// Requirements that a single report must meet, and the considered reports.
    #[serde(rename = "question")]
    pub asked: Asked,
    /// Newest report of each implementation, best matches first. Null if `--in` is not used.
    pub answers: Option<Vec<OneAnswer>>,
    /// Compared report of the target, with the number of supported features. `None` without a
    /// report.
    #[serde(skip)]
    pub compared: Option<String>,
    /// Findings of the group `needs`. Empty without a target ([`Against::has_target`]).
    #[serde(skip)]
    pub findings: CheckReport,
}

/// Reason why the manifests cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum NeedsError {
    /// No implementation, or more than one, has the requested name.
    #[error(transparent)]
    Find(#[from] FindError),
    /// No report has the requested version. Contains the message with the known versions.
    #[error("{0}")]
    NoVersion(String),
    /// The implementation has no readable report.
    #[error("{name} has no report that can be read")]
    NoReport {
        /// Path of the implementation in URLs, such as `acme/operator`.
        name: String,
    },
}

/// Finds requirements and suitable implementations, and runs the rules of the group `needs`.
pub fn check_needs(
    sources: &[Source],
    against: &Against<'_>,
    settings: &Settings,
    registry: &Registry,
) -> Result<NeedsFound, NeedsError> {
    let files: Vec<File<'_>> = sources.iter().map(File::read).collect();
    let mut cluster = Cluster::read(&files);
    if against.crds.is_some() {
        cluster = cluster.with_statuses();
    }
    let needs = Needs::new(&cluster, registry);
    let asked = Asked::new(&needs, against, registry);
    let in_tree = |wanted: Option<Wanted<'_>>| -> Result<Option<Target>, NeedsError> {
        let both = wanted.zip(against.catalog);
        both.map(|(wanted, catalog)| {
            target_report::of_tree(wanted, catalog, &needs, &asked, registry)
        })
        .transpose()
    };
    let of_report = |facts| target_report::of_report(facts, &needs, &asked, registry);
    let to = in_tree(against.to)?.or_else(|| against.report.map(of_report));
    let from = in_tree(against.from)?;
    let cx = NeedsContext {
        cluster: &cluster,
        needs: &needs,
        registry,
        to: to.as_ref(),
        from: from.as_ref(),
        profiles: &asked.profiles,
        listed: against.listed,
        crds: against.crds,
    };
    let of_crds = against.crds.map(|crds| CrdsContext {
        cluster: &cluster,
        crds: *crds,
        is_sure: true,
        report: against.report,
        tested: &[],
    });
    let mut found = NeedsFound {
        findings: findings(&cx, of_crds.as_ref(), sources, settings),
        compared: to.as_ref().map(target_report::compared),
        ..NeedsFound::new(&needs, &cluster, asked, registry)
    };
    if against.crds.is_some() {
        found.needs.objects += cluster.crds.found.len();
    }
    if let Some(catalog) = against.catalog {
        found.answer(catalog, registry);
    }
    Ok(found)
}

/// Finds requirements only, without reports and rules.
pub fn list_needs(sources: &[Source], profile: Option<&str>, registry: &Registry) -> NeedsFound {
    let files: Vec<File<'_>> = sources.iter().map(File::read).collect();
    let cluster = Cluster::read(&files);
    let needs = Needs::new(&cluster, registry);
    let against = Against {
        profile,
        ..Against::default()
    };
    let asked = Asked::new(&needs, &against, registry);
    NeedsFound::new(&needs, &cluster, asked, registry)
}

impl NeedsFound {
    fn new(needs: &Needs<'_>, cluster: &Cluster<'_>, asked: Asked, registry: &Registry) -> Self {
        Self {
            needs: NeedsReport::new(needs, cluster, &asked.profiles, registry),
            asked,
            answers: None,
            compared: None,
            findings: CheckReport::default(),
        }
    }

    /// Adds the suitable implementations of a catalog.
    pub fn answer(&mut self, catalog: &Catalog<'_>, registry: &Registry) {
        self.answers = Some(self.asked.answers(catalog, registry));
    }
}

/// Numbers of Routes that neither a report nor a class or mesh covers, by family.
fn not_covered(cx: &NeedsContext<'_>) -> BTreeMap<Family, usize> {
    let mut found = BTreeMap::new();
    if cx.to.is_some() || cx.listed.is_empty() {
        return found;
    }
    for ((_, family), places) in &cx.needs.routes {
        if !cx.listed.iter().any(|listed| listed.family == *family) {
            *found.entry(*family).or_default() += places.count;
        }
    }
    found
}

fn findings(
    cx: &NeedsContext<'_>,
    of_crds: Option<&CrdsContext<'_>>,
    sources: &[Source],
    settings: &Settings,
) -> CheckReport {
    let checked = sources.iter().map(|source| Checked {
        path: source.path().to_owned(),
        submission: String::new(),
    });
    let mut outcome = CheckReport {
        checked: checked.collect(),
        ..CheckReport::default()
    };
    let whole = match sources {
        [source] => source.path().to_owned(),
        sources => format!("{} files", sources.len()),
    };
    outcome.run_all(rules::needs::RULES, settings, &whole, cx);
    for (rules, cx) in rules::needs::BEFORE_UPGRADE
        .iter()
        .flat_map(|rules| Some((rules, of_crds?)))
    {
        outcome.run_all(rules, settings, &whole, cx);
    }
    for (family, count) in not_covered(cx) {
        let routes = counted(count, "Route");
        outcome.skipped(whole.clone(), format!("{routes} of the {family} family"));
    }
    if let left_out @ 1.. = cx.needs.left_out {
        outcome.skipped(whole, format!("{left_out} more losses over the limit"));
    }
    outcome.sort();
    outcome
}
