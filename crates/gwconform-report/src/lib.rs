//! Reports trees: what they contain, whether it is right, and what it proves.
//!
//! | Module | Responsibility |
//! |---|---|
//! | [`tree`] | Releases, submissions, READMEs |
//! | [`report`] | The lenient [`report::view`] of a report, its [`report::fit`] to the schema, compact [`report::facts`] for later stages, and expected counts ([`report::suite`]) |
//! | [`statement`] | Statements of `gwconform verify` |
//! | [`mod@rules`] | Rules, [`rules::check`], which runs them, configuration and baselines |
//! | [`certify`] | Verdicts, and [`certify::catalog`] with all data about each implementation |
//! | [`document`] | Types of the JSON documents |
//! | [`review`] | Effects of a change on verdicts, and differences between reports |
//! | [`document`] | Types of the JSON documents |

pub mod tree;
pub mod report;
pub mod statement;
pub mod rules;
pub mod certify;
pub mod document;
pub mod review;
