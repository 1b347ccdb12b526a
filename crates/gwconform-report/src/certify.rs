//! Determines the verdicts on profiles in reports, and on implementations.
//!
//! | Condition of a profile in a report | Status |
//! |---|---|
//! | The file is cut off, or the core result or a test count is missing | unreadable |
//! | The organization, project, release, channel or the profile has an error | contradictory |
//! | The report is for a prerelease, or the run precedes the first release of its minor | unverified |
//! | A test failed, no core test passed, or too many core tests were skipped | failing |
//! | The release is not in the registry and is not a plausible next patch | unverified |
//! | A test was skipped, or the result is `partial` | partial |
//! | All core tests passed, and all extended tests, if any | conformant |
//!
//! The first matching row applies. Unreadable, contradictory and unverified profiles have no
//! verdict. [`crate::rules::blocking`] defines which errors prevent a verdict, regardless of
//! configuration. The report determines the release, not its path. Counts are compared with the data of that release, or with the newest patch that
//! was out when the suite ran (`gwconform_base::release::stated::ComparedFacts`).
//!
//! An implementation is identified by organization and project, in any spelling, and has a verdict
//! for each profile family:
//!
//! | Best result | Verdict |
//! |---|---|
//! | A conformant profile in one of the 2 newest minors | conformant |
//! | At least a partial profile in one of the 3 newest minors | partially conformant |
//! | Anything else | not current |
//!
//! If a profile is failing, contradictory or unreadable, its report supports at most partially
//! conformant. Upstream requires that one profile passes and all others pass at least partially.
//! Unverified profiles are not counted as failing.
//!
//! The numbers of minors are configurable. By default, they are counted from the newest released
//! minor whose release review is over ([`Reviews`]) at the date of the verdicts ([`AsOf`]). Reports
//! for newer minors always count.
//!
//! Each verdict depends on a single report. Reports are ranked by standing, minor, status, standard
//! before experimental channel, mode `default` before others, newest implementation version, and
//! path. An older conformant report therefore precedes a newer partial report. Without a current
//! verdict, reports with a verdict precede reports without.
//!
//! What an implementation shows depends only on its own reports, the configuration, the release
//! data and the date. Conflicts between implementations ([`crate::rules::conflicts`]) are errors,
//! and change no verdict.
//!
//! Sources: GEP-1709 (profiles, levels, results), the README of the reports tree (two and three
//! minors, partial results), and the suite (`conformance/utils/suite`).

pub mod attested;
pub mod catalog;
pub mod details;
mod judge;
mod minors;
mod order;
mod reviews;
mod standing;

pub(crate) use judge::compared;
pub use judge::facts;
pub use judge::{ProfileVerdict, Status, UnseenByLevel, judge, short_name};
pub use minors::{Minors, Windows};
pub use order::{VersionKey, version_key};
pub(crate) use reviews::day_as_text;
pub use reviews::{AsOf, DaySource, Reviews, day_of};
pub use standing::{Basis, Certified, Judged, Scope, Standing, certify};
