/// Reason why a run cannot be planned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The registry contains no suite data.
    #[error("the registry has no data about a suite")]
    NoSuite,
    /// Two options exclude each other.
    #[error("{0} and {1} exclude each other (GEP-1709, Integration); pass one of them")]
    Exclusive(&'static str, &'static str),
    /// The options make a feature both supported and unsupported.
    #[error("`{feature}` is in {supported} and in {not}; expected one of them")]
    Contradiction {
        /// Feature name, such as `HTTPRouteRequestTimeout`.
        feature: String,
        /// Option that makes the feature supported.
        supported: &'static str,
        /// Option that makes the feature unsupported.
        not: &'static str,
    },
    /// An option disables a core feature.
    #[error(
        "{option}: `{feature}` is core in {profile} and cannot be disabled (GEP-1709, Integration)"
    )]
    Core {
        /// Option, such as `--exempt-features`.
        option: &'static str,
        /// Feature name, such as `HTTPRouteRequestTimeout`.
        feature: String,
        /// Profile name, such as `GATEWAY-HTTP`.
        profile: String,
    },
    /// The release has no feature with this name.
    #[error("{option}: unknown feature `{feature}` for {release}{hint}")]
    Unknown {
        /// Option that names the feature.
        option: &'static str,
        /// Unknown feature name.
        feature: String,
        /// Release of the plan.
        release: String,
        /// Suggestion such as `; did you mean …?`, or empty.
        hint: String,
    },
    /// The release does not have the test.
    #[error("--skip-tests: unknown test `{test}` for {release}{hint}")]
    UnknownTest {
        /// Unknown test name.
        test: String,
        /// Release of the plan.
        release: String,
        /// Suggestion such as `; did you mean …?`, or empty.
        hint: String,
    },
    /// Only other releases have the feature.
    #[error("{option}: `{feature}` is not in {release}; it exists {lifetime}")]
    Elsewhere {
        /// Option that names the feature.
        option: &'static str,
        /// Feature name, such as `HTTPRouteRequestTimeout`.
        feature: String,
        /// Release of the plan.
        release: String,
        /// Releases with the feature, such as `since v1.1.0`.
        lifetime: String,
    },
    /// No option selects features, so the suite would infer them from the cluster. Contains the
    /// release.
    #[error(
        "the suite of {0} takes features from the GatewayClass or XMesh where no flag lists them; pass --class \
         or --mesh with the resource, or --supported-features (empty for core tests only)"
    )]
    NothingChosen(String),
    /// Gateway profiles require a GatewayClass, but only an XMesh was passed. Contains the profile.
    #[error(
        "--mesh without --class: {0} is a Gateway profile, and the suite also reads features from the GatewayClass"
    )]
    NoClass(String),
    /// The GatewayClass and XMesh publish no features, so the suite would stop. Contains the
    /// release.
    #[error(
        "no supported features were determined: the suite of {0} stops there; the controller publishes them in \
         status.supportedFeatures (GEP-2162)"
    )]
    NothingPublished(String),
}
