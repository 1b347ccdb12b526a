use clap_complete::Shell;

use super::{Content, Exit, Failure, Streams};

/// Print shell completions.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Target shell
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    // The generator panics if the writer fails, so the script is written to memory.
    let mut text = Vec::new();
    let mut command = super::command(false);
    clap_complete::generate(arguments.shell, &mut command, "gwconform", &mut text);
    streams.out(Content::Exact).write_all(&text)?;
    Ok(Exit::Done)
}
