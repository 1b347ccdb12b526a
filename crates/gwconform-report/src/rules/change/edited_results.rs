use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::report::facts::{Fact, LevelData, Name, Profile, ReportFacts};
use crate::report::model::NamedList;
use crate::rules::{ChangeContext, Findings, rule};
use gwconform_base::text::diagnostic::{Anchor, Place, Subject};
use gwconform_base::text::message::{Message, Words};

rule! {
    "edited_results.md", ChangeContext(check), Text<'a>;
    Edited { revision: &'a str, differences: Message } => "the results differ from {revision}, but the date is the same: {differences}",
    ProfileRemoved { profile: &'a str } => "profile {profile} removed",
    ProfileAdded { profile: &'a str } => "profile {profile} added",
    Removed { of: Message } => "{of} removed",
    Added { of: Message } => "{of} added",
    Field { of: Message, field: Words, new: Message, old: Message } => "{of} {field} {new}, was {old}",
    With { list: Message, name: &'a str } => "{list} with {name}",
    Without { list: Message, name: &'a str } => "{list} without {name}",
    Level { profile: &'a str, level: Words } => "{profile} {level}",
    List { of: Message, field: Words } => "{of} {field}",
    Provisional => "succeededProvisionalTests",
    Absent => "absent",
    Restore => "restore the report, or run the suite again and submit the new report",
}

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    for pair in cx.pairs {
        let (Some(before), Some(after)) = (pair.before, pair.after) else {
            continue;
        };
        let (Some(old), Some(new)) = (&before.date, &after.date) else {
            continue;
        };
        // The end of a truncated file cannot be compared.
        if before.is_cut || after.is_cut || !is_same_time(old, new) {
            continue;
        }
        let differences = differences(before, after);
        if differences.is_empty() {
            continue;
        }
        let text = Text::Edited {
            revision: cx.revision,
            differences: Message::short_list(differences, "; ", "; "),
        };
        // The digest limits a baseline entry to these results.
        let subject = Subject::new("/profiles").with_value(&after.digest.to_string());
        let anchor = Anchor::new(place(after, new), subject);
        out.at(anchor, text).help(Text::Restore);
    }
}

pub(super) fn place(after: &ReportFacts, date: &Fact) -> Place {
    match date.place.region {
        Some(_) => date.place.clone(),
        None => Place::path(&after.path),
    }
}

pub(super) fn is_same_time(old: &Fact, new: &Fact) -> bool {
    let time = |fact: &Fact| fact.value.parse::<Timestamp>().ok();
    old.value == new.value || time(old).is_some_and(|old| time(new) == Some(old))
}

fn differences(before: &ReportFacts, after: &ReportFacts) -> Vec<Message> {
    let mut found = Vec::new();
    let (olds, news) = (by_name(before), by_name(after));
    let names: BTreeSet<&str> = olds.keys().chain(news.keys()).copied().collect();
    for profile in names {
        match (olds.get(profile), news.get(profile)) {
            (Some(_), None) => found.push(Text::ProfileRemoved { profile }.into()),
            (None, Some(_)) => found.push(Text::ProfileAdded { profile }.into()),
            (Some(old), Some(new)) => {
                let of = |level| Text::Level { profile, level }.into();
                level(&of(Words("core")), &old.core, &new.core, &mut found);
                level(
                    &of(Words("extended")),
                    &old.extended,
                    &new.extended,
                    &mut found,
                );
            }
            (None, None) => {}
        }
    }
    let lists = [&before.succeeded_provisional, &after.succeeded_provisional];
    compare(&Text::Provisional.into(), lists, &mut found);
    found
}

fn by_name(facts: &ReportFacts) -> BTreeMap<&str, &Profile> {
    let mut named = BTreeMap::new();
    for profile in &facts.profiles {
        named.entry(profile.name_or_empty()).or_insert(profile);
    }
    named
}

fn level(of: &Message, old: &Option<LevelData>, new: &Option<LevelData>, found: &mut Vec<Message>) {
    let of = || of.clone();
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (Some(_), None) => return found.push(Text::Removed { of: of() }.into()),
        (None, Some(_)) => return found.push(Text::Added { of: of() }.into()),
        (None, None) => return,
    };
    let mut field = |field: &'static str, old: Option<String>, new: Option<String>| {
        if old != new {
            let [old, new] =
                [old, new].map(|value| value.map_or(Text::Absent.into(), Message::code));
            found.push(
                Text::Field {
                    of: of(),
                    field: Words(field),
                    new,
                    old,
                }
                .into(),
            );
        }
    };
    let text = |level: &LevelData| level.result.text().map(str::to_owned);
    let number = |count: Option<u64>| count.map(|count| count.to_string());
    field("result", text(old), text(new));
    field("Passed", number(old.passed()), number(new.passed()));
    field("Skipped", number(old.skipped()), number(new.skipped()));
    field("Failed", number(old.failed()), number(new.failed()));
    for ((_, field, old), (.., new)) in lists(old).into_iter().zip(lists(new)) {
        let both = [old, new].map(|list| list.into_iter().flatten());
        let list = Text::List {
            of: of(),
            field: Words(field),
        };
        compare(&list.into(), both, found);
    }
}

fn lists(level: &LevelData) -> [NamedList<'_, Name, ()>; 4] {
    let [supported, unsupported, skipped, failed] = level.lists();
    [skipped, failed, supported, unsupported]
}

fn compare<'f>(
    list: &Message,
    lists: [impl IntoIterator<Item = &'f Name>; 2],
    found: &mut Vec<Message>,
) {
    let [old, new] = lists.map(|names| {
        names
            .into_iter()
            .map(|name| &**name)
            .collect::<BTreeSet<&str>>()
    });
    let list = || list.clone();
    let added = new.difference(&old).copied();
    let removed = old.difference(&new).copied();
    found.extend(added.map(|name| Text::With { list: list(), name }.into()));
    found.extend(removed.map(|name| Text::Without { list: list(), name }.into()));
}
