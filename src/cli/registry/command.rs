use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::sources::{Checkout, list_problems, pairs};
use super::{RegistryArguments, check, release};
use crate::api::Version;
use crate::cli::git::Named;
use crate::cli::{Exit, Failure, Streams, day, write};
use crate::release::import::served::ReleaseCrds;
use crate::release::import::{self, OnUnread, Request, Sources, Unread};
use crate::release::{self as data, Registry, Release};
use crate::text::{counted, visible};

/// Extract release data from source, or compare the built-in data with it.
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
/// The source is a checkout of kubernetes-sigs/gateway-api or, with --ref, a commit in any git
/// directory. Source files are parsed, never executed, and nothing is written to them. Unsupported
/// code is an error with file and line.
#[derive(Debug, clap::Args)]
struct ImportArguments {
    /// Checkout of the Gateway API or, with --ref, any git directory of it; bare repositories
    /// allowed
    #[arg(long, value_name = "DIR")]
    checkout: PathBuf,
    /// Read this tag, branch or commit instead of the files in the checkout
    #[arg(long = "ref", value_name = "TAG")]
    reference: Option<String>,
    /// Release that the file describes [default: the tag in --ref]
    #[arg(long, value_name = "RELEASE")]
    release: Option<String>,
    /// Release date, e.g. 2026-07-16 [default: the tag date if --ref is the tag of the release,
    /// else none, which means unreleased]
    #[arg(long, value_name = "DATE")]
    date: Option<String>,
    /// Release on whose data the file is based [default: the newest older release]
    #[arg(long, value_name = "RELEASE")]
    base: Option<String>,
    /// Write to FILE instead of standard output. Meanings that a person wrote into FILE are kept
    #[arg(short, long, value_name = "FILE", alias = "output")]
    out: Option<PathBuf>,
    /// Omit unsupported code, and list it in the notes of the file
    #[arg(long)]
    allow_unread: bool,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// Print which kinds, versions and fields the CRDs of releases serve, in the format of
/// served.json.
///
/// The file lists the versions of each kind, including deprecated and no longer served versions.
/// It also lists fields that exist in only one channel, and fields that were added or removed. The
/// file is always written as a whole: specify every release it must contain, each with its own
/// --checkout or --ref.
#[derive(Debug, clap::Args)]
struct ServedArguments {
    /// Checkout of the Gateway API; with --ref, a git directory, once for all releases or once for
    /// each
    #[arg(long, value_name = "DIR", required = true)]
    checkout: Vec<PathBuf>,
    /// Read this tag, branch or commit instead of the files in a checkout
    #[arg(long = "ref", value_name = "TAG")]
    reference: Vec<String>,
    /// Release of each --checkout or --ref, in the same order [default: the tag in --ref, else the
    /// release named in the CRDs]
    #[arg(long, value_name = "RELEASE")]
    release: Vec<String>,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE", alias = "output")]
    out: Option<PathBuf>,
    #[command(flatten)]
    registry: RegistryArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    match &arguments.command {
        Command::Import(arguments) => import(arguments, streams),
        Command::Served(arguments) => served(arguments, streams),
        Command::Check(arguments) => check::check(arguments, streams),
    }
}

fn import(arguments: &ImportArguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let version = arguments.version()?;
    let stated_date = arguments.date.as_deref();
    let stated_date = stated_date
        .map(|text| day::parse("--date", text))
        .transpose()?;
    let loaded = arguments.registry.load()?;
    let base = arguments.base(loaded.get(), &version)?;
    if let Some(output) = &arguments.out {
        refuse_others(output, import::is_release_file)?;
    }
    let (sources, commit) = open(&arguments.checkout, arguments.reference.as_deref())?;
    let date = match (stated_date, arguments.names_tag(&version)) {
        (None, true) => {
            let tag = commit.as_ref().ok_or_else(|| {
                Failure::Usage(anyhow!("the tag {version} has no date; pass --date"))
            })?;
            Some(tag.date)
        }
        (stated, _) => stated,
    };
    if date.is_none() {
        writeln!(
            streams.stderr,
            "note: no date: {version} is treated as unreleased; pass --date if it is released"
        )?;
    }
    let request = Request {
        release: version,
        date,
        commit: commit.filter(|_| date.is_none()),
        base,
        on_unread: match arguments.allow_unread {
            true => OnUnread::Note,
            false => OnUnread::Fail,
        },
    };
    let imported = import::import(sources.as_ref(), &request)
        .or_else(|problems| Err(print_problems(&problems, &request.release, streams)?))?;
    for (what, texts) in [("warning", &imported.warnings), ("note", &imported.notes)] {
        for text in texts {
            writeln!(streams.stderr, "{what}: {}", visible(text))?;
        }
    }
    let out = arguments.out.as_deref();
    let earlier = out.and_then(|out| std::fs::read_to_string(out).ok());
    let text = match earlier {
        Some(earlier) => import::with_texts_of(&imported.text, &earlier),
        None => imported.text,
    };
    write_file(out, &text, streams)
}

fn write_file(
    output: Option<&Path>,
    text: &str,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    match output {
        None => streams.stdout.write_all(text.as_bytes())?,
        Some(output) => write::text(output, text)?,
    }
    Ok(Exit::Done)
}

fn served(arguments: &ServedArguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let loaded = arguments.registry.load()?;
    if let Some(output) = &arguments.out {
        refuse_others(output, import::served::is_served_file)?;
    }
    let stated = arguments.releases()?;
    let pairs = pairs(&arguments.checkout, &arguments.reference)?;
    if !stated.is_empty() && stated.len() != pairs.len() {
        return Err(Failure::Usage(anyhow!(
            "--release {} times for {}; expected one for each, or none",
            stated.len(),
            counted(pairs.len(), "release")
        )));
    }
    let mut releases: Vec<ReleaseCrds> = Vec::new();
    for (at, (checkout, reference)) in pairs.into_iter().enumerate() {
        let (sources, _) = open(checkout, reference)?;
        let tag = || reference.and_then(Version::parse);
        let stated = stated.get(at).cloned().or_else(tag);
        let read = ReleaseCrds::read(sources.as_ref(), stated).map_err(|problem| {
            Failure::CouldNotRun(anyhow!("{}: {problem}", checkout.display()))
        })?;
        let version = read.version();
        if read.named() != version {
            let named = read.named();
            writeln!(
                streams.stderr,
                "warning: the CRDs of {version} have the bundle version {named}"
            )?;
        }
        if releases.iter().any(|other| other.version() == version) {
            return Err(Failure::Usage(anyhow!(
                "{}: a second checkout with the CRDs of {version}",
                checkout.display()
            )));
        }
        releases.push(read);
    }
    let text = import::served::file(releases, loaded.get().served());
    write_file(arguments.out.as_deref(), &text, streams)
}

impl ServedArguments {
    fn releases(&self) -> Result<Vec<Version>, Failure> {
        let parsed = self.release.iter().map(|text| {
            Version::parse(text).ok_or_else(|| {
                Failure::Usage(anyhow!(
                    "--release: `{text}` is not a release; expected a version such as v1.7.0"
                ))
            })
        });
        parsed.collect()
    }
}

impl ImportArguments {
    fn version(&self) -> Result<Version, Failure> {
        let (text, flag) = match (&self.release, &self.reference) {
            (Some(release), _) => (release, "--release"),
            (None, Some(reference)) => (reference, "--ref"),
            (None, None) => {
                return Err(Failure::Usage(anyhow!(
                    "no release; pass --release, or --ref with a tag such as v1.7.0"
                )));
            }
        };
        Version::parse(text).ok_or_else(|| {
            let hint = match flag {
                "--ref" => "; pass --release with the release that it will be",
                _ => "; expected a version such as v1.7.0",
            };
            Failure::Usage(anyhow!("{flag}: `{text}` is not a release{hint}"))
        })
    }

