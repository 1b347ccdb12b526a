//! Arguments of the commands that ask the registry, and how a release is chosen.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::ValueEnum;

use super::Failure;
use crate::files::{Entry, Folder};
use crate::registry::{Kind, Match, Minor, Profile, Registry, Release};
use crate::release::lenient_version;
use crate::source::display_path;
use crate::suggest;
use crate::tree::name_of;

/// Where facts come from besides the program.
#[derive(Debug, clap::Args)]
pub struct RegistryArguments {
    /// Add the release facts in a folder to those that are built in, or override them
    #[arg(long, value_name = "DIR")]
    registry: Option<PathBuf>,
}

/// A registry that was read, or the one that is built in.
#[derive(Debug, Default)]
pub struct Loaded(Option<Registry>);

impl Loaded {
    /// What files say by their names and texts besides what is built in; `None` when they cannot
    /// be used.
    pub fn with_files(files: &[(String, String)]) -> Option<Self> {
        Registry::with_files(files)
            .ok()
            .map(|registry| Self(Some(registry)))
    }

    /// The registry.
    pub fn get(&self) -> &Registry {
        self.0.as_ref().unwrap_or_else(|| Registry::embedded())
    }
}

impl RegistryArguments {
    /// The folder, if one is given.
    pub fn folder(&self) -> Option<&Path> {
        self.registry.as_deref()
    }

    /// Reads the folder, if one is given.
    pub fn load(&self) -> Result<Loaded, Failure> {
        let registry = self.registry.as_deref().map(read).transpose()?;
        Ok(Loaded(registry))
    }
}

/// Most files of a registry. There are some 20 after six years.
const MAX_FILES: usize = 100;

/// Most errors of a registry that are shown.
const MAX_ERRORS: usize = 100;

/// Largest file of a registry, in bytes. Those that are built in have up to 8 KB.
const MAX_BYTES: u64 = 1024 * 1024;

fn read(folder: &Path) -> Result<Registry, Failure> {
    let fault = |path: &Path, reason: String| {
        let shown = display_path(path, Path::new(""));
        Failure::Usage(anyhow!("--registry: {shown}: {reason}"))
    };
    let opened = Folder::open(folder).map_err(|error| fault(folder, error.to_string()))?;
    let entries = opened
        .entries()
        .map_err(|error| fault(folder, error.to_string()))?;
    let is_json = |entry: &Entry| entry.path().extension().is_some_and(|name| name == "json");
    let entries: Vec<Entry> = entries.into_iter().filter(is_json).collect();
    if entries.len() > MAX_FILES {
        let reason = format!("{} JSON files; expected at most {MAX_FILES}", entries.len());
        return Err(fault(folder, reason));
    }
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.path();
        let not_read = |reason| fault(path, format!("not read: {reason}"));
        let name = path.file_name().unwrap_or_default();
        let bytes = opened.read(Path::new(name), MAX_BYTES).map_err(not_read)?;
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| not_read("it is not UTF-8".to_owned()))?;
        files.push((name_of(path), text));
    }
    Registry::with_files(&files).map_err(|errors| {
        let errors = errors.iter().take(MAX_ERRORS);
        let errors: Vec<String> = errors.map(ToString::to_string).collect();
        Failure::Usage(anyhow!("{}", errors.join("\n")))
    })
}

/// What to show of the registry.
#[derive(Debug, clap::Args)]
pub struct QueryArguments {
    /// Of which release: v1.5.1, or v1.5 for its newest patch; the newest one without it
    #[arg(long, value_name = "RELEASE")]
    release: Option<String>,
    /// Of one profile only, such as GATEWAY-HTTP
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    #[command(flatten)]
    pub registry: RegistryArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Human,
    /// For programs; `gwconform schema` describes it
    Json,
}

/// A release that was asked for, perhaps loosely, and a profile of it.
#[derive(Debug)]
pub struct Query<'r> {
    /// The release.
    pub release: &'r Release,
    /// How what was asked for was read, when it is not exactly a release.
    pub note: Option<String>,
    /// The profile, when one was asked for.
    pub profile: Option<&'r Profile>,
}

impl QueryArguments {
    /// Finds what is asked for.
    pub fn find<'r>(&self, registry: &'r Registry) -> Result<Query<'r>, Failure> {
        let (release, note) = match &self.release {
            Some(text) => release(registry, text)?,
            None => (registry.newest().ok_or_else(no_release)?, None),
        };
        let profile = self.profile.as_deref();
        let profile = profile
            .map(|name| profile_of(registry, release, name))
            .transpose()?;
        Ok(Query {
            release,
            note,
            profile,
        })
    }
}

fn no_release() -> Failure {
    Failure::Usage(anyhow!("the registry has no release"))
}

/// The release that a text names, perhaps loosely, and how it was read when it is not exact.
pub(super) fn release<'r>(
    registry: &'r Registry,
    text: &str,
) -> Result<(&'r Release, Option<String>), Failure> {
    let minor = Minor::parse(text).or_else(|| Minor::parse(&format!("v{text}")));
    if let Some(release) = minor.and_then(|minor| registry.newest_patch_of(minor)) {
        let note = format!("{text} is read as {}, its newest patch", release.version());
        return Ok((release, Some(note)));
    }
    let found = lenient_version(text).map(|version| registry.release(&version));
    match found {
        Some(Match::Exact(release)) => {
            let is_exact = release.version().to_string() == text;
            let note = (!is_exact).then(|| format!("{text} is read as {}", release.version()));
            Ok((release, note))
        }
        Some(Match::NearestLowerPatch(release)) => Ok((
            release,
            Some(format!(
                "{text} is not known here; {} is the nearest patch below it",
                release.version()
            )),
        )),
        Some(Match::NewerThanKnown | Match::Unknown) | None => Err(unknown_release(registry, text)),
    }
}

fn unknown_release(registry: &Registry, text: &str) -> Failure {
    let known: Vec<_> = registry
        .releases()
        .iter()
        .map(|release| release.version().to_string())
        .collect();
    let (Some(first), Some(last)) = (known.first(), known.last()) else {
        return no_release();
    };
    // Another number is another release, and no slip.
    let meant = suggest::similar(text, known.iter().map(String::as_str));
    let meant = meant.filter(|similar| similar.typo);
    let hint = meant.map_or(String::new(), |similar| {
        format!("; did you mean `{}`?", similar.name)
    });
    Failure::Usage(anyhow!(
        "`{text}` is no release that is known here ({first} to {last}){hint}"
    ))
}

fn profile_of<'r>(
    registry: &'r Registry,
    release: &'r Release,
    name: &str,
) -> Result<&'r Profile, Failure> {
    if let Some(profile) = release.profile(name) {
        return Ok(profile);
    }
    let names: Vec<_> = release
        .profiles()
        .map(|profile| profile.name.as_str())
        .collect();
    let older = registry.renamed_from(Kind::Profile, name);
    let newer = registry.renamed_to(Kind::Profile, name);
    let mut renamed = older.into_iter().chain(newer).map(|(other, _)| other);
    let meant = renamed
        .find(|other| names.contains(other))
        .or_else(|| suggest::nearest(name, names.iter().copied()));
    let hint = match meant {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None if names.is_empty() => String::new(),
        None => format!(": it has {}", names.join(", ")),
    };
    Err(Failure::Usage(anyhow!(
        "{} has no profile `{name}`{hint}",
        release.version()
    )))
}
