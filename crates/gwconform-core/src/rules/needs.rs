//! Rules that compare manifests with an implementation, a class or CRDs (`gwconform needs`).

rules! {
    beyond,
    channel,
    field_gone,
    field_not_in_channel,
    implementation_specific,
    kind_gone,
    kind_not_in_channel,
    not_listed,
    not_stated,
    profile_missing,
    uncovered,
    unproved,
    unsupported,
    version_deprecated,
    version_not_served,
}

mod shared;

use crate::cluster::Cluster;
use crate::cluster::needs::crds::Crds;
use crate::cluster::needs::{Listed, Need, Needs, Standing, Support, Target};
use crate::release::{Profile, Registry};
use crate::text::message::texts;

texts! {
    /// Advice about requirements that no report can prove.
    pub enum Advice {
        /// For requirements that conformance reports never cover.
        LookUp => "check the documentation of the implementation",
        /// For requirements that a report could prove.
        Try => "try it with the implementation before you migrate, or ask its maintainers for a report that proves it",
    }
}

/// Manifests, and the targets to compare them with.
#[derive(Debug)]
pub struct NeedsContext<'a> {
    /// Objects in the manifests.
    pub cluster: &'a Cluster<'a>,
    /// Features and settings that the manifests require.
    pub needs: &'a Needs<'a>,
    /// Release data, to explain names and releases.
    pub registry: &'a Registry,
    /// Report of the target implementation.
    pub to: Option<&'a Target>,
    /// Report of the current implementation.
    pub from: Option<&'a Target>,
    /// Profiles that the Routes require.
    pub profiles: &'a [String],
    /// GatewayClasses and meshes of the target cluster.
    pub listed: &'a [Listed],
    /// CRDs of the target cluster.
    pub crds: Option<&'a Crds<'a>>,
}

impl<'a> NeedsContext<'a> {
    /// Features with the given support. If `from` is set, only features that `from` proves are
    /// considered. Core features of the required profiles are omitted unless the target lacks them.
    fn needs_with(
        &self,
        support: Support,
    ) -> impl Iterator<Item = (&'a Need<'a>, &'a Target, &'a Standing)> {
        let from = self.from;
        let names = self.profiles.iter();
        let profiles: Vec<&Profile> = names
            .filter_map(|name| self.registry.profile(name))
            .collect();
        let is_asked = move |need: &&Need<'_>| {
            let ran = from.is_none_or(|from| from.support(&need.feature) == Some(Support::Proved));
            let is_proved = need.is_proved_by(&profiles, self.registry);
            ran && (!is_proved || support == Support::Lacking)
        };
        let with = self.to.into_iter().flat_map(move |to| {
            let needs = self.needs.certain.iter().filter(is_asked.clone());
            needs.filter_map(move |need| Some((need, to, to.standings.get(&need.feature)?)))
        });
        with.filter(move |(_, _, standing)| standing.support == support)
    }
}