    fn names_tag(&self, version: &Version) -> bool {
        let named = self.reference.as_deref().and_then(Version::parse);
        named.as_ref() == Some(version)
    }

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

fn open(
    checkout: &Path,
    reference: Option<&str>,
) -> Result<(Box<dyn Sources>, Option<data::Commit>), Failure> {
    let Some(reference) = reference else {
        return Ok((Box::new(Checkout::open(checkout)?), None));
    };
    let repository = Named::open(checkout)?;
    let commit = repository.commit(reference)?;
    let id = commit.id.clone();
    let dated = commit.date.map(|date| data::Commit { id, date });
    Ok((Box::new(commit), dated))
}

fn print_problems(
    problems: &[Unread],
    release: &Version,
    streams: &mut Streams<'_>,
) -> Result<Failure, Failure> {
    list_problems(problems, streams)?;
    Ok(Failure::CouldNotRun(anyhow!(
        "the data of {release} cannot be extracted from its source: {}",
        counted(problems.len(), "problem")
    )))
}

fn refuse_others(path: &Path, is_one: fn(&str) -> bool) -> Result<(), Failure> {
    let shown = path.display().to_string();
    write::refuse_others(path, "--out", (&shown, "a file of release data"), |bytes| {
        is_one(&String::from_utf8_lossy(&bytes))
    })
}
