use std::collections::BTreeMap;

use crate::site::model::{FamilyVerdict, ProfileStatus};
use gwconform_base::text::capitalized;
use gwconform_report::certify::catalog::{Absence, StateKind};
use gwconform_report::certify::{Standing, Status};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) class: &'static str,
    /// Symbol for the verdict or state. System fonts must include it.
    pub(super) glyph: &'static str,
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

    pub(super) fn standing(standing: Standing, word: &str) -> Self {
        let word = capitalized(word);
        match standing {
            Standing::Conformant => Self::new("good", "●", word),
            Standing::PartiallyConformant => Self::new("part", "◐", word),
            Standing::NotCurrent => Self::new("past", "○", word),
        }
    }

    pub(super) fn status(status: Status) -> Self {
        let (class, glyph) = match status {
            Status::Conformant => ("good", "●"),
            Status::Partial => ("part", "◐"),
            Status::Failing => ("bad", "✕"),
            Status::Unverified | Status::Contradictory | Status::Unreadable => ("open", "?"),
        };
        Self::new(class, glyph, status.as_str())
    }

    /// Result of a profile in a report. A verdict on an implementation has other words, because it
    /// also depends on the age of the report.
    pub(super) fn result(status: Status) -> Self {
        let word = match status {
            Status::Conformant => "passed",
            Status::Partial => "passed with skips",
            Status::Failing => "failed",
            Status::Unverified | Status::Contradictory | Status::Unreadable => status.as_str(),
        };
        Self {
            word: word.to_owned(),
            ..Self::status(status)
        }
    }

    pub(super) fn state(state: StateKind, words: String) -> Self {
        let (class, glyph) = sign(state);
        Self::new(class, glyph, words)
    }
}

impl FamilyVerdict<'_> {
    pub(super) fn mark(&self) -> Mark {
        Mark::standing(self.certified.standing, &self.wording)
    }
}

impl ProfileStatus {
    pub(super) fn mark(&self) -> Mark {
        Mark::status(self.status)
    }
}

/// JSON for scripts: class, glyph and text by state or result of a profile, and templates for the reasons why a
/// report lacks a feature.
pub(super) fn for_scripts() -> String {
    let states = states();
    let verdicts: Vec<Status> = Status::ALL.iter().rev().copied().collect();
    let statuses = verdicts.iter().map(|status| {
        let mark = Mark::result(*status);
        (status.as_str(), (mark.class, mark.glyph, mark.word))
    });
    let statuses: BTreeMap<_, _> = statuses.collect();
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
        "states": states, "statuses": statuses, "order": StateKind::ALL, "ranked": StateKind::RANKED,
        "verdicts": verdicts, "never": never, "not_in_family": not_in_family, "not_reported": not_reported,
        "not_in_profile": not_in_profile,
    })
    .to_string()
}

/// Class, glyph and word by state.
pub(super) fn states() -> BTreeMap<StateKind, [&'static str; 3]> {
    let states = StateKind::ALL.iter().map(|state| {
        let (class, glyph) = sign(*state);
        (*state, [class, glyph, state.word()])
    });
    states.collect()
}

pub(super) fn sign(state: StateKind) -> (&'static str, &'static str) {
    match state {
        StateKind::Proved => ("proved", "●"),
        StateKind::ProvedByLog => ("proved", "⬤"),
        StateKind::PartlySeen => ("partly", "◉"),
        StateKind::NotSeen => ("unseen", "◎"),
        StateKind::Skipped => ("skipped", "◐"),
        StateKind::NoTest => ("claimed", "◇"),
        StateKind::Claimed => ("claimed", "◈"),
        StateKind::Failed => ("failed", "✕"),
        StateKind::Unsupported => ("no", "○"),
        StateKind::NotClaimed => ("no", "–"),
        StateKind::NotStated => ("silent", "?"),
        StateKind::NotInRelease => ("absent", "·"),
    }
}

pub(super) fn meaning(state: StateKind) -> &'static str {
    match state {
        StateKind::Proved => "all its tests were seen to pass",
        StateKind::ProvedByLog => {
            "a statement shows that all its tests passed in the log of the run"
        }
        StateKind::PartlySeen => "the report was written before some of its tests finished",
        StateKind::NotSeen => {
            "supported, but the report was written before any of its tests finished"
        }
        StateKind::Skipped => "some or all of its tests were skipped",
        StateKind::NoTest => "no test for it in this profile, or none ran",
        StateKind::Claimed => {
            "its test results are unknown: the report contradicts itself, lacks tests, or is for an unknown release"
        }
        StateKind::Failed => "supported, but its tests failed",
        StateKind::Unsupported => "declared unsupported by the report",
        StateKind::NotClaimed => "test counts show it was not tested",
        StateKind::NotStated => "not mentioned in the report (not the same as unsupported)",
        StateKind::NotInRelease => "not part of the release, or the profile is not reported",
    }
}

pub(super) fn key() -> Vec<(Mark, &'static str)> {
    let states = StateKind::ALL.iter();
    let mark = |state: StateKind| Mark::state(state, state.word().to_owned());
    states
        .map(|state| (mark(*state), meaning(*state)))
        .collect()
}
