use std::collections::BTreeMap;

use super::{Report, decisive};
use crate::certify::{Certified, Judged, Minors, Scope, Windows, certify};
use crate::report::facts::Name;
use gwconform_base::api::{Family, Minor};

pub(super) struct ScopeVerdicts<'s, 'a> {
    judged: Vec<Judged<'a>>,
    /// Index of each of `judged` in the implementation's reports.
    places: Vec<usize>,
    minors: &'s Minors,
    windows: Windows,
}

impl<'s, 'a> ScopeVerdicts<'s, 'a> {
    pub fn new(reports: &[Report<'a>], minors: &'s Minors, windows: Windows) -> Self {
        let places = decisive(reports);
        let judged = places.iter().map(|&at| reports[at].judged.clone());
        Self {
            judged: judged.collect(),
            places,
            minors,
            windows,
        }
    }

    pub(super) fn certify(&self, family: Family, profile: Option<&str>) -> Option<Certified> {
        let scope = Scope {
            family,
            profile,
            minor: None,
        };
        self.placed(0, certify(&self.judged, scope, self.minors, self.windows))
    }

    fn placed(&self, start: usize, certified: Option<Certified>) -> Option<Certified> {
        let mut certified = certified?;
        certified.basis.report = self.places[start + certified.basis.report];
        Some(certified)
    }

    pub(super) fn families(&self) -> Vec<(Family, Certified)> {
        let families = [Family::Gateway, Family::Mesh].into_iter();
        families
            .filter_map(|family| Some((family, self.certify(family, None)?)))
            .collect()
    }

    pub(super) fn by_minor(&self) -> Vec<(Family, Minor, Certified)> {
        let mut groups = Vec::new();
        let mut start = 0;
        for group in self.judged.chunk_by(|a, b| a.minor() == b.minor()) {
            groups.push((start, group));
            start += group.len();
        }
        let mut verdicts = Vec::new();
        for family in [Family::Gateway, Family::Mesh] {
            for &(start, group) in groups.iter().rev() {
                let Some(minor) = group.first().and_then(Judged::minor) else {
                    continue;
                };
                let scope = Scope {
                    family,
                    profile: None,
                    minor: Some(minor),
                };
                let certified = certify(group, scope, self.minors, self.windows);
                let certified = self.placed(start, certified);
                verdicts.extend(certified.map(|certified| (family, minor, certified)));
            }
        }
        verdicts
    }

    pub(super) fn by_profile(&self) -> Vec<(Family, Name, Certified)> {
        let verdicts = self.judged.iter().flat_map(|report| &report.verdicts);
        let profiles: BTreeMap<&Name, Option<Family>> = verdicts
            .map(|verdict| (&verdict.profile, verdict.family))
            .collect();
        profiles
            .into_iter()
            .filter_map(|(name, family)| {
                let certified = self.certify(family?, Some(name))?;
                Some((family?, name.clone(), certified))
            })
            .collect()
    }
}
