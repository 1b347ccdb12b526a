//! Terms of the Gateway API: versions, channels, levels, profile families and results.

mod sets;
mod subject;
mod version;

pub use gwconform_types::{Channel, ClosedSet, Shape, TestResult, closed_set};
pub use sets::{Family, Level, Mode, NameKind};
pub use subject::{SUBJECT, Subject};
pub use version::{FolderRelease, Minor, Version};
