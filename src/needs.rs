//! What manifests need, who has it, and what breaks: everything that `gwconform needs` answers.

mod answers;
mod resolved;
mod target;
mod unread;

use crate::api::Shape;
use crate::certify::catalog::{Catalog, FindError};
use crate::cluster::needs::crds::Crds;
use crate::cluster::needs::{Listed, Needs, Target};
use crate::cluster::{Cluster, File};
use crate::release::Registry;
use crate::report::facts::ReportFacts;
use crate::rules::check::{CheckReport, Checked, Settings};
use crate::rules::{Check, NeedsContext};
use crate::text::source::Source;

pub use answers::{Answers, Asked, OneAnswer, ProvedFeature};
pub use resolved::{
    BeyondNeed, FeatureNeed, NamedPlaces, NeedsReport, ResolvedPlace, ResolvedPlaces,
};
pub use unread::{NotRead, Unknown, Unread};

/// An implementation of a tree: its name, and the version of its report where that is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// A name as [`Catalog::find`] takes it.
    pub name: &'a str,
    /// `implementation.version` of the report.
    pub version: Option<&'a str>,
}

/// What manifests are compared with.
#[derive(Debug, Default)]
pub struct Against<'a> {
    /// The reports of a tree.
    pub catalog: Option<&'a Catalog<'a>>,
    /// The implementation of the tree they are to run with.
    pub to: Option<Wanted<'a>>,
    /// The implementation of the tree they ran with so far.
    pub from: Option<Wanted<'a>>,
    /// The report they are to run with.
    pub report: Option<&'a ReportFacts>,
    /// The profile to ask about; else those of the Routes.
    pub profile: Option<&'a str>,
    /// True to ask reports of all releases.
    pub is_of_all: bool,
    /// The GatewayClasses and meshes they are to run with.
    pub listed: &'a [Listed],
    /// The CRDs they are to be applied with.
    pub crds: Option<&'a Crds<'a>>,
}

impl Against<'_> {
    /// True where rules have something to compare with.
    pub fn has_target(&self) -> bool {
        self.to.is_some() || self.report.is_some() || !self.listed.is_empty() || self.crds.is_some()
    }
}

/// What was found out.
#[derive(Debug)]
pub struct NeedsFound {
    /// What the manifests need.
    pub needs: NeedsReport,
    /// What is asked of reports.
    pub asked: Asked,
    /// Who has it, where a tree is given.
    pub answers: Option<Answers>,
    /// What the rules found; nothing without a target ([`Against::has_target`]).
    pub findings: CheckReport,
}

/// Why nothing can be compared.
#[derive(Debug, thiserror::Error)]
pub enum NeedsError {
    /// The tree has no implementation of the name.
    #[error(transparent)]
    Find(#[from] FindError),
    /// The implementation has no report of the version.
    #[error("{name} has no report of version `{version}`; expected one of {known}")]
    NoVersion {
        /// The name in addresses.
        name: String,
        /// The version.
        version: String,
        /// The versions that it has reports of.
        known: String,
    },
    /// The implementation has no report that counts.
    #[error("{name} has no report that can be read")]
    NoReport {
        /// The name in addresses.
        name: String,
    },
}

/// What manifests need, who has it, and what the rules of the group `needs` find.
///
/// # Errors
/// When an implementation is not in the tree, or has no such report.
pub fn check_needs(
    sources: &[Source],
    against: &Against<'_>,
    settings: &Settings,
    registry: &Registry,
) -> Result<NeedsFound, NeedsError> {
    let files: Vec<File<'_>> = sources.iter().map(File::read).collect();
    let cluster = Cluster::read(&files);
    let needs = Needs::new(&cluster, registry);
    let asked = Asked::new(&needs, against, registry);
    let in_tree = |wanted: Option<Wanted<'_>>| -> Result<Option<Target>, NeedsError> {
        let both = wanted.zip(against.catalog);
        both.map(|(wanted, catalog)| target::of_tree(wanted, catalog, &needs, &asked, registry))
            .transpose()
    };
    let of_report = |facts| target::of_report(facts, &needs, &asked, registry);
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
    let needs = NeedsReport::new(&needs, &cluster, &asked.profiles, registry);
    Ok(NeedsFound {
        findings: findings(&cx, &needs, sources, settings),
        needs,
        answers: (against.catalog).map(|catalog| Answers::new(catalog, &asked, registry)),
        asked,
    })
}

/// What manifests need, and what is to be asked of reports: no reports, and no rules.
pub fn list_needs(sources: &[Source], profile: Option<&str>, registry: &Registry) -> NeedsFound {
    let files: Vec<File<'_>> = sources.iter().map(File::read).collect();
    let cluster = Cluster::read(&files);
    let needs = Needs::new(&cluster, registry);
    let against = Against {
        profile,
        ..Against::default()
    };
    let asked = Asked::new(&needs, &against, registry);
    NeedsFound {
        needs: NeedsReport::new(&needs, &cluster, &asked.profiles, registry),
        asked,
        answers: None,
        findings: CheckReport::default(),
    }
}

/// The same, and who has it of a catalog.
pub fn list_answers(
    sources: &[Source],
    profile: Option<&str>,
    catalog: &Catalog<'_>,
    registry: &Registry,
) -> NeedsFound {
    let found = list_needs(sources, profile, registry);
    NeedsFound {
        answers: Some(Answers::new(catalog, &found.asked, registry)),
        ..found
    }
}

fn findings(
    cx: &NeedsContext<'_>,
    needs: &NeedsReport,
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
    for &rule in settings.selected() {
        if let Check::Needs(check) = rule.check {
            let severity = settings.severity(rule, Shape::Current, None);
            outcome.run(rule, severity, &whole, |out| check(cx, out));
        }
    }
    for unread in &needs.unread {
        let reason = format!("line {}: {}", unread.line, unread.reason);
        outcome.skipped(unread.path.clone(), reason);
    }
    // Of CRDs that are compared with, rules report it.
    for unknown in needs.unknown.iter().filter(|_| cx.crds.is_none()) {
        let reason = format!("line {}: {}", unknown.line, unknown.reason);
        outcome.skipped(unknown.path.clone(), reason);
    }
    // Rules about CRDs look at the targets that objects of any kind have.
    if let Some(kinds) = needs.kinds_not_read().filter(|_| cx.crds.is_none()) {
        outcome.skipped(whole, format!("kinds not read: {kinds}"));
    }
    outcome.sort();
    outcome
}
