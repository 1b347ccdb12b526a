use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use super::{Reader, is_name};
use crate::api::{Channel, Level};
use crate::release::Feature;
use crate::release::facts::{Content, Named};
use gwconform_go::file::What;
use gwconform_go::program::Package;
use gwconform_go::value::Value;
use gwconform_go::{Result, Unread};

const MAX_MEANING: usize = 300;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Core,
    /// All features of a kind, such as `UDPRouteFeatures`.
    Whole,
    Extended,
    /// Extended features in the experimental channel (up to v1.1).
    Experimental,
}

fn group(name: &str) -> Option<(&str, Group)> {
    let stem = name.strip_suffix("Features")?;
    let groups = [
        ("Core", Group::Core),
        ("Extended", Group::Extended),
        ("Experimental", Group::Experimental),
    ];
    let found = groups
        .into_iter()
        .find_map(|(word, group)| Some((stem.strip_suffix(word)?, group)));
    let (resource, group) = found.unwrap_or((stem, Group::Whole));
    (!matches!((resource, group), ("All" | "", Group::Whole))).then_some((resource, group))
}

#[derive(Default)]
struct Known {
    groups: BTreeSet<(String, Group)>,
    channels: BTreeSet<String>,
}

impl Reader<'_> {
    /// Reads the features. `content` must already contain profiles and CRDs.
    pub(super) fn features(
        &self,
        package: &Rc<Package>,
        content: &Content,
    ) -> Result<Named<Feature>> {
        self.program.initialize(package)?;
        let declared = self.declared(package);
        if declared.is_empty() {
            let reason = "no constant `Support…` is declared";
            return Err(Rc::new(Unread::of_file(&package.folder, reason)));
        }
        let mut known: BTreeMap<String, Known> = BTreeMap::new();
        for (file, declaration) in package.declarations() {
            if !matches!(declaration.what, What::Variable { .. }) {
                continue;
            }
            let name = declaration.name.as_str();
            let value = self.program.member(package, name, package);
            let Some((resource, group)) = group(name) else {
                if let Ok(Some(value @ Value::Struct(_))) = value {
                    self.channel_of(&value, &mut known);
                }
                continue;
            };
            let value = match value {
                Ok(value) => value.unwrap_or(Value::Nil),
                Err(error) => {
                    self.problem(error);
                    continue;
                }
            };
            if !matches!(value, Value::Map(_) | Value::List(_)) {
                let start = declaration.start;
                self.problem(file.error(start..start + 1, "expected a set of features"));
                continue;
            }
            for (key, value) in self.entries(&value, name) {
                let one = if matches!(value, Value::Struct(_)) {
                    value
                } else {
                    key
                };
                self.channel_of(&one, &mut known);
                if let Some(feature) = self.name_of(one, name) {
                    let groups = &mut known.entry(feature).or_default().groups;
                    groups.insert((resource.to_owned(), group));
                }
            }
        }
        let sets_are_read = !self.has_problems();
        let mut features = Named::new();
        for (name, (meaning, error)) in &declared {
            let known = known.remove(name).unwrap_or_default();
            match self.feature(name, &known, &declared, content) {
                Ok(mut feature) => {
                    feature.meaning.clone_from(meaning);
                    features.insert(name.clone(), Arc::new(feature));
                }
                Err(reason) if sets_are_read => {
                    let mut error = (**error).clone();
                    error.reason = reason;
                    self.problem(Rc::new(error));
                }
                // If a set cannot be read, its members are unknown.
                Err(_) => {}
            }
        }
        Ok(features)
    }

    fn declared(&self, package: &Rc<Package>) -> BTreeMap<String, (Option<String>, Rc<Unread>)> {
        let mut declared = BTreeMap::new();
        for (file, declaration) in package.declarations() {
            let is_constant = matches!(declaration.what, What::Constant { .. });
            if !is_constant || !declaration.name.starts_with("Support") {
                continue;
            }
            let start = declaration.start;
            match self.program.member(package, &declaration.name, package) {
                Ok(Some(Value::Text(name))) if is_name(&name) => {
                    let comment = file.comment_of(start);
                    let meaning = comment.and_then(|comment| first_sentence(&comment));
                    let error = file.error(start..start + 1, "");
                    declared.entry(name.to_string()).or_insert((meaning, error));
                }
                Ok(_) => {
                    let reason = "expected the name of a feature: at most 128 letters and digits";
                    self.problem(file.error(start..start + 1, reason));
                }
                Err(error) => self.problem(error),
            }
        }
        declared
    }

    fn channel_of(&self, value: &Value, known: &mut BTreeMap<String, Known>) {
        let (Some(Value::Text(name)), Some(channel)) =
            (self.field(value, "Name"), self.field(value, "Channel"))
        else {
            return;
        };
        match channel {
            Value::Text(channel) => {
                let channels = &mut known.entry(name.to_string()).or_default().channels;
                channels.insert(channel.to_string());
            }
            Value::Unread(error) => self.problem(error),
            other => {
                let reason = format!("the channel is {}", other.described());
                self.problem(self.error_at(value, reason));
            }
        }
    }

    fn feature(
        &self,
        name: &str,
        known: &Known,
        declared: &BTreeMap<String, (Option<String>, Rc<Unread>)>,
        content: &Content,
    ) -> std::result::Result<Feature, String> {
        let is_core = content
            .profiles
            .values()
            .any(|profile| profile.is_core(name));
        let groups: BTreeSet<Group> = known.groups.iter().map(|(_, group)| *group).collect();
        let is_itself = known.groups.contains(&(name.to_owned(), Group::Whole));
        let level = match groups.first() {
            _ if is_core || is_itself => Level::Core,
            None => return Err("a feature in no set `…Features`".to_owned()),
            Some(Group::Core) => Level::Core,
            Some(_) => Level::Extended,
        };
        let resources = known.groups.iter().map(|(resource, _)| resource);
        let of_feature = resources.filter(|resource| declared.contains_key(*resource));
        let resource = of_feature
            .max_by_key(|resource| (name.starts_with(resource.as_str()), resource.len()))
            .cloned();
        let mut channels = known.channels.iter();
        let channel = match (channels.next(), channels.next()) {
            (Some(channel), None) => Channel::from_text(channel)
                .ok_or_else(|| format!("channel `{channel}`; expected standard or experimental"))?,
            (Some(one), Some(other)) => {
                return Err(format!("a feature with two channels, {one} and {other}"));
            }
            // Up to v1.1, features had no channel.
            (None, _) if groups.contains(&Group::Experimental) => Channel::Experimental,
            (None, _) => self.channel_of_resource(resource.as_deref(), content),
        };
        Ok(Feature {
            name: name.to_owned(),
            level,
            channel,
            resource,
            meaning: None,
            renamed_from: None,
        })
    }

    fn channel_of_resource(&self, resource: Option<&str>, content: &Content) -> Channel {
        let singular = resource.unwrap_or_default().to_lowercase();
        let plural = match singular.strip_suffix('y') {
            Some(stem) => format!("{stem}ies"),
            None => format!("{singular}s"),
        };
        let is_in = |channel| {
            let crds = content.crds.get(&channel);
            crds.is_some_and(|crds| crds.contains(&plural))
        };
        match is_in(Channel::Experimental) && !is_in(Channel::Standard) {
            true => Channel::Experimental,
            false => Channel::Standard,
        }
    }
}

