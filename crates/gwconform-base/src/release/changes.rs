//! Compares two releases for readers: renamed names, changed fields, and changes to the report format.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Channel, Feature, NameKind, Profile, Registry, Release, Test};
use crate::api::Level;

/// Differences between two releases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ReleaseChanges {
    /// Changes to the report format, the counting of tests, and the CRDs.
    pub general: Vec<FieldChange>,
    /// Changes of profiles.
    pub profile_changes: NameChanges,
    /// Changes of features.
    pub feature_changes: NameChanges,
    /// Changes of tests.
    pub test_changes: NameChanges,
}

/// Names that two releases do not share, or that changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct NameChanges {
    /// Added names.
    pub added: Vec<NameChange>,
    /// Changed or renamed names.
    pub changed: Vec<NameChange>,
    /// Removed names.
    pub removed: Vec<String>,
}

/// Added, changed or renamed name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct NameChange {
    /// Name in the newer release.
    pub name: String,
    /// Name in the older release, if it differs.
    pub renamed_from: Option<String>,
    /// All fields of an added name, or the changed fields of another name.
    pub fields: Vec<FieldChange>,
}

/// Changed value or list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FieldChange {
    /// Label, such as `channel` or `core features`.
    pub field: &'static str,
    /// Value in the older release; null for a list.
    pub old: Option<String>,
    /// Value in the newer release; null for a list.
    pub new: Option<String>,
    /// Elements that the newer release added to a list.
    pub added: Vec<String>,
    /// Elements that the newer release removed from a list.
    pub removed: Vec<String>,
}

impl ReleaseChanges {
    /// True if the releases do not differ.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn value(field: &'static str, before: Option<&str>, after: Option<&str>) -> Option<FieldChange> {
    (before != after).then(|| FieldChange {
        field,
        old: before.map(str::to_owned),
        new: after.map(str::to_owned),
        ..FieldChange::default()
    })
}

fn list(field: &'static str, before: &[String], after: &[String]) -> Option<FieldChange> {
    let (added, removed) = (missing(after, before), missing(before, after));
    let is_same = added.is_empty() && removed.is_empty();
    (!is_same).then_some(FieldChange {
        field,
        added,
        removed,
        ..FieldChange::default()
    })
}

pub(super) fn missing(these: &[String], those: &[String]) -> Vec<String> {
    let those: BTreeSet<&String> = those.iter().collect();
    let names = these.iter().filter(|name| !those.contains(name));
    names.cloned().collect()
}

impl Registry {
    /// Compares two releases. Renames in releases between the two are taken into account.
    pub fn compare(&self, before: &Release, after: &Release) -> ReleaseChanges {
        let names = |kind, fields: &dyn Fn(Option<&str>, &str) -> Vec<FieldChange>| {
            self.compare_names(kind, before, after, fields)
        };
        ReleaseChanges {
            general: general(before, after),
            profile_changes: names(NameKind::Profile, &|old, name| {
                let old = old.and_then(|old| before.profile(old));
                after.profile(name).map_or_else(Vec::new, |new| {
                    profile_fields(old.map(|old| (before, old)), (after, new))
                })
            }),
            feature_changes: names(NameKind::Feature, &|old, name| {
                let old = old.and_then(|old| before.feature(old));
                let new = after.feature(name);
                new.map_or_else(Vec::new, |new| feature_fields(old, new))
            }),
            test_changes: names(NameKind::Test, &|old, name| {
                let old = old.and_then(|old| before.test(old));
                after.test(name).map_or_else(Vec::new, |new| {
                    test_fields(old.map(|old| (before, old)), (after, new))
                })
            }),
        }
    }

