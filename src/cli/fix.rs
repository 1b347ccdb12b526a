use std::path::PathBuf;

use anyhow::anyhow;

use super::output::apply;
use super::{Exit, Failure, Streams};
use crate::workspace::{Base, FixPlan, Workspace};
use gwconform_base::text::change::ChangeSet;
use gwconform_base::text::counted;
use gwconform_report::rules::check::Applicability;

#[derive(Debug, Clone, Copy, clap::Args)]
pub struct FixArguments {
    /// Apply safe fixes to READMEs, and print the remaining findings
    #[arg(long)]
    fix: bool,
    /// Also apply unsafe fixes, which need review: rename files and their links, and replace cells
    /// that contradict the report. Reports are never edited
    #[arg(long, hide_short_help = true)]
    unsafe_fixes: bool,
    /// Print the changes of --fix or --unsafe-fixes as a diff without changing files
    ///
    /// Exit with 1 if there are changes, or too many to find all of them.
    #[arg(long, conflicts_with = "format", hide_short_help = true)]
    diff: bool,
}

impl FixArguments {
    pub fn level(&self) -> Option<Applicability> {
        match (self.unsafe_fixes, self.fix || self.diff) {
            (true, _) => Some(Applicability::Unsafe),
            (false, true) => Some(Applicability::Safe),
            (false, false) => None,
        }
    }

    pub fn is_diff(&self) -> bool {
        self.diff
    }
}

pub fn print(plan: &FixPlan, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    plan.fixes.changes.write_diff(streams.patch())?;
    print_skipped(plan, streams)?;
    Ok(
        if plan.fixes.changes.is_empty() && !plan.fixes.is_too_much {
            Exit::Done
        } else {
            Exit::Findings
        },
    )
}

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
        // Only parts of findings may be fixed.
        let colon = if rules.is_empty() { "" } else { ": " };
        streams.note(format_args!(
            "fixed {} with {}{colon}{}",
            counted(plan.fixes.fixed.values().sum::<usize>(), "finding"),
            counted(plan.fixes.changes.changes().len(), "change"),
            rules.join(", "),
        ))?;
    }
    print_skipped(plan, streams)
}

fn print_skipped(plan: &FixPlan, streams: &mut Streams<'_>) -> Result<(), Failure> {
    for skipped in &plan.fixes.skipped {
        streams.error(format_args!(
            "not fixed: {}: {}",
            skipped.path, skipped.reason
        ))?;
    }
    Ok(())
}

pub fn write_changes(
    changes: &ChangeSet,
    base: &Base,
    roots: &[PathBuf],
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let failed = apply::apply(changes, base.shown_from(), roots);
    for error in &failed {
        streams.error(format_args!("{error:#}"))?;
    }
    match failed.len() {
        0 => Ok(()),
        count => Err(Failure::CouldNotRun(anyhow!(
            "{} could not be changed",
            counted(count, "folder")
        ))),
    }
}
