//! Version and channel of the installed Gateway API, found as the conformance suite finds them.

use crate::api::SUBJECT;
use std::collections::BTreeSet;

use super::node::Text;
use super::object::Object;
use super::{GROUP, X_GROUP};

/// The annotation with the release that a CRD is from.
pub const VERSION: &str = SUBJECT.release_annotation;

/// The annotation with the channel that a CRD is from.
pub const CHANNEL: &str = SUBJECT.channel_annotation;

/// The release annotations of a CRD.
#[derive(Debug)]
pub struct Crd<'a> {
    /// The object, by its place in [`super::Cluster::objects`].
    pub object: usize,
    /// [`VERSION`]
    pub version: Option<Text<'a>>,
    /// [`CHANNEL`]
    pub channel: Option<Text<'a>>,
    /// True for a CRD of the Gateway API's groups.
    pub is_of_gateway_api: bool,
}

/// All CRDs of a dump.
#[derive(Debug, Default)]
pub struct Crds<'a> {
    /// Those of the Gateway API, and those with one of its annotations.
    pub found: Vec<Crd<'a>>,
    /// How many CRDs there are, of whatever group.
    pub all: usize,
}

impl<'a> Crds<'a> {
    /// Reads objects that are CRDs, with their places among all.
    pub fn read<'o>(crds: impl Iterator<Item = (usize, &'o Object<'a>)>) -> Self
    where
        'a: 'o,
    {
        let mut read = Self::default();
        for (at, object) in crds {
            read.all += 1;
            let annotations = object.at(&["metadata", "annotations"]);
            let text = |name| annotations.and_then(|node| node.text_at(name));
            let group = object.at(&["spec"]).map_or("", |spec| spec.str_at("group"));
            let crd = Crd {
                object: at,
                version: text(VERSION),
                channel: text(CHANNEL),
                is_of_gateway_api: [GROUP, X_GROUP].contains(&group),
            };
            if crd.is_of_gateway_api || crd.is_annotated() {
                read.found.push(crd);
            }
        }
        read
    }

    /// Those that the suite looks at: with at least one of the annotations.
    pub fn annotated(&self) -> impl Iterator<Item = &Crd<'a>> {
        self.found.iter().filter(|crd| crd.is_annotated())
    }

    /// The version, when it is the same wherever there is one.
    pub fn version(&self) -> Option<Text<'a>> {
        only(self.found.iter().filter_map(|crd| crd.version))
    }

    /// The channel, when it is the same wherever there is one.
    pub fn channel(&self) -> Option<Text<'a>> {
        only(self.found.iter().filter_map(|crd| crd.channel))
    }

    /// The versions, each once, sorted.
    pub fn versions(&self) -> BTreeSet<&'a str> {
        let versions = self.found.iter().filter_map(|crd| crd.version);
        versions.map(|version| version.value).collect()
    }

    /// The channels, each once, sorted.
    pub fn channels(&self) -> BTreeSet<&'a str> {
        let channels = self.found.iter().filter_map(|crd| crd.channel);
        channels.map(|channel| channel.value).collect()
    }
}

impl Crd<'_> {
    /// True when it has at least one of the two annotations.
    pub fn is_annotated(&self) -> bool {
        self.version.is_some() || self.channel.is_some()
    }
}

fn only<'a>(mut texts: impl Iterator<Item = Text<'a>>) -> Option<Text<'a>> {
    let first = texts.next()?;
    texts.all(|text| text.value == first.value).then_some(first)
}
