//! Options of every command.

use std::path::PathBuf;

use clap::ColorChoice;

use super::{Failure, Streams, open};
use crate::workspace::{self, LoadedRegistry, Used};
use gwconform_base::release::Registry;

#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Global options")]
pub struct GlobalArguments {
    /// Print only errors: no other findings, no notes
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Print to stderr which files and release data are used
    #[arg(long, short, global = true)]
    pub verbose: bool,
    /// Use color: auto, always or never
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value_t,
        hide_possible_values = true
    )]
    pub color: ColorChoice,
    /// Configuration, if read [default: gwconform.toml]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Release data that adds to the built-in data, if read
    #[arg(long, global = true, value_name = "DIR")]
    pub registry: Option<PathBuf>,
}

/// The built-in data with that of `--registry`, for commands that read no other files.
pub fn registry(streams: &mut Streams<'_>) -> Result<LoadedRegistry, Failure> {
    let base = open::working_dir()?;
    let folder = streams.global.registry.clone();
    let loaded = workspace::registry(folder.as_deref(), &base)?;
    let used = Used {
        registry: folder.map(|folder| base.absolute(&folder)),
        ..Used::default()
    };
    tell_used(&used, streams)?;
    Ok(loaded)
}

/// With `--verbose`, prints the files that a command uses.
pub fn tell_used(used: &Used, streams: &mut Streams<'_>) -> Result<(), Failure> {
    if !streams.global.verbose {
        return Ok(());
    }
    streams.has_told_used = true;
    let base = open::working_dir()?;
    let shown = |path: &Option<PathBuf>| path.as_deref().map(|path| base.display(path));
    let newest = Registry::embedded().newest();
    let newest = newest.map_or("nothing".to_owned(), |newest| newest.version().to_string());
    let plus = shown(&used.registry).map_or(String::new(), |folder| format!(", plus {folder}"));
    for (what, path) in [
        ("reports tree", shown(&used.tree)),
        ("configuration", shown(&used.config)),
        ("baseline", shown(&used.baseline)),
        (
            "release data",
            Some(format!("built-in up to {newest}{plus}")),
        ),
    ] {
        streams.error(format_args!(
            "{what}: {}",
            path.as_deref().unwrap_or("none")
        ))?;
    }
    Ok(())
}
