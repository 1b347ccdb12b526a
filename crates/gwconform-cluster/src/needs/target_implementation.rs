use std::collections::{BTreeMap, BTreeSet};

use crate::{Cluster, FeatureList, Kind};
use gwconform_base::api::{Channel, Family};
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::report::formats::host_of;

/// Identity and features of an implementation, from its report.
#[derive(Debug, Clone)]
pub struct Target {
    /// Project and version, such as `globex-gateway 2.7.0`.
    pub name: String,
    /// Report that was compared: release, channel, mode and path.
    pub report: String,
    /// Organization, project and URL host.
    pub owners: Vec<String>,
    /// Channel as written in the report.
    pub channel: Option<String>,
    /// Names of the report's profiles.
    pub profiles: BTreeSet<String>,
    /// Support by feature name.
    pub standings: BTreeMap<String, Standing>,
}

/// Support for a feature, with a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Level of support, such as proved, claimed or lacking.
    pub support: Support,
    /// Description for messages, such as `declared unsupported`.
    pub words: Message,
}

/// Support for a feature, as far as a report proves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Support {
    /// All tests passed.
    Proved,
    /// Listed as supported, but not fully tested.
    Claimed,
    /// The report does not cover the feature.
    Unknown,
    /// Listed as unsupported, or a test failed.
    Lacking,
}

impl Target {
    /// Whether the report's channel is `standard`.
    pub fn is_standard(&self) -> bool {
        self.channel.as_deref() == Some(Channel::Standard.as_str())
    }

    /// Whether the report proves the feature.
    pub fn proves(&self, feature: &str) -> bool {
        let standing = self.standings.get(feature);
        standing.is_some_and(|standing| standing.support == Support::Proved)
    }
}

/// Whether an API group belongs to an implementation, judged by organization, project or domain.
pub(crate) fn is_owned(group: &str, owners: &[String]) -> bool {
    let mut labels = group.rsplit('.');
    let (Some(top), Some(domain)) = (labels.next(), labels.next()) else {
        return false;
    };
    let whole = format!("{domain}.{top}");
    owners.iter().any(|owner| {
        if owner.contains('.') {
            *owner == whole || owner.ends_with(&format!(".{whole}"))
        } else {
            letters(owner) == letters(domain)
        }
    })
}

/// Organization, project and URL host in a report.
pub(crate) fn owners_of(report: &ReportFacts) -> Vec<String> {
    let names = [report.organization(), report.project()];
    let host = report.url().and_then(host_of);
    let names = names.into_iter().flatten().map(str::to_owned);
    names.chain(host).collect()
}

fn letters(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Features that a GatewayClass or a mesh lists.
#[derive(Debug)]
pub struct Listed {
    /// Title of the object, such as ``GatewayClass `acme` ``.
    pub title: Message,
    /// Family that the object implements.
    pub family: Family,
    /// Domain of the controller.
    pub owners: Vec<String>,
    /// Names of the listed features.
    pub features: BTreeSet<String>,
    /// Position of the feature list.
    pub anchor: Anchor,
}

impl Listed {
    /// Reads the feature lists of all GatewayClasses or meshes.
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
            let controller = object
                .at(&["spec"])
                .map_or("", |spec| spec.str_at("controllerName"));
            let domain = controller
                .split_once('/')
                .map(|(domain, _)| domain.to_owned());
            Some(Self {
                title: object.title(),
                family,
                owners: domain.into_iter().collect(),
                features: names.collect(),
                anchor: list.node.head(),
            })
        });
        listed.collect()
    }
}
