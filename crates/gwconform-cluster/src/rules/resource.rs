//! Rules about Gateway API resources in a cluster.
//!
//! Sources: GEP-1364 (conditions), GEP-1709 (CRDs), GEP-2162 (features), GEP-3949 (meshes) and the
//! implementer's guide. Skips unreconciled objects, deleted objects and API server defaults.

macro_rules! resource_rule {
    (
        $page:literal, $kinds:expr, $check:expr, $name:ident $(<$lifetime:lifetime>)? $(, $texts:ty)*;
        $($variants:tt)*
    ) => {
        gwconform_base::text::message::texts! { enum $name $(<$lifetime>)? { $($variants)* } }
        resource_rule!($page, $kinds, $check, $name $(, $texts)*);
    };
    ($page:literal, $kinds:expr, $check:expr, $($texts:ty),+ $(,)?) => {
        /// Rule that this module checks.
        pub static RULE: super::ResourceRule = super::ResourceRule {
            rule: crate::rules::rule_of!($page, super::ResourceContext, $check, $($texts),+),
            kinds: $kinds,
        };
    };
}

rules! {
    RULES: ResourceRule {
        attached_listener_sets,
        attached_routes,
        backend_not_found,
        backend_port,
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
        core_group,
        crd_annotation_missing,
        crd_mixed,
        crd_none,
        crd_report,
        crd_version,
        crd_without_annotations,
        endpoint_picker,
        feature_dropped,
        feature_name,
        feature_not_listed,
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
        listener_set_attachment,
        listener_status,
        listeners_not_valid,
        mesh_accepted,
        mesh_api_version,
        mesh_namespace,
        mesh_route_without_status,
        observed_generation,
        parameters_ref,
        parent_not_found,
        parent_repeated,
        policy_conflict,
        policy_reference,
        programmed_not_accepted,
        programmed_without_address,
        reason_unfounded,
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
}

pub(crate) use unreadable::RULE as UNREADABLE;

mod shared;

use std::fmt;

use shared::{
    Advice, WITH_LISTENERS, WITH_OPTIONS, by_facts, feature_lists, is_camel_case,
    is_domain_prefixed, listeners_with_status, option_place, status_of, tls_options,
};

pub use crate::Kind;
use crate::rules::{About, Input, Rule, Scope, rules};
use crate::{Cluster, Object, Status};
use gwconform_base::api::Version;
use gwconform_base::release::{Registry, Release};
use gwconform_report::report::facts::ReportFacts;

/// Rule that checks a dump if it has a kind of each list.
#[derive(Debug)]
pub struct ResourceRule {
    /// Rule without the kinds.
    pub rule: Rule<ResourceContext<'static>>,
    /// The dump must have one kind of each list.
    pub kinds: &'static [&'static [Kind]],
}

impl ResourceRule {
    /// Documentation of the rule.
    pub const fn about(&self) -> &'static About {
        self.rule.about()
    }
}

impl Input for ResourceContext<'static> {
    type Of<'a> = ResourceContext<'a>;
    const SCOPE: Scope = Scope::Resources;
}

/// Resources, and the release and report to compare them with.
#[derive(Debug)]
pub struct ResourceContext<'a> {
    /// Objects in the dump.
    pub cluster: &'a Cluster<'a>,
    /// Release data for all releases.
    pub registry: &'a Registry,
    /// Release to compare with, and how it was chosen.
    pub basis: &'a Basis<'a>,
    /// Report of the implementation, if requested.
    pub report: Option<&'a ReportFacts>,
}

/// Release to compare resources with.
#[derive(Debug)]
pub struct Basis<'a> {
    /// `None` only if the registry is empty.
    pub release: Option<&'a Release>,
    /// Origin of the release.
    pub choice: ReleaseChoice<'a>,
    /// Channel of the CRDs, if all CRDs have the same channel.
    pub channel: Option<String>,
}

/// Origin of the release. Strings name the source, such as the CRDs or the report.
#[derive(Debug)]
pub enum ReleaseChoice<'a> {
    /// Requested with `--release`.
    Requested(&'a RequestedRelease<'a>),
    /// Exact release of the CRDs or the report.
    Own(&'static str),
    /// Nearest patch below an unknown release.
    Near(&'static str, Version),
    /// Final release of a prerelease.
    After(&'static str, Version),
    /// Newest known release, because the source's release is unknown.
    Unknown(&'static str, Version),
    /// Newest known release, because the CRDs have different releases.
    Several,
    /// Newest known release, because neither CRDs nor report have one.
    Newest,
}

/// Release that the user requested.
#[derive(Debug)]
pub struct RequestedRelease<'a> {
    /// Known release that is used.
    pub release: &'a Release,
    /// Requested version. For an unknown patch, it differs from the version of `release`.
    pub version: Version,
    /// True if only a minor was requested, such as `v1.5`.
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
    /// False if the data may not match the cluster.
    pub(crate) fn is_sure(&self) -> bool {
        matches!(
            self.choice,
            ReleaseChoice::Requested(_) | ReleaseChoice::Own(_)
        )
    }

    /// `no release` if the registry is empty.
    pub fn version(&self) -> String {
        self.release.map_or_else(
            || "no release".to_owned(),
            |release| release.version().to_string(),
        )
    }
}

impl<'a> ResourceContext<'a> {
    /// Object that a status belongs to.
    pub fn object(&self, status: &Status<'a>) -> &'a Object<'a> {
        &self.cluster.objects[status.object]
    }

    fn living(&self, kinds: &'a [Kind]) -> impl Iterator<Item = (usize, &'a Object<'a>)> {
        let all = self.cluster.of(kinds);
        all.filter(|(_, object)| !object.is_deleted)
    }
}
