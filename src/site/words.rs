//! What the states of features and the changes between reports are called.

use super::view::{ReportView, text};
use crate::catalog::State;
use crate::diff::{Change, ChangeKind};
use crate::facts::Name;
use crate::text::counted;

/// How many names a sentence tells before it counts the rest.
const MAX_NAMES: usize = 20;

/// Names in a sentence.
pub(super) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let told: Vec<_> = names.iter().take(MAX_NAMES).map(AsRef::as_ref).collect();
    let told = told.join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => told,
        more => format!("{told} and {more} more"),
    }
}

/// A state in words.
pub(super) fn state(state: &State) -> String {
    match state {
        State::Proved {
            tests,
            always_passed: 0,
        } => format!("supported, {} passed", counted(*tests, "test")),
        State::Proved {
            tests,
            always_passed,
        } => format!(
            "supported, {} passed, {always_passed} of them not yet run when the report was written",
            counted(*tests, "test")
        ),
        State::Skipped { tests, of } if tests.len() >= *of => {
            format!("supported, all tests skipped: {}", names(tests))
        }
        State::Skipped { tests, of } => format!(
            "supported, {} of {of} tests skipped: {}",
            tests.len(),
            names(tests)
        ),
        State::NoTest { not_run } if not_run.is_empty() => {
            "claimed, no test exists in this profile".to_owned()
        }
        State::NoTest { not_run } => format!("claimed, no test ran; left out: {}", names(not_run)),
        State::Claimed => "claimed, what its tests show is not known".to_owned(),
        State::Unsupported => "declared unsupported".to_owned(),
        State::NotClaimed => "not stated, derived as not claimed".to_owned(),
        State::NotStated => "not stated".to_owned(),
        State::Failed { tests } => format!("supported, tests failed: {}", names(tests)),
        State::NotInRelease => "not in this profile".to_owned(),
    }
}

fn names(names: &[Name]) -> String {
    listed(names)
}

/// True when the report says that the feature is supported, whatever its tests show.
pub(super) fn is_claimed(state: &State) -> bool {
    matches!(
        state,
        State::Proved { .. }
            | State::Skipped { .. }
            | State::NoTest { .. }
            | State::Claimed
            | State::Failed { .. }
    )
}

/// `Acme v2.14.0 for v1.5.1 (standard, default)`
pub(super) fn report_name(seen: &ReportView<'_>) -> String {
    let facts = seen.facts();
    let mut name = seen.implementation.name.clone();
    if let Some(version) = text(&facts.version) {
        name.push_str(&format!(" {version}"));
    }
    match seen.release() {
        Some(release) => name.push_str(&format!(" for {release}")),
        None => name.push_str(", release unknown"),
    }
    let run = [text(&facts.channel), text(&facts.mode)];
    let run: Vec<_> = run.into_iter().flatten().collect();
    if !run.is_empty() {
        name.push_str(&format!(" ({})", run.join(", ")));
    }
    name
}

/// A change in the parts that tables have.
pub(super) struct Parts<'d> {
    pub(super) kind: ChangeKind,
    pub(super) profile: Option<&'d str>,
    pub(super) name: Option<&'d str>,
    pub(super) old: Option<&'d str>,
    pub(super) new: Option<&'d str>,
}

/// The parts of a change.
pub(super) fn parts(change: &Change) -> Parts<'_> {
    let of = |kind, profile| Parts {
        kind,
        profile: Some(profile),
        name: None,
        old: None,
        new: None,
    };
    match change {
        Change::Verdict { profile, old, new } => Parts {
            old: Some(old.as_str()),
            new: Some(new.as_str()),
            ..of(ChangeKind::Verdict, profile)
        },
        Change::ProfileGone { profile } => of(ChangeKind::ProfileGone, profile),
        Change::ProfileNew { profile } => of(ChangeKind::ProfileNew, profile),
        Change::Test {
            profile,
            test,
            old,
            new,
        } => Parts {
            name: Some(test),
            old: Some(old.as_str()),
            new: Some(new.as_str()),
            ..of(ChangeKind::Test, profile)
        },
        Change::Feature {
            profile,
            feature,
            old,
            new,
        } => Parts {
            name: Some(feature),
            old: Some(old.as_str()),
            new: Some(new.as_str()),
            ..of(ChangeKind::Feature, profile)
        },
        Change::Field { field, old, new } => Parts {
            kind: ChangeKind::Field,
            profile: None,
            name: Some(field),
            old: old.as_deref(),
            new: new.as_deref(),
        },
    }
}
