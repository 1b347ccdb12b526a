//! Rules about the resources of a cluster: what an implementation publishes there.
//!
//! They follow GEP-1364 (conditions), GEP-1709 (what the suite reads of CRDs), GEP-2162 (features in
//! GatewayClass), GEP-3949 (meshes) and the implementer's guide; each names its section. Objects that
//! no controller has reconciled yet, objects that are being deleted and the defaults of the API
//! server are not checked.

rules! {
    attached_routes,
    backend_not_found,
    certificate_missing,
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
    former_parent,
    gateway_class_missing,
    gateway_class_not_accepted,
    gateway_not_reconciled,
    incompatible_filters,
    listener_conflict,
    listener_status,
    mesh_accepted,
    mesh_api_version,
    mesh_namespace,
    no_resources,
    observed_generation,
    parameters_ref,
    policy_reference,
    programmed_not_accepted,
    reference_not_permitted,
    route_attachment,
    route_without_status,
    status_outdated,
    supported_kinds,
    supported_version,
    supported_version_unfounded,
    tls_listener,
    tls_option_length,
    tls_option_name,
    tls_secret,
    unreadable,
}

pub(super) use unreadable::RULE as UNREADABLE;

mod shared;

use std::fmt;

use shared::{
    Advice, MAX_KINDS, MAX_LISTENERS, MAX_PARENTS, WITH_LISTENERS, WITH_OPTIONS, by_facts,
    feature_lists, is_camel_case, is_domain_prefixed, listeners_with_status, option_place,
    status_of, tls_options,
};

use crate::api::Version;
pub use crate::cluster::Kind;
use crate::cluster::{Cluster, Object, Status};
use crate::release::{Registry, Release};
use crate::report::facts::ReportFacts;

/// The resources of a cluster.
#[derive(Debug)]
pub struct ResourceContext<'a> {
    /// The objects.
    pub cluster: &'a Cluster<'a>,
    /// Facts of the releases.
    pub registry: &'a Registry,
    /// The release to compare with.
    pub basis: &'a Basis<'a>,
    /// The report to compare with.
    pub report: Option<&'a ReportFacts>,
}

/// The release to compare with.
#[derive(Debug)]
pub struct Basis<'a> {
    /// The release; `None` only for a registry without releases.
    pub release: Option<&'a Release>,
    /// How it was chosen.
    pub choice: ReleaseChoice<'a>,
    /// The channel of the CRDs, where all name the same.
    pub channel: Option<String>,
}

/// How the release was chosen to compare with.
#[derive(Debug)]
pub enum ReleaseChoice<'a> {
    /// It was given.
    Requested(&'a RequestedRelease<'a>),
    /// It is that of the CRDs, or of the report.
    Own(&'static str),
    /// The nearest patch below theirs.
    Near(&'static str, Version),
    /// Theirs is a prerelease of it.
    After(&'static str, Version),
    /// Theirs is unknown; it is the newest known one.
    Unknown(&'static str, Version),
    /// The CRDs are of several; it is the newest known one.
    Several,
    /// None is given; it is the newest known one.
    Newest,
}

/// A release that was given.
#[derive(Debug)]
pub struct RequestedRelease<'a> {
    /// The release.
    pub release: &'a Release,
    /// The version that is expected: that of the release, or an unknown patch for which it stands in.
    pub version: Version,
    /// True where any patch of its minor is meant: `v1.5`.
    pub is_minor: bool,
}

impl fmt::Display for ReleaseChoice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Requested(wanted) => {
                if wanted.version != *wanted.release.version() {
                    write!(f, "the nearest patch below {}, ", wanted.version)?;
                }
                f.write_str("given by --release")
            }
            Self::Own(whose) => write!(f, "the release of {whose}"),
            Self::Near(whose, version) => {
                write!(
                    f,
                    "the nearest patch below {version}, the release of {whose}"
                )
            }
            Self::After(whose, version) => {
                write!(
                    f,
                    "{version}, the release of {whose}, is a prerelease of it"
                )
            }
            Self::Unknown(whose, version) => write!(
                f,
                "the newest known release; {version}, the release of {whose}, is unknown"
            ),
            Self::Several => {
                f.write_str("the newest known release; the CRDs are of several releases")
            }
            Self::Newest => f.write_str("the newest known release; none is given"),
        }
    }
}

impl Basis<'_> {
    /// False where the facts may be those of another release than the cluster's.
    pub fn is_sure(&self) -> bool {
        matches!(
            self.choice,
            ReleaseChoice::Requested(_) | ReleaseChoice::Own(_)
        )
    }

    /// `v1.6.1`; `no release` for a registry without releases.
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
    fn living(&self, kinds: &'a [Kind]) -> impl Iterator<Item = (usize, &'a Object<'a>)> {
        let all = self.cluster.of(kinds);
        all.filter(|(_, object)| !object.is_deleted)
    }
}
