use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::VerdictChange;
use crate::certify::catalog::{Catalog, Implementation};
use crate::certify::{Certified, Status, short_name};
use crate::document::{self, ImplementationRef};
use crate::report::facts::{LevelData, Name, ReportFacts};
use crate::report::model::List;
use crate::report::naming::folded_pair;
use crate::rules::Rename;
use gwconform_base::api::{Family, Minor};

/// Verdict on an implementation in a family.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Verdict {
    /// The verdict and its report.
    #[serde(flatten)]
    pub shown: document::Verdict,
    /// Statuses of profiles, such as `conformant: HTTP, TLS; partial: GRPC`.
    #[serde(skip)]
    pub holds_for: String,
    /// Profiles of the report behind the verdict, in the family of the verdict.
    #[serde(skip)]
    pub statuses: Vec<ProfileStatus>,
}

/// Status of a profile in the report behind a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileStatus {
    /// Profile name.
    pub profile: Name,
    /// Verdict on the profile.
    pub status: Status,
    /// Skipped core tests.
    pub skipped: Vec<Name>,
    /// Failed core tests.
    pub failed: Vec<Name>,
}

/// Profile whose status a change lowers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProfileLoss<'v> {
    /// Profile before the change.
    pub before: &'v ProfileStatus,
    /// Profile after the change. `None` if the report behind the verdict lacks it.
    pub after: Option<&'v ProfileStatus>,
}

impl Verdict {
    fn new(one: &Implementation<'_>, family: Family, certified: &Certified) -> Self {
        let facts = one.reports[certified.basis.report].judged.facts;
        let statuses = certified.basis.profiles.iter();
        Self {
            shown: document::Verdict::new(one, family, certified),
            holds_for: certified.basis.holds_for(),
            statuses: statuses
                .map(|(name, status)| ProfileStatus::new(name, *status, facts))
                .collect(),
        }
    }
}

impl ProfileStatus {
    fn new(name: &Name, status: Status, facts: &ReportFacts) -> Self {
        let mut profiles = facts.profiles.iter();
        let profile = profiles.find(|profile| profile.name() == Some(name));
        let core = profile.and_then(|profile| profile.core.as_ref());
        let tests = |list: fn(&LevelData) -> &Option<List<Name>>| {
            let listed = core.iter().flat_map(|core| list(core));
            let items = listed.flat_map(|list| &list.items);
            items.map(|test| test.value.clone()).collect()
        };
        Self {
            profile: name.clone(),
            status,
            skipped: tests(|core| &core.skipped_tests),
            failed: tests(|core| &core.failed_tests),
        }
    }
}

impl VerdictChange {
    /// Profiles whose status is lower after the change.
    pub fn losses(&self) -> Vec<ProfileLoss<'_>> {
        let (Some(before), Some(after)) = (&self.before, &self.after) else {
            return Vec::new();
        };
        let of = |before: &ProfileStatus| {
            let mut statuses = after.statuses.iter();
            statuses.find(|one| short_name(&one.profile) == short_name(&before.profile))
        };
        let all = before.statuses.iter().map(|before| ProfileLoss {
            before,
            after: of(before),
        });
        all.filter(|loss| {
            loss.after
                .is_none_or(|after| after.status < loss.before.status)
        })
        .collect()
    }

    /// True if the verdict or a profile is worse after the change.
    pub fn is_loss(&self) -> bool {
        self.standing() < self.standing_before() || !self.losses().is_empty()
    }

    /// Minors before and after the change, if the verdict is based on another minor.
    pub fn other_minor(&self) -> Option<(Minor, Minor)> {
        let minor = |side: &Option<Verdict>| side.as_ref()?.shown.report_minor;
        let minors = minor(&self.before).zip(minor(&self.after));
        minors.filter(|(before, after)| before != after)
    }

    /// True if the change affects neither the verdict nor its profiles.
    pub fn is_unchanged(&self) -> bool {
        self.standing() == self.standing_before()
            && self.losses().is_empty()
            && self.other_minor().is_none()
            && self.renamed_from.is_none()
    }
}

type Key<'c> = (&'c str, &'c str, Family);

pub(super) fn all<'c>(
    before: &'c Catalog<'c>,
    after: &'c Catalog<'c>,
    touched: &BTreeSet<(&str, &str)>,
    renames: &[Rename<'c>],
) -> Vec<VerdictChange> {
    let names = after.names();
    let usual = |name| {
        names
            .get(&folded_pair(name))
            .map_or(name, |one| (one.organization, one.project))
    };
    let renamed = |name| {
        let mut renames = renames.iter();
        usual(
            renames
                .find(|one| one.old == name)
                .map_or(name, |one| one.new),
        )
    };
    let (olds, news) = (verdicts(before, &renamed), verdicts(after, &usual));
    let keys: BTreeSet<&Key<'_>> = olds.keys().chain(news.keys()).collect();
    let mut all = Vec::new();
    for &(organization, project, family) in keys {
        let key = (organization, project, family);
        let (old, new) = (olds.get(&key), news.get(&key));
        let Some((one, _)) = new.or(old) else {
            continue;
        };
        let change = VerdictChange {
            implementation: ImplementationRef {
                organization: organization.to_owned(),
                project: project.to_owned(),
                ..ImplementationRef::new(one)
            },
            family,
            renamed_from: (renames.iter())
                .find(|one| usual(one.new) == (organization, project))
                .map(|one| format!("{}/{}", one.old.0, one.old.1)),
            before: old.map(|(_, verdict)| verdict.clone()),
            after: new.map(|(_, verdict)| verdict.clone()),
            is_of_configuration: false,
            is_touched: touched.contains(&(organization, project)),
        };
        all.push(change);
    }
    all
}

pub(super) fn of_interest(all: &[VerdictChange]) -> Vec<VerdictChange> {
    let is_of_interest = |change: &&VerdictChange| {
        change.is_touched
            || change.standing() != change.standing_before()
            || !change.losses().is_empty()
    };
    all.iter().filter(is_of_interest).cloned().collect()
}

fn verdicts<'c>(
    catalog: &'c Catalog<'c>,
    usual: &dyn Fn((&'c str, &'c str)) -> (&'c str, &'c str),
) -> BTreeMap<Key<'c>, (&'c Implementation<'c>, Verdict)> {
    let mut verdicts: BTreeMap<_, (&Implementation<'_>, Verdict)> = BTreeMap::new();
    for one in &catalog.implementations {
        let (organization, project) = usual((one.organization, one.project));
        for (family, certified) in &one.families {
            let verdict = (one, Verdict::new(one, *family, certified));
            let key = (organization, project, *family);
            // If several implementations map to one name, keep the best verdict, so that the review reports
            // its loss.
            match verdicts.get(&key) {
                Some((_, other)) if other.shown.standing >= verdict.1.shown.standing => {}
                _ => {
                    verdicts.insert(key, verdict);
                }
            }
        }
    }
    verdicts
}
