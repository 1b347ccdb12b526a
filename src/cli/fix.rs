//! `gwconform check --fix`, `--unsafe-fixes` and `--diff`: prints or makes the changes of a plan.

use std::path::PathBuf;

use anyhow::anyhow;

use super::output::{apply, journal};
use super::{Exit, Failure, Streams};
use crate::rules::check::Applicability;
use crate::text::change::ChangeSet;
use crate::text::{counted, visible};
use crate::workspace::{Base, FixPlan, Workspace};

/// The fixes to make, and how.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct FixArguments {
    /// Apply safe fixes to READMEs; print remaining findings
    #[arg(long)]
    fix: bool,
    /// Also apply unsafe fixes, to be reviewed: rename files together with their links, replace cells
    /// that contradict the report. Reports are never changed
    #[arg(long)]
    unsafe_fixes: bool,
    /// Print what --fix or --unsafe-fixes would change as a diff, without changing files; exit with 1
    /// if there are changes, or too many to find them all
    #[arg(long, conflicts_with = "format")]
    diff: bool,
}

impl FixArguments {
    /// Which fixes are asked for, if any are.
    pub fn level(&self) -> Option<Applicability> {
        match (self.unsafe_fixes, self.fix || self.diff) {
            (true, _) => Some(Applicability::Unsafe),
            (false, true) => Some(Applicability::Safe),
            (false, false) => None,
        }
    }

    /// True when the changes are printed instead of made.
    pub fn is_diff(&self) -> bool {
        self.diff
    }
}

/// Prints the changes.
pub fn print(plan: &FixPlan, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    write_diff(&plan.fixes.changes, streams)?;
    print_skipped(plan, streams)?;
    Ok(
        match plan.fixes.changes.is_empty() && !plan.fixes.is_too_much {
            true => Exit::Done,
            false => Exit::Findings,
        },
    )
}

/// Makes the changes, and prints a summary of them.
pub fn apply(
    plan: &FixPlan,
    workspace: &Workspace,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    if !plan.fixes.changes.is_empty() {
        write_changes(&plan.fixes.changes, workspace.base(), &plan.roots, streams)?;
        let rules: Vec<String> = plan
            .fixes
            .fixed
            .iter()
            .map(|(rule, count)| format!("{count} {rule}"))
            .collect();
        writeln!(
            streams.stderr,
            "fixed {} with {}: {}",
            counted(plan.fixes.fixed.values().sum::<usize>(), "finding"),
            counted(plan.fixes.changes.changes().len(), "change"),
            rules.join(", "),
        )?;
    }
    print_skipped(plan, streams)
}

fn print_skipped(plan: &FixPlan, streams: &mut Streams<'_>) -> Result<(), Failure> {
    for skipped in &plan.fixes.skipped {
        let line = format!("{}: {}", skipped.path, skipped.reason);
        writeln!(streams.stderr, "not fixed: {}", visible(&line))?;
    }
    Ok(())
}

/// Clears away what killed runs left in the folders that are to be changed. Where that cannot be done,
/// the error is printed, and the folder stays as it is.
pub fn recover(workspace: &Workspace, streams: &mut Streams<'_>) -> Result<(), Failure> {
    for folder in workspace.folders_with_leftovers()? {
        if let Err(error) = journal::recover(&folder) {
            let line = format!("{}: {error:#}", workspace.base().display(&folder));
            writeln!(streams.stderr, "{}", visible(&line))?;
        }
    }
    Ok(())
}

/// Prints a set of changes; on a terminal without control characters.
pub fn write_diff(changes: &ChangeSet, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let is_terminal = streams.is_terminal;
    let printed = |line: &str| match is_terminal {
        true => visible(line),
        false => line.to_owned(),
    };
    Ok(changes.write_diff(&printed, &mut streams.stdout)?)
}

/// Applies a set of changes and names those that were not applied.
pub fn write_changes(
    changes: &ChangeSet,
    base: &Base,
    roots: &[PathBuf],
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let not_applied = apply::apply(changes, base.path(), roots);
    for failed in &not_applied {
        let line = format!("no changes made in {}: {:#}", failed.folder, failed.error);
        writeln!(streams.stderr, "{}", visible(&line))?;
    }
    match not_applied.len() {
        0 => Ok(()),
        count => Err(Failure::CouldNotRun(anyhow!(
            "{} could not be changed",
            counted(count, "folder")
        ))),
    }
}
