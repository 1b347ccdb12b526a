//! Rules about manifests: what they need, and whether an implementation, a class or the CRDs of a
//! release have it (`gwconform needs`).

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
    /// Advice that several rules give.
    pub enum Advice {
        /// About what no report can show.
        LookUp => "check the documentation of the implementation",
        /// About what a report leaves open.
        Try => "try it with the implementation before you migrate, or ask its maintainers for a report that proves it",
    }
}

/// Manifests, and what they are compared with. A rule finds nothing without the part that it needs.
#[derive(Debug)]
pub struct NeedsContext<'a> {
    /// The objects.
    pub cluster: &'a Cluster<'a>,
    /// What they need.
    pub needs: &'a Needs<'a>,
    /// Facts of the releases.
    pub registry: &'a Registry,
    /// The report they are to run with.
    pub to: Option<&'a Target>,
    /// The report they ran with so far.
    pub from: Option<&'a Target>,
    /// The profiles that their Routes need.
    pub profiles: &'a [String],
    /// The GatewayClasses and meshes they are to run with.
    pub listed: &'a [Listed],
    /// The CRDs they are to be applied with.
    pub crds: Option<&'a Crds<'a>>,
}

impl<'a> NeedsContext<'a> {
    /// The features of which the target's report shows this much, and that the report they ran with so
    /// far proves, where there is one. Core features are proved by their profile.
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
