//! How verdicts and states look: a glyph, a class that colours it, and words. Colour and glyph only
//! repeat the words.

use super::words;
use crate::catalog::State;
use crate::certify::{Standing, Status};

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
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        let word = first.unwrap_or_default() + letters.as_str();
        match standing {
            Standing::Conformant => Self::new("good", "●", word),
            Standing::PartiallyConformant => Self::new("part", "◐", word),
            Standing::NotCurrent => Self::new("past", "○", word),
        }
    }

    /// What a report shows of a profile.
    pub(super) fn status(status: Status) -> Self {
        let (class, glyph) = match status {
            Status::Conformant => ("good", "●"),
            Status::Partial => ("part", "◐"),
            Status::Failing => ("bad", "✕"),
            Status::Contradictory | Status::Unreadable => ("open", "?"),
        };
        Self::new(class, glyph, status.as_str())
    }

    /// What a report says of a feature.
    pub(super) fn state(state: &State) -> Self {
        let (class, glyph) = match state {
            State::Proved { .. } => ("proved", "●"),
            State::Skipped { .. } => ("skipped", "◐"),
            State::NoTest { .. } => ("claimed", "◇"),
            State::Claimed => ("claimed", "◈"),
            State::Failed { .. } => ("failed", "✕"),
            State::Unsupported => ("no", "○"),
            State::NotClaimed => ("no", "–"),
            State::NotStated => ("silent", "?"),
            State::NotInRelease => ("absent", "·"),
        };
        Self::new(class, glyph, words::state(state))
    }
}

/// Every state with what it means, better ones first: the key to matrices.
pub(super) fn key() -> Vec<(Mark, &'static str)> {
    let none = Vec::new;
    let states = [
        (
            State::Proved {
                tests: 0,
                always_passed: 0,
            },
            "supported",
            "proved: tests exist, they ran and all passed",
        ),
        (
            State::Skipped {
                tests: none(),
                of: 0,
            },
            "supported, tests skipped",
            "some of its tests or all",
        ),
        (
            State::NoTest { not_run: none() },
            "claimed",
            "no test exists or ran in this profile",
        ),
        (
            State::Claimed,
            "claimed, proof unknown",
            "the report does not tell what its tests showed",
        ),
        (
            State::Failed { tests: none() },
            "failed",
            "claimed, and tests of it failed",
        ),
        (State::Unsupported, "unsupported", "the report says so"),
        (
            State::NotClaimed,
            "not claimed",
            "derived: its tests would be counted otherwise",
        ),
        (
            State::NotStated,
            "not stated",
            "the report is silent, which is not a no",
        ),
        (
            State::NotInRelease,
            "not in this release",
            "the release does not have it",
        ),
    ];
    let key = states.map(|(state, word, meaning)| {
        let mark = Mark::state(&state);
        (
            Mark {
                word: word.to_owned(),
                ..mark
            },
            meaning,
        )
    });
    key.into()
}
