//! The closed sets of a report's values.

/// A type whose values are a closed set of texts.
pub trait ClosedSet: Copy + Eq + 'static {
    /// All of them, in their order.
    const ALL: &'static [Self];

    /// The text, as reports and all outputs have it.
    fn as_str(self) -> &'static str;

    /// The value with exactly this text.
    fn from_text(text: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|value| value.as_str() == text)
    }
}

/// Declares an enum whose values are texts: the one place that spells them. Order is that of the
/// declaration; JSON and its schema have the texts.
#[macro_export]
macro_rules! closed_set {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$doc:meta])* $value:ident = $text:literal,)+ }
    ) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord,
            serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $text)] $value,)+
        }

        impl $name {
            /// All of them, in their order.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// The text, as reports and all outputs have it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $text,)+ }
            }

            /// The value with exactly this text.
            pub fn from_text(text: &str) -> Option<Self> {
                <Self as $crate::api::ClosedSet>::from_text(text)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl $crate::api::ClosedSet for $name {
            const ALL: &'static [Self] = Self::ALL;

            fn as_str(self) -> &'static str {
                self.as_str()
            }
        }
    };
}
pub use crate::closed_set;

closed_set! {
    /// What every implementation must do, or what it may.
    pub enum Level {
        /// Every implementation of the resource does it.
        Core = "core",
        /// An implementation may support it.
        Extended = "extended",
    }
}

closed_set! {
    /// Release channel of the Gateway API CRDs.
    pub enum Channel {
        /// What is generally available or beta.
        Standard = "standard",
        /// Standard and what is still being tried.
        Experimental = "experimental",
    }
}

closed_set! {
    /// What a profile is about: traffic into a cluster, or within one.
    pub enum Family {
        /// Routes attached to Gateways.
        Gateway = "gateway",
        /// Routes attached to Services.
        Mesh = "mesh",
    }
}

closed_set! {
    /// Outcome of a set of tests.
    pub enum TestResult {
        /// All tests passed.
        Success = "success",
        /// None failed, some were skipped.
        Partial = "partial",
        /// Some failed; such a report is not accepted.
        Failure = "failure",
    }
}

closed_set! {
    /// How the implementation was deployed. Implementations name modes of their own.
    pub enum Mode {
        /// The mode of an implementation that has only one.
        Default = "default",
    }
}

closed_set! {
    /// The kinds of names that a release declares.
    pub enum NameKind {
        /// `HTTPRouteCORS` in a list of features.
        Feature = "feature",
        /// `GATEWAY-HTTP`.
        Profile = "profile",
        /// `HTTPRouteCORS` in a list of tests.
        Test = "test",
    }
}
