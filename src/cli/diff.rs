//! `gwconform diff`

use std::path::Path;

use anyhow::anyhow;
use clap::ValueEnum;

use super::registry::RegistryArguments;
use super::targets::Base;
use super::{Exit, Failure, Streams, git};
use crate::check::{self, Settings};
use crate::diff;
use crate::facts::ReportFacts;
use crate::files::read_regular;
use crate::load::Loaded;
use crate::registry::Registry;
use crate::render;
use crate::source::{MAX_FILE_BYTES, Source};
use crate::tree::{Submission, name_of};

/// Show what changed between two reports, regressions first.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The old report: a file, or REV:PATH as git names it
    #[arg(value_name = "OLD")]
    old: String,
    /// The new report
    #[arg(value_name = "NEW")]
    new: String,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    registry: RegistryArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// For programs; `gwconform schema diff` describes it
    Json,
    /// For a comment or release notes
    Markdown,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let base = Base::current()?;
    let loaded = arguments.registry.load()?;
    let registry = loaded.get();
    let old = read(&arguments.old, &base, registry)?;
    let new = read(&arguments.new, &base, registry)?;
    let changes = diff::diff(&old, &new, registry);
    let out = &mut streams.stdout;
    match arguments.format {
        Format::Human => render::diff::write_human(&changes, out)?,
        Format::Json => {
            render::diff::write_json(&changes, [&arguments.old, &arguments.new], out)?;
        }
        Format::Markdown => render::diff::write_markdown(&changes, out)?,
    }
    Ok(Exit::Done)
}

/// The facts of the one report that an argument names.
pub(super) fn read(name: &str, base: &Base, registry: &Registry) -> Result<ReportFacts, Failure> {
    let failed = |reason: String| Failure::CouldNotRun(anyhow!("{name}: {reason}"));
    let (path, bytes) = match git::Blob::parse(name) {
        // A file of that name comes first, as a path may hold a colon.
        Some(blob) if !Path::new(name).exists() => {
            let bytes = blob.read(base.path()).map_err(Failure::CouldNotRun)?;
            (Path::new(blob.path).to_owned(), bytes)
        }
        _ => {
            let path = base.absolute(Path::new(name));
            let bytes = read_regular(&path, MAX_FILE_BYTES)
                .map_err(|reason| failed(format!("not read: {reason}")))?;
            (path, bytes)
        }
    };
    let submission = Submission::holding(&path);
    let loaded = Loaded::Report {
        source: Source::new(name.to_owned(), bytes),
        name: name_of(&path),
    };
    let settings = Settings::default();
    let outcome = check::check_lone(&submission, false, vec![loaded], &settings, registry);
    let mut reports = outcome.reports;
    let report = reports
        .pop()
        .ok_or_else(|| failed("nothing is in it".to_owned()))?;
    if !reports.is_empty() {
        let count = reports.len() + 1;
        return Err(failed(format!(
            "it holds {count} documents, expected one report"
        )));
    }
    if !report.is_report || report.is_cut {
        let reason = "it is no report that can be read to its end; `gwconform check` says why";
        return Err(failed(reason.to_owned()));
    }
    Ok(report)
}
