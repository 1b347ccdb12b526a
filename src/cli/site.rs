//! `gwconform site`

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::catalog::{CatalogArguments, LoadedTree, PathBase};
use super::output;
use super::severity::FailOn;
use super::{Exit, Failure, Streams};
use crate::files::Folder;
use crate::load;
use crate::site::{self, BaseUrl, Input};
use crate::text::shell;
use crate::text::{counted, visible};

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
    /// The day that the site is made for; without it SOURCE_DATE_EPOCH, else the day of the newest
    /// report or release
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<String>,
    #[command(flatten)]
    catalog: CatalogArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let path = arguments.path.as_deref();
    let today = today(arguments.date.as_deref())?;
    arguments
        .catalog
        .with_catalog(path, PathBase::FromTree, true, streams, |known, streams| {
            let out = known.base.absolute(&arguments.out);
            refuse_overlap(&out, known)?;
            let base = known.base_url.as_deref().map(BaseUrl::parse).transpose();
            let base = base.map_err(|error| Failure::Usage(anyhow!("{error}")))?;
            let reproduce = reproduce(known);
            let next_review = known.config.policy.next_review.as_ref();
            let files = site::files(&Input {
                catalog: &known.catalog,
                registry: known.registry,
                findings: &known.outcome.findings,
                reproduce: &reproduce,
                base: base.as_ref(),
                today,
                next_review: next_review.map(|day| day.get_ref().as_str()),
            });
            output::replace(&out, &files).map_err(Failure::CouldNotRun)?;
            summary(&known.base.display(&out), &files, known, streams)?;
            Ok(arguments
                .fail_on
                .unwrap_or(FailOn::Never)
                .exit(known.outcome))
        })
}

/// The day that is named, by the command line or by SOURCE_DATE_EPOCH
/// (<https://reproducible-builds.org/specs/source-date-epoch/>).
fn today(named: Option<&str>) -> Result<Option<Date>, Failure> {
    if let Some(text) = named {
        let day = text.parse::<Date>().ok().filter(|_| text.len() == 10);
        let day = day.ok_or_else(|| {
            Failure::Usage(anyhow!(
                "--date: `{text}` is not a day, expected one like 2026-03-20"
            ))
        })?;
        return Ok(Some(day));
    }
    let Some(text) = std::env::var_os("SOURCE_DATE_EPOCH") else {
        return Ok(None);
    };
    let seconds = text.to_str().and_then(|text| text.parse::<i64>().ok());
    let time = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
    let time = time.ok_or_else(|| {
        Failure::Usage(anyhow!(
            "SOURCE_DATE_EPOCH: `{}` is not a number of seconds since 1970",
            visible(&text.to_string_lossy())
        ))
    })?;
    Ok(Some(time.to_zoned(TimeZone::UTC).date()))
}

/// How to reproduce the reports of each submission, as its README says.
fn reproduce(known: &LoadedTree<'_>) -> BTreeMap<PathBuf, String> {
    let reports = known.outcome.reports.iter();
    let folders: BTreeSet<&PathBuf> = reports.map(|facts| &facts.submission).collect();
    let tree = Folder::open(known.root).ok();
    let texts = folders.into_iter().filter_map(|folder| {
        let below = folder.strip_prefix(known.root).ok()?;
        let text = load::load_reproduce(tree.as_ref()?, below)?;
        Some((folder.clone(), text))
    });
    texts.collect()
}

/// A site in the tree would be read as a part of it, and a tree in the site would be moved with it.
fn refuse_overlap(out: &Path, known: &LoadedTree<'_>) -> Result<(), Failure> {
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
    known: &LoadedTree<'_>,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let catalog = &known.catalog;
    let left_out = site::left_out(catalog).len();
    let note = match left_out {
        0 => String::new(),
        count => format!(
            "; {count} left out, {out}/{}/index.json says which and why",
            site::DATA_FOLDER
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
    let server = shell::word(out).map(|out| format!(", such as `python3 -m http.server -d {out}`"));
    writeln!(
        streams.stdout,
        "look at {}/index.html; finding and comparing need a web server{}",
        visible(out),
        server.unwrap_or_default(),
    )?;
    Ok(())
}
