//! What the rules about CRDs have in common.

use super::NeedsContext;
use crate::diagnostic::Anchor;
use crate::needs::crds::{AbsentField, Crds, Served, absent_fields};
use crate::resource::Object;

/// An object of a group of the API, and what the CRDs do with it.
pub(super) struct Applied<'a> {
    pub(super) object: &'a Object<'a>,
    /// `gateway.networking.k8s.io/v1`
    pub(super) api_version: &'a str,
    pub(super) at: Anchor,
    pub(super) crds: Crds<'a>,
    pub(super) served: Served<'a>,
}

impl<'a> Applied<'a> {
    /// `v1`
    pub(super) fn version(&self) -> &'a str {
        let parts = self.api_version.rsplit_once('/');
        parts.map_or("", |(_, version)| version)
    }
}

/// The objects with an apiVersion of the API; none without CRDs to compare with.
pub(super) fn applied<'a>(cx: &NeedsContext<'a>) -> impl Iterator<Item = Applied<'a>> {
    let crds = cx.crds.copied();
    let objects = cx.cluster.objects.iter();
    crds.into_iter().flat_map(move |crds| {
        objects.clone().filter_map(move |object| {
            let api_version = object.root.text_at("apiVersion")?;
            Some(Applied {
                object,
                api_version: api_version.value,
                at: api_version.place(),
                crds,
                served: crds.object(api_version.value, object.kind_name),
            })
        })
    })
}

/// The fields that the CRDs do not have, of objects whose kind they have.
pub(super) fn absent<'a>(
    cx: &NeedsContext<'a>,
) -> impl Iterator<Item = (Crds<'a>, AbsentField<'a>)> {
    let has_kind = |one: &Applied<'_>| {
        matches!(
            one.served,
            Served::Served | Served::Deprecated { .. } | Served::VersionNotServed { .. }
        )
    };
    applied(cx).filter(has_kind).flat_map(|one| {
        let fields = absent_fields(&one.crds, one.object).into_iter();
        fields.map(move |field| (one.crds, field))
    })
}
