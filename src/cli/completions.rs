//! `gwconform completions`

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::{Exit, Failure, Streams};

/// Print the completions of a shell.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The shell that completes
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    // The generator panics where its writer fails, so it gets one that does not.
    let mut text = Vec::new();
    let mut command = super::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "gwconform", &mut text);
    streams.stdout.write_all(&text)?;
    Ok(Exit::Done)
}
