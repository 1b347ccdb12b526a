//! The facts of a review in words, each once: for people and comments.

use std::collections::{BTreeMap, BTreeSet};

use crate::print::diff::fact;
use crate::review::diff::{Change, Diff};
use crate::review::{Kind, ReportChange, Review, Verdict, VerdictChange};
use crate::text::counted;

/// How values of reports are written in an output.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// A value within a sentence.
    pub(super) text: fn(&str) -> String,
    /// A path.
    pub(super) code: fn(&str) -> String,
}

/// Losses, gains and the rest, with their names, each fact once whatever the number of its profiles
/// and reports.
pub(super) fn groups(review: &Review, style: Style) -> [(&'static str, Vec<String>); 3] {
    type Pick = fn(&Diff) -> &[Change];
    let groups: [(&str, Pick); 3] = [
        ("Losses", |diff| &diff.regressions),
        ("Gains", |diff| &diff.gains),
        ("Other changes", |diff| &diff.metadata),
    ];
    groups.map(|(name, pick)| (name, group(review, pick, style)))
}

/// Profiles and paths of the reports that a fact holds for.
type Scope<'r> = (BTreeSet<&'r str>, BTreeSet<&'r str>);

fn group(review: &Review, pick: fn(&Diff) -> &[Change], style: Style) -> Vec<String> {
    let mut facts: BTreeMap<Change, Scope<'_>> = BTreeMap::new();
    for report in &review.reports {
        for change in pick(&report.diff) {
            let (profiles, paths) = facts.entry(change.of_any_profile()).or_default();
            profiles.extend(change.profile().map(|name| &**name));
            paths.insert(&report.path);
        }
    }
    let compared = review
        .reports
        .iter()
        .filter(|report| report.before.is_some());
    let compared = compared.count();
    let in_words = |(change, (profiles, paths)): (Change, Scope<'_>)| {
        let profiles: Vec<String> = profiles.into_iter().map(style.text).collect();
        let names = match profiles.is_empty() {
            true => String::new(),
            false => format!("{}: ", profiles.join(", ")),
        };
        let reports = match paths.len() == compared {
            true => String::new(),
            false => format!(" ({})", listed(&paths, style)),
        };
        format!("{names}{}{reports}", fact(&change, &style.text))
    };
    facts.into_iter().map(in_words).collect()
}

/// Most reports that are named with a fact.
const MAX_NAMED: usize = 3;

fn listed(paths: &BTreeSet<&str>, style: Style) -> String {
    let name = |path: &&str| (style.code)(path.rsplit('/').next().unwrap_or(path));
    let mut names: Vec<String> = paths.iter().take(MAX_NAMED).map(name).collect();
    if paths.len() > MAX_NAMED {
        names.push(format!("{} more", paths.len() - MAX_NAMED));
    }
    names.join(", ")
}

/// `new: PATH, compared with PATH (first standard report since v1.0)`
pub(super) fn report(report: &ReportChange, style: Style) -> String {
    let mut line = format!("{}: {}", report.kind.as_str(), (style.code)(&report.path));
    let before = report.before.as_deref();
    if let Some(before) = before.filter(|before| *before != report.path) {
        let how = match report.kind {
            Kind::Moved | Kind::MovedAndChanged => "from",
            _ => "compared with",
        };
        line.push_str(&format!(", {how} {}", (style.code)(before)));
    }
    if let Some(first) = &report.first {
        line.push_str(&format!(" ({})", (style.text)(&first.to_string())));
    }
    line
}

/// Most implementations that are listed although nothing changes.
const MAX_SAME: usize = 3;

/// What the site will show of the implementations that the change touches, then of others, below a
/// line with the reason.
pub(super) struct SiteChanges {
    pub(super) touched: Vec<String>,
    pub(super) reason: String,
    pub(super) others: Vec<String>,
}

impl SiteChanges {
    pub(super) fn of(review: &Review, style: Style) -> Self {
        let (touched, others): (Vec<_>, Vec<_>) =
            review.verdicts.iter().partition(|change| change.is_touched);
        let reason = match review.newest {
            Some((before, after)) if before < after => format!(
                "Others change, because the first report of {after} makes it the newest minor, so that the releases that count are those up to {after}, not up to {before}"
            ),
            Some((before, after)) => {
                format!("Others change, because the newest minor is {after} again, not {before}")
            }
            None => "Others change".to_owned(),
        };
        let lines = |changes: Vec<&VerdictChange>| {
            let lines = changes.into_iter().map(|change| verdict(change, style));
            lines.collect()
        };
        // Of many that stay what they are the reasons are no news.
        let is_same = |change: &&VerdictChange| change.standing() == change.standing_before();
        let (same, mut touched): (Vec<_>, Vec<_>) = touched.into_iter().partition(is_same);
        let mut more = None;
        match same.len() {
            0..=MAX_SAME => touched.extend(same),
            count => more = Some(format!("{} unchanged", counted(count, "verdict"))),
        }
        let mut touched: Vec<String> = lines(touched);
        touched.extend(more);
        Self {
            touched,
            reason,
            others: lines(others),
        }
    }
}

/// `Acme, gateway: conformant, was not current: conformant in v1.6, one of the 2 newest minors
/// (conformant: HTTP, TLS; PATH)`
fn verdict(change: &VerdictChange, style: Style) -> String {
    let standing = |side: &Option<Verdict>| match side {
        Some(verdict) => verdict.standing.words(),
        None => "no verdict",
    };
    let (before, after) = (standing(&change.before), standing(&change.after));
    let was = match (before == after, &change.before) {
        (true, _) => ", unchanged".to_owned(),
        (false, Some(_)) => format!(", was {before}"),
        (false, None) => ", new".to_owned(),
    };
    let why = change.after.as_ref().map(|verdict| {
        let profiles = match verdict.profiles.as_str() {
            "" => String::new(),
            profiles => format!("{}; ", (style.text)(profiles)),
        };
        let (reason, path) = ((style.text)(&verdict.reason), (style.code)(&verdict.path));
        format!(": {reason} ({profiles}{path})")
    });
    format!(
        "{}, {}: {after}{was}{}",
        (style.text)(&change.name),
        change.family.as_str(),
        why.unwrap_or_default()
    )
}
