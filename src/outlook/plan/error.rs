//! Errors of a plan.

/// Why a run cannot be planned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// No suite data is available.
    #[error("the registry has no data about a suite")]
    NoSuite,
    /// The options exclude each other.
    #[error("{0} and {1} exclude each other (GEP-1709, Integration); pass one of them")]
    Exclusive(&'static str, &'static str),
    /// A feature is both supported and unsupported.
    #[error("`{feature}` is in {supported} and in {not}; expected one of them")]
    Contradiction {
        /// Feature name.
        feature: String,
        /// Option that supports it.
        supported: &'static str,
        /// Option that excludes it.
        not: &'static str,
    },
    /// A core feature is disabled.
    #[error(
        "{option}: `{feature}` is core in {profile} and cannot be disabled (GEP-1709, Integration)"
    )]
    Core {
        /// The option.
        option: &'static str,
        /// Feature name.
        feature: String,
        /// Profile name.
        profile: String,
    },
    /// The release has no such feature.
    #[error("{option}: unknown feature `{feature}` for {release}{hint}")]
    Unknown {
        /// The option.
        option: &'static str,
        /// The unknown name.
        feature: String,
        /// The release.
        release: String,
        /// A suggestion, starting with its separator.
        hint: String,
    },
    /// The release has no such test.
    #[error("--skip-tests: unknown test `{test}` for {release}{hint}")]
    UnknownTest {
        /// The unknown name.
        test: String,
        /// The release.
        release: String,
        /// A suggestion, starting with its separator.
        hint: String,
    },
    /// Only other releases have the feature.
    #[error("{option}: `{feature}` is not in {release}; it exists {lifetime}")]
    Elsewhere {
        /// The option.
        option: &'static str,
        /// Feature name.
        feature: String,
        /// The release.
        release: String,
        /// Releases with the feature: `since v1.1.0`, `in v1.0 to v1.2`.
        lifetime: String,
    },
    /// No features are given, so the suite would infer them from the cluster.
    #[error(
        "the suite of {0} takes features from the GatewayClass or XMesh where no flag lists them; pass --class \
         or --mesh with the resource, or --supported-features (empty for core tests only)"
    )]
    NothingChosen(String),
    /// A Gateway profile requires a GatewayClass.
    #[error(
        "--mesh without --class: {0} is a Gateway profile, and the suite also reads features from the GatewayClass"
    )]
    NoClass(String),
    /// The GatewayClass and XMesh publish no features.
    #[error(
        "no supported features were determined: the suite of {0} stops there; the controller publishes them in \
         status.supportedFeatures (GEP-2162)"
    )]
    NothingPublished(String),
}
