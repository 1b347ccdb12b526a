use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::VerdictChange;
use crate::api::Family;
use crate::certify::catalog::{Catalog, Implementation};
use crate::certify::{Certified, Standing};
use crate::report::facts::Rival;

/// Verdict on an implementation in a family.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Verdict {
    /// Verdict, such as `conformant`.
    #[serde(rename = "verdict")]
    pub standing: Standing,
    /// Explanation of the verdict in words.
    pub reason: String,
    /// Other implementations that claim the same name or run.
    pub rivals: Vec<Rival>,
    /// Statuses of profiles, such as `conformant: HTTP, TLS; partial: GRPC`.
    pub profiles: String,
    /// Path of the report behind the verdict.
    pub path: String,
}

impl Verdict {
    fn new(one: &Implementation<'_>, certified: &Certified) -> Self {
        Self {
            standing: certified.standing,
            reason: certified.reason.clone(),
            rivals: certified.rivals.clone(),
            profiles: certified.basis.holds_for(),
            path: one.reports[certified.basis.report]
                .judged
                .facts
                .path
                .clone(),
        }
    }
}

type Key<'c> = (&'c str, &'c str, Family);

pub(super) fn all<'c>(
    before: &'c Catalog<'c>,
    after: &'c Catalog<'c>,
    touched: &BTreeSet<(&str, &str)>,
) -> Vec<VerdictChange> {
    let names = after.names();
    let usual = |name| {
        names
            .get(&name)
            .map_or(name, |one| (one.organization, one.project))
    };
    let (olds, news) = (verdicts(before, &usual), verdicts(after, &usual));
    let keys: BTreeSet<&Key<'_>> = olds.keys().chain(news.keys()).collect();
    let mut all = Vec::new();
    for &(organization, project, family) in keys {
        let key = (organization, project, family);
        let (old, new) = (olds.get(&key), news.get(&key));
        let Some((name, _)) = new.or(old) else {
            continue;
        };
        let change = VerdictChange {
            name: (*name).to_owned(),
            organization: organization.to_owned(),
            project: project.to_owned(),
            family,
            before: old.map(|(_, verdict)| verdict.clone()),
            after: new.map(|(_, verdict)| verdict.clone()),
            is_touched: touched.contains(&(organization, project)),
        };
        all.push(change);
    }
    all
}

pub(super) fn of_interest(all: &[VerdictChange]) -> Vec<VerdictChange> {
    let rivals = |side: &Option<Verdict>| side.as_ref().map(|one| one.rivals.clone());
    let is_of_interest = |change: &&VerdictChange| {
        change.is_touched
            || change.standing() != change.standing_before()
            || rivals(&change.after) != rivals(&change.before)
    };
    all.iter().filter(is_of_interest).cloned().collect()
}

fn verdicts<'c>(
    catalog: &'c Catalog<'c>,
    usual: &dyn Fn((&'c str, &'c str)) -> (&'c str, &'c str),
) -> BTreeMap<Key<'c>, (&'c str, Verdict)> {
    let mut verdicts: BTreeMap<_, (&str, Verdict)> = BTreeMap::new();
    for one in &catalog.implementations {
        let (organization, project) = usual((one.organization, one.project));
        for (family, certified) in &one.families {
            let verdict = (one.name.as_str(), Verdict::new(one, certified));
            let key = (organization, project, *family);
            // If several implementations map to one name, keep the best verdict, so that the review reports
            // its loss.
            match verdicts.get(&key) {
                Some((_, other)) if other.standing >= verdict.1.standing => {}
                _ => {
                    verdicts.insert(key, verdict);
                }
            }
        }
    }
    verdicts
}
