//! The `gwconform` command. See `src/lib.rs` for the architecture.

#![allow(clippy::disallowed_methods, reason = "passes the arguments to `cli`")]

use std::process::ExitCode;

use gwconform::{outlook, print, rules, site, workspace};

mod cli;

use cli::{Streams, threads};

/// The musl allocator is slow, because it uses one lock for all threads.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    threads::start();
    ExitCode::from(cli::run(std::env::args_os(), &mut Streams::standard()))
}
