//! Output of `check --since`: the effects of a change.

mod first_report;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::print::diff::{fact, profile_name, value};
use crate::print::page::{Cut, Inline, Page, code, names, words};
use crate::print::release;
use gwconform_base::text::message::Message;
use gwconform_base::text::{counted, listed_of};
use gwconform_report::certify::short_name;
use gwconform_report::review::diff::{Change, Diff};
use gwconform_report::review::{
    FirstProfile, ProfileLoss, ReportChange, ReportChangeKind, Review, Verdict, VerdictChange,
};

const LOSSES: &str = "Losses";

/// Lists regressions, gains and other changes. A change in several profiles or reports is listed
/// once.
fn groups(review: &Review) -> [(&'static str, Vec<Inline>); 3] {
    type Pick = fn(&Diff) -> &[Change];
    let groups: [(&str, Pick); 3] = [
        (LOSSES, |diff| &diff.regressions),
        ("Gains", |diff| &diff.gains),
        ("Other changes", |diff| &diff.metadata),
    ];
    groups.map(|(name, pick)| (name, group(review, pick)))
}

type Scope<'r> = (BTreeSet<&'r str>, BTreeSet<&'r str>);

fn group(review: &Review, pick: fn(&Diff) -> &[Change]) -> Vec<Inline> {
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
        .filter(|report| report.previous_path.is_some());
    let compared = compared.count();
    let repeated = repeated_names(review);
    let in_words = |(change, (profiles, paths)): (Change, Scope<'_>)| {
        let mut text = Inline::default();
        for (at, profile) in profiles.iter().enumerate() {
            text = text
                .with(words(if at == 0 { "" } else { ", " }))
                .with(profile_name(profile));
        }
        if !profiles.is_empty() {
            text = text.with(words(": "));
        }
        text = text.with(fact(&change));
        if paths.len() == compared {
            text
        } else {
            text.with(words(" ("))
                .with(listed(&paths, &repeated))
                .with(words(")"))
        }
    };
    facts.into_iter().map(in_words).collect()
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn repeated_names(review: &Review) -> BTreeSet<&str> {
    let (mut seen, mut repeated) = (BTreeSet::new(), BTreeSet::new());
    for report in &review.reports {
        let name = file_name(&report.path);
        if !seen.insert(name) {
            repeated.insert(name);
        }
    }
    repeated
}

/// Names files. A name that several changed reports have includes its release and folder.
fn listed(paths: &BTreeSet<&str>, repeated: &BTreeSet<&str>) -> Inline {
    let name = |path: &&'_ str| {
        let name = file_name(path);
        let mut folders = path.rmatch_indices('/').map(|(at, _)| at + 1);
        match folders.nth(2).filter(|_| repeated.contains(name)) {
            Some(release) => path[release..].to_owned(),
            None if repeated.contains(name) => (*path).to_owned(),
            None => name.to_owned(),
        }
    };
    few(&paths.iter().map(name).collect::<Vec<_>>())
}

/// The first names, and the number of the others.
fn few(list: &[impl AsRef<str>]) -> Inline {
    let (first, others) = list.split_at(listed_of(list.len()));
    match others.len() {
        0 => names(first),
        more => names(first).then(format!(" and {more} more")),
    }
}

fn report(report: &ReportChange) -> Inline {
    let mut line = words(format!("{}: ", report.kind.as_str())).with(code(&report.path));
    let before = report.previous_path.as_deref();
    if let Some(before) = before.filter(|before| *before != report.path) {
        let how = match report.kind {
            ReportChangeKind::Moved | ReportChangeKind::MovedAndChanged => ", from ",
            _ => ", compared with ",
        };
        line = line.with(words(how)).with(code(before));
    }
    match &report.reason {
        Some(first) => line.then(format!(" ({first})")),
        None => line,
    }
}

/// Maximum items of a list on a terminal.
const MAX_LINES: usize = 20;

/// Maximum reports in a list that is not collapsed.
const MAX_OPEN: usize = 20;

pub(super) fn page(review: &Review) -> Page {
    let mut page = Page::cut(Cut {
        lines: MAX_LINES,
        all: "`--format json` lists",
    });
    if !review.verdicts.is_empty() {
        page.heading(3, "Verdicts after the merge");
        add_verdicts(&mut page, review);
    }
    page.heading(3, "Reports");
    let changed = counted(review.touched.len(), "submission");
    let since = words("Since ").with(code(&review.revision));
    let since = if review.commit.starts_with(&review.revision) {
        since
    } else {
        since
            .with(words(" (commit "))
            .with(code(short(&review.commit)))
            .with(words(")"))
    };
    page.paragraph(since.with(words(format!(": {changed} changed"))));
    if review.reports.len() > MAX_OPEN {
        page.folded(format!("All reports: {}", review.reports.len()));
    }
    let mut reports: Vec<_> = review.reports.iter().collect();
    reports.sort_by_cached_key(|one| Reverse(release(&one.path)));
    for one in &reports {
        page.item(report(one));
    }
    let firsts = reports.iter();
    let firsts = firsts.filter_map(|one| Some((one, one.first_report.as_ref()?)));
    for (change, report) in firsts.clone().take(listed_of(firsts.count())) {
        first_report::add(&mut page, change, report);
    }
    for (name, facts) in groups(review) {
        let title = format!("{name}: {}", facts.len());
        match name {
            _ if facts.is_empty() => {}
            LOSSES => page.unfolded(title),
            _ => page.folded(title),
        }
        for fact in facts {
            page.item(fact);
        }
    }
    page
}

fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}

