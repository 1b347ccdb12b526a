//! The words of the Gateway API: versions, channels, levels, families of profiles, results.

mod sets;
mod subject;
mod version;

pub use sets::closed_set;
pub use sets::{Channel, ClosedSet, Family, Level, Mode, NameKind, TestResult};
pub use subject::{SUBJECT, Subject};
pub use version::{Minor, Version};

/// Which shape a report must have. It goes by the release of the suite, never by `apiVersion`: the
/// suites of v1.1.x wrote the newer shape as `v1alpha1`, and so are 19 accepted reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Up to v1.0.x.
    Legacy,
    /// From v1.1.0 on.
    Current,
}
