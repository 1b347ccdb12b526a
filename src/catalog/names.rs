//! Which organizations and projects are one implementation.
//!
//! Those that the configuration joins: the person who writes it vouches for it. And spellings that
//! differ in the case of letters only, where the folders of their reports have the same name:
//! otherwise a report could take the name of another implementation by writing it in capitals.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;

use super::{Implementation, Report, name_of};
use crate::config::{self, Config, Pair};
use crate::details::Details;
use crate::facts::ReportFacts;
use crate::text::counted;

/// The implementation of each name.
pub(crate) struct Names<'a> {
    of: BTreeMap<Pair<'a>, Pair<'a>>,
    configured: BTreeMap<Pair<'a>, &'a config::Implementation>,
}

/// The reports of one spelling.
#[derive(Default)]
struct Spelling<'a> {
    reports: usize,
    folders: BTreeSet<&'a OsStr>,
}

type Spellings<'a> = BTreeMap<Pair<'a>, Spelling<'a>>;

impl<'a> Names<'a> {
    /// The names of some reports; those without an organization or a project have none.
    pub fn of(reports: impl IntoIterator<Item = &'a ReportFacts>, config: &'a Config) -> Self {
        let configured = config.by_name();
        let mut alike: BTreeMap<(String, String), Spellings<'a>> = BTreeMap::new();
        for facts in reports {
            let (Some(organization), Some(project)) = (facts.organization(), facts.project())
            else {
                continue;
            };
            let in_one_case = (
                organization.to_ascii_lowercase(),
                project.to_ascii_lowercase(),
            );
            let spellings = alike.entry(in_one_case).or_default();
            let spelling = spellings.entry((organization, project)).or_default();
            spelling.reports += 1;
            spelling.folders.extend(facts.submission.file_name());
        }
        let mut of = BTreeMap::new();
        for spellings in alike.values() {
            for joined in with_a_folder_in_common(spellings) {
                let entries = joined.iter().filter_map(|name| configured.get(name));
                let entries: BTreeSet<Pair<'a>> = entries.map(|entry| entry.pair()).collect();
                let usual = joined
                    .iter()
                    .max_by_key(|name| (spellings[*name].reports, std::cmp::Reverse(**name)));
                for name in &joined {
                    let own = configured.get(name).map(|entry| entry.pair());
                    // Names that the configuration has apart stay apart.
                    let of_all = match entries.len() {
                        0 => usual.copied(),
                        1 => entries.first().copied(),
                        _ => None,
                    };
                    of.insert(*name, own.or(of_all).unwrap_or(*name));
                }
            }
        }
        Self { of, configured }
    }

    /// The name of an implementation: the configured one, else the spelling with the most reports.
    pub fn usual(&self, name: Pair<'a>) -> Pair<'a> {
        let configured = || self.configured.get(&name).map(|entry| entry.pair());
        let known = self.of.get(&name).copied();
        known.or_else(configured).unwrap_or(name)
    }

    /// The entry of the configuration for a usual name.
    pub fn configured(&self, usual: Pair<'a>) -> Option<&'a config::Implementation> {
        let entry = self.configured.get(&usual).copied();
        entry.filter(|entry| entry.pair() == usual)
    }

    /// The former names of an implementation that are not another one's.
    pub fn former(&self, entry: &'a config::Implementation) -> impl Iterator<Item = Pair<'a>> {
        let is_own = move |name: &Pair<'a>| {
            let of = self.configured.get(name);
            of.is_some_and(|of| of.pair() == entry.pair())
        };
        entry.former_names().filter(is_own)
    }
}

/// The spellings in groups: any two of a group are connected by folders of one name.
fn with_a_folder_in_common<'a>(spellings: &Spellings<'a>) -> Vec<Vec<Pair<'a>>> {
    let mut by_folder: BTreeMap<&OsStr, Vec<Pair<'a>>> = BTreeMap::new();
    for (name, spelling) in spellings {
        for folder in &spelling.folders {
            by_folder.entry(folder).or_default().push(*name);
        }
    }
    let mut left: BTreeSet<Pair<'a>> = spellings.keys().copied().collect();
    let mut groups = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut group = vec![first];
        let mut at = 0;
        while let Some(name) = group.get(at) {
            at += 1;
            for folder in &spellings[name].folders {
                // Looked at once: all of its names are in the group then.
                for other in by_folder.remove(folder).unwrap_or_default() {
                    if left.remove(&other) {
                        group.push(other);
                    }
                }
            }
        }
        groups.push(group);
    }
    groups
}

/// Another organization and project of an implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct OtherName<'a> {
    /// The organization.
    pub organization: &'a str,
    /// The project.
    pub project: &'a str,
    /// How many of its reports have this name.
    pub reports: usize,
    /// True for a former name; false for a spelling that differs in case only.
    pub is_former: bool,
}

impl Implementation<'_> {
    /// Its other names in words: `formerly a/b; 1 report spells it A/b`.
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

/// The files beside the tree by organization and project: of several with one name the first.
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

/// Organization and project, once when both are one word.
pub(super) fn derived(organization: &str, project: &str) -> String {
    if organization.eq_ignore_ascii_case(project) {
        project.to_owned()
    } else {
        format!("{organization}/{project}")
    }
}

/// The former names of an implementation in the order of the configuration, then other spellings.
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
        usual.0.eq_ignore_ascii_case(organization) && usual.1.eq_ignore_ascii_case(project)
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
