use anyhow::anyhow;

use super::format::TextFormat;
use super::registry::release;
use super::{Exit, Failure, Streams, open};
use crate::print::releases::{self, Comparison, Releases};
use gwconform_base::release::Registry;
use gwconform_report::document::Document;

/// List the Gateway API releases, or compare two (diff OLD NEW).
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    format: TextFormat,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Diff(DiffArguments),
}

/// Show which profiles, features and tests were added, changed or removed between two releases.
#[derive(Debug, clap::Args)]
struct DiffArguments {
    /// Older release, e.g. v1.5.1, or v1.5 for its latest patch
    #[arg(value_name = "OLD")]
    old: String,
    /// Newer release
    #[arg(value_name = "NEW")]
    new: String,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    format: TextFormat,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    match &arguments.command {
        None => list(arguments, streams),
        Some(Command::Diff(arguments)) => diff(arguments, streams),
    }
}

fn list(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let loaded = open::registry(streams)?;
    let listed = Releases::new(loaded.get());
    let page = || releases::list_page(&listed);
    arguments
        .format
        .print(streams, page, || Document::new(loaded.get(), None, &listed))?;
    Ok(Exit::Done)
}

fn diff(arguments: &DiffArguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let loaded = open::registry(streams)?;
    let comparison = arguments.compare(loaded.get())?;
    let page = || releases::changes_page(&comparison);
    arguments.format.print(streams, page, || {
        Document::new(loaded.get(), None, &comparison)
    })?;
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
        Ok(Comparison::new(registry, before, after, notes))
    }
}
