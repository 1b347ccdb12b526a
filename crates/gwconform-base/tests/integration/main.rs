//! Tests text and release data, with one module per subject.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a panic fails a test"
)]

#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../../tests/integration/support/corpus.rs"]
mod corpus;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../../tests/integration/support/facts.rs"]
mod facts;

mod change;
mod escape;
mod import;
mod registry;
