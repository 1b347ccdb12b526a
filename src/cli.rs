//! The command line: arguments, streams and exit codes. Only this module reads the environment and
//! writes output.

#![allow(
    clippy::disallowed_methods,
    reason = "only `cli` uses arguments, streams and the system (clippy.toml)"
)]

mod add;
mod badge;
mod bar;
mod baseline;
mod catalog;
mod certify;
mod check;
mod completions;
mod day;
mod diff;
mod allow_unread;
mod explain;
mod export;
mod features;
mod findings;
mod fix;
mod format;
mod git;
mod global;
mod help;
mod hook;
mod kubectl;
mod man;
mod manifests;
mod needs;
mod open;
mod outlook;
mod output;
mod output_file;
mod plan;
mod profiles;
mod program;
mod registry;
mod releases;
mod resources;
mod schema;
mod severity;
mod site;
mod streams;
mod implementation_name;
mod test_list;
pub mod threads;
mod verify;
mod write;

use std::ffi::OsString;
use std::io;
use std::path::Path;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::workspace::OpenError;
use gwconform_base::files::PathError;
use gwconform_base::release::Registry;
use gwconform_report::document::Data;

use global::GlobalArguments;
use streams::Content;
pub use streams::Streams;

/// Check, certify and publish Kubernetes Gateway API conformance reports.
#[derive(Debug, Parser)]
#[command(
    name = "gwconform",
    version,
    max_term_width = 100,
    disable_help_subcommand = true
)]
struct Arguments {
    #[command(flatten)]
    global: GlobalArguments,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Add(add::Arguments),
    Badge(badge::Arguments),
    Certify(certify::Arguments),
    Check(check::Arguments),
    Completions(completions::Arguments),
    Diff(diff::Arguments),
    Explain(explain::Arguments),
    Export(export::Arguments),
    Features(features::Arguments),
    Help(help::Arguments),
    Man(man::Arguments),
    Needs(needs::Arguments),
    Outlook(outlook::Arguments),
    Plan(plan::Arguments),
    Profiles(profiles::Arguments),
    Registry(registry::command::Arguments),
    Releases(releases::Arguments),
    Resources(resources::Arguments),
    Schema(schema::Arguments),
    Site(site::Arguments),
    Tests(test_list::Arguments),
    Verify(verify::Arguments),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Done = 0,
    /// At least one finding is at or above the `--fail-on` severity.
    Findings = 1,
}

#[derive(Debug)]
enum Failure {
    /// Something the user typed does not exist or is invalid: exit code 2.
    Usage(anyhow::Error),
    /// The system failed, or there is nothing to read: exit code 3.
    CouldNotRun(anyhow::Error),
}

/// Text on the command line that names something that does not exist, such as a revision.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Mistake(String);

impl From<io::Error> for Failure {
    /// Only the standard streams return errors without a context.
    fn from(error: io::Error) -> Self {
        Self::CouldNotRun(anyhow::Error::from(error).context("standard output cannot be written"))
    }
}

impl From<PathError> for Failure {
    fn from(error: PathError) -> Self {
        anyhow::Error::from(error).into()
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        let is_mistake = error.chain().any(|cause| {
            let path: Option<&PathError> = cause.downcast_ref();
            let output: Option<&io::Error> = cause.downcast_ref();
            path.is_some_and(PathError::is_mistake)
                || output.is_some_and(|error| is_wrong_path(error.kind()))
                || cause.is::<Mistake>()
        });
        if is_mistake {
            Self::Usage(error)
        } else {
            Self::CouldNotRun(error)
        }
    }
}

/// True for an output path that leads through a file, or to a folder.
fn is_wrong_path(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{AlreadyExists, InvalidFilename, IsADirectory, NotADirectory};
    matches!(
        kind,
        AlreadyExists | InvalidFilename | IsADirectory | NotADirectory
    )
}

/// Formats an error with invisible characters escaped. Release data errors remain on separate
/// lines.
fn shown(error: &anyhow::Error) -> String {
    match error.downcast_ref() {
        Some(OpenError::Registry(lines)) => {
            let lines = lines.iter().map(|line| gwconform_base::text::visible(line));
            lines.collect::<Vec<_>>().join("\n")
        }
        _ => gwconform_base::text::visible(&format!("{error:#}")),
    }
}

/// Name of the program as a plugin of `kubectl`.
const PLUGIN: &str = "kubectl-gwconform";