    fn compare_names(
        &self,
        kind: NameKind,
        before: &Release,
        after: &Release,
        fields: &dyn Fn(Option<&str>, &str) -> Vec<FieldChange>,
    ) -> NameChanges {
        let mut changes = NameChanges::default();
        let mut origins = BTreeSet::new();
        for name in after.names(kind) {
            let renamed_from = if before.has(kind, name) {
                None
            } else {
                self.origin(kind, name, before, after)
            };
            origins.extend(renamed_from);
            let older = renamed_from.or(before.has(kind, name).then_some(name));
            let change = NameChange {
                name: name.to_owned(),
                renamed_from: renamed_from.map(str::to_owned),
                fields: fields(older, name),
            };
            if older.is_none() {
                changes.added.push(change);
            } else if change.renamed_from.is_some() || !change.fields.is_empty() {
                changes.changed.push(change);
            }
        }
        let is_gone = |name: &&str| !after.has(kind, name) && !origins.contains(name);
        let gone = before.names(kind).into_iter().filter(is_gone);
        changes.removed = gone.map(str::to_owned).collect();
        changes
    }

    fn origin<'r>(
        &'r self,
        kind: NameKind,
        name: &str,
        before: &Release,
        after: &Release,
    ) -> Option<&'r str> {
        let between = self.releases().iter().rev().filter(|release| {
            release.version() > before.version() && release.version() <= after.version()
        });
        let mut origin: Option<&'r str> = None;
        for release in between {
            let newer = origin.unwrap_or(name);
            origin = release.renamed_from(kind, newer).or(origin);
        }
        origin.filter(|origin| before.has(kind, origin) && !after.has(kind, origin))
    }
}

fn general(before: &Release, after: &Release) -> Vec<FieldChange> {
    let when = |release: &Release| release.extended_when().map(|when| when.as_str());
    let crds = Channel::ALL.iter().map(|&channel| {
        let field = match channel {
            Channel::Standard => "CRDs of the standard channel",
            Channel::Experimental => "CRDs of the experimental channel",
        };
        list(field, before.crds(channel), after.crds(channel))
    });
    let suite = [
        value(
            "apiVersion of reports",
            before.report_api_version(),
            after.report_api_version(),
        ),
        value("a test is extended when", when(before), when(after)),
    ];
    suite.into_iter().chain(crds).flatten().collect()
}

fn feature_fields(before: Option<&Feature>, after: &Feature) -> Vec<FieldChange> {
    let level = |feature: &Feature| feature.level.as_str();
    let channel = |feature: &Feature| feature.channel.as_str();
    let fields = [
        value("level", before.map(level), Some(level(after))),
        value("channel", before.map(channel), Some(channel(after))),
        value(
            "resource",
            before.and_then(|before| before.resource.as_deref()),
            after.resource.as_deref(),
        ),
        value("meaning", None, after.meaning.as_deref()).filter(|_| before.is_none()),
    ];
    fields.into_iter().flatten().collect()
}

fn profile_fields(
    before: Option<(&Release, &Profile)>,
    after: (&Release, &Profile),
) -> Vec<FieldChange> {
    let old = before.map(|(_, profile)| profile);
    let (_, new) = after;
    let family = |profile: &Profile| profile.family.as_str();
    let is_misnamed = |profile: &&Profile| profile.report_name != profile.name;
    let reported = |profile: Option<&Profile>| {
        let misnamed = profile.filter(is_misnamed);
        misnamed.map(|profile| profile.report_name.clone())
    };
    let count = |(release, profile): (&Release, &Profile), level: Level| {
        let members = release.members(profile).iter();
        let counted = members.filter(|member| member.level == level && !member.test.provisional);
        counted.count().to_string()
    };
    let tests = |field, level| {
        let before = before.map(|before| count(before, level));
        value(field, before.as_deref(), Some(&count(after, level)))
    };
    let features = |of: fn(&Profile) -> &[String]| old.map_or(&[][..], of);
    let fields = [
        value("family", old.map(family), Some(family(new))),
        value(
            "reported as",
            reported(old).as_deref(),
            reported(Some(new)).as_deref(),
        ),
        tests("core tests", Level::Core),
        tests("extended tests", Level::Extended),
        list("core features", features(|one| &one.core), &new.core),
        list(
            "extended features",
            features(|one| &one.extended),
            &new.extended,
        ),
    ];
    fields.into_iter().flatten().collect()
}

