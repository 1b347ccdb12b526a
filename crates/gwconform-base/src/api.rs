//! Terms of the Gateway API: versions, channels, levels, profile families and results.

mod sets;
mod subject;
mod version;

pub use sets::closed_set;
pub use sets::{Channel, ClosedSet, Family, Level, Mode, NameKind, TestResult};
pub use subject::{SUBJECT, Subject};
pub use version::{FolderRelease, Minor, Version};

/// Report format, which depends on the suite's release, not on `apiVersion`: suites of v1.1.x wrote
/// the newer format with `v1alpha1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Report format of suites up to v1.0.x.
    Legacy,
    /// Report format of suites v1.1.0 and newer.
    Current,
}
