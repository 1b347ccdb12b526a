use anyhow::anyhow;
use clap::ValueEnum;

use super::{Exit, Failure};
use crate::rules;
use gwconform_base::text::diagnostic::Severity;
use gwconform_report::rules::check::{CheckReport, Selection, Strictness};

#[derive(Debug, clap::Args)]
pub struct SeverityArgs {
    /// Treat as errors the warnings that a strict reviewer would reject
    ///
    /// `gwconform explain` lists these rules.
    #[arg(long, help_heading = "Rules")]
    strict: bool,
    /// Run only these rules or rule groups
    #[arg(
        long,
        value_name = "RULE",
        value_delimiter = ',',
        help_heading = "Rules"
    )]
    pub select: Vec<String>,
    /// Skip these rules or rule groups
    #[arg(
        long,
        value_name = "RULE",
        value_delimiter = ',',
        help_heading = "Rules"
    )]
    ignore: Vec<String>,
    /// Exit with 1 if there are findings at or above this severity
    #[arg(
        long,
        value_enum,
        value_name = "SEVERITY",
        default_value_t = FailOn::Error,
        help_heading = "Output",
        hide_short_help = true
    )]
    fail_on: FailOn,
    /// Exit with 0 even if there are findings; same as --fail-on never
    #[arg(
        long,
        conflicts_with = "fail_on",
        help_heading = "Output",
        hide_short_help = true
    )]
    exit_zero: bool,
}

impl SeverityArgs {
    pub fn selection(&self) -> Result<Selection, Failure> {
        let selection = Selection::new(&self.select, &self.ignore, &rules::ALL)
            .map_err(|error| Failure::Usage(anyhow!("{error}")))?;
        Ok(selection.with(if self.strict {
            Strictness::Strict
        } else {
            Strictness::Normal
        }))
    }

    pub fn fail_on(&self) -> FailOn {
        if self.exit_zero {
            FailOn::Never
        } else {
            self.fail_on
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    Error,
    Warning,
    Info,
    Never,
}

impl FailOn {
    fn least(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Info => Some(Severity::Info),
            Self::Never => None,
        }
    }

    pub fn is_never(self) -> bool {
        self == Self::Never
    }

    pub fn severity(self) -> Severity {
        self.least().unwrap_or(Severity::Error)
    }

    pub fn exit(self, outcome: &CheckReport) -> Exit {
        let Some(least) = self.least() else {
            return Exit::Done;
        };
        let mut all = [Severity::Error, Severity::Warning, Severity::Info].into_iter();
        if all.any(|severity| severity >= least && outcome.count(severity) > 0) {
            Exit::Findings
        } else {
            Exit::Done
        }
    }
}
