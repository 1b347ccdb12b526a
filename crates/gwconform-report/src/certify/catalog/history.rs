//! Verdicts of an implementation over the minors.

use serde::Serialize;

use super::{Catalog, Implementation};
use crate::certify::Standing;
use gwconform_base::api::{Family, Minor};

/// Consecutive minors with the same verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Stretch {
    /// Verdict by the reports for each minor alone; `not-current` if they support no verdict.
    pub standing: Standing,
    /// First minor with the verdict.
    pub since: Minor,
    /// Last minor with the verdict.
    pub until: Minor,
}

impl Catalog<'_> {
    /// Verdicts of one family, oldest first. Minors without a report separate stretches.
    pub fn history(&self, one: &Implementation<'_>, family: Family) -> Vec<Stretch> {
        let minors = one.by_minor.iter().rev();
        let of_family = minors.filter(|(of, ..)| *of == family);
        let mut stretches: Vec<Stretch> = Vec::new();
        for (_, minor, certified) in of_family {
            let standing = certified.standing;
            match stretches.last_mut() {
                Some(last)
                    if last.standing == standing
                        && self.minors.are_adjacent(last.until, *minor) =>
                {
                    last.until = *minor;
                }
                _ => stretches.push(Stretch {
                    standing,
                    since: *minor,
                    until: *minor,
                }),
            }
        }
        stretches
    }

    /// Describes the history, such as `v0.7 to v1.0 conformant, v1.1 partially conformant`.
    pub fn history_in_words(&self, one: &Implementation<'_>, family: Family) -> String {
        let texts = self.history(one, family).into_iter().map(|stretch| {
            let standing = match stretch.standing {
                Standing::NotCurrent => "no verdict",
                standing => standing.words(),
            };
            if stretch.since == stretch.until {
                format!("{} {standing}", stretch.since)
            } else {
                format!("{} to {} {standing}", stretch.since, stretch.until)
            }
        });
        Vec::from_iter(texts).join(", ")
    }
}
