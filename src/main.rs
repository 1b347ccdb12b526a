//! The `gwconform` command. See `src/lib.rs` for the architecture.

#![allow(
    clippy::disallowed_methods,
    reason = "passes the standard streams to `cli`"
)]

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use gwconform::{
    api, certify, cluster, evidence, needs, outlook, print, release, report, review, rules, site,
    text, tree, workspace,
};

mod cli;

use cli::{Streams, threads};

/// The musl allocator is slow, because it uses one lock for all threads.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    threads::start();
    let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
    let mut streams = Streams {
        is_terminal: stdout.is_terminal(),
        width: terminal_size::terminal_size_of(&stdout)
            .map(|(terminal_size::Width(columns), _)| usize::from(columns))
            .filter(|columns| *columns > 0),
        is_styled: anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
        stdin: Box::new(stdin.lock()),
        stdout: Box::new(io::BufWriter::new(stdout.lock())),
        stderr: Box::new(stderr),
    };
    ExitCode::from(cli::run(std::env::args_os(), &mut streams))
}
