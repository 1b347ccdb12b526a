//! `gwconform site`

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::catalog::{CatalogArguments, Known, Paths};
use super::check::{FailOn, exit};
use super::output;
use super::{Exit, Failure, Streams};
use crate::render::{counted, visible};
use crate::site::{self, BaseUrl};

/// Write the data of a reports tree (JSON, CSV), its feeds and its badges, to be served as files.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The reports tree; without it conformance/reports, else reports
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// The folder to write. What an earlier run wrote there is replaced; other files in it stay. A
    /// folder with only other files in it is refused
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// The least severity of a finding that makes the exit code 1; without it findings do not count
    #[arg(long, value_enum, value_name = "SEVERITY")]
    fail_on: Option<FailOn>,
    #[command(flatten)]
    catalog: CatalogArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let path = arguments.path.as_deref();
    arguments
        .catalog
        .with_catalog(path, Paths::FromTree, true, streams, |known, streams| {
            let out = known.base.absolute(&arguments.out);
            refuse_overlap(&out, known)?;
            let base = known.base_url.as_deref().map(BaseUrl::parse).transpose();
            let base = base.map_err(|error| Failure::Usage(anyhow!("{error}")))?;
            let files = site::files(&known.catalog, known.registry, base.as_ref());
            output::replace(&out, &files).map_err(Failure::CouldNotRun)?;
            summary(&known.base.display(&out), &files, known, streams)?;
            Ok(exit(
                known.outcome,
                arguments.fail_on.unwrap_or(FailOn::Never),
            ))
        })
}

/// A site in the tree would be read as a part of it, and a tree in the site would be moved with it.
fn refuse_overlap(out: &Path, known: &Known<'_>) -> Result<(), Failure> {
    let root = fs::canonicalize(known.root).unwrap_or_else(|_| known.root.to_owned());
    let place = real(out);
    let shown = visible(&known.base.display(out));
    if place.starts_with(&root) {
        return Err(Failure::Usage(anyhow!(
            "--out: {shown} is in the reports tree, give a folder outside of it"
        )));
    }
    if root.starts_with(&place) {
        return Err(Failure::Usage(anyhow!(
            "--out: the reports tree is in {shown}, give a folder that does not hold it"
        )));
    }
    Ok(())
}

/// The path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    for above in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (fs::canonicalize(above), path.strip_prefix(above)) {
            return if rest.as_os_str().is_empty() {
                real
            } else {
                real.join(rest)
            };
        }
    }
    path.to_owned()
}

fn summary(
    out: &str,
    files: &[site::File],
    known: &Known<'_>,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let catalog = &known.catalog;
    let left_out = site::left_out(catalog).len();
    let note = match left_out {
        0 => String::new(),
        count => format!(
            "; {count} left out, {out}/{}/index.json says which and why",
            site::api::FOLDER
        ),
    };
    writeln!(
        streams.stdout,
        "{} in {}: {} of {}{}",
        counted(files.len(), "file"),
        visible(out),
        counted(catalog.reports().count(), "report"),
        counted(catalog.implementations.len(), "implementation"),
        visible(&note),
    )?;
    Ok(())
}
