//! `gwconform releases`

use anyhow::anyhow;
use clap::ValueEnum;

use super::registry::{Format, RegistryArguments, release};
use super::{Exit, Failure, Streams};
use crate::print::releases::{self, Comparison, Releases};
use crate::release::Registry;

/// List the known releases of the Gateway API, or show what changed between two.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    registry: RegistryArguments,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Diff(DiffArguments),
}

/// Show which profiles, features and tests are new, changed or removed between two releases.
#[derive(Debug, clap::Args)]
pub struct DiffArguments {
    /// The older release, e.g. v1.5.1, or v1.5 for its latest patch
    #[arg(value_name = "OLD")]
    old: String,
    /// The newer release
    #[arg(value_name = "NEW")]
    new: String,
    /// Output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Human)]
    format: DiffFormat,
    #[command(flatten)]
    registry: RegistryArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// For people
    Human,
    /// For programs; `gwconform schema release-changes` describes it
    Json,
    /// For a pull request
    Markdown,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    match &arguments.command {
        None => list(arguments, streams),
        Some(Command::Diff(arguments)) => diff(arguments, streams),
    }
}

fn list(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let loaded = arguments.registry.load()?;
    let listed = Releases::of(loaded.get());
    match arguments.format {
        Format::Human => releases::write_list_human(&listed, &mut streams.wrapped())?,
        Format::Json => releases::write_json(&listed, &mut streams.stdout)?,
    }
    Ok(Exit::Done)
}

fn diff(arguments: &DiffArguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let loaded = arguments.registry.load()?;
    let comparison = arguments.compare(loaded.get())?;
    match arguments.format {
        DiffFormat::Human => {
            releases::write_changes_human(&comparison, &mut streams.wrapped())?;
        }
        DiffFormat::Json => releases::write_json(&comparison, &mut streams.stdout)?,
        DiffFormat::Markdown => {
            releases::write_changes_markdown(&comparison, &mut streams.stdout)?;
        }
    }
    Ok(Exit::Done)
}

impl DiffArguments {
    fn compare(&self, registry: &Registry) -> Result<Comparison, Failure> {
        let (before, note_before) = release(registry, &self.old)?;
        let (after, note_after) = release(registry, &self.new)?;
        if before.version() > after.version() {
            return Err(Failure::Usage(anyhow!(
                "{} is newer than {}; pass the older release first",
                before.version(),
                after.version()
            )));
        }
        let notes = note_before.into_iter().chain(note_after).collect();
        Ok(Comparison::of(registry, before, after, notes))
    }
}