/// With `is_all`, the help lists all commands.
fn command(is_all: bool) -> clap::Command {
    let program = Arguments::command();
    let global = program.get_arguments().filter(|arg| arg.is_global_set());
    let global: Vec<_> = global
        .map(|arg| arg.clone().hide_short_help(true))
        .collect();
    let program = program.mut_subcommands(|command| command.args(&global));
    help::arranged(program, is_all)
}

fn parse(arguments: &[OsString], is_all: bool) -> Result<Arguments, clap::Error> {
    let name = arguments.first().map(Path::new).and_then(Path::file_stem);
    let mut command = command(is_all);
    if name.is_some_and(|name| name == PLUGIN) {
        command = command.bin_name("kubectl gwconform");
    }
    let found = command.try_get_matches_from_mut(arguments);
    let found = found.map_err(|error| help::with_tip(error, &command, arguments))?;
    Arguments::from_arg_matches(&found).map_err(|error| error.format(&mut command))
}

pub fn run(arguments: impl IntoIterator<Item = OsString>, streams: &mut Streams<'_>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut parsed = parse(&arguments, false);
    if let Ok(Arguments {
        command: Command::Help(help),
        global,
    }) = &parsed
    {
        streams.set(global.clone());
        parsed = parse(&help.as_option(arguments.first()), help.all);
    }
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => {
            let mut plain = error.render().to_string();
            if error.kind() == clap::error::ErrorKind::DisplayVersion {
                plain.push_str(&release_data());
            }
            // The message repeats arguments, which can contain control characters.
            let visible = gwconform_base::text::visible_source(&plain);
            let (text, content) = if streams.is_styled && visible == plain {
                (error.render().ansi().to_string(), Content::Styled)
            } else {
                (visible.into_owned(), Content::Text)
            };
            let is_answer = !error.use_stderr();
            let stream = if is_answer {
                streams.out(content)
            } else {
                streams.err(content)
            };
            let written = stream
                .write_all(text.as_bytes())
                .and_then(|()| stream.flush());
            return match (is_answer, written) {
                (true, Err(error)) => failed(&error.into(), streams),
                (true, Ok(())) => 0,
                (false, _) => 2,
            };
        }
    };
    streams.set(arguments.global);
    let mut result = match &arguments.command {
        Command::Add(arguments) => add::run(arguments, streams),
        Command::Badge(arguments) => badge::run(arguments, streams),
        Command::Certify(arguments) => certify::run(arguments, streams),
        Command::Check(arguments) => check::run(arguments, streams),
        Command::Completions(arguments) => completions::run(arguments, streams),
        Command::Diff(arguments) => diff::run(arguments, streams),
        Command::Explain(arguments) => explain::run(arguments, streams),
        Command::Export(arguments) => export::run(arguments, streams),
        Command::Features(arguments) => features::run(arguments, streams),
        // Parsed again as `--help`, which is an answer and not a command.
        Command::Help(_) => Ok(Exit::Done),
        Command::Man(arguments) => man::run(arguments, streams),
        Command::Needs(arguments) => needs::run(arguments, streams),
        Command::Outlook(arguments) => outlook::run(arguments, streams),
        Command::Plan(arguments) => plan::run(arguments, streams),
        Command::Profiles(arguments) => profiles::run(arguments, streams),
        Command::Registry(arguments) => registry::command::run(arguments, streams),
        Command::Releases(arguments) => releases::run(arguments, streams),
        Command::Resources(arguments) => resources::run(arguments, streams),
        Command::Schema(arguments) => schema::run(arguments, streams),
        Command::Site(arguments) => site::run(arguments, streams),
        Command::Tests(arguments) => test_list::run(arguments, streams),
        Command::Verify(arguments) => verify::run(arguments, streams),
    };
    if result.is_ok() || streams.used.is_some() {
        result = open::tell_used(streams).and(result);
    }
    let flushed = streams.flush();
    match result.and_then(|exit| Ok(flushed.map(|()| exit)?)) {
        Ok(exit) => exit as u8,
        Err(failure) => failed(&failure, streams),
    }
}

/// The built-in data, as in the start of each JSON document with the option `--unreleased`.
fn release_data() -> String {
    let registry = Registry::with_unreleased(&[]).unwrap_or_default();
    format!("{}\n", Data::new(&registry))
}

/// Prints the error, and returns the exit code.
fn failed(failure: &Failure, streams: &mut Streams<'_>) -> u8 {
    let (code, error) = match failure {
        Failure::Usage(error) => (2, error),
        Failure::CouldNotRun(error) => (3, error),
    };
    // A reader that closes the pipe (`| head`) is not a failure.
    if error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    {
        return 0;
    }
    let _ = writeln!(streams.err(Content::Text), "error: {}", shown(error));
    code
}
