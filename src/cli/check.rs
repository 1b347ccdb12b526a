use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::anyhow;

use super::allow_unread::{EmptyArguments, UnreadArguments};
use super::findings::OutputArguments;
use super::fix::{self, FixArguments};
use super::git::{GitHistory, Untracked};
use super::severity::SeverityArgs;
use super::{Exit, Failure, Streams, baseline, day, hook, open};
use crate::print::{RenderInput, statistics};
use crate::workspace::{
    OpenError, Options, Target, TouchedReport, Workspace, need_checked_out, touched_report,
};
use gwconform_base::files::read_bounded;
use gwconform_base::text::diagnostic::Severity;
use gwconform_report::review::Review;
use gwconform_report::rules::check::{CheckReport, Selection};
use gwconform_report::rules::configuration::Config;

/// Check a reports tree, a release, a submission or single reports.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Reports tree, release or submission folder, files, or - for standard input
    ///
    /// [default: ./conformance/reports, then ./reports, then the working directory if it is part of
    /// a tree, then the tree that contains it]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Path of the file whose content is on standard input; the file need not exist
    #[arg(
        long,
        value_name = "PATH",
        help_heading = "What to check",
        hide_short_help = true
    )]
    stdin_filename: Option<PathBuf>,
    #[command(flatten)]
    severity: SeverityArgs,
    #[command(flatten, next_help_heading = "Output")]
    output: OutputArguments,
    /// Print the number of findings per rule instead of the findings; supports --format human,
    /// json and markdown
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    statistics: bool,
    #[command(flatten)]
    fix: FixArguments,
    /// Report only findings introduced since REV, such as origin/main
    ///
    /// Also previews the site's verdicts after the merge.
    #[arg(
        long,
        value_name = "REV",
        allow_hyphen_values = true,
        help_heading = "Comparison"
    )]
    since: Option<String>,
    #[command(flatten, next_help_heading = "What to check")]
    empty: EmptyArguments,
    /// With --since, ignore untracked files, as a commit does
    #[arg(
        long,
        requires = "since",
        help_heading = "Comparison",
        hide_short_help = true
    )]
    tracked_only: bool,
    /// Run as a pre-commit hook: compare with PRE_COMMIT_FROM_REF if it is set, or with HEAD if
    /// files are staged. Otherwise, check the whole tree
    #[arg(
        long,
        conflicts_with_all = ["since", "write_baseline"],
        help_heading = "Comparison", hide_short_help = true)]
    hook: bool,
    /// List everything: also infos, all of more than 50 findings, and with --since those that
    /// changed submissions already had
    #[arg(long, help_heading = "Output")]
    all: bool,
    /// Hide findings accepted by the baseline FILE
    #[arg(long, value_name = "FILE", help_heading = "Comparison")]
    baseline: Option<PathBuf>,
    /// Accept all findings: write them to FILE, and exit with 0
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["baseline", "since"],
        help_heading = "Comparison",
        hide_short_help = true
    )]
    write_baseline: Option<PathBuf>,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let start = Instant::now();
    let selection = arguments.severity.selection()?;
    let workspace = match open::workspace(arguments.options()?, streams) {
        Ok(workspace) => workspace,
        Err(failure) => match arguments.without_tree(failure, streams, start)? {
            Some(exit) => return Ok(exit),
            None => match open::workspace(arguments.options_of_loose()?, streams) {
                Err(failure) if no_tree(&failure).is_some() => {
                    let what = ", and the change leaves no report";
                    return arguments.tell_nothing_to_check(what, streams, start);
                }
                opened => opened?,
            },
        },
    };
    if arguments.output.is_human() && arguments.paths.is_empty() {
        tell_where(&workspace, streams)?;
    }
    let baseline = arguments.write_baseline.as_deref();
    arguments.output.check_files(workspace.base(), baseline)?;
    let wants_suggestions = arguments.output.wants_suggestions();
    let revision = arguments.revision(|| Ok(workspace.whole_tree()?))?;
    if wants_suggestions && revision.is_none() {
        return Err(Failure::Usage(anyhow!(
            "suggestions require a change; pass a revision to compare with, such as --since origin/main"
        )));
    }
    let history = revision
        .as_deref()
        .map(|revision| arguments.history(revision, workspace.whole_tree()?))
        .transpose()?;
    // The remaining findings are printed even if a fix could not be written.
    let (mut written, mut is_too_much) = (Ok(()), false);
    if let Some(level) = arguments.fix.level() {
        if arguments.wants_stdin() {
            return Err(Failure::Usage(anyhow!(
                "standard input cannot be fixed; pass the path of a file or folder"
            )));
        }
        if arguments.fix.is_diff() {
            let mut plan = workspace.fix(&selection, level)?;
            UnreadArguments::ALLOWED.state(std::mem::take(&mut plan.unread), streams)?;
            let exit = fix::print(&plan, streams)?;
            arguments.empty.refuse(plan.nothing_read)?;
            return Ok(exit);
        }
        let plan = workspace.fix(&selection, level)?;
        written = fix::apply(&plan, &workspace, streams);
        is_too_much = plan.fixes.is_too_much;
    }
    let bar = arguments.output.bar(streams);
    let progress = |progress| bar.draw(progress);
    let (mut report, review, config) = if let Some(history) = &history {
        let as_of = day::as_of(None, workspace.registry(), || history.day())?;
        let mut change = workspace.review(&selection, history, as_of, &progress)?;
        if wants_suggestions {
            change.review.suggestions = workspace.suggestions(&selection, history, &change)?;
        }
        (change.report, Some(change.review), Some(change.config))
    } else if arguments.wants_stdin() {
        (
            arguments.check_stdin(&workspace, &selection, streams)?,
            None,
            None,
        )
    } else {
        (
            workspace.check_with_progress(&selection, &progress)?,
            None,
            None,
        )
    };
    drop(bar);
    UnreadArguments::ALLOWED.state(report.unread.clone(), streams)?;
    let has_read = report.nothing_checked().is_none() || arguments.empty.is_allowed();
    let accepted = arguments.write_baseline.as_ref().filter(|_| has_read);
    let accepted = accepted.map(|path| baseline::write(path, &report, workspace.base()));
    let accepted = accepted.transpose()?;
    let fail_on = arguments.severity.fail_on();
    arguments.output.hide(&mut report, fail_on, streams);
    let tree = workspace.printed_tree();
    let input = RenderInput {
        fail_on: fail_on.severity(),
        review: review.as_ref(),
        width: streams.width(),
        shows_all: arguments.all,
        least: arguments.least(),
        registry: workspace.registry(),
        tree: tree.as_deref(),
        ..RenderInput::new(&report, config.as_ref().unwrap_or(workspace.config()))
    };
    arguments.output.write_files(input, workspace.base())?;
    if arguments.statistics {
        let format = arguments.output.format;
        statistics::write(format, input, streams.out(super::format::content(format)))?;
    } else if accepted.is_none() || !arguments.output.is_human() {
        // People find accepted findings in the file.
        arguments.output.print(input, start, streams)?;
    }
    if let Some(accepted) = accepted {
        streams.note(accepted)?;
    }
    written?;
    let exit = match &arguments.write_baseline {
        Some(_) => Exit::Done,
        None if is_too_much && !fail_on.is_never() => Exit::Findings,
        None => fail_on.exit(&report),
    };
    if exit == Exit::Done {
        let nothing = match review.as_ref().zip(history.as_ref()) {
            Some((review, history)) => match report_elsewhere(review, history, &workspace)? {
                Some(path) => Some(format!(
                    "{} was not checked, because it is not in the reports tree",
                    path.display()
                )),
                None => review.nothing_read(&report),
            },
            None => report.nothing_checked(),
        };
        arguments.empty.refuse(nothing)?;
    }
    Ok(exit)
}

