use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::{check, facts, release, version};
use crate::cli::{Content, Exit, Failure, Streams, day, open, write};
use crate::site::SourceRevision;
use gwconform_base::api::Version;
use gwconform_base::files::name_of;
use gwconform_base::files::{Folder, PathError};
use gwconform_base::release::import::served::{self, ReleaseCrds};
use gwconform_base::release::import::{self, Request};
use gwconform_base::release::{Commit, Registry, Release};
use gwconform_base::text::visible;

/// Import release data, or compare it with its sources.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Import(ImportArguments),
    Served(ServedArguments),
    Check(check::CheckArguments),
}

/// Print the data of a release as a file for `--registry DIR`.
///
/// FACTS is the output of `tools/facts`, a Go program that reads the sources of a release from a
/// checkout of kubernetes-sigs/gateway-api.
#[derive(Debug, clap::Args)]
struct ImportArguments {
    /// Output of tools/facts
    facts: PathBuf,
    /// Gateway API release: the one that the file describes
    #[arg(long, value_name = "RELEASE")]
    release: String,
    /// Date of the release, e.g. 2026-07-16; with --commit, of the commit [default: none, which
    /// means unreleased]
    #[arg(long, value_name = "DATE")]
    date: Option<String>,
    /// Commit of the sources of an unreleased version
    #[arg(long, value_name = "COMMIT", requires = "date")]
    commit: Option<String>,
    /// Release on whose data the file is based [default: the newest older release]
    #[arg(long, value_name = "RELEASE")]
    base: Option<String>,
    /// Output path: a file; meanings that a person wrote into it are kept [default: standard output]
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Also write references.json with the sources of the tests and the GEPs of the features
    #[arg(long, value_name = "FILE")]
    references: Option<PathBuf>,
}

/// Write served.json and fields.json: the kinds, versions and fields in the CRDs of releases.
///
/// served.json lists the versions of each kind, including deprecated and no longer served versions.
/// It also lists fields that exist in only one channel, and fields that were added or removed.
/// fields.json lists all fields with their allowed values. The files are always written as a whole:
/// specify every release they must contain.
#[derive(Debug, clap::Args)]
struct ServedArguments {
    /// Checkouts of the Gateway API. A checkout contains the release that its folder is named
    /// after, e.g. v1.6.1, or else the release named in the CRDs
    #[arg(required = true)]
    checkouts: Vec<PathBuf>,
    /// Output path: a folder
    #[arg(short, long, value_name = "PATH")]
    out: PathBuf,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    match &arguments.command {
        Command::Import(arguments) => import(arguments, streams),
        Command::Served(arguments) => served(arguments, streams),
        Command::Check(arguments) => check::check(arguments, streams),
    }
}

fn import(arguments: &ImportArguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let version = version("--release", &arguments.release)?;
    let date = arguments.date.as_deref();
    let date = date.map(|text| day::parse("--date", text)).transpose()?;
    let loaded = open::registry(streams)?;
    let base = arguments.base(loaded.get(), &version)?;
    for (option, path, is_one) in [
        (
            "--out",
            &arguments.out,
            import::is_release_file as fn(&str) -> bool,
        ),
        (
            "--references",
            &arguments.references,
            import::is_references_file,
        ),
    ] {
        if let Some(path) = path {
            refuse_others(option, path, is_one)?;
        }
    }
    let facts = facts(&arguments.facts)?;
    let commit = arguments.commit.as_deref();
    let commit = commit.map(SourceRevision::parse).transpose();
    let commit = commit.map_err(|error| Failure::Usage(anyhow!("--commit: {error}")))?;
    if date.is_none() {
        streams.note(format_args!(
            "note: no date: {version} is treated as unreleased; pass --date if it is released"
        ))?;
    }
    let request = Request {
        release: version,
        date: date.filter(|_| commit.is_none()),
        commit: commit.zip(date).map(|(commit, date)| Commit {
            id: commit.as_str().to_owned(),
            date,
        }),
        base,
    };
    let imported = import::import(&facts, &request);
    for (what, texts) in [("warning", &imported.warnings), ("note", &imported.notes)] {
        for text in texts {
            streams.note(format_args!("{what}: {text}"))?;
        }
    }
    if let Some(path) = &arguments.references {
        let text = import::references(&facts, loaded.get(), &request.release).map_err(|newer| {
            Failure::Usage(anyhow!(
                "--references: references.json describes {newer}, a newer release"
            ))
        })?;
        write::text(path, &text)?;
    }
    let Some(out) = &arguments.out else {
        streams
            .out(Content::Json)
            .write_all(imported.text.as_bytes())?;
        return Ok(Exit::Done);
    };
    let text = match std::fs::read_to_string(out) {
        Ok(earlier) => import::with_texts_of(&imported.text, &earlier),
        Err(_) => imported.text,
    };
    write::text(out, &text)?;
    Ok(Exit::Done)
}

fn served(arguments: &ServedArguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let loaded = open::registry(streams)?;
    let out = |name| arguments.out.join(name);
    refuse_others("--out", &out("served.json"), served::is_served_file)?;
    refuse_others("--out", &out("fields.json"), served::is_fields_file)?;
    let mut releases: Vec<ReleaseCrds> = Vec::new();
    for path in &arguments.checkouts {
        let shown = path.display().to_string();
        let checkout = Folder::open(path)
            .map_err(|error| PathError::new(&shown, error, "a checkout of the Gateway API"))?;
        let read = ReleaseCrds::read(&checkout, Version::parse(&name_of(path)))
            .map_err(|error| Failure::CouldNotRun(anyhow!("{shown}: {}", visible(&error))))?;
        let (version, named) = (read.version(), read.named());
        if named != version {
            streams.note(format_args!(
                "warning: the CRDs of {version} have the bundle version {named}"
            ))?;
        }
        if releases.iter().any(|other| other.version() == version) {
            return Err(Failure::Usage(anyhow!(
                "{shown}: a second checkout with the CRDs of {version}"
            )));
        }
        releases.push(read);
    }
    let (served, fields) = served::files(releases, loaded.get().served());
    write::text(&out("served.json"), &served)?;
    write::text(&out("fields.json"), &fields)?;
    Ok(Exit::Done)
}

impl ImportArguments {
    fn base<'r>(
        &self,
        registry: &'r Registry,
        version: &Version,
    ) -> Result<Option<&'r Release>, Failure> {
        let Some(text) = &self.base else {
            return Ok(import::default_base(registry, version));
        };
        let (base, _) = release(registry, text)?;
        if base.version() < version {
            return Ok(Some(base));
        }
        Err(Failure::Usage(anyhow!(
            "--base: {} is not older than {version}",
            base.version()
        )))
    }
}

fn refuse_others(option: &str, path: &Path, is_one: fn(&str) -> bool) -> Result<(), Failure> {
    let shown = path.display().to_string();
    write::refuse_others(path, option, (&shown, "a file of release data"), |bytes| {
        is_one(&String::from_utf8_lossy(&bytes))
    })
}
