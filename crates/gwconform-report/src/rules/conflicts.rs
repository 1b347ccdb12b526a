//! Finds reports of different implementations that claim the same run, or names that look alike.
//!
//! A conflict is an error on both reports. It never affects a verdict, because no file shows which
//! of the two implementations is right.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::ConfiguredNames;
use super::confusable::looks;
use crate::report::facts::ReportFacts;
use crate::report::naming::folded;
use gwconform_base::api::closed_set;
use gwconform_base::text::diagnostic::Diagnostic;

closed_set! {
    /// Claim that two implementations share.
    pub enum ConflictKind {
        /// Dates that are equal to the second.
        Run = "run",
        /// Organizations and projects that look alike.
        Name = "name",
        /// Organizations that look alike, with projects that do not.
        Organization = "organization",
    }
}

/// Report in conflict with a report of another implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
    /// Claim that both share.
    pub kind: ConflictKind,
    /// Index of the report.
    pub at: usize,
    /// Index of the report of the other implementation.
    pub other: usize,
}

/// Two reports in conflict.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct ConflictingReports {
    /// Claim that both share.
    pub kind: ConflictKind,
    /// Paths of the reports, sorted.
    pub paths: [String; 2],
}

/// Finds conflicts in linear time. A report has at most one conflict of each kind.
///
/// A name that looks like a configured name is not a conflict, because the configuration shows
/// which name is right (`ConfiguredNames::look_alike`).
pub fn conflicts(reports: &[ReportFacts], names: &ConfiguredNames) -> Vec<Conflict> {
    let mut found = conflicting(ConflictKind::Run, runs(reports, names));
    let [of_names, of_organizations] = alike(reports, names);
    let organization = |at: usize| reports[at].organization();
    let alike = conflicting(ConflictKind::Name, of_names);
    let known: BTreeSet<_> = (alike.iter())
        .map(|one| [one.at, one.other].map(organization))
        .collect();
    let is_new = |one: &Conflict| {
        let both = [one.at, one.other].map(organization);
        let is_configured = |of: &Option<&str>| of.is_some_and(|of| names.has_organization(of));
        !known.contains(&both) && !both.iter().all(is_configured)
    };
    let organizations = conflicting(ConflictKind::Organization, of_organizations);
    found.extend(organizations.into_iter().filter(is_new));
    found.extend(alike);
    found
}

/// Pairs of reports in conflict.
pub fn pairs(conflicts: &[Conflict], reports: &[ReportFacts]) -> BTreeSet<ConflictingReports> {
    let pair = |one: &Conflict| {
        let mut paths = [one.at, one.other].map(|at| reports[at].path.clone());
        paths.sort();
        ConflictingReports {
            kind: one.kind,
            paths,
        }
    };
    conflicts.iter().map(pair).collect()
}

/// Whether a finding reports one of the conflicts.
pub fn is_conflict(finding: &Diagnostic, conflicts: &BTreeSet<ConflictingReports>) -> bool {
    let Some(label) = finding.labels.first() else {
        return false;
    };
    let mut paths = [&finding.place, &label.place].map(|place| place.path.to_string());
    paths.sort();
    ConflictKind::ALL.iter().any(|&kind| {
        let reports = paths.clone();
        conflicts.contains(&ConflictingReports {
            kind,
            paths: reports,
        })
    })
}

/// Organization and project without case and punctuation. `None` for all projects.
type Name = (String, Option<String>);

/// Report, its implementation, and keys that reports in conflict share.
type Claim<K> = (usize, Name, Vec<K>);

/// First report with a key, and the first of another implementation.
struct Holders<'c> {
    first: (usize, &'c Name),
    second: Option<usize>,
}

fn conflicting<K: Ord>(kind: ConflictKind, claims: Vec<Claim<K>>) -> Vec<Conflict> {
    let mut holders: BTreeMap<&K, Holders<'_>> = BTreeMap::new();
    for (at, name, keys) in &claims {
        for key in keys {
            let all = holders.entry(key).or_insert(Holders {
                first: (*at, name),
                second: None,
            });
            if all.first.1 != name {
                all.second.get_or_insert(*at);
            }
        }
    }
    let mut found = BTreeMap::new();
    for (at, name, keys) in &claims {
        let mut others = keys.iter().filter_map(|key| {
            let all = holders.get(key)?;
            if all.first.1 == name {
                all.second
            } else {
                Some(all.first.0)
            }
        });
        if let Some(other) = others.next() {
            found.entry(*at).or_insert(other);
        }
    }
    let conflict = |(at, other)| Conflict { kind, at, other };
    found.into_iter().map(conflict).collect()
}

/// Prefers other reports with the same results.
fn runs(
    reports: &[ReportFacts],
    names: &ConfiguredNames,
) -> Vec<Claim<(i64, Option<impl Ord + use<>>)>> {
    let mut by_run: BTreeMap<i64, Vec<(usize, Name)>> = BTreeMap::new();
    for (at, report) in reports.iter().enumerate() {
        if let (Some(seconds), Some((organization, project))) = (report.ran_at, names.of(report)) {
            let name = (folded(organization), Some(folded(project)));
            by_run.entry(seconds).or_default().push((at, name));
        }
    }
    by_run.retain(|_, of_run| of_run.iter().any(|(_, name)| *name != of_run[0].1));
    let claims = by_run.into_iter().flat_map(|(seconds, of_run)| {
        let keys = move |at: usize| vec![(seconds, Some(reports[at].results())), (seconds, None)];
        of_run
            .into_iter()
            .map(move |(at, name)| (at, name, keys(at)))
    });
    claims.collect()
}

type Look = (usize, String, Option<String>);

/// Names that are not configured, and organizations. Each has the place of its first report.
fn alike(reports: &[ReportFacts], names: &ConfiguredNames) -> [Vec<Claim<Look>>; 2] {
    let mut first: BTreeMap<Name, usize> = BTreeMap::new();
    let (mut of_names, mut of_organizations) = (Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    for (at, report) in reports.iter().enumerate() {
        let written = report.organization().zip(report.project());
        let (Some(written), Some((organization, project))) = (written, names.of(report)) else {
            continue;
        };
        let is_new = seen.insert((written, organization, project));
        if !is_new || names.look_alike(written).is_some() {
            continue;
        }
        let organizations = looks(written.0).into_iter().enumerate();
        let mut claim = |project: Option<&str>, looks: Vec<Look>, all: &mut Vec<_>| {
            let name = (folded(organization), project.map(folded));
            let at = *first.entry(name.clone()).or_insert(at);
            all.push((at, name, looks));
        };
        if !names.has(written) {
            let looks = organizations.clone().zip(looks(written.1));
            let looks =
                looks.map(|((nth, organization), project)| (nth, organization, Some(project)));
            claim(Some(project), looks.collect(), &mut of_names);
        }
        // A former name does not identify the organization.
        if folded(written.0) == folded(organization) {
            let looks = organizations.map(|(nth, organization)| (nth, organization, None));
            claim(None, looks.collect(), &mut of_organizations);
        }
    }
    [of_names, of_organizations]
}
