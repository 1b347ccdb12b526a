//! Merges findings of a file that one action resolves, so that a review counts actions.

use std::collections::BTreeMap;
use std::sync::Arc;

use gwconform_base::text::change::fitting;
use gwconform_base::text::diagnostic::{Diagnostic, Fix, Label, Severity};
use gwconform_base::text::message::{Message, Part};

/// Maximum findings that one finding covers, so that entries of a page stay short.
const MAX_MERGED: usize = 6;

/// Rules that a corrected table of reports satisfies.
const ROWS: [&str; 4] = [
    "readme/row-link",
    "readme/row-mode",
    "readme/row-spelling",
    "readme/row-value",
];

const RERUN: [&str; 2] = ["run the suite again with ", " and submit the new report"];

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Action {
    /// Run the suite again with corrected flags.
    Rerun,
    /// Correct the rows of a README.
    Rows(&'static str),
    /// Follow the same advice.
    Help(&'static str, String),
}

/// Keeps the first finding of each action. The others become labels with their texts. Errors are
/// not merged, so each keeps its rule.
pub(super) fn by_action(findings: &mut Vec<Diagnostic>) {
    let mut merged: Vec<Diagnostic> = Vec::with_capacity(findings.len());
    let mut firsts: BTreeMap<(Arc<str>, Severity, Action), usize> = BTreeMap::new();
    for finding in findings.drain(..) {
        let Some(action) = action(&finding) else {
            merged.push(finding);
            continue;
        };
        let key = (Arc::clone(&finding.place.path), finding.severity, action);
        let first = firsts.get(&key).and_then(|at| merged.get_mut(*at));
        match first.filter(|first| accepts(first, &finding)) {
            Some(first) => join(first, finding),
            None => {
                firsts.insert(key, merged.len());
                merged.push(finding);
            }
        }
    }
    *findings = merged;
}

fn action(finding: &Diagnostic) -> Option<Action> {
    if finding.severity == Severity::Error {
        return None;
    }
    if flags(finding.help.as_ref()?).is_some() {
        return Some(Action::Rerun);
    }
    Some(if ROWS.contains(&finding.rule) {
        Action::Rows(finding.rule)
    } else {
        Action::Help(finding.rule, finding.help.as_ref()?.to_string())
    })
}

fn accepts(first: &Diagnostic, other: &Diagnostic) -> bool {
    let covered = first.labels.iter().filter(|label| label.is_finding);
    let fixes = first.fix.as_ref().zip(other.fix.as_ref());
    let are_compatible =
        |(one, other): (&Fix, &Fix)| one.safe == other.safe && fitting([one, other]).len() == 2;
    covered.count() + 1 < MAX_MERGED && fixes.is_none_or(are_compatible)
}

fn join(first: &mut Diagnostic, other: Diagnostic) {
    let mut text = Message::default();
    if other.rule != first.rule {
        text.push_code(other.rule);
        text.push_words(": ".into());
    }
    text.push(other.message);
    let joined = joined_help(first.help.as_ref(), other.help.as_ref());
    match (joined, other.help) {
        (Some(help), _) => first.help = Some(help),
        (None, Some(help)) if first.help.as_ref() != Some(&help) => {
            text.push_words("; ".into());
            text.push(help);
        }
        _ => {}
    }
    first.labels.push(Label {
        place: other.place,
        message: text,
        is_finding: true,
    });
    first.labels.extend(other.labels);
    match (&mut first.fix, other.fix) {
        (Some(fix), Some(other)) => {
            if fix.title != other.title {
                fix.title = format!("{}; {}", fix.title, other.title);
            }
            fix.edits.extend(other.edits);
        }
        (none, other) => *none = none.take().or(other),
    }
}

/// One advice with the flags of both.
fn joined_help(first: Option<&Message>, other: Option<&Message>) -> Option<Message> {
    let mut all = flags(first?)?;
    for flag in flags(other?)? {
        if !all.contains(&flag) {
            all.push(flag);
        }
    }
    let mut help = Message::words(RERUN[0]);
    help.push(Message::list(
        all.into_iter().map(Message::code),
        ", ",
        " and ",
    ));
    help.push_words(RERUN[1].into());
    Some(help)
}

/// Flags of an advice that consists of [`RERUN`] and flags.
fn flags(help: &Message) -> Option<Vec<&str>> {
    let [Part::Words(start), flags @ .., Part::Words(end)] = help.parts() else {
        return None;
    };
    if [&**start, &**end] != RERUN || flags.is_empty() {
        return None;
    }
    let codes = flags.iter().filter_map(|part| match part {
        Part::Code(flag) => Some(&**flag),
        Part::Words(_) => None,
    });
    let is_flag = |part: &Part| match part {
        Part::Code(flag) => flag.starts_with("--"),
        Part::Words(words) => [", ", " and "].contains(&&**words),
    };
    flags.iter().all(is_flag).then(|| codes.collect())
}
