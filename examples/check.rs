//! Checks the reports tree in a folder and prints the findings.
//!
//! `cargo run --example check -- reports`

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program has arguments, a working directory and output"
)]

use gwconform::workspace::{Options, Target, Workspace};
use gwconform_report::rules::check::Selection;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths = std::env::args_os().skip(1).map(Into::into).collect();
    let options = Options {
        target: Target::Paths(paths),
        ..Options::default()
    };
    let workspace = Workspace::open(std::env::current_dir()?, options)?;
    for finding in workspace.check(&Selection::default())?.findings {
        println!(
            "{}: {}: {}",
            finding.place.path, finding.rule, finding.message
        );
    }
    Ok(())
}
