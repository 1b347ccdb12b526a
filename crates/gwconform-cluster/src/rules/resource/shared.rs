use std::collections::BTreeMap;

use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{Condition, FeatureList, Listener, MAX_ITEMS, Node, Object, Status, Text, listeners};
use gwconform_base::text::diagnostic::{Anchor, Diagnostic, Severity};
use gwconform_base::text::message::{Message, texts};

texts! {
    pub enum Advice {
        InstallCrds => "install the CRDs of one release and channel exactly as they are published",
        ShortenList => "remove entries: the API server rejects the whole status",
    }
}

/// Limits the severity to warning if the release is uncertain, because newer releases may differ.
pub(super) fn by_facts<'o>(
    cx: &ResourceContext<'_>,
    out: &'o mut Findings,
    anchor: Anchor,
    message: impl Into<Message>,
) -> &'o mut Diagnostic {
    let finding = out.at(anchor, message);
    if !cx.basis.is_sure() {
        finding.severity = finding.severity.min(Severity::Warning);
    }
    finding
}

pub(super) fn status_of(condition: &Condition<'_>) -> Message {
    match (condition.value, condition.status) {
        (Some(value), _) => Message::words(value.as_str()),
        (None, Some(written)) if !written.value.is_empty() => Message::code(written.value),
        (None, _) => Message::words("empty"),
    }
}

/// Minimum length in bytes of values that may be secrets. Such values are not printed.
const MAYBE_SECRET: usize = 50;

pub(super) fn option_place(name: Text<'_>, value: Node<'_>) -> Anchor {
    let Anchor { place, subject } = name.node.place();
    let quotable_place = match value.text() {
        Some(text) if text.value.len() >= MAYBE_SECRET => place.without_excerpt(),
        _ => place,
    };
    Anchor::new(quotable_place, subject)
}

pub(super) const WITH_LISTENERS: &[Kind] = &[Kind::Gateway, Kind::ListenerSet];

pub(super) fn listeners_with_status<'a>(
    cx: &ResourceContext<'a>,
    at: usize,
    object: &Object<'a>,
) -> Vec<(Listener<'a>, &'a Status<'a>)> {
    if !cx.cluster.is_current(at) {
        return Vec::new();
    }
    let statuses = cx.cluster.statuses_of(at).iter();
    let by_name: BTreeMap<&str, _> = statuses
        .filter_map(|status| Some((status.entry?.str_at("name"), status)))
        .collect();
    let listeners = listeners(object).into_iter().take(MAX_ITEMS);
    listeners
        .filter_map(|listener| {
            let status = by_name.get(listener.name).copied()?;
            Some((listener, status))
        })
        .collect()
}

pub(super) const WITH_OPTIONS: &[Kind] = &[Kind::Gateway, Kind::ListenerSet, Kind::Policy];

pub(super) fn tls_options<'a>(object: &Object<'a>) -> Vec<(Text<'a>, Node<'a>)> {
    let listeners = listeners(object);
    let own = object
        .at(&["spec", "options"])
        .into_iter()
        .filter(|_| object.kind == Some(Kind::Policy));
    let of_listeners = listeners.iter().flat_map(|listener| listener.options());
    of_listeners.chain(own.flat_map(Node::entries)).collect()
}

pub(super) fn feature_lists<'a>(
    cx: &ResourceContext<'a>,
) -> impl Iterator<Item = (&'a Object<'a>, FeatureList<'a>)> {
    let objects = cx.living(&[Kind::GatewayClass, Kind::Mesh]);
    objects.filter_map(|(_, object)| Some((object, FeatureList::try_new(object)?)))
}

pub(super) fn is_domain_prefixed(text: &str) -> bool {
    let Some((domain, path)) = text.split_once('/') else {
        return false;
    };
    let is_label = |label: &str| {
        let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        !label.is_empty()
            && label.chars().all(is_inner)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    domain.split('.').all(is_label) && !path.is_empty()
}

pub(super) fn is_camel_case(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::{is_camel_case, is_domain_prefixed};

    #[test]
    fn names_are_recognized() {
        for good in ["a.example/b", "x-1.acme.example/b/c", "acme.example/Name"] {
            assert!(is_domain_prefixed(good), "{good}");
        }
        for bad in [
            "",
            "acme",
            "acme.example",
            "acme.example/",
            "Acme.example/b",
            "-a.b/c",
            "a..b/c",
        ] {
            assert!(!is_domain_prefixed(bad), "{bad}");
        }
        assert!(is_camel_case("RefNotPermitted") && is_camel_case("HTTPRoute303"));
        assert!(
            !is_camel_case("refNotPermitted") && !is_camel_case("Not-it") && !is_camel_case("")
        );
    }
}
