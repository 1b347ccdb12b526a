use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueEnum;

use super::bar::Bar;
use super::format;
use super::output_file::{self, OutputFile};
use super::severity::{FailOn, SeverityArgs};
use super::{Failure, Streams};
use crate::print::{self, Format, RenderInput};
use crate::workspace::{Base, Options, PathBase, Target};
use gwconform_base::text::diagnostic::Severity;
use gwconform_report::rules::check::CheckReport;

#[derive(Debug, clap::Args)]
#[command(mut_arg("format", |arg| arg.value_parser(format::without_suggestions())))]
#[command(mut_arg("also", |arg| arg.value_parser(OutputFile::without_suggestions)))]
#[command(mut_arg("strict", |arg| arg.hide_short_help(true)))]
#[command(mut_arg("select", |arg| arg.hide_short_help(true)))]
#[command(mut_arg("ignore", |arg| arg.hide_short_help(true)))]
pub struct FileArguments {
    #[command(flatten)]
    pub severity: SeverityArgs,
    #[command(flatten, next_help_heading = "Output")]
    pub output: OutputArguments,
}

impl FileArguments {
    pub fn options(&self, files: Vec<PathBuf>) -> Options {
        Options {
            target: Target::Files(files),
            paths: self.output.paths(),
            ..Options::default()
        }
    }
}

#[derive(Debug, Clone, clap::Args)]
pub struct OutputArguments {
    /// Output format
    #[arg(long, value_parser = format::of_findings(), default_value = Format::Human.name())]
    pub format: Format,
    /// Also write FILE in another format, e.g. junit=report.xml
    ///
    /// Can be repeated.
    #[arg(long, value_name = "FORMAT=FILE")]
    also: Vec<OutputFile>,
    /// Show only findings at or above this severity, and findings that cause exit code 1
    #[arg(long, value_enum, value_name = "SEVERITY", hide_short_help = true)]
    pub severity: Option<Least>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Least {
    Error,
    Warning,
    Info,
}

impl From<Least> for Severity {
    fn from(least: Least) -> Self {
        match least {
            Least::Error => Self::Error,
            Least::Warning => Self::Warning,
            Least::Info => Self::Info,
        }
    }
}

impl OutputArguments {
    pub fn hide(&self, report: &mut CheckReport, fail_on: FailOn, streams: &Streams<'_>) {
        let quiet = streams.global.quiet.then_some(Least::Error);
        if let Some(least) = self.severity.or(quiet) {
            report.hide_below(Severity::from(least).min(fail_on.severity()));
        }
    }

    pub fn is_human(&self) -> bool {
        self.format == Format::Human
    }

    pub fn wants_suggestions(&self) -> bool {
        let formats = self.also.iter().map(|file| file.format);
        formats
            .chain([self.format])
            .any(|format| format == Format::Suggestions)
    }

    /// Programs need paths of the repository, wherever gwconform runs.
    pub fn paths(&self) -> PathBase {
        let mut formats = self
            .also
            .iter()
            .map(|file| file.format)
            .chain([self.format]);
        if formats.any(|format| matches!(format, Format::Json | Format::Sarif | Format::Github)) {
            PathBase::Repository
        } else {
            PathBase::WorkingDir
        }
    }

    pub fn has_files(&self) -> bool {
        !self.also.is_empty()
    }

    pub fn check_files(&self, base: &Base, other: Option<&Path>) -> Result<(), Failure> {
        output_file::check(&self.also, other, base)
    }

    pub fn write_files(&self, input: RenderInput<'_>, base: &Base) -> Result<(), Failure> {
        (self.also.iter()).try_for_each(|file| file.write(input, base))
    }

    pub fn print(
        &self,
        input: RenderInput<'_>,
        start: Instant,
        streams: &mut Streams<'_>,
    ) -> Result<(), Failure> {
        let styling = streams.styling();
        match self.format {
            Format::Human => print::human::write(input, styling, streams.out(styling.into()))?,
            format => format.write(input, streams.out(format::content(format)))?,
        }
        if streams.global.verbose {
            streams.flush()?;
            let seconds = start.elapsed().as_secs_f64();
            streams.error(format_args!("checked in {seconds:.3} s"))?;
        }
        Ok(())
    }

    pub fn bar(&self, streams: &Streams<'_>) -> Bar {
        match self.format {
            Format::Human => Bar::new(streams),
            _ => Bar::hidden(),
        }
    }
}
