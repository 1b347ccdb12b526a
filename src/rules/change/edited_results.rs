//! `change/edited-results`

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::diagnostic::{Place, in_code};
use crate::facts::{Fact, LevelData, Name, Profile, ReportFacts};
use crate::model::NamedList;
use crate::rules::{ChangeContext, Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "change/edited-results",
    include_str!("edited_results.md"),
    Check::Change(check),
);

/// How many differences are told before the rest is counted.
const MAX_TOLD: usize = 4;

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    for pair in cx.pairs {
        let (Some(before), Some(after)) = (pair.before, pair.after) else {
            continue;
        };
        let (Some(old), Some(new)) = (&before.date, &after.date) else {
            continue;
        };
        // Of what could not be read to its end nobody knows what changed.
        if before.is_cut || after.is_cut || !is_same_time(old, new) {
            continue;
        }
        let differences = differences(before, after);
        if differences.is_empty() {
            continue;
        }
        let message = format!(
            "the results differ from `{}` while the date is the same: {}",
            in_code(&cx.revision),
            told(&differences)
        );
        let finding = out.at(place(after, new), message);
        finding.help(
            "a report is submitted as the suite wrote it: restore it, or run the suite again and submit that report",
        );
    }
}

/// The date, which ties what was written to what ran.
fn place(after: &ReportFacts, date: &Fact) -> Place {
    match date.place.region {
        Some(_) => date.place.clone(),
        None => Place::path(&after.path),
    }
}

/// The same moment, however it is written.
fn is_same_time(old: &Fact, new: &Fact) -> bool {
    let time = |fact: &Fact| fact.value.parse::<Timestamp>().ok();
    old.value == new.value || time(old).is_some_and(|old| time(new) == Some(old))
}

fn told(differences: &[String]) -> String {
    let told = differences.iter().take(MAX_TOLD).cloned();
    let told = told.collect::<Vec<_>>().join("; ");
    match differences.len().saturating_sub(MAX_TOLD) {
        0 => told,
        more => format!("{told}; and {more} more"),
    }
}

/// What two reports say otherwise of results, in words. The order of profiles and lists says
/// nothing.
fn differences(before: &ReportFacts, after: &ReportFacts) -> Vec<String> {
    let mut found = Vec::new();
    let (olds, news) = (by_name(before), by_name(after));
    let names: BTreeSet<&str> = olds.keys().chain(news.keys()).copied().collect();
    for name in names {
        match (olds.get(name), news.get(name)) {
            (Some(_), None) => {
                found.push(format!("profile `{name}` is gone", name = in_code(&name)))
            }
            (None, Some(_)) => {
                found.push(format!("profile `{name}` is new", name = in_code(&name)))
            }
            (Some(old), Some(new)) => {
                level(&format!("{name} core"), &old.core, &new.core, &mut found);
                level(
                    &format!("{name} extended"),
                    &old.extended,
                    &new.extended,
                    &mut found,
                );
            }
            (None, None) => {}
        }
    }
    let lists = [&before.succeeded_provisional, &after.succeeded_provisional];
    compare("succeededProvisionalTests", lists, &mut found);
    found
}

/// Of two profiles with one name the first.
fn by_name(facts: &ReportFacts) -> BTreeMap<&str, &Profile> {
    let mut named = BTreeMap::new();
    for profile in &facts.profiles {
        named
            .entry(profile.name().unwrap_or_default())
            .or_insert(profile);
    }
    named
}

fn level(name: &str, old: &Option<LevelData>, new: &Option<LevelData>, found: &mut Vec<String>) {
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (Some(_), None) => return found.push(format!("{name} is gone")),
        (None, Some(_)) => return found.push(format!("{name} is new")),
        (None, None) => return,
    };
    let mut field = |field: &str, old: Option<String>, new: Option<String>| {
        if old != new {
            let [old, new] = [old, new].map(|value| match value {
                Some(value) => format!("`{value}`", value = in_code(&value)),
                None => "nothing".to_owned(),
            });
            found.push(format!("{name} {field} {new}, was {old}"));
        }
    };
    let text = |level: &LevelData| level.result.text().map(str::to_owned);
    let number = |number: Option<u64>| number.map(|number| number.to_string());
    field("result", text(old), text(new));
    field("Passed", number(old.passed()), number(new.passed()));
    field("Skipped", number(old.skipped()), number(new.skipped()));
    field("Failed", number(old.failed()), number(new.failed()));
    for ((_, field, old), (.., new)) in lists(old).into_iter().zip(lists(new)) {
        let both = [old, new].map(|list| list.into_iter().flatten());
        compare(&format!("{name} {field}"), both, found);
    }
}

/// Tests, then features.
fn lists(level: &LevelData) -> [NamedList<'_, Name, ()>; 4] {
    let [supported, unsupported, skipped, failed] = level.lists();
    [skipped, failed, supported, unsupported]
}

fn compare<'f>(
    name: &str,
    lists: [impl IntoIterator<Item = &'f Name>; 2],
    found: &mut Vec<String>,
) {
    let [old, new] = lists.map(|names| names.into_iter().map(|name| &**name).collect::<BTreeSet<_>>());
    for (added, verb) in [
        (new.difference(&old), "with"),
        (old.difference(&new), "without"),
    ] {
        found.extend(added.map(|item| format!("{name} {verb} `{item}`", item = in_code(&item))));
    }
}