/// The error, if there is neither a tree nor a report.
fn no_tree(failure: &Failure) -> Option<&anyhow::Error> {
    let Failure::CouldNotRun(error) = failure else {
        return None;
    };
    let is_it = matches!(
        error.downcast_ref(),
        Some(OpenError::NoTree { .. } | OpenError::NoUsualPlace { .. })
    );
    is_it.then_some(error)
}

/// A changed report outside of the tree, unless the change also touches a report in the tree.
fn report_elsewhere(
    review: &Review,
    history: &GitHistory<'_>,
    workspace: &Workspace,
) -> Result<Option<PathBuf>, Failure> {
    if !review.reports.is_empty() {
        return Ok(None);
    }
    let found = touched(history, Some(workspace.whole_tree()?))?;
    Ok(found.map(|found| found.path))
}

fn touched(
    history: &GitHistory<'_>,
    tree: Option<&Path>,
) -> Result<Option<TouchedReport>, Failure> {
    let found = touched_report(history, tree);
    found.map_err(|error| Failure::CouldNotRun(error.into()))
}

fn tell_where(workspace: &Workspace, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let Some(around) = workspace.tree_around() else {
        return Ok(());
    };
    let root = workspace.base().display(around.root);
    let line = if around.is_whole {
        format!("checking {root}, the reports tree around the working directory")
    } else {
        format!(
            "checking only the working directory, a part of the reports tree {root}; pass that path \
             to check all of it"
        )
    };
    Ok(streams.note(line)?)
}

