//! Joins the names of an implementation if the configuration lists them or if they differ only in
//! case, spaces, hyphens, dots or underscores. The name with the longest history is used, so a new
//! spelling does not rename the implementation.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Implementation, Report, name_of};
use crate::certify::details::Details;
use crate::report::facts::ReportFacts;
use crate::report::naming::folded;
use crate::rules::configuration::{self, Config, Pair};
use crate::rules::ownership::History;
use crate::text::counted;

pub(crate) struct Names<'a> {
    of: BTreeMap<Pair<'a>, Pair<'a>>,
    configured: BTreeMap<Pair<'a>, &'a configuration::Implementation>,
}

type Spellings<'a> = BTreeMap<Pair<'a>, History>;

impl<'a> Names<'a> {
    pub fn of(reports: impl IntoIterator<Item = &'a ReportFacts>, config: &'a Config) -> Self {
        let configured = config.by_name();
        let mut alike: BTreeMap<(String, String), Spellings<'a>> = BTreeMap::new();
        for facts in reports {
            let (Some(organization), Some(project)) = (facts.organization(), facts.project())
            else {
                continue;
            };
            let spellings = alike.entry((folded(organization), folded(project)));
            let spelling = spellings.or_default().entry((organization, project));
            spelling.or_default().add(facts);
        }
        let mut of = BTreeMap::new();
        for spellings in alike.values() {
            let entries = spellings.keys().filter_map(|name| configured.get(name));
            let entries: BTreeSet<Pair<'a>> = entries.map(|entry| entry.pair()).collect();
            let usual = (spellings.iter())
                .max_by_key(|(name, history)| history.spelling(name.0, name.1))
                .map(|(name, _)| *name);
            for name in spellings.keys() {
                let own = configured.get(name).map(|entry| entry.pair());
                // Names that belong to different configuration entries are not joined.
                let of_all = match entries.len() {
                    0 => usual,
                    1 => entries.first().copied(),
                    _ => None,
                };
                of.insert(*name, own.or(of_all).unwrap_or(*name));
            }
        }
        Self { of, configured }
    }

    /// Configured name or the usual spelling.
    pub fn usual(&self, name: Pair<'a>) -> Pair<'a> {
        let configured = || self.configured.get(&name).map(|entry| entry.pair());
        let known = self.of.get(&name).copied();
        known.or_else(configured).unwrap_or(name)
    }

    pub fn configured(&self, usual: Pair<'a>) -> Option<&'a configuration::Implementation> {
        let entry = self.configured.get(&usual).copied();
        entry.filter(|entry| entry.pair() == usual)
    }

    /// Configured former names, without names that belong to another entry.
    pub fn former(
        &self,
        entry: &'a configuration::Implementation,
    ) -> impl Iterator<Item = Pair<'a>> {
        let is_own = move |name: &Pair<'a>| {
            let of = self.configured.get(name);
            of.is_some_and(|of| of.pair() == entry.pair())
        };
        entry.former_names().filter(is_own)
    }
}

/// Another name of an implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OtherName<'a> {
    /// `organization` field of the reports.
    pub organization: &'a str,
    /// `project` field of the reports.
    pub project: &'a str,
    /// Number of reports with this name.
    pub reports: usize,
    /// True for a configured former name, false for another spelling.
    pub is_former: bool,
}

impl Implementation<'_> {
    /// Description such as `formerly a/b; 1 report spells it A/b`.
    pub fn other_names_in_words(&self) -> Option<String> {
        let name = |other: &OtherName<'_>| format!("{}/{}", other.organization, other.project);
        let (former, spelled): (Vec<_>, Vec<_>) =
            self.other_names.iter().partition(|other| other.is_former);
        let former: Vec<String> = former.into_iter().map(name).collect();
        let former = (!former.is_empty()).then(|| format!("formerly {}", former.join(", ")));
        let spelled = spelled.into_iter().map(|other| {
            let verb = if other.reports == 1 {
                "spells"
            } else {
                "spell"
            };
            let reports = counted(other.reports, "report");
            format!("{reports} {verb} it {}", name(other))
        });
        let all: Vec<String> = former.into_iter().chain(spelled).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

/// Details by organization and project. If several files describe the same implementation, the
/// first by path takes precedence.
pub(super) fn details(all: &[Details]) -> BTreeMap<Pair<'_>, &Details> {
    let mut by_name: BTreeMap<_, &Details> = BTreeMap::new();
    for one in all {
        let name = (one.organization.as_str(), one.project.as_str());
        let first = by_name.entry(name).or_insert(one);
        if one.path < first.path {
            *first = one;
        }
    }
    by_name
}

/// Display name of an implementation that neither the configuration nor a details file names.
pub fn derived(organization: &str, project: &str) -> String {
    if organization.eq_ignore_ascii_case(project) {
        project.to_owned()
    } else {
        format!("{organization}/{project}")
    }
}

pub(super) fn others<'a>(
    usual: Pair<'a>,
    reports: &[Report<'a>],
    all: &Names<'a>,
) -> Vec<OtherName<'a>> {
    let mut counts: BTreeMap<Pair<'a>, usize> = BTreeMap::new();
    for name in reports
        .iter()
        .filter_map(|report| name_of(report.judged.facts).ok())
    {
        *counts.entry(name).or_default() += 1;
    }
    let is_same = |(organization, project): Pair<'_>| {
        folded(usual.0) == folded(organization) && folded(usual.1) == folded(project)
    };
    let mut names: Vec<Pair<'a>> = Vec::new();
    let configured = all.configured(usual).into_iter();
    let former = configured.flat_map(|entry| all.former(entry));
    for name in former.filter(|name| !is_same(*name)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let is_new = |name: &Pair<'a>| *name != usual && !names.contains(name);
    let spelled: Vec<Pair<'a>> = counts.keys().copied().filter(is_new).collect();
    names.extend(spelled);
    let other_name = |name: Pair<'a>| OtherName {
        organization: name.0,
        project: name.1,
        reports: counts.get(&name).copied().unwrap_or_default(),
        is_former: !is_same(name),
    };
    names.into_iter().map(other_name).collect()
}
