use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;

use super::{Failure, Streams};
use crate::print;
use crate::rules::configuration::Config;
use crate::text::visible;
use crate::workspace::{
    Base, Configuration, ErrorKind, OpenError, Options, OutlookError, ReadError, RunError, Target,
    Workspace,
};

pub fn working_dir() -> Result<Base, Failure> {
    let folder = std::env::current_dir().context("the working directory is gone");
    let base = Base::from(folder.map_err(Failure::CouldNotRun)?);
    Ok(base.with_ceiling(std::env::home_dir()))
}

pub fn workspace(options: Options, streams: &mut Streams<'_>) -> Result<Workspace, Failure> {
    let opened = Workspace::open(working_dir()?, options);
    if let Ok(workspace) = &opened {
        for path in workspace.unused_facts() {
            let line = format!("ignored: {path}: only --registry replaces built-in release data");
            writeln!(streams.stderr, "{}", visible(&line))?;
        }
    }
    opened.or_else(|error| {
        if !error.findings().is_empty() {
            let (width, styling) = (streams.width(), streams.styling());
            let config = Config::default();
            let out = &mut streams.stderr;
            print::human::write_findings(error.findings(), &config, width, styling, out)?;
        }
        Err(error.into())
    })
}

pub fn for_texts(
    registry: Option<PathBuf>,
    streams: &mut Streams<'_>,
) -> Result<Workspace, Failure> {
    let options = Options {
        target: Target::Texts,
        config: Configuration::Default,
        registry,
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
        failure(error.kind(), error)
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        failure(ErrorKind::System, error)
    }
}
