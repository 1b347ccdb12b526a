use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::{Failure, Streams};
use crate::workspace::{
    self, Base, Configuration, ErrorKind, LoadedRegistry, OpenError, Options, OutlookError,
    PathBase, RunError, Target, Used, Workspace,
};
use gwconform_base::release::Registry;
use gwconform_base::release::stated::lenient_version;
use gwconform_base::text::suggest;
use gwconform_report::rules::configuration::Config;

pub fn working_dir() -> Result<Base, Failure> {
    let folder = std::env::current_dir().context("the working directory is gone");
    let base = Base::from(folder?);
    Ok(base.with_ceiling(std::env::home_dir()))
}

/// Opens a workspace with the files of the global options.
pub fn workspace(mut options: Options, streams: &mut Streams<'_>) -> Result<Workspace, Failure> {
    options.registry.clone_from(&streams.global.registry);
    if let Some(config) = &streams.global.config {
        options.config = Configuration::File(config.clone());
    }
    let opened = Workspace::open(working_dir()?, options);
    if let Ok(workspace) = &opened {
        let used = workspace.used();
        if used.tree.is_some() || streams.used.is_none() {
            streams.used = Some(used);
        }
        for path in workspace.unused_facts() {
            streams.note(format_args!(
                "ignored: {path}: only --registry replaces built-in release data"
            ))?;
        }
    }
    opened.or_else(|error| {
        if !error.findings().is_empty() {
            streams.findings(error.findings(), &Config::default())?;
        }
        Err(missing(&error).map_or_else(|| error.into(), Failure::Usage))
    })
}

/// The built-in data with that of `--registry`, for commands that read no other files.
pub fn registry(streams: &mut Streams<'_>) -> Result<LoadedRegistry, Failure> {
    let base = working_dir()?;
    let folder = streams.global.registry.clone();
    let loaded = workspace::registry(folder.as_deref(), &base)?;
    streams.used = Some(Used {
        registry: folder.map(|folder| base.absolute(&folder)),
        ..Used::default()
    });
    Ok(loaded)
}

/// With `--verbose`, prints the files that a command has used.
pub fn tell_used(streams: &mut Streams<'_>) -> Result<(), Failure> {
    if !streams.global.verbose {
        return Ok(());
    }
    streams.flush()?;
    let used = streams.used.take().unwrap_or_default();
    let base = working_dir()?;
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

/// Message for a path that does not exist, with a similar path that does.
fn missing(error: &OpenError) -> Option<anyhow::Error> {
    let OpenError::Path(cause) = error else {
        return None;
    };
    let similar = similar_path(cause.missing_path()?)?;
    Some(anyhow::anyhow!("{error}; did you mean `{similar}`?"))
}

/// The path with slashes, or a neighbor: the folder of the minor, or the most similar name.
fn similar_path(path: &str) -> Option<String> {
    let slashes = path.replace('\\', "/");
    if slashes != path && Path::new(&slashes).exists() {
        return Some(slashes);
    }
    let (parent, name) = path
        .trim_end_matches('/')
        .rsplit_once('/')
        .unwrap_or((".", path));
    let entries = std::fs::read_dir(parent).ok()?.filter_map(Result::ok);
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    let minor = lenient_version(name).map(|version| version.minor().to_string());
    let of_minor = names.iter().find(|name| minor.as_ref() == Some(*name));
    let nearest = || suggest::nearest(name, names.iter().map(String::as_str));
    let found = of_minor.map(String::as_str).or_else(nearest);
    // A link to a path that does not exist has its own name as the nearest.
    let found = found.filter(|found| *found != name)?;
    Some(match parent {
        "." => found.to_owned(),
        parent => format!("{parent}/{found}"),
    })
}

/// Opens a tree, or the default tree, with its configuration.
pub fn tree(
    path: Option<&Path>,
    paths: PathBase,
    streams: &mut Streams<'_>,
) -> Result<Workspace, Failure> {
    let options = Options {
        target: Target::Paths(path.into_iter().map(Path::to_owned).collect()),
        paths,
        ..Options::default()
    };
    workspace(options, streams)
}

pub fn for_texts(paths: PathBase, streams: &mut Streams<'_>) -> Result<Workspace, Failure> {
    let options = Options {
        target: Target::Texts,
        paths,
        config: Configuration::Default,
        ..Options::default()
    };
    workspace(options, streams)
}

fn failure(kind: ErrorKind, error: impl Into<anyhow::Error>) -> Failure {
    let error = error.into();
    match kind {
        ErrorKind::Usage => Failure::Usage(error),
        ErrorKind::System => Failure::CouldNotRun(error),
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        failure(error.kind(), error)
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        failure(error.kind(), error)
    }
}

impl From<OutlookError> for Failure {
    fn from(error: OutlookError) -> Self {
        failure(ErrorKind::System, error)
    }
}
