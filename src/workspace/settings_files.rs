//! Reads configuration, baseline, statements and release data.

use std::path::{Path, PathBuf};

use super::Configuration;
use super::error::OpenError;
use super::targets::{Base, Targets};
use crate::rules;
use gwconform_base::files::name_of;
use gwconform_base::files::{FolderEntry, PathError};
use gwconform_base::release::{FileError, Registry};
use gwconform_base::text::source::{MAX_FILE_BYTES, Source, display_path};
use gwconform_report::certify::attested::NamedStatement;
use gwconform_report::rules::baseline::{self, Accepted, Places};
use gwconform_report::rules::check::Skipped;
use gwconform_report::rules::configuration::{self, Config, ConfigFile};
use gwconform_report::statement::Statement;

/// The built-in registry has about 20 files. Each of them can add a release, which has all facts of
/// the one that it extends.
const MAX_FILES: usize = 100;

#[derive(Debug, Default)]
pub(super) struct Inputs {
    pub(super) config: Option<ConfigFile>,
    pub(super) accepted: Option<Accepted>,
    pub(super) registry: LoadedRegistry,
}

impl Inputs {
    pub(super) fn config<'a>(&'a self, default: &'a Config) -> &'a Config {
        self.config.as_ref().map_or(default, |file| &file.config)
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct NamedInputs {
    pub(super) config: Configuration,
    pub(super) baseline: Option<PathBuf>,
    pub(super) registry: Option<PathBuf>,
    pub(super) statements: Option<PathBuf>,
}

impl NamedInputs {
    pub(super) fn registry(&self, config: Option<&ConfigFile>) -> Option<FactsFolder> {
        let named = self.registry.clone().map(FactsFolder::Named);
        let of_config = || config.and_then(ConfigFile::registry);
        named.or_else(|| of_config().map(FactsFolder::Configured))
    }

    pub(super) fn statements(&self, config: Option<&ConfigFile>) -> Option<PathBuf> {
        let of_config = || config.and_then(ConfigFile::statements);
        self.statements.clone().or_else(of_config)
    }
}

#[derive(Debug, Clone)]
pub(super) enum FactsFolder {
    /// From the command line. Its files replace built-in data.
    Named(PathBuf),
    /// From the configuration, which contributors may control. Its files can add releases but not
    /// replace data.
    Configured(PathBuf),
}

impl FactsFolder {
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Named(path) | Self::Configured(path) => path,
        }
    }
}

pub(super) type Statements = (Vec<NamedStatement>, Vec<Skipped>);

/// Signed bundles use `.jsonl` with one attestation per line.
pub(super) fn is_statement(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|name| name == "json" || name == "jsonl")
}

pub(super) fn statements(folder: Option<&Path>, base: &Base) -> Result<Statements, OpenError> {
    let Some(folder) = folder else {
        return Ok(Default::default());
    };
    let folder = base.absolute(folder);
    let shown = base.display(&folder);
    let unread =
        |error| OpenError::Statements(PathError::new(&shown, error, "a folder of statements"));
    let opened = base.files().folder(&folder).map_err(unread)?;
    let entries = opened.entries().map_err(unread)?;
    let (mut statements, mut left_out) = (Vec::new(), Vec::new());
    for entry in entries.iter().filter(|entry| is_statement(entry.path())) {
        let path = base.display(entry.path());
        let name = Path::new(entry.path().file_name().unwrap_or_default());
        let read = opened.read(name, MAX_FILE_BYTES);
        let reason = match read.as_deref().map(Statement::parse) {
            Ok(Ok(statement)) => {
                statements.push((path, statement));
                continue;
            }
            Ok(Err(error)) => error.to_string(),
            Err(error) => format!("not read: {error}"),
        };
        left_out.push(Skipped { path, reason });
    }
    statements.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok((statements, left_out))
}

/// Built-in and additional release data.
#[derive(Debug, Default)]
pub struct LoadedRegistry {
    registry: Option<Registry>,
    files: Vec<(String, String)>,
    unused: Vec<String>,
}

impl LoadedRegistry {
    pub(super) fn with_files(
        mut files: Vec<(String, String)>,
        folder: &FactsFolder,
        base: &Base,
    ) -> Result<Self, Vec<FileError>> {
        let shown = base.display(&base.absolute(folder.path()));
        let mut unused = Vec::new();
        if let FactsFolder::Configured(_) = folder {
            files.retain(|(name, _)| {
                let is_built_in = Registry::is_built_in(name);
                if is_built_in {
                    unused.push(format!("{shown}/{name}"));
                }
                !is_built_in
            });
        }
        let registry = Registry::with_files(&files)?.of_folder(&shown);
        Ok(Self {
            registry: Some(registry),
            files,
            unused,
        })
    }