fn first_sentence(comment: &str) -> Option<String> {
    let paragraph = comment.trim_start().split("\n\n").next()?;
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let line = words.join(" ");
    let end = line.find(". ").map_or(line.len(), |at| at + 1);
    let sentence = &line[..end];
    if sentence.is_empty() {
        return None;
    }
    if sentence.chars().count() <= MAX_MEANING {
        return Some(sentence.to_owned());
    }
    let kept: String = sentence.chars().take(MAX_MEANING).collect();
    Some(format!("{kept}…"))
}

#[cfg(test)]
mod unit {
    use super::{Group, first_sentence, group};

    #[test]
    fn a_name_says_what_a_set_holds() {
        assert_eq!(
            group("HTTPRouteCoreFeatures"),
            Some(("HTTPRoute", Group::Core))
        );
        assert_eq!(group("UDPRouteFeatures"), Some(("UDPRoute", Group::Whole)));
        assert_eq!(
            group("ExperimentalFeatures"),
            Some(("", Group::Experimental))
        );
        assert_eq!(group("AllFeatures"), None);
        assert_eq!(group("Features"), None);
        assert_eq!(group("GatewayPort8080Feature"), None);
    }

    #[test]
    fn a_meaning_is_the_first_sentence() {
        let comment = "This option is about v1.2 of\na thing. More of it.\n";
        let sentence = first_sentence(comment);
        assert_eq!(
            sentence.as_deref(),
            Some("This option is about v1.2 of a thing.")
        );
        assert_eq!(
            first_sentence("one line\n\nanother").as_deref(),
            Some("one line")
        );
        assert_eq!(first_sentence(" \n"), None);
        assert_eq!(
            first_sentence(&"x".repeat(400)).map(|text| text.chars().count()),
            Some(301)
        );
    }
}
