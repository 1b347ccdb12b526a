//! Verdicts: the status of a profile by a report, and the standing of an implementation by its
//! reports.
//!
//! | A profile of a report | is |
//! |---|---|
//! | whose file breaks off, or without a core result or a number of tests | unreadable |
//! | with an error about organization, project, release, channel, or in the profile | contradictory |
//! | whose name or run another implementation owns, if its profile would have a verdict | disputed |
//! | for a prerelease, or for a patch that cannot be one of the next | unverified |
//! | with a failed test, no passed core test, or more skipped ones than its release allows | failing |
//! | for a release without facts here, such as a newer one | unverified |
//! | with a skipped test, or the result `partial` without one | partial |
//! | whose core tests, and extended tests if there are any, all passed | conformant |
//!
//! The first row that holds decides; unreadable, contradictory, disputed and unverified profiles have no verdict.
//! Which errors count is a property of their rules ([`crate::rules::blocking`]), whatever is selected
//! or configured. Who owns a name or a run: `crate::rules::ownership`. The release of a report is the one
//! that it states, never that of its folder. Its counts are compared with the facts of that release, or of
//! the newest patch that was out when the suite ran (`crate::release::stated::ComparedFacts`).
//!
//! An implementation is organization and project, however its reports spell them; it has a verdict for each family of profiles, gateway and mesh:
//!
//! | An implementation | is |
//! |---|---|
//! | with a conformant profile in one of the 2 newest minors | conformant |
//! | with at least a partial one in the 3 newest minors | partially conformant |
//! | with a disputed one in the 3 newest minors | disputed |
//! | with none of these | not current |
//!
//! A report with a failing, contradictory or unreadable profile, of any family or of none, gives at most
//! partially conformant: upstream requires that one profile passes and all others at least partially.
//! Unverified profiles are not counted as failing.
//!
//! The numbers of minors are configuration. They are counted back from the newest minor in the registry
//! for which a report has a verdict and whose release review has taken place ([`Reviews`]), unless the
//! command line or the configuration names one; reports of minors newer than that count all the same. The verdict rests on one
//! report: the one that gives it, of several the one of the newest minor, then the better one, then
//! standard before experimental channel, mode `default` before others, the newest implementation
//! version, the first by path. So an older conformant report ranks above a newer partial one.
//!
//! Sources: GEP-1709 (profiles, levels, results), the README of the reports tree (two and three
//! minors, partial results), and what the suite writes (`conformance/utils/suite`).

pub mod attested;
pub mod catalog;
pub mod details;
mod judge;
mod minors;
mod order;
mod reviews;
mod standing;

pub use judge::{ProfileVerdict, Status, judge, short_name};
pub(crate) use judge::{compared, facts};
pub use minors::{Minors, Windows};
pub use order::{VersionKey, version_key};
pub use reviews::{AsOf, Reviews, day_of};
pub use standing::{Basis, Certified, Judged, Scope, Standing, certify};