    /// Registry with the added releases or, if none were added, the built-in registry.
    pub fn get(&self) -> &Registry {
        self.registry
            .as_ref()
            .unwrap_or_else(|| Registry::embedded())
    }

    pub(super) fn with_unreleased(&self) -> Result<Registry, OpenError> {
        Registry::with_unreleased(&self.files)
            .map_err(|errors| OpenError::Registry(errors.iter().map(ToString::to_string).collect()))
    }

    /// Files that are ignored, because the data is built in.
    pub fn unused(&self) -> &[String] {
        &self.unused
    }
}

pub(super) fn config(
    named: &NamedInputs,
    targets: &Targets,
    base: &Base,
) -> Result<Option<ConfigFile>, OpenError> {
    let found = || {
        let folder = targets.first_folder(base.files()).unwrap_or(base.path());
        configuration::find(base.files(), folder)
    };
    let path = match &named.config {
        Configuration::Found => found(),
        Configuration::File(path) => Some(base.absolute(path)),
        Configuration::Default => None,
    };
    let Some(path) = path else {
        return Ok(None);
    };
    let shown = base.display(&path);
    let bytes = base
        .read(&path, MAX_FILE_BYTES, "a configuration file")
        .map_err(OpenError::Config)?;
    let folder = path.parent().unwrap_or(base.path()).to_owned();
    let parsed = configuration::parse(Source::new(shown.clone(), bytes), folder, &rules::ALL);
    parsed
        .map(Some)
        .map_err(|findings| OpenError::InvalidConfig {
            path: shown,
            findings,
        })
}

pub(super) fn baseline(named: &NamedInputs, base: &Base) -> Result<Option<Accepted>, OpenError> {
    let Some(path) = &named.baseline else {
        return Ok(None);
    };
    let path = base.absolute(path);
    let shown = base.display(&path);
    let bytes = base
        .read(&path, MAX_FILE_BYTES, "a baseline")
        .map_err(OpenError::Baseline)?;
    let parsed = baseline::parse(
        Source::new(shown.clone(), bytes),
        places(&path, base),
        &rules::ALL,
    );
    parsed
        .map(Some)
        .map_err(|findings| OpenError::InvalidBaseline {
            path: shown,
            findings,
        })
}

/// Converts paths for a baseline at `path`.
pub fn places(path: &Path, base: &Base) -> Places {
    Places::new(base.shown_from(), path.parent().unwrap_or(base.path()))
}

/// Loads the built-in data, and the files of a folder.
pub fn registry(folder: Option<&Path>, base: &Base) -> Result<LoadedRegistry, OpenError> {
    let folder = folder.map(|folder| FactsFolder::Named(folder.to_owned()));
    facts(folder.as_ref(), base)
}

pub(super) fn facts(
    folder: Option<&FactsFolder>,
    base: &Base,
) -> Result<LoadedRegistry, OpenError> {
    let read = folder
        .map(|folder| read_registry(folder, base))
        .transpose()?;
    Ok(read.unwrap_or_default())
}

/// Names and contents of release data files.
pub fn registry_files(folder: &Path, base: &Base) -> Result<Vec<(String, String)>, OpenError> {
    let fault = |path: &Path, reason: String| {
        let shown = display_path(path, Path::new(""));
        OpenError::Registry(vec![format!("--registry: {shown}: {reason}")])
    };
    let opened = base
        .files()
        .folder(&base.absolute(folder))
        .map_err(|error| {
            let shown = display_path(folder, Path::new(""));
            OpenError::RegistryFolder(PathError::new(&shown, error, "a folder of release data"))
        })?;
    let is_json = |entry: &FolderEntry| entry.path().extension().is_some_and(|name| name == "json");
    let entries: Vec<FolderEntry> = opened
        .entries()
        .map_err(|error| fault(folder, error.to_string()))?
        .into_iter()
        .filter(is_json)
        .collect();
    if entries.len() > MAX_FILES {
        let reason = format!("{} JSON files; expected at most {MAX_FILES}", entries.len());
        return Err(fault(folder, reason));
    }
    let mut files = Vec::new();
    for entry in entries {
        let name = Path::new(entry.path().file_name().unwrap_or_default());
        let not_read = |reason: String| fault(&folder.join(name), format!("not read: {reason}"));
        let bytes = opened
            .read(name, MAX_FILE_BYTES)
            .map_err(|error| not_read(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| not_read("it is not UTF-8".to_owned()))?;
        files.push((name_of(name), text));
    }
    Ok(files)
}

fn read_registry(folder: &FactsFolder, base: &Base) -> Result<LoadedRegistry, OpenError> {
    let files = registry_files(folder.path(), base)?;
    LoadedRegistry::with_files(files, folder, base).map_err(|errors| {
        let shown = display_path(folder.path(), Path::new(""));
        let lines = errors.iter().map(|error| format!("{shown}/{error}"));
        OpenError::Registry(lines.collect())
    })
}