fn add_verdicts(page: &mut Page, review: &Review) {
    let (of_configuration, own): (Vec<_>, Vec<_>) =
        (review.verdicts.iter()).partition(|change| change.is_of_configuration);
    let (losses, rest): (Vec<_>, Vec<_>) = own.into_iter().partition(|change| change.is_loss());
    let (of_change, of_others): (Vec<_>, Vec<_>) =
        losses.into_iter().partition(|change| change.is_touched);
    // A reviewer must see first what others lose.
    if !of_others.is_empty() {
        page.paragraph(words("Others lose:"));
        page.whole_list(of_others.iter().map(|change| verdict(change)));
        if review.verdicts.iter().any(|change| change.is_touched) {
            page.paragraph("This change:");
        }
    }
    page.whole_list(of_change.iter().map(|change| verdict(change)));
    let (touched, others): (Vec<_>, Vec<_>) =
        rest.into_iter().partition(|change| change.is_touched);
    // Reasons are omitted if many verdicts are unchanged.
    let (same, touched): (Vec<_>, Vec<_>) = touched
        .into_iter()
        .partition(|change| change.is_unchanged());
    for change in touched {
        page.item(verdict(change));
    }
    if same.len() > listed_of(same.len()) {
        page.item(format!("{} unchanged", counted(same.len(), "verdict")));
    } else {
        for change in same {
            page.item(verdict(change));
        }
    }
    if !others.is_empty() {
        page.paragraph(words("Others change:"));
    }
    for change in others {
        page.item(verdict(change));
    }
    if !of_configuration.is_empty() {
        let (losses, rest): (Vec<_>, Vec<_>) =
            (of_configuration.into_iter()).partition(|change| change.is_loss());
        page.paragraph("With the new configuration:");
        page.whole_list(losses.into_iter().map(verdict));
        rest.into_iter()
            .for_each(|change| page.item(verdict(change)));
    }
}

fn verdict(change: &VerdictChange) -> Inline {
    let standing = |side: &Option<Verdict>| match side {
        Some(verdict) => verdict.shown.standing.words(),
        None => "no verdict",
    };
    let (before, after) = (standing(&change.before), standing(&change.after));
    let was = match (before == after, &change.before) {
        (true, _) if change.is_unchanged() => ", unchanged".to_owned(),
        (true, _) => String::new(),
        (false, Some(_)) => format!(", was {before}"),
        (false, None) => ", new".to_owned(),
    };
    let mut text = value(&change.implementation.name)
        .with(words(format!(", {}: {after}{was}", change.family)));
    if let Some(former) = &change.renamed_from {
        text = text.with(words(", renamed from ")).with(code(former));
    }
    let mut separator = ", ";
    for loss in change.losses() {
        text = text.with(words(separator)).with(profile_loss(loss));
        separator = "; ";
    }
    if let Some((before, after)) = change.other_minor() {
        text = text.with(words(format!(
            "{separator}now based on {after} (was {before})"
        )));
        separator = "; ";
    }
    let Some(verdict) = &change.after else {
        return text;
    };
    let text = text
        .with(words(if separator == "; " {
            "; reason: "
        } else {
            ": "
        }))
        .with(Inline::message(&Message::of_text(&verdict.shown.reason)))
        .with(words(" ("));
    let text = match verdict.holds_for.as_str() {
        "" => text,
        profiles => text.then(profiles).with(words("; ")),
    };
    text.with(code(&verdict.shown.path)).with(words(")"))
}

fn profile_loss(loss: ProfileLoss<'_>) -> Inline {
    let was = loss.before.status.as_str();
    let name = value(short_name(&loss.before.profile));
    let Some(after) = loss.after else {
        return name.with(words(format!(" not in the report (was {was})")));
    };
    let mut text = name.with(words(format!(" now {} (was {was})", after.status.as_str())));
    let outcomes = [(&after.failed, "failed"), (&after.skipped, "skipped")];
    let outcomes = outcomes.into_iter().filter(|(tests, _)| !tests.is_empty());
    for (at, (tests, outcome)) in outcomes.enumerate() {
        text = text.with(words(if at == 0 { ": " } else { "; " }));
        text = text.with(few(tests)).then(format!(" {outcome}"));
    }
    text
}
