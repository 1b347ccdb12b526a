//! Writes the data of a release as a file that contains only its changes to another release.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::api::Channel;
use crate::api::NameKind;
use crate::release::changes::missing;
use crate::release::content::{Content, Named};
use crate::release::document::{Document, FeatureChange, MeaningFrom, ProfileChange, TestChange};
use crate::release::{Feature, Profile, Test};
use crate::text;
use crate::text::suggest;

impl Document {
    pub(super) fn changes_nothing(&self) -> bool {
        self.report_api_version.is_none()
            && self.test_is_extended_when.is_none()
            && self.crds.is_empty()
            && self.features.is_empty()
            && self.profiles.is_empty()
            && self.tests.is_empty()
    }
}

pub(super) fn document(base: &Content, new: &Content) -> Document {
    let crds = new
        .crds
        .iter()
        .filter(|(channel, crds)| base.crds.get(channel) != Some(crds));
    let version = &new.report_api_version;
    let when = new.extended_when;
    Document {
        release: String::new(),
        date: None,
        commit: None,
        commit_date: None,
        base: None,
        same_as: None,
        notes: Vec::new(),
        report_api_version: version
            .clone()
            .filter(|_| *version != base.report_api_version),
        test_is_extended_when: when.filter(|_| when != base.extended_when),
        crds: crds
            .map(|(channel, crds)| (*channel, crds.clone()))
            .collect(),
        features: changes(&base.features, &new.features, changed_feature),
        profiles: changes(&base.profiles, &new.profiles, changed_profile),
        tests: changes(&base.tests, &new.tests, changed_test),
    }
}

fn changes<T, C: Default + PartialEq>(
    base: &Named<T>,
    new: &Named<T>,
    changed: fn(Option<&T>, &T) -> C,
) -> BTreeMap<String, Option<C>> {
    let mut all = BTreeMap::new();
    for name in base.keys().filter(|name| !new.contains_key(*name)) {
        all.insert(name.clone(), None);
    }
    for (name, fact) in new {
        let before = base.get(name).map(Arc::as_ref);
        let change = changed(before, fact);
        if before.is_none() || change != C::default() {
            all.insert(name.clone(), Some(change));
        }
    }
    all
}

fn other<T: PartialEq + Clone>(before: Option<&T>, now: &T) -> Option<T> {
    (before != Some(now)).then(|| now.clone())
}

fn changed_feature(before: Option<&Feature>, now: &Feature) -> FeatureChange {
    let meaning = now.meaning.clone().filter(|_| before.is_none());
    FeatureChange {
        level: other(before.map(|feature| &feature.level), &now.level),
        channel: other(before.map(|feature| &feature.channel), &now.channel),
        resource: now
            .resource
            .clone()
            .filter(|_| before.is_none_or(|before| before.resource != now.resource)),
        renamed_from: None,
        meaning_from: meaning.as_ref().map(|_| MeaningFrom::Source),
        meaning,
    }
}

fn changed_profile(before: Option<&Profile>, now: &Profile) -> ProfileChange {
    let Some(before) = before else {
        return ProfileChange {
            family: Some(now.family),
            report_name: Some(now.report_name.clone()).filter(|name| *name != now.name),
            core: Some(now.core.clone()),
            extended: Some(now.extended.clone()),
            ..ProfileChange::default()
        };
    };
    ProfileChange {
        family: other(Some(&before.family), &now.family),
        report_name: other(Some(&before.report_name), &now.report_name),
        core_added: missing(&now.core, &before.core),
        core_removed: missing(&before.core, &now.core),
        extended_added: missing(&now.extended, &before.extended),
        extended_removed: missing(&before.extended, &now.extended),
        ..ProfileChange::default()
    }
}

fn changed_test(before: Option<&Test>, now: &Test) -> TestChange {
    let flag =
        |before: Option<bool>, now: bool| Some(now).filter(|now| *now != before.unwrap_or(false));
    TestChange {
        features: other(before.map(|test| &test.features), &now.features),
        provisional: flag(before.map(|test| test.provisional), now.provisional),
        parallel: flag(before.map(|test| test.parallel), now.parallel),
        renamed_from: None,
    }
}

pub(super) fn renames(base: &Content, new: &Content) -> Vec<String> {
    let mut notes = Vec::new();
    let mut note = |kind: NameKind, old: &str, name: &str, why: &str| {
        let kind = match kind {
            NameKind::Feature => "feature",
            NameKind::Profile => "profile",
            NameKind::Test => "test",
        };
        notes.push(format!(
            "{kind} {old} was possibly renamed to {name}: {why}. If so, set `renamedFrom`."
        ));
    };
    for (kind, gone, came) in [
        (
            NameKind::Feature,
            gone(&base.features, &new.features),
            gone(&new.features, &base.features),
        ),
        (
            NameKind::Profile,
            gone(&base.profiles, &new.profiles),
            gone(&new.profiles, &base.profiles),
        ),
    ] {
        for old in gone {
            if let Some(name) = suggest::nearest(old, came.iter().copied()) {
                note(kind, old, name, "the names are similar");
            }
        }
    }
    let came = gone(&new.tests, &base.tests);
    for old in gone(&base.tests, &new.tests) {
        let features = base.tests.get(old).map(|test| &test.features);
        let same = came.iter().filter(|name| {
            // Features that all tests of a kind share identify no test.
            let test = new.tests.get(**name).map(|test| &test.features);
            test == features && features.is_some_and(|features| features.len() > 2)
        });
        let same: Vec<&&str> = same.collect();
        if let Some(name) = suggest::nearest(old, came.iter().copied()) {
            note(NameKind::Test, old, name, "the names are similar");
        } else if let [name] = same.as_slice() {
            note(NameKind::Test, old, name, "they require the same features");
        }
    }
    notes
}

