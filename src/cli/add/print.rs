//! What `gwconform add` prints.

use std::io::{self, Write};

use crate::add::{AddError, Plan};
use crate::cli::{Failure, Streams};
use crate::config::Config;
use crate::render;
use crate::text::shell;
use crate::text::visible;
use crate::workspace::AddPlan;

pub fn error(error: &AddError, config: &Config, streams: &mut Streams<'_>) -> Result<(), Failure> {
    match error {
        AddError::Reason { shown, reason } => {
            let line = format!("{shown}: not added: {reason}");
            writeln!(streams.stderr, "{}\n", visible(&line))?;
        }
        AddError::Errors {
            shown,
            findings,
            command,
            can_be_forced,
        } => {
            let (styling, out) = (streams.styling(), &mut streams.stderr);
            render::human::write_findings(findings, config, styling, out)?;
            let why = if *can_be_forced {
                "it has errors (use --force to add it anyway)"
            } else {
                "it cannot be read, so its place in the tree is unknown"
            };
            let line = format!("{shown}: not added: {why}");
            writeln!(streams.stderr, "{}", visible(&line))?;
            if let Some(command) = command {
                writeln!(
                    streams.stderr,
                    "reports are submitted unmodified; fix the cause and run the suite again, as for this report"
                )?;
                for line in command.lines() {
                    writeln!(streams.stderr, "  {}", visible(line))?;
                }
            }
            writeln!(streams.stderr)?;
        }
    }
    Ok(())
}

pub fn filed(planned: &AddPlan, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let plan = &planned.plan;
    let out = &mut streams.stdout;
    for (path, is_filed) in &plan.filed {
        let done = match is_filed {
            true => "already filed",
            false => "added",
        };
        writeln!(out, "{done}: {}", visible(path))?;
    }
    let reports: Vec<&str> = plan.filed.iter().map(|(path, _)| path.as_str()).collect();
    for change in plan.changes.changes() {
        if !reports.contains(&change.path()) {
            let done = match change {
                crate::change::Change::Create { .. } => "written",
                _ => "changed",
            };
            writeln!(out, "{done}: {}", visible(change.path()))?;
        }
    }
    writeln!(out)?;
    to_do(plan, out)?;
    if let Some(root) = shell::word(&planned.tree) {
        writeln!(out, "Next: run `gwconform check {root}`.")?;
    }
    Ok(())
}

pub fn to_do(plan: &Plan, out: &mut dyn Write) -> io::Result<()> {
    if plan.to_do.is_empty() {
        return Ok(());
    }
    writeln!(out, "To do:")?;
    for to_do in &plan.to_do {
        writeln!(out, "- {}", visible(to_do))?;
    }
    writeln!(out)
}
