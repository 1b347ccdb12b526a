use std::collections::HashMap;

use super::CrdsContext;
use crate::needs::absent_fields::{AbsentField, Crds, Served, Write, absent_fields, named_kinds};
use crate::rules::Findings;
use crate::{Crd, Object};
use gwconform_base::api::Version;
use gwconform_base::release::served::Versions;
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::{Words, texts};

pub(super) struct Applied<'a> {
    pub(super) kind: &'a str,
    /// For references, which contain no version, only the API group.
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

    pub(super) fn version(&self) -> &'a str {
        let parts = self.api_version.rsplit_once('/');
        parts.map_or("", |(_, version)| version)
    }
}

fn applied<'a>(cx: &CrdsContext<'a>) -> impl Iterator<Item = Applied<'a>> {
    let crds = cx.crds;
    let objects = cx.cluster.objects.iter();
    objects.filter_map(move |object| Applied::of_object(crds, object))
}

texts! {
    pub(super) enum VersionText<'a> {
        Write { kind: &'a str, version: &'a str, fault: Words, channel: Words, release: &'a Version, api_version: &'a str } => "{kind} {version} {fault} the {channel} CRDs of {release}; write {api_version}",
        NoOther { kind: &'a str, version: &'a str, fault: Words, channel: Words, release: &'a Version } => "{kind} {version} {fault} the {channel} CRDs of {release}, which serve no other version",
    }
}

pub(super) fn versions(
    cx: &CrdsContext<'_>,
    fault: &'static str,
    instead: for<'s> fn(&'s Served<'_>) -> Option<&'s Option<Write<'s>>>,
    out: &mut Findings,
) {
    let fault = Words(fault);
    for one in applied(cx) {
        let Some(write) = instead(&one.served) else {
            continue;
        };
        let (kind, version) = (one.kind, one.version());
        let (channel, release) = (Words(one.crds.channel.as_str()), &one.crds.release.version);
        let text = match write {
            Some(write) => VersionText::Write {
                kind,
                version,
                fault,
                channel,
                release,
                api_version: &write.api_version,
            },
            None => VersionText::NoOther {
                kind,
                version,
                fault,
                channel,
                release,
            },
        };
        out.at(one.at.clone(), text);
    }
}

pub(super) fn named<'a>(cx: &CrdsContext<'a>) -> impl Iterator<Item = Applied<'a>> {
    let crds = cx.crds;
    let objects = cx.cluster.objects.iter();
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
}

/// Kinds that are not served are skipped.
pub(super) fn absent<'a>(
    cx: &CrdsContext<'a>,
) -> impl Iterator<Item = (Crds<'a>, AbsentField<'a>)> {
    let crds = cx.crds;
    let mut of_kinds = HashMap::new();
    let fields = cx.cluster.objects.iter().flat_map(move |object| {
        let (group, kind) = (object.group, object.kind_name);
        let absent = of_kinds.entry((group, kind)).or_insert_with(|| {
            let is_there = crds.kind(group, kind) == Served::Served;
            is_there.then(|| crds.absent_fields(kind))
        });
        let absent = absent.as_ref();
        absent.map_or_else(Vec::new, |absent| absent_fields(absent, object))
    });
    fields.map(move |field| (crds, field))
}

/// Installed CRD of the Gateway API.
pub(super) struct Installed<'a> {
    pub(super) crd: &'a Crd<'a>,
    pub(super) object: &'a Object<'a>,
    pub(super) group: &'a str,
    pub(super) kind: &'a str,
    /// Versions of the CRD to install; `None` if it is not among the CRDs.
    pub(super) to_install: Option<&'a Versions>,
}

pub(super) fn installed<'a>(cx: &CrdsContext<'a>) -> impl Iterator<Item = Installed<'a>> {
    let (cluster, crds) = (cx.cluster, cx.crds);
    let own = cluster
        .crds
        .found
        .iter()
        .filter(|crd| crd.is_of_gateway_api);
    own.filter_map(move |crd| {
        let object = &cluster.objects[crd.object];
        let group = object.at(&["spec"])?.str_at("group");
        let kind = object.at(&["spec", "names"])?.str_at("kind");
        let found = crds.release.kind(group, kind);
        Some(Installed {
            crd,
            object,
            group,
            kind,
            to_install: found.and_then(|found| found.versions(crds.channel)),
        })
    })
}
