//! What somebody states about features: a report, or the list of a GatewayClass or a mesh.

use std::collections::{BTreeMap, BTreeSet};

use crate::api::{Channel, Family};
use crate::cluster::{Cluster, FeatureList, Kind};
use crate::text::diagnostic::Anchor;
use crate::text::message::Message;

/// What a report states about the features that are needed.
#[derive(Debug, Clone)]
pub struct Target {
    /// `globex-gateway 2.7.0`
    pub name: String,
    /// Organization, project, and the host of its URL: what tells whose a group is.
    pub owners: Vec<String>,
    /// The channel that it is for, as it is written.
    pub channel: Option<String>,
    /// The profiles that it has.
    pub profiles: BTreeSet<String>,
    /// By feature.
    pub standings: BTreeMap<String, Standing>,
}

/// What a report shows of a feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// What it comes to.
    pub support: Support,
    /// The same in words: `declared unsupported`.
    pub words: Message,
}

/// What the state of a feature comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Support {
    /// All its tests passed.
    Proved,
    /// It is supported, and not all of its tests were seen to pass.
    Claimed,
    /// It is not known.
    Unknown,
    /// It is not supported, or its tests failed.
    Lacking,
}

impl Target {
    /// True where it is for the standard channel.
    pub fn is_standard(&self) -> bool {
        self.channel.as_deref() == Some(Channel::Standard.as_str())
    }

    /// What it shows of a feature.
    pub fn support(&self, feature: &str) -> Option<Support> {
        Some(self.standings.get(feature)?.support)
    }

    /// True where a group is the implementation's own, as its names and its URL have it: the part
    /// before the top-level domain is its organization or project, or its URL is below the group's
    /// domain. `gateway.acme.example` is that of `acme`.
    pub fn owns(&self, group: &str) -> bool {
        let mut labels = group.rsplit('.');
        let (Some(top), Some(domain)) = (labels.next(), labels.next()) else {
            return false;
        };
        let whole = format!("{domain}.{top}");
        let mut owners = self.owners.iter();
        owners.any(|owner| {
            let is_host = owner.contains('.');
            match is_host {
                true => *owner == whole || owner.ends_with(&format!(".{whole}")),
                false => letters(owner) == letters(domain),
            }
        })
    }
}

/// A name without what people write between its words.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The features that a GatewayClass or a mesh lists as supported.
#[derive(Debug)]
pub struct Listed {
    /// ``GatewayClass `acme` ``
    pub title: Message,
    /// What the features are of.
    pub family: Family,
    /// The names.
    pub features: BTreeSet<String>,
    /// Where the list is.
    pub anchor: Anchor,
}

impl Listed {
    /// The lists of all GatewayClasses, or of all meshes, that have one.
    pub fn all(cluster: &Cluster<'_>, family: Family) -> Vec<Self> {
        let kind = match family {
            Family::Gateway => Kind::GatewayClass,
            Family::Mesh => Kind::Mesh,
        };
        let kinds = [kind];
        let objects = cluster.of(&kinds);
        let listed = objects.filter_map(|(_, object)| {
            let list = FeatureList::try_new(object)?;
            let names = list.names.iter().map(|name| name.value.to_owned());
            Some(Self {
                title: object.title(),
                family,
                features: names.collect(),
                anchor: list.node.head(),
            })
        });
        listed.collect()
    }
}
