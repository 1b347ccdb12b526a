//! Detects the version and channel of installed CRDs, as the suite does.

use gwconform_base::api::SUBJECT;
use std::collections::BTreeSet;

use super::node::Text;
use super::object::Object;
use super::{GROUP, X_GROUP};

/// CRD annotation that contains the release.
pub const VERSION: &str = SUBJECT.release_annotation;

/// CRD annotation that contains the channel.
pub const CHANNEL: &str = SUBJECT.channel_annotation;

/// Release and channel annotations of a CRD.
#[derive(Debug)]
pub struct Crd<'a> {
    /// Index in [`super::Cluster::objects`].
    pub object: usize,
    /// Value of [`VERSION`].
    pub version: Option<Text<'a>>,
    /// Value of [`CHANNEL`].
    pub channel: Option<Text<'a>>,
    /// Whether the CRD's group belongs to Gateway API.
    pub is_of_gateway_api: bool,
}

/// Gateway API CRDs in the input, and the number of all CRDs.
#[derive(Debug, Default)]
pub struct Crds<'a> {
    /// CRDs of Gateway API, and other CRDs with its annotations.
    pub found: Vec<Crd<'a>>,
    /// Number of CRDs of any group.
    pub all: usize,
}

impl<'a> Crds<'a> {
    /// Reads CRDs, given with their indexes in [`super::Cluster::objects`].
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

    /// CRDs with version or channel annotations, which the suite checks.
    pub fn annotated(&self) -> impl Iterator<Item = &Crd<'a>> {
        self.found.iter().filter(|crd| crd.is_annotated())
    }

    /// Version annotation of the CRDs; `None` if missing or contradictory.
    pub fn version(&self) -> Option<Text<'a>> {
        only(self.found.iter().filter_map(|crd| crd.version))
    }

    /// Channel annotation of the CRDs; `None` if missing or contradictory.
    pub fn channel(&self) -> Option<Text<'a>> {
        only(self.found.iter().filter_map(|crd| crd.channel))
    }

    /// Version annotations, sorted as text.
    pub fn versions(&self) -> BTreeSet<&'a str> {
        let versions = self.found.iter().filter_map(|crd| crd.version);
        versions.map(|version| version.value).collect()
    }

    /// Channel annotations, sorted as text.
    pub fn channels(&self) -> BTreeSet<&'a str> {
        let channels = self.found.iter().filter_map(|crd| crd.channel);
        channels.map(|channel| channel.value).collect()
    }
}

impl Crd<'_> {
    /// Whether the CRD has a version or channel annotation.
    pub(crate) fn is_annotated(&self) -> bool {
        self.version.is_some() || self.channel.is_some()
    }
}

fn only<'a>(mut texts: impl Iterator<Item = Text<'a>>) -> Option<Text<'a>> {
    let first = texts.next()?;
    texts.all(|text| text.value == first.value).then_some(first)
}
