use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use super::{RunError, Workspace, error};
use crate::rules::Scope;
use gwconform_base::api::NameKind;
use gwconform_base::text::source::Source;
use gwconform_evidence::log::{Log, LogError};
use gwconform_evidence::verify::{self, Choice, Input, Verified};
use gwconform_report::rules::check::{self, Coverage, Selection, Settings};
use gwconform_report::rules::configuration::Ignores;
use gwconform_report::tree::Submission;

/// Reason why a report cannot be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The selected rules cannot verify reports.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The report, log or run cannot be used.
    #[error(transparent)]
    Input(#[from] verify::Error),
}

impl Workspace {
    /// `shown` is the printed path.
    pub fn read_log(&self, shown: &str, stream: impl Read) -> Result<Log, LogError> {
        let known: BTreeSet<&str> = self.registry().names(NameKind::Test);
        Log::read(shown, stream, &known)
    }

    /// Verifies a report, by default the report that the log prints.
    pub fn verify(
        &self,
        report: Option<(&Path, Vec<u8>)>,
        logs: &[Log],
        choice: &Choice,
        selection: &Selection,
    ) -> Result<Verified, VerifyError> {
        let settings = Settings::new(selection, self.config());
        error::need_rules(&settings, Scope::Log)?;
        let files = self.base.files();
        let submission = report
            .as_ref()
            .map_or_else(Submission::default, |(path, _)| {
                Submission::holding_in(files, path)
            });
        let source = report.map(|(path, bytes)| Source::new(self.base.display(path), bytes));
        let input = Input {
            report: source.as_ref(),
            submission: &submission,
            logs,
            choice,
        };
        let mut verified = verify::verify(input, &settings, self.registry())?;
        if let Some(file) = &self.inputs.config {
            let mut ignores = Ignores::new(file, self.base.shown_from());
            check::apply_ignores(
                &mut verified.report,
                &mut ignores,
                &settings,
                Coverage::Part,
            );
        }
        Ok(verified)
    }
}
