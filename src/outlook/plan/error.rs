//! Why a run cannot be planned.

/// A reason why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Nothing is known of any suite.
    #[error("the registry has no data about a suite")]
    NoSuite,
    /// Two options that exclude each other.
    #[error("{0} and {1} exclude each other (GEP-1709, Integration); pass one of them")]
    Exclusive(&'static str, &'static str),
    /// One feature is supported and not.
    #[error("`{feature}` is in {supported} and in {not}; expected one of them")]
    Contradiction {
        /// The feature.
        feature: String,
        /// The option that supports it.
        supported: &'static str,
        /// The option that does not.
        not: &'static str,
    },
    /// A core feature is disabled.
    #[error(
        "{option}: `{feature}` is core in {profile} and cannot be disabled (GEP-1709, Integration)"
    )]
    Core {
        /// The option.
        option: &'static str,
        /// The feature.
        feature: String,
        /// The profile.
        profile: String,
    },
    /// A name that is not a feature of the release.
    #[error("{option}: unknown feature `{feature}` for {release}{hint}")]
    Unknown {
        /// The option.
        option: &'static str,
        /// The name.
        feature: String,
        /// The release.
        release: String,
        /// What was probably meant, or where it is known; begins with its separator.
        hint: String,
    },
    /// A name that is not a test of the release.
    #[error("--skip-tests: unknown test `{test}` for {release}{hint}")]
    UnknownTest {
        /// The name.
        test: String,
        /// The release.
        release: String,
        /// What was probably meant; begins with its separator.
        hint: String,
    },
    /// A feature of other releases.
    #[error("{option}: `{feature}` is not in {release}; it exists {lifetime}")]
    Elsewhere {
        /// The option.
        option: &'static str,
        /// The name.
        feature: String,
        /// The release.
        release: String,
        /// The releases that have it: `since v1.1.0`, `in v1.0 to v1.2`.
        lifetime: String,
    },
    /// Nothing says what is supported, and the suite would look into the cluster.
    #[error(
        "the suite of {0} takes features from the GatewayClass or XMesh where no flag lists them; pass --class \
         or --mesh with the resource, or --supported-features (empty for core tests only)"
    )]
    NothingChosen(String),
    /// An XMesh without a GatewayClass, for a profile of Gateways.
    #[error(
        "--mesh without --class: {0} is a Gateway profile, and the suite also reads features from the GatewayClass"
    )]
    NoClass(String),
    /// The class and mesh publish nothing.
    #[error(
        "no supported features were determined: the suite of {0} stops there; the controller publishes them in \
         status.supportedFeatures (GEP-2162)"
    )]
    NothingPublished(String),
}
