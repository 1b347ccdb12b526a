//! Rules that compare manifests with an implementation, a class or CRDs (`gwconform needs`).

rules! {
    RULES: Rule<NeedsContext> {
        approximate,
        beyond,
        channel,
        implementation_specific,
        no_equivalent,
        not_compared,
        not_listed,
        not_stated,
        possibly,
        profile_missing,
        uncovered,
        unproved,
        unsupported,
    }
    OBJECTS: Rule<CrdsContext> {
        field_gone,
        field_not_in_channel,
        kind_gone,
        kind_not_in_channel,
        version_deprecated,
        version_not_served,
    }
    STATUS: Rule<CrdsContext> {
        features_as_strings,
    }
    CHANGE: Rule<CrdsContext> {
        stored_versions,
        upgrade_denied,
    }
    AFTER: Rule<CrdsContext> {
        class_tested,
        crd_left,
    }
}

/// Rules about CRDs before they are installed.
pub(crate) const BEFORE_UPGRADE: [&[&Rule<CrdsContext>]; 4] = [OBJECTS, STATUS, CHANGE, AFTER];

/// True if the API server refuses the CRDs, or a GatewayClass after they are installed.
pub(crate) fn is_refused(findings: &[Diagnostic]) -> bool {
    let refused = [STATUS, CHANGE].into_iter().flatten();
    let ids: Vec<_> = refused.map(|rule| rule.about().id).collect();
    let mut errors = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    errors.any(|finding| ids.contains(&finding.rule))
}

/// True if a policy that is not in the input may deny the CRDs.
pub(crate) fn may_be_refused(findings: &[Diagnostic]) -> bool {
    let is_of_change = |one: &Diagnostic| CHANGE.iter().any(|rule| rule.about().id == one.rule);
    findings.iter().any(is_of_change)
}

/// Objects of a cluster or manifests, and CRDs to install.
#[derive(Debug)]
pub struct CrdsContext<'a> {
    /// Objects, which may include the installed CRDs.
    pub cluster: &'a Cluster<'a>,
    /// CRDs to install.
    pub crds: Crds<'a>,
    /// False if the CRDs are those of a release that may not match the cluster.
    pub is_sure: bool,
    /// Report of the implementation in the cluster.
    pub report: Option<&'a ReportFacts>,
    /// Reports of a tree, of any implementations.
    pub tested: &'a [ReportFacts],
}

impl Input for CrdsContext<'static> {
    type Of<'a> = CrdsContext<'a>;
    const SCOPE: Scope = Scope::Manifests;
}

mod shared;

use crate::Cluster;
use crate::needs::absent_fields::Crds;
use crate::needs::is_owned;
use crate::needs::{
    BeyondKind, Listed, Loss, LossKind, Lost, Need, Needs, Place, Standing, Support, Target,
};
use crate::rules::{Input, Rule, Scope, rules};
use gwconform_base::release::Registry;
use gwconform_base::text::diagnostic::{Diagnostic, Severity};
use gwconform_base::text::message::texts;
use gwconform_report::report::facts::ReportFacts;

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

impl Input for NeedsContext<'static> {
    type Of<'a> = NeedsContext<'a>;
    const SCOPE: Scope = Scope::Manifests;
}

impl<'a> NeedsContext<'a> {
    /// Needs with the given support. If `from` is set, only features that `from` proves are
    /// considered.
    fn needs_with(
        &self,
        support: Support,
    ) -> impl Iterator<Item = (&'a Need<'a>, &'a Target, &'a Standing)> {
        let from = self.from;
        let is_asked = move |need: &&Need<'_>| from.is_none_or(|from| from.proves(&need.feature));
        let with = self.to.into_iter().flat_map(move |to| {
            let needs = self.needs.certain.iter().filter(is_asked);
            needs.filter_map(move |need| Some((need, to, to.standings.get(&need.feature)?)))
        });
        with.filter(move |(_, _, standing)| standing.support == support)
    }

    /// Losses of one kind, at the places that a target covers.
    fn losses(&self, kind: LossKind) -> impl Iterator<Item = (&'a Loss<'a>, &'a Place<'a>)> {
        self.needs.of_kind(kind).flat_map(move |loss| {
            // CRDs decide all others.
            let is_of_crds =
                self.crds.is_some() && matches!(loss.lost, Lost::Part { .. } | Lost::FieldOrValue);
            let places = loss.places.kept.iter();
            let covered = places.filter(move |place| is_of_crds || self.covers(place));
            covered.map(move |place| (loss, place))
        })
    }

    /// Whether a target covers a place: a report all of them, a class those of Gateways and their
    /// Routes, and a mesh those of Routes of Services.
    fn covers(&self, place: &Place<'_>) -> bool {
        let is_covered = |family| {
            let families = place.families.unwrap_or_default();
            families.is_empty() || families.has(family)
        };
        self.to.is_some() || self.listed.iter().any(|listed| is_covered(listed.family))
    }

    /// Whether the target loses a setting that the source enforces, or an object of another
    /// project. Unknown annotations have no effect.
    fn is_lost(&self, loss: &Loss<'_>) -> bool {
        let is_of_other = loss.group.is_some() && !self.is_owned(loss);
        loss.is_enforced || is_of_other && loss.lost != Lost::Setting(BeyondKind::Annotation)
    }

    /// Whether a setting belongs to each target.
    fn is_owned(&self, loss: &Loss<'_>) -> bool {
        let of_classes = self.listed.iter().map(|listed| &listed.owners);
        let mut owners = self.to.iter().map(|to| &to.owners).chain(of_classes);
        let group = loss.group.as_deref();
        group.is_some_and(|group| owners.all(|owners| is_owned(group, owners)))
    }
}
