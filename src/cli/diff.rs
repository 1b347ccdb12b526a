use std::path::{Path, PathBuf};

use super::registry::RegistryArguments;
use super::{Exit, Failure, Streams, git, open};
use crate::cli::format::TextFormat;
use crate::print::diff::{Changes, page};
use crate::report::facts::ReportFacts;
use crate::text::source::MAX_FILE_BYTES;
use crate::tree::files::read_regular;
use crate::workspace::Workspace;
use anyhow::anyhow;

/// Show what changed between two reports, regressions first.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Older report: a file, or REV:PATH for a file in a git revision
    #[arg(value_name = "OLD")]
    old: String,
    /// Newer report
    #[arg(value_name = "NEW")]
    new: String,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    format: TextFormat,
    #[command(flatten)]
    registry: RegistryArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let workspace = open::for_texts(arguments.registry.folder(), streams)?;
    let old = read(&arguments.old, &workspace)?;
    let new = read(&arguments.new, &workspace)?;
    let changes = workspace.diff(&old, &new);
    let names = [arguments.old.as_str(), arguments.new.as_str()];
    let document = || Changes::new(&changes, names);
    arguments
        .format
        .print(streams, || page(&changes), document)?;
    Ok(Exit::Done)
}

pub(super) fn read(name: &str, workspace: &Workspace) -> Result<ReportFacts, Failure> {
    let (path, bytes) = read_bytes(name, workspace)?;
    let facts = workspace.facts(name, &path, bytes);
    facts.map_err(|error| Failure::CouldNotRun(anyhow!("{name}: {error}")))
}

pub(super) fn read_bytes(name: &str, workspace: &Workspace) -> Result<(PathBuf, Vec<u8>), Failure> {
    let base = workspace.base();
    Ok(match git::Blob::parse(name) {
        // A path can contain a colon, so an existing file takes precedence over REV:PATH.
        Some(blob) if !Path::new(name).exists() => {
            let bytes = blob.read(base.path()).map_err(Failure::CouldNotRun)?;
            (Path::new(blob.path).to_owned(), bytes)
        }
        _ => {
            let path = base.absolute(Path::new(name));
            let bytes = read_regular(&path, MAX_FILE_BYTES).map_err(|reason| {
                Failure::CouldNotRun(anyhow!(reason.of_named(name, "a report")))
            })?;
            (path, bytes)
        }
    })
}
