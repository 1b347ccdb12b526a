/// A closed set of strings, as declared by `closed_set!`.
pub trait ClosedSet: Copy + Eq + 'static {
    /// Values in declaration order.
    const ALL: &'static [Self];

    /// Spelling in reports and outputs.
    fn as_str(self) -> &'static str;

    /// Parses the exact spelling.
    fn from_text(text: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|value| value.as_str() == text)
    }
}

/// Declares an ordered enum with its string values, which JSON uses too.
#[macro_export]
macro_rules! closed_set {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$doc:meta])* $value:ident = $text:literal,)+ }
    ) => {
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord,
            serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        $(#[$meta])*
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $text)] $value,)+
        }

        impl $name {
            /// Values in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// Spelling in reports and outputs.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $text,)+ }
            }

            /// Parses the exact spelling.
            pub fn from_text(text: &str) -> Option<Self> {
                <Self as $crate::ClosedSet>::from_text(text)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl $crate::ClosedSet for $name {
            const ALL: &'static [Self] = Self::ALL;

            fn as_str(self) -> &'static str {
                self.as_str()
            }
        }
    };
}

closed_set! {
    /// Release channel of the Gateway API CRDs.
    pub enum Channel {
        /// Generally available and beta resources and fields.
        Standard = "standard",
        /// Standard channel plus experimental resources and fields.
        Experimental = "experimental",
    }
}

closed_set! {
    /// Outcome of a set of tests.
    pub enum TestResult {
        /// All tests passed.
        Success = "success",
        /// No test failed, but some were skipped.
        Partial = "partial",
        /// At least one test failed. Such reports are not accepted.
        Failure = "failure",
    }
}
