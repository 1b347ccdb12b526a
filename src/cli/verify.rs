use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::anyhow;

use super::findings::FileArguments;
use super::registry::known_release;
use super::{Exit, Failure, Streams, open};
use crate::print::RenderInput;
use crate::workspace::{Options, VerifyError, Workspace};
use gwconform_base::files::{PathError, open_regular};
use gwconform_base::text::source::MAX_FILE_BYTES;
use gwconform_evidence::log::{Log, LogError};
use gwconform_evidence::verify::Choice;
use gwconform_report::statement::Statement;
use gwconform_report::statement::Verdict;

/// Verify a report against the log of its run (--log LOG).
///
/// A log is the output of `go test -v` or `go test -json`, as saved by GitHub or kubectl. Values that
/// the suite computes (numbers, lists, features) are recomputed from the results in the log.
/// Exit code 0: proved; 1: contradicted or not proved.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Report to verify [default: the report printed in the log]
    #[arg(value_name = "REPORT")]
    report: Option<PathBuf>,
    /// Log of the run, or - for standard input. If you pass several logs, all are searched for the
    /// run of the report
    #[arg(long, value_name = "LOG", required = true)]
    log: Vec<PathBuf>,
    /// Which run to use if the logs contain several
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), hide_short_help = true)]
    run: Option<u16>,
    /// Gateway API release: the one whose suite ran, if the report names no known release; built-in,
    /// or of --registry
    #[arg(long, value_name = "RELEASE", hide_short_help = true)]
    release: Option<String>,
    /// Output path: a file for the proved results, as an unsigned in-toto statement
    #[arg(long, short, value_name = "PATH")]
    out: Option<PathBuf>,
    /// URL of the log, for the statement
    #[arg(long, value_name = "URL", requires = "out", hide_short_help = true)]
    log_url: Option<String>,
    #[command(flatten)]
    common: FileArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let start = Instant::now();
    let selection = arguments.common.severity.selection()?;
    let workspace = open::workspace(arguments.options()?, streams)?;
    let statement = arguments.out.as_deref();
    arguments
        .common
        .output
        .check_files(workspace.base(), statement)?;
    let report = arguments.report.as_deref();
    let report = report
        .map(|path| read_report(path, &workspace))
        .transpose()?;
    let logs = arguments
        .log
        .iter()
        .map(|path| read_log(path, &workspace, streams))
        .collect::<Result<Vec<Log>, Failure>>()?;
    let report = report
        .as_ref()
        .map(|(path, bytes)| (path.as_path(), bytes.clone()));
    let choice = arguments.choice(&workspace)?;
    let found = workspace.verify(report, &logs, &choice, &selection)?;
    if let Some(path) = statement {
        arguments.write_statement(found.statement, path)?;
    }
    let fail_on = arguments.common.severity.fail_on();
    let tree = workspace.printed_tree();
    let input = RenderInput {
        fail_on: fail_on.severity(),
        evidence: Some(&found.summary),
        width: streams.width(),
        shows_all: true,
        registry: workspace.registry(),
        tree: tree.as_deref(),
        ..RenderInput::new(&found.report, workspace.config())
    };
    arguments
        .common
        .output
        .write_files(input, workspace.base())?;
    arguments.common.output.print(input, start, streams)?;
    Ok(match (fail_on.exit(&found.report), found.summary.verdict) {
        _ if fail_on.is_never() => Exit::Done,
        (Exit::Done, Verdict::Proved) => Exit::Done,
        _ => Exit::Findings,
    })
}

impl Arguments {
    fn options(&self) -> Result<Options, Failure> {
        if self.log.iter().filter(|path| is_stdin(path)).count() > 1 {
            return Err(Failure::Usage(anyhow!(
                "standard input (-) can be read only once"
            )));
        }
        let files = self
            .report
            .iter()
            .chain(self.log.iter().filter(|path| !is_stdin(path)));
        Ok(self.common.options(files.cloned().collect()))
    }

    fn choice(&self, workspace: &Workspace) -> Result<Choice, Failure> {
        let named = self.release.as_deref();
        let release = named.map(|text| known_release("--release", workspace.registry(), text));
        Ok(Choice {
            run: self.run.map(usize::from),
            release: release
                .transpose()?
                .map(|release| release.version().clone()),
        })
    }

    fn write_statement(&self, mut statement: Statement, path: &Path) -> Result<(), Failure> {
        statement.predicate.url.clone_from(&self.log_url);
        let text = statement
            .to_json()
            .map_err(|error| Failure::CouldNotRun(error.into()))?;
        refuse_others(path)?;
        super::write::text(path, &text)
    }
}

fn refuse_others(path: &Path) -> Result<(), Failure> {
    let shown = path.display().to_string();
    let is_ours = |bytes: Vec<u8>| Statement::parse(&bytes).is_ok();
    super::write::refuse_others(path, "--out", (&shown, "a statement"), is_ours)
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn read_report(path: &Path, workspace: &Workspace) -> Result<(PathBuf, Vec<u8>), Failure> {
    let absolute = workspace.base().absolute(path);
    let bytes = workspace.base().files().read(&absolute, MAX_FILE_BYTES);
    let shown = workspace.base().display(&absolute);
    let bytes = bytes.map_err(|reason| PathError::new(&shown, reason, "a report"))?;
    Ok((absolute, bytes))
}

pub fn read_log(
    path: &Path,
    workspace: &Workspace,
    streams: &mut Streams<'_>,
) -> Result<Log, Failure> {
    if is_stdin(path) {
        let log = workspace.read_log("<stdin>", &mut streams.stdin);
        return log.map_err(|error| not_read("<stdin>", &error));
    }
    let absolute = workspace.base().absolute(path);
    let shown = workspace.base().display(&absolute);
    let file = open_regular(&absolute).map_err(|error| PathError::new(&shown, error, "a log"))?;
    let log = workspace.read_log(&shown, file);
    log.map_err(|error| not_read(&shown, &error))
}

fn not_read(shown: &str, reason: &LogError) -> Failure {
    let error = anyhow!("{shown}: not read: {reason}");
    if reason.is_of_system() {
        Failure::CouldNotRun(error)
    } else {
        Failure::Usage(error)
    }
}

impl From<VerifyError> for Failure {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Run(error) => error.into(),
            VerifyError::Input(error) if error.is_usage() => Self::Usage(anyhow!("{error}")),
            VerifyError::Input(error) => Self::CouldNotRun(anyhow!("{error}")),
        }
    }
}