impl Arguments {
    /// `tree` is the reports tree, or the working directory without a tree.
    fn revision<'t>(
        &self,
        tree: impl FnOnce() -> Result<&'t Path, Failure>,
    ) -> Result<Option<String>, Failure> {
        if self.hook {
            return hook::revision(tree()?);
        }
        Ok(self.since.clone())
    }

    fn history<'a>(&self, revision: &'a str, folder: &Path) -> Result<GitHistory<'a>, Failure> {
        let untracked = if self.tracked_only || self.hook {
            Untracked::LeftOut
        } else {
            Untracked::Counted
        };
        GitHistory::open(revision, untracked, folder)
    }

    /// Git hooks also run in repositories without a reports tree. There, the check passes unless
    /// the change touches a report; then the loose reports are checked (`None`). A path given by
    /// the user must exist.
    fn without_tree(
        &self,
        failure: Failure,
        streams: &mut Streams<'_>,
        start: Instant,
    ) -> Result<Option<Exit>, Failure> {
        let is_expected = self.paths.is_empty() || self.empty.is_allowed();
        let Some(error) = no_tree(&failure).filter(|_| is_expected) else {
            return Err(failure);
        };
        let folder = open::working_dir()?;
        let revision = self.revision(|| Ok(folder.path()))?;
        let (history, what) = match &revision {
            Some(revision) => (self.history(revision, folder.path())?, "change touches"),
            None if self.hook => (GitHistory::whole(folder.path())?, "repository contains"),
            None if self.empty.is_allowed() => {
                return self.tell_nothing_to_check("", streams, start).map(Some);
            }
            None => return Err(failure),
        };
        let found = touched(&history, None)?;
        if let Some(gone) = found.as_ref().filter(|found| found.is_tree_gone) {
            return Err(Failure::CouldNotRun(anyhow!(
                "{error:#}; the {what} {}",
                gone.path.display()
            )));
        }
        need_checked_out(&history).map_err(|error| Failure::CouldNotRun(error.into()))?;
        if found.is_some() {
            return Ok(None);
        }
        let what = format!(", and the {what} no report");
        self.tell_nothing_to_check(&what, streams, start).map(Some)
    }

    fn tell_nothing_to_check(
        &self,
        what: &str,
        streams: &mut Streams<'_>,
        start: Instant,
    ) -> Result<Exit, Failure> {
        let base = open::working_dir()?;
        self.output.check_files(&base, None)?;
        streams.note(format_args!(
            "nothing to check: found no reports tree in conformance/reports or reports{what}"
        ))?;
        let (report, config) = (CheckReport::default(), Config::default());
        let input = RenderInput::new(&report, &config);
        self.output.write_files(input, &base)?;
        if !self.output.is_human() {
            self.output.print(input, start, streams)?;
        }
        Ok(Exit::Done)
    }

    /// People get the number of infos, unless they ask for infos.
    fn least(&self) -> Severity {
        let asks = self.all || !self.severity.select.is_empty() || self.output.severity.is_some();
        let least = if asks {
            Severity::Info
        } else {
            Severity::Warning
        };
        least.min(self.severity.fail_on().severity())
    }

    fn wants_stdin(&self) -> bool {
        self.paths.iter().any(|path| path.as_os_str() == "-")
    }

    fn options_of_loose(&self) -> Result<Options, Failure> {
        let target = Target::Paths(vec![PathBuf::from(".")]);
        let options = self.options()?;
        Ok(Options { target, ..options })
    }

    fn options(&self) -> Result<Options, Failure> {
        let format = self.output.format;
        if self.statistics && !statistics::FORMATS.contains(&format) {
            return Err(Failure::Usage(anyhow!(
                "--statistics: cannot be printed as {}; pass --format human, json or markdown",
                format.name()
            )));
        }
        let usage = |text: &'static str| Err(Failure::Usage(anyhow!(text)));
        let wants_stdin = self.wants_stdin();
        if wants_stdin && self.paths.len() > 1 {
            return usage("standard input (-) cannot be combined with other paths");
        }
        if self.stdin_filename.is_some() && !wants_stdin {
            return usage("--stdin-filename names standard input; pass - as the path");
        }
        Ok(Options {
            target: if wants_stdin {
                Target::Texts
            } else if self.paths.is_empty() && self.since.is_none() && !self.hook {
                // `--since` compares the whole tree, not only the working directory.
                Target::WorkingDir
            } else {
                Target::Paths(self.paths.clone())
            },
            paths: self.output.paths(),
            baseline: self.baseline.clone(),
            ..Options::default()
        })
    }

    fn check_stdin(
        &self,
        workspace: &Workspace,
        selection: &Selection,
        streams: &mut Streams<'_>,
    ) -> Result<CheckReport, Failure> {
        let text = read_bounded(&mut streams.stdin).map_err(|reason| {
            Failure::CouldNotRun(anyhow!("standard input was not read: {reason}"))
        })?;
        Ok(workspace.check_text(self.stdin_filename.as_deref(), text, selection)?)
    }
}
