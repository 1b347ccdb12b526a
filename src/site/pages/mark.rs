//! How verdicts and states look: a glyph, a class that colours it, and words. Colour and glyph only
//! repeat the words.

use std::collections::BTreeMap;

use crate::certify::catalog::{Absence, StateKind};
use crate::certify::{Standing, Status};
use crate::site::model::{FamilyVerdict, ProfileStatus};
use crate::text::capitalized;

/// A verdict or a state, to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    /// Its class in `site/style.css`.
    pub(super) class: &'static str,
    /// One character, in fonts that every system has.
    pub(super) glyph: &'static str,
    /// The same in words.
    pub(super) word: String,
}

impl Mark {
    fn new(class: &'static str, glyph: &'static str, word: impl Into<String>) -> Self {
        Self {
            class,
            glyph,
            word: word.into(),
        }
    }

    /// What an implementation is, in the words of its badge.
    pub(super) fn standing(standing: Standing, word: &str) -> Self {
        let word = capitalized(word);
        match standing {
            Standing::Conformant => Self::new("good", "●", word),
            Standing::PartiallyConformant => Self::new("part", "◐", word),
            Standing::Disputed => Self::new("open", "?", word),
            Standing::NotCurrent => Self::new("past", "○", word),
        }
    }

    /// What a report shows of a profile.
    pub(super) fn status(status: Status) -> Self {
        let (class, glyph) = match status {
            Status::Conformant => ("good", "●"),
            Status::Partial => ("part", "◐"),
            Status::Failing => ("bad", "✕"),
            Status::Unverified | Status::Disputed | Status::Contradictory | Status::Unreadable => {
                ("open", "?")
            }
        };
        Self::new(class, glyph, status.as_str())
    }

    /// The state of a feature, and the same in words.
    pub(super) fn state(state: StateKind, words: String) -> Self {
        let (class, glyph, _) = of_state(state);
        Self::new(class, glyph, words)
    }
}

impl FamilyVerdict<'_> {
    /// The verdict as pages show it.
    pub(super) fn mark(&self) -> Mark {
        Mark::standing(self.certified.standing, &self.wording)
    }
}

impl ProfileStatus {
    /// The verdict on the profile as pages show it.
    pub(super) fn mark(&self) -> Mark {
        Mark::status(self.status)
    }
}

const STATUSES: [Status; 7] = [
    Status::Conformant,
    Status::Partial,
    Status::Failing,
    Status::Unverified,
    Status::Disputed,
    Status::Contradictory,
    Status::Unreadable,
];

/// All marks for scripts, as JSON: by the name of the state or the verdict in the data class, glyph
/// and words; and why a report does not have a feature, with places for what it depends on.
pub(super) fn for_scripts() -> String {
    let states: BTreeMap<_, _> = STATES
        .iter()
        .map(|(state, class, glyph, _)| (*state, [*class, *glyph, state.word()]))
        .collect();
    let marks = STATUSES.map(|status| (status.as_str(), Mark::status(status)));
    let statuses: BTreeMap<_, _> = marks
        .iter()
        .map(|(name, mark)| (*name, [mark.class, mark.glyph, &*mark.word]))
        .collect();
    let order: Vec<StateKind> = STATES.iter().map(|(state, ..)| *state).collect();
    let ranked = StateKind::RANKED;
    let absences = [
        Absence::NoRelease,
        Absence::NotInFamily {
            release: "{release}".to_owned(),
            family: "{family}".to_owned(),
        },
        Absence::NotReported {
            profiles: "{profiles}".to_owned(),
        },
        Absence::NotInProfile {
            release: "{release}".to_owned(),
            profile: "{profile}".to_owned(),
        },
    ];
    let [never, not_in_family, not_reported, not_in_profile] =
        absences.map(|absence| absence.to_string());
    serde_json::json!({
        "states": states, "statuses": statuses, "order": order, "ranked": ranked,
        "verdicts": STATUSES, "never": never, "not_in_family": not_in_family, "not_reported": not_reported,
        "not_in_profile": not_in_profile,
    })
    .to_string()
}

/// Class, glyph and a word or two for a state.
pub(super) fn of_state(state: StateKind) -> (&'static str, &'static str, &'static str) {
    let known = STATES.iter().find(|(known, ..)| *known == state);
    let (class, glyph) = known.map_or(("silent", "?"), |(_, class, glyph, _)| (class, glyph));
    (class, glyph, state.word())
}

/// Every state, better ones first: class, glyph, meaning.
pub(super) const STATES: [(StateKind, &str, &str, &str); 12] = [
    (
        StateKind::Proved,
        "proved",
        "●",
        "proved: all its tests were seen to pass",
    ),
    (
        StateKind::ProvedByLog,
        "proved",
        "⬤",
        "all its tests passed in the log of the run, by statement",
    ),
    (
        StateKind::PartlySeen,
        "partly",
        "◉",
        "the report was written before some of its tests finished",
    ),
    (
        StateKind::NotSeen,
        "unseen",
        "◎",
        "claimed, but the report was written before any of its tests finished",
    ),
    (
        StateKind::Skipped,
        "skipped",
        "◐",
        "some or all of its tests were skipped",
    ),
    (
        StateKind::NoTest,
        "claimed",
        "◇",
        "no test for it in this profile, or none ran",
    ),
    (
        StateKind::Claimed,
        "claimed",
        "◈",
        "what its tests show is not known: the report contradicts itself, lacks tests, or is of an unknown release",
    ),
    (
        StateKind::Failed,
        "failed",
        "✕",
        "claimed, but its tests failed",
    ),
    (
        StateKind::Unsupported,
        "no",
        "○",
        "declared unsupported by the report",
    ),
    (
        StateKind::NotClaimed,
        "no",
        "–",
        "test counts show it was not tested",
    ),
    (
        StateKind::NotStated,
        "silent",
        "?",
        "not mentioned in the report (not the same as unsupported)",
    ),
    (
        StateKind::NotInRelease,
        "absent",
        "·",
        "not part of the release, or the profile is not reported",
    ),
];

/// Every state as a mark with what it means: the key to matrices.
pub(super) fn key() -> Vec<(Mark, &'static str)> {
    let states = STATES.iter();
    states
        .map(|(state, class, glyph, meaning)| (Mark::new(class, glyph, state.word()), *meaning))
        .collect()
}
