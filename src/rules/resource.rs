//! Rules about the resources of a cluster: what an implementation publishes there.
//!
//! They follow GEP-1364 (conditions), GEP-1709 (what the suite reads of CRDs), GEP-2162 (features in
//! GatewayClass), GEP-3949 (meshes) and the implementer's guide; each names its section. What no
//! controller has touched yet, what is being deleted and what the API server writes by default is
//! nobody's mistake and passed over.

rules! {
    backend_not_found,
    class_undecided,
    condition_missing,
    condition_own_reason,
    condition_polarity,
    condition_reason,
    condition_repeated,
    condition_retired,
    condition_status,
    condition_type,
    conditions_too_many,
    controller_name,
    crd_annotation_missing,
    crd_mixed,
    crd_none,
    crd_report,
    crd_version,
    crd_without_annotations,
    feature_dropped,
    feature_name,
    feature_repeated,
    feature_unknown,
    feature_without_core,
    features_absent,
    features_order,
    features_report,
    features_too_many,
    gateway_class_missing,
    gateway_class_not_accepted,
    mesh_accepted,
    mesh_api_version,
    mesh_namespace,
    no_resources,
    observed_generation,
    parameters_ref,
    reference_not_permitted,
    route_without_status,
    status_outdated,
    supported_version,
    supported_version_unfounded,
    tls_listener,
    tls_option_length,
    tls_option_name,
    tls_secret,
    unreadable,
}

use std::fmt;

use super::Findings;
use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::facts::ReportFacts;
use crate::registry::{Registry, Release, Version};
pub use crate::resource::Kind;
use crate::resource::{Cluster, FeatureList, Node, Object, Status, Text, listeners};

/// The resources of a cluster.
#[derive(Debug)]
pub struct ResourceContext<'a> {
    /// The objects.
    pub cluster: &'a Cluster<'a>,
    /// Facts of the releases.
    pub registry: &'a Registry,
    /// The release whose facts count.
    pub basis: &'a Basis<'a>,
    /// The report to compare with.
    pub report: Option<&'a ReportFacts>,
}

/// The release whose facts count.
#[derive(Debug)]
pub struct Basis<'a> {
    /// The release; `None` only for a registry without releases.
    pub release: Option<&'a Release>,
    /// How it was chosen.
    pub known: Known<'a>,
    /// The channel of the CRDs, where all name the same.
    pub channel: Option<String>,
}

/// How the release was chosen whose facts count.
#[derive(Debug)]
pub enum Known<'a> {
    /// It was asked for.
    Wanted(&'a Wanted<'a>),
    /// It is that of the CRDs, or of the report.
    Own(&'static str),
    /// The nearest patch below theirs.
    Near(&'static str, Version),
    /// Theirs is not known; it is the newest that is.
    Unknown(&'static str, Version),
    /// The CRDs are of several; it is the newest that is known.
    Several,
    /// Nothing names one; it is the newest that is known.
    Newest,
}

/// A release that was asked for.
#[derive(Debug)]
pub struct Wanted<'a> {
    /// The release.
    pub release: &'a Release,
    /// True for one of which any patch will do: `v1.5`.
    pub is_minor: bool,
}

impl fmt::Display for Known<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wanted(_) => f.write_str("as asked for"),
            Self::Own(whose) => write!(f, "the release of {whose}"),
            Self::Near(whose, version) => {
                write!(
                    f,
                    "the nearest patch below {version}, the release of {whose}"
                )
            }
            Self::Unknown(whose, version) => write!(
                f,
                "the newest release known here; {version}, the release of {whose}, is not"
            ),
            Self::Several => {
                f.write_str("the newest release known here, as the CRDs are of several")
            }
            Self::Newest => f.write_str("the newest release known here; nothing names another"),
        }
    }
}

impl Basis<'_> {
    /// False where the facts may be those of another release than the cluster's.
    pub fn is_sure(&self) -> bool {
        matches!(self.known, Known::Wanted(_) | Known::Own(_))
    }

    /// `v1.6.1`, or what stands for it.
    pub fn version(&self) -> String {
        self.release.map_or_else(
            || "no release".to_owned(),
            |release| release.version().to_string(),
        )
    }
}

impl<'a> ResourceContext<'a> {
    /// The object that conditions are of.
    pub fn object(&self, status: &Status<'a>) -> &'a Object<'a> {
        &self.cluster.objects[status.object]
    }

    /// Objects of some kinds that stay, with their place among all.
    pub fn living(&self, kinds: &'a [Kind]) -> impl Iterator<Item = (usize, &'a Object<'a>)> {
        let all = self.cluster.of(kinds);
        all.filter(|(_, object)| !object.is_deleted)
    }
}

/// Adds a finding that rests on the facts of a release. Where these may be those of another, it is
/// a warning at most: what is newer than the registry is never wrong.
pub fn by_facts<'o>(
    cx: &ResourceContext<'_>,
    out: &'o mut Findings,
    place: Place,
    message: String,
) -> &'o mut Diagnostic {
    let finding = out.at(place, message);
    if !cx.basis.is_sure() {
        finding.severity = finding.severity.min(Severity::Warning);
    }
    finding
}

/// From this many characters on the value of a TLS option may be a secret, and is not printed.
const MAYBE_SECRET: usize = 50;

/// The place of a TLS option's name; without its line where the value beside it may be a secret.
fn option_place(name: Text<'_>, value: Node<'_>) -> Place {
    let place = name.node.place();
    match value.text() {
        Some(text) if text.value.len() >= MAYBE_SECRET => place.without_excerpt(),
        _ => place,
    }
}

/// What has listeners.
const WITH_LISTENERS: &[Kind] = &[Kind::Gateway, Kind::ListenerSet];

/// What has TLS options.
const WITH_OPTIONS: &[Kind] = &[Kind::Gateway, Kind::ListenerSet, Kind::Policy];

/// The TLS options of an object's listeners; of a BackendTLSPolicy its own.
fn tls_options<'a>(object: &Object<'a>) -> Vec<(Text<'a>, Node<'a>)> {
    let listeners = listeners(object);
    let own = object.at(&["spec", "options"]).into_iter();
    let own = own.filter(|_| object.kind == Some(Kind::Policy));
    let of_listeners = listeners.iter().flat_map(|listener| listener.options());
    of_listeners.chain(own.flat_map(Node::entries)).collect()
}

/// The GatewayClasses and meshes that list features.
fn feature_lists<'a>(
    cx: &ResourceContext<'a>,
) -> impl Iterator<Item = (&'a Object<'a>, FeatureList<'a>)> {
    let objects = cx.living(&[Kind::GatewayClass, Kind::Mesh]);
    objects.filter_map(|(_, object)| Some((object, FeatureList::of(object)?)))
}

/// True for `example.com/name`: a DNS name, a slash, and a path, as the CRDs ask for.
fn is_domain_prefixed(text: &str) -> bool {
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

/// True for a CamelCase word: letters and digits, the first a capital.
fn is_camel_case(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::{is_camel_case, is_domain_prefixed};

    #[test]
    fn words_are_told_apart() {
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
