//! Names of an implementation. Spellings that differ only in case, spaces, hyphens, dots or
//! underscores are one name, and the configuration lists former names.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::{Implementation, Report, decisive, name_of};
use crate::certify::details::Details;
use crate::report::naming::folded_pair;
use crate::rules::configuration::{self, Pair};
use gwconform_base::text::counted;

/// Numbers of reports by spelling.
fn spellings<'a>(reports: &[Report<'a>]) -> BTreeMap<Pair<'a>, usize> {
    let mut counts: BTreeMap<Pair<'a>, usize> = BTreeMap::new();
    for at in decisive(reports) {
        if let Ok(name) = name_of(reports[at].judged.facts) {
            *counts.entry(name).or_default() += 1;
        }
    }
    counts
}

/// Spelling of most reports, so a few reports cannot rename the implementation.
pub(super) fn usual<'a>(reports: &[Report<'a>]) -> Pair<'a> {
    let spellings = spellings(reports).into_iter();
    let usual = spellings.max_by_key(|(name, count)| (*count, Reverse(*name)));
    usual.map(|(name, _)| name).unwrap_or_default()
}

/// Another name of an implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct OtherName<'a> {
    /// `organization` field of the reports.
    pub organization: &'a str,
    /// `project` field of the reports.
    pub project: &'a str,
    /// Number of reports with this name.
    #[serde(rename = "report_count")]
    pub reports: usize,
    /// True for a configured former name, false for another spelling.
    #[serde(rename = "former")]
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

/// Details by organization and project, in any spelling. If several files describe the same
/// implementation, the first by path takes precedence.
pub(super) fn details(all: &[Details]) -> BTreeMap<(String, String), &Details> {
    let mut by_name: BTreeMap<_, &Details> = BTreeMap::new();
    for one in all {
        let name = folded_pair((&one.organization, &one.project));
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
    configured: Option<&'a configuration::Implementation>,
) -> Vec<OtherName<'a>> {
    let counts = spellings(reports);
    let is_same = |name: Pair<'_>| folded_pair(usual) == folded_pair(name);
    let mut names: Vec<Pair<'a>> = Vec::new();
    let former = configured
        .into_iter()
        .flat_map(|entry| entry.former_names());
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
