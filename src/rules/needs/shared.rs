//! What the rules about CRDs have in common.

use std::collections::HashMap;

use super::NeedsContext;
use crate::diagnostic::Anchor;
use crate::needs::crds::{AbsentField, Crds, Served, absent_fields, named_kinds};
use crate::resource::Object;

/// A kind of an object or of a reference, and what the CRDs do with it.
pub(super) struct Applied<'a> {
    pub(super) kind: &'a str,
    /// `gateway.networking.k8s.io/v1`; of a reference its group.
    pub(super) api_version: &'a str,
    pub(super) at: Anchor,
    pub(super) crds: Crds<'a>,
    pub(super) served: Served<'a>,
}

impl<'a> Applied<'a> {
    fn of_object(crds: Crds<'a>, object: &Object<'a>) -> Option<Self> {
        let api_version = object.root.text_at("apiVersion")?;
        Some(Self {
            kind: object.kind_name,
            api_version: api_version.value,
            at: api_version.place(),
            crds,
            served: crds.object(api_version.value, object.kind_name),
        })
    }

    /// `v1`
    pub(super) fn version(&self) -> &'a str {
        let parts = self.api_version.rsplit_once('/');
        parts.map_or("", |(_, version)| version)
    }
}

/// The objects; none without CRDs to compare with.
pub(super) fn applied<'a>(cx: &NeedsContext<'a>) -> impl Iterator<Item = Applied<'a>> {
    let crds = cx.crds.copied();
    let objects = cx.cluster.objects.iter();
    crds.into_iter().flat_map(move |crds| {
        let objects = objects.clone();
        objects.filter_map(move |object| Applied::of_object(crds, object))
    })
}

/// The objects, and the kinds that they refer to.
pub(super) fn named<'a>(cx: &NeedsContext<'a>) -> impl Iterator<Item = Applied<'a>> {
    let crds = cx.crds.copied();
    let objects = cx.cluster.objects.iter();
    crds.into_iter().flat_map(move |crds| {
        let objects = objects.clone();
        objects.flat_map(move |object| {
            let references = named_kinds(object).into_iter().map(move |named| Applied {
                kind: named.kind.value,
                api_version: named.group,
                at: named.kind.place(),
                crds,
                served: crds.kind(named.group, named.kind.value),
            });
            Applied::of_object(crds, object)
                .into_iter()
                .chain(references)
        })
    })
}

/// The fields that the CRDs do not have, of objects whose kind they have.
pub(super) fn absent<'a>(
    cx: &NeedsContext<'a>,
) -> impl Iterator<Item = (Crds<'a>, AbsentField<'a>)> {
    let crds = cx.crds.copied();
    let objects = cx.cluster.objects.iter();
    crds.into_iter().flat_map(move |crds| {
        let mut of_kinds = HashMap::new();
        let fields = objects.clone().flat_map(move |object| {
            let (group, kind) = (object.group, object.kind_name);
            let absent = of_kinds.entry((group, kind)).or_insert_with(|| {
                let is_there = crds.kind(group, kind) == Served::Served;
                is_there.then(|| crds.absent_fields(kind))
            });
            let absent = absent.as_ref();
            absent.map_or_else(Vec::new, |absent| absent_fields(absent, object))
        });
        fields.map(move |field| (crds, field))
    })
}