fn gone<'n, T>(base: &'n Named<T>, new: &Named<T>) -> Vec<&'n str> {
    let names = base.keys().filter(|name| !new.contains_key(*name));
    names.map(String::as_str).collect()
}

pub(super) fn sentences(ours: &Content, sources: &Content) -> Vec<String> {
    let change = document(ours, sources);
    let mut all = Vec::new();
    if let Some(version) = &change.report_api_version {
        let before = ours.report_api_version.as_deref().unwrap_or("none");
        all.push(format!(
            "reportApiVersion: {before}; {version} in the sources"
        ));
    }
    if let Some(when) = change.test_is_extended_when {
        let before = ours.extended_when.map_or("none", |when| when.as_str());
        all.push(format!(
            "testIsExtendedWhen: {before}; {} in the sources",
            when.as_str()
        ));
    }
    for (channel, crds) in &change.crds {
        let before: &[String] = ours.crds.get(channel).map_or(&[], Vec::as_slice);
        let name = format!("CRDs of the {} channel", channel.as_str());
        all.extend(lists(&name, before, crds));
    }
    for (name, feature) in &change.features {
        let before = ours.features.get(name);
        let name = format!("feature {name}");
        match (before, feature) {
            (Some(before), Some(now)) => all.extend(feature_sentences(&name, before, now)),
            (before, _) => all.push(presence(&name, before)),
        }
    }
    for (name, profile) in &change.profiles {
        let before = ours.profiles.get(name);
        let name = format!("profile {name}");
        match (before, profile) {
            (Some(before), Some(now)) => all.extend(profile_sentences(&name, before, now)),
            (before, _) => all.push(presence(&name, before)),
        }
    }
    for (name, test) in &change.tests {
        let before = ours.tests.get(name);
        let title = format!("test {name}");
        match (before, test) {
            (Some(before), Some(now)) => all.extend(test_sentences(&title, before, now)),
            (before, _) => all.push(presence(&title, before)),
        }
    }
    all
}

fn presence<T>(name: &str, ours: Option<&T>) -> String {
    match ours {
        Some(_) => format!("{name}: not in the sources"),
        None => format!("{name}: only in the sources"),
    }
}

fn differs(name: &str, what: &str, ours: &str, sources: &str) -> String {
    format!("{name}: {what} is {ours}; {sources} in the sources")
}

fn lists(name: &str, ours: &[String], sources: &[String]) -> Vec<String> {
    let only = missing(sources, ours);
    let not = missing(ours, sources);
    let mut all = Vec::new();
    if !not.is_empty() {
        all.push(format!(
            "{name}: not in the sources: {}",
            text::joined(&not, "and")
        ));
    }
    if !only.is_empty() {
        all.push(format!(
            "{name}: only in the sources: {}",
            text::joined(&only, "and")
        ));
    }
    if all.is_empty() {
        all.push(format!(
            "{name}: different order in the sources: {}",
            sources.join(", ")
        ));
    }
    all
}

fn feature_sentences(name: &str, ours: &Feature, sources: &FeatureChange) -> Vec<String> {
    let level = sources
        .level
        .map(|level| differs(name, "level", ours.level.as_str(), level.as_str()));
    let channel =
        |channel: Channel| differs(name, "channel", ours.channel.as_str(), channel.as_str());
    let resource = |resource: &String| {
        differs(
            name,
            "resource",
            ours.resource.as_deref().unwrap_or("none"),
            resource,
        )
    };
    let all = [
        level,
        sources.channel.map(channel),
        sources.resource.as_ref().map(resource),
    ];
    all.into_iter().flatten().collect()
}

fn profile_sentences(name: &str, ours: &Profile, sources: &ProfileChange) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(family) = sources.family {
        all.push(differs(
            name,
            "family",
            ours.family.as_str(),
            family.as_str(),
        ));
    }
    if let Some(report_name) = &sources.report_name {
        all.push(differs(name, "reportName", &ours.report_name, report_name));
    }
    let listed = [
        ("core features", &sources.core_added, &sources.core_removed),
        (
            "extended features",
            &sources.extended_added,
            &sources.extended_removed,
        ),
    ];
    for (what, added, removed) in listed {
        if !added.is_empty() || !removed.is_empty() {
            all.extend(lists(&format!("{name}: {what}"), removed, added));
        }
    }
    all
}

fn test_sentences(name: &str, ours: &Test, sources: &TestChange) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(features) = &sources.features {
        all.extend(lists(
            &format!("{name}: features"),
            &ours.features,
            features,
        ));
    }
    let flags = [
        ("provisional", ours.provisional, sources.provisional),
        ("parallel", ours.parallel, sources.parallel),
    ];
    for (what, ours, sources) in flags {
        if let Some(sources) = sources {
            all.push(differs(name, what, &ours.to_string(), &sources.to_string()));
        }
    }
    all
}
