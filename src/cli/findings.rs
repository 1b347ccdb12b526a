use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{ColorChoice, ValueEnum};

use super::bar::Bar;
use super::format;
use super::output_file::{self, OutputFile};
use super::registry::RegistryArguments;
use super::severity::{FailOn, SeverityArgs};
use super::{Failure, Streams};
use crate::print::{self, Format, RenderInput, Styling};
use crate::workspace::{Base, Options, PathBase, Target};
use gwconform_base::text::diagnostic::Severity;
use gwconform_report::rules::check::CheckReport;

#[derive(Debug, clap::Args)]
#[command(mut_arg("format", |arg| arg.value_parser(format::without_suggestions())))]
#[command(mut_arg("outputs", |arg| arg.value_parser(OutputFile::without_suggestions)))]
#[command(mut_arg("strict", |arg| arg.hide_short_help(true)))]
#[command(mut_arg("select", |arg| arg.hide_short_help(true)))]
#[command(mut_arg("ignore", |arg| arg.hide_short_help(true)))]
pub struct FileArguments {
    #[command(flatten)]
    pub severity: SeverityArgs,
    /// Configuration file [default: gwconform.toml next to the first file or in a parent folder]
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Rules",
        hide_short_help = true
    )]
    config: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Rules")]
    pub registry: RegistryArguments,
    #[command(flatten, next_help_heading = "Output")]
    pub output: OutputArguments,
}

impl FileArguments {
    pub fn options(&self, files: Vec<PathBuf>) -> Options {
        Options {
            target: Target::Files(files),
            paths: self.output.paths(),
            config: self.config.clone().into(),
            baseline: None,
            registry: self.registry.folder(),
            statements: None,
        }
    }
}

#[derive(Debug, Clone, clap::Args)]
pub struct OutputArguments {
    /// Output format
    #[arg(long, value_parser = format::of_findings(), default_value = Format::Human.name())]
    pub format: Format,
    /// Also write a file in another format, e.g. junit=report.xml
    ///
    /// Can be repeated.
    #[arg(long = "output", value_name = "FORMAT=FILE")]
    outputs: Vec<OutputFile>,
    /// When to use color
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto, hide_short_help = true)]
    color: ColorChoice,
    /// Show only findings at or above this severity, and findings that cause exit code 1
    #[arg(long, value_enum, value_name = "SEVERITY", hide_short_help = true)]
    severity: Option<Least>,
    /// Show only errors; same as --severity error
    #[arg(long, short, conflicts_with = "severity")]
    quiet: bool,
    /// Print timings to stderr; for `resources`, also list skipped rules
    #[arg(long, short, hide_short_help = true)]
    verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Least {
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
    pub fn hide(&self, report: &mut CheckReport, fail_on: FailOn) {
        let asked_for = if self.quiet {
            Some(Severity::Error)
        } else {
            self.severity.map(Severity::from)
        };
        if let Some(least) = asked_for {
            report.hide_below(least.min(fail_on.severity()));
        }
    }

    pub fn has_severity(&self) -> bool {
        self.severity.is_some()
    }

    pub fn is_human(&self) -> bool {
        self.format == Format::Human
    }

    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    pub fn is_verbose(&self) -> bool {
        self.verbose
    }

    pub fn wants_suggestions(&self) -> bool {
        let formats = self.outputs.iter().map(|file| file.format);
        formats
            .chain([self.format])
            .any(|format| format == Format::Suggestions)
    }

    /// Programs need paths of the repository, wherever gwconform runs.
    pub fn paths(&self) -> PathBase {
        let mut formats = self
            .outputs
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
        !self.outputs.is_empty()
    }

    pub fn check_files(&self, base: &Base, other: Option<&Path>) -> Result<(), Failure> {
        output_file::check(&self.outputs, other, base)
    }

    pub fn write_files(&self, input: RenderInput<'_>, base: &Base) -> Result<(), Failure> {
        (self.outputs.iter()).try_for_each(|file| file.write(input, base))
    }

    pub fn print(
        &self,
        input: RenderInput<'_>,
        start: Instant,
        streams: &mut Streams<'_>,
    ) -> Result<(), Failure> {
        let styling = match self.color {
            ColorChoice::Auto => streams.styling(),
            ColorChoice::Always => Styling::Styled,
            ColorChoice::Never => Styling::Plain,
        };
        match self.format {
            Format::Human => print::human::write(input, styling, streams.out(styling.into()))?,
            format => format.write(input, streams.out(format::content(format)))?,
        }
        if self.verbose {
            streams.flush()?;
            let seconds = start.elapsed().as_secs_f64();
            streams.note(format_args!("checked in {seconds:.3} s"))?;
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
