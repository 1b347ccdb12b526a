use std::collections::BTreeMap;

use super::{Review, Verdict, VerdictChange, verdicts};
use crate::api::Family;

impl Review {
    /// Keeps the worse verdict for each implementation.
    #[must_use]
    pub fn or_worse(mut self, other: Self) -> Self {
        type Key = (String, String, Family);
        let key = |change: &VerdictChange| -> Key {
            let (organization, project) = (&change.organization, &change.project);
            (organization.clone(), project.clone(), change.family)
        };
        let mut others: BTreeMap<Key, VerdictChange> = (other.all_verdicts.into_iter())
            .map(|change| (key(&change), change))
            .collect();
        for change in &mut self.all_verdicts {
            let other = others.remove(&key(change)).and_then(|other| other.after);
            let standing = |side: &Option<Verdict>| side.as_ref().map(|one| one.standing);
            if standing(&other) < standing(&change.after) {
                change.after = other;
            }
        }
        // If only one review knows an implementation, the reviews do not agree on a verdict.
        let unknown = others.into_values().map(|change| VerdictChange {
            before: None,
            after: None,
            ..change
        });
        self.all_verdicts.extend(unknown);
        self.verdicts = verdicts::of_interest(&self.all_verdicts);
        self
    }
}