fn test_fields(before: Option<(&Release, &Test)>, after: (&Release, &Test)) -> Vec<FieldChange> {
    let old = before.map(|(_, test)| test);
    let (_, new) = after;
    let places = |(release, test): (&Release, &Test)| -> Vec<String> {
        let profiles = release.profiles();
        let places = profiles.filter_map(|profile| {
            let level = release.level(profile, test)?;
            Some(format!("{} {}", profile.name, level.as_str()))
        });
        places.collect()
    };
    let flag = |field, is_set: fn(&Test) -> bool| {
        let text = |is_set| if is_set { "yes" } else { "no" };
        let before = text(old.is_some_and(is_set));
        let change = value(field, Some(before), Some(text(is_set(new))))?;
        Some(match old {
            Some(_) => change,
            None => FieldChange {
                old: None,
                ..change
            },
        })
    };
    let fields = [
        list(
            "needs",
            old.map_or(&[], |test| test.features.as_slice()),
            &new.features,
        ),
        list(
            "counted in",
            &before.map(places).unwrap_or_default(),
            &places(after),
        ),
        flag("provisional", |test| test.provisional),
        flag("ends after the report is written", |test| test.parallel),
    ];
    fields.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::Registry;
    use crate::api::Version;
    use crate::release::Release;

    fn release<'r>(registry: &'r Registry, name: &str) -> &'r Release {
        let version = Version::parse(name).unwrap();
        registry.release(&version).release().unwrap()
    }

    #[test]
    fn finds_no_change_between_equal_releases() {
        let registry = Registry::embedded();
        for release in registry.releases() {
            assert!(registry.compare(release, release).is_empty());
        }
    }

    #[test]
    fn lists_each_name_of_two_releases_once() {
        let registry = Registry::embedded();
        let (old, new) = (release(registry, "v0.8.1"), release(registry, "v1.6.2"));
        let changes = registry.compare(old, new).feature_changes;
        let renamed = "HTTPRouteResponseHeaderModification";
        let renamed = changes.changed.iter().find(|one| one.name == renamed);
        let origin = renamed.unwrap().renamed_from.as_deref();
        assert_eq!(origin, Some("HTTPResponseHeaderModification"));
        assert!(
            !changes
                .removed
                .iter()
                .any(|name| Some(name.as_str()) == origin)
        );
        let old_names: Vec<&str> = old.features().map(|one| one.name.as_str()).collect();
        for feature in new.features() {
            let is_new = changes.added.iter().any(|one| one.name == feature.name);
            let is_renamed = changes
                .changed
                .iter()
                .any(|one| one.name == feature.name && one.renamed_from.is_some());
            let is_old = old_names.contains(&feature.name.as_str());
            let count = [is_new, is_renamed, is_old]
                .iter()
                .filter(|is| **is)
                .count();
            assert_eq!(count, 1, "{}", feature.name);
        }
    }

    #[test]
    fn states_the_origin_of_moved_names() {
        let registry = Registry::embedded();
        let changes = registry.compare(release(registry, "v1.0.0"), release(registry, "v1.1.0"));
        let http = changes
            .profile_changes
            .changed
            .iter()
            .find(|one| one.name == "GATEWAY-HTTP");
        assert_eq!(http.unwrap().renamed_from.as_deref(), Some("HTTP"));
        let all = registry.compare(release(registry, "v1.4.1"), release(registry, "v1.5.1"));
        let cors = all
            .feature_changes
            .changed
            .iter()
            .find(|one| one.name == "HTTPRouteCORS");
        let mut fields = cors.unwrap().fields.iter();
        let moved = fields.find(|field| field.field == "channel").unwrap();
        assert_eq!(moved.old.as_deref(), Some("experimental"));
        assert_eq!(moved.new.as_deref(), Some("standard"));
    }
}
