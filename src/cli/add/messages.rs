use std::collections::BTreeSet;
use std::io::{self, Write};

use crate::cli::{Content, Failure, Streams};
use crate::workspace::AddPlan;
use crate::workspace::add::{AddError, Plan};
use gwconform_base::text::change::Change;
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::{counted, shell, visible};
use gwconform_report::rules::configuration::Config;

pub fn error(error: &AddError, config: &Config, streams: &mut Streams<'_>) -> Result<(), Failure> {
    match error {
        AddError::Submission { shown, findings } => {
            streams.findings(findings, config)?;
            streams.error(format_args!(
                "{shown}: not added: the tree would have {}; run the suite again with the version, channel and mode of this report (or use --force to add it anyway)",
                counted(findings.len(), "new error")
            ))?;
        }
        AddError::Reason { shown, reason } => {
            streams.error(format_args!("{shown}: not added: {reason}"))?;
        }
        AddError::Errors {
            shown,
            findings,
            command,
            can_be_forced,
        } => {
            streams.findings(findings, config)?;
            let why = if *can_be_forced {
                "it has errors (use --force to add it anyway)"
            } else {
                "its errors make its place in the tree unknown"
            };
            streams.error(format_args!("{shown}: not added: {why}"))?;
            if let Some(command) = command {
                streams
                    .error("submit reports unmodified; fix the cause and run the suite again:")?;
                for line in command.lines() {
                    streams.error(format_args!("  {line}"))?;
                }
            }
        }
    }
    Ok(())
}

/// Prints whether the reports can be submitted, and then their findings.
pub fn decision(
    plan: &Plan,
    filed: &str,
    config: &Config,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let errors = plan.findings.iter();
    let errors = errors.filter(|finding| finding.severity == Severity::Error);
    let decision = if plan.rejected > 0 {
        let (by, findings) = match errors.count() {
            0 => (" to strict reviewers", counted(plan.rejected, "warning")),
            errors => ("", counted(errors, "error")),
        };
        format!(
            "{filed}, but not acceptable{by}: {findings}. Run the suite again, and add its report unchanged."
        )
    } else if plan.changes.changes().is_empty() && plan.to_do.is_empty() {
        "Already filed; nothing to change.".to_owned()
    } else {
        let ready = match plan.to_do.len() {
            0 => " and ready to submit.",
            _ => ". Before you submit, do the steps under To do.",
        };
        let warnings = match plan.findings.len() {
            0 => String::new(),
            1 => " The warning does not prevent acceptance.".to_owned(),
            count => format!(" The {count} warnings do not prevent acceptance."),
        };
        format!("{filed}{ready}{warnings}")
    };
    writeln!(streams.out(Content::Text), "{decision}\n")?;
    streams.flush()?;
    streams.findings(&plan.findings, config)?;
    Ok(())
}

pub fn filed(planned: &AddPlan, out: &mut dyn Write) -> io::Result<()> {
    let plan = &planned.plan;
    for (path, is_filed) in &plan.filed {
        let done = if *is_filed { "already filed" } else { "added" };
        writeln!(out, "{done}: {}", visible(path))?;
    }
    let reports: Vec<&str> = plan.filed.iter().map(|(path, _)| path.as_str()).collect();
    for change in plan.changes.changes() {
        let done = match change {
            Change::Create { .. } if reports.contains(&change.path()) => continue,
            Change::Create { .. } => "written",
            Change::Edit { .. } | Change::Rename { .. } => "changed",
        };
        writeln!(out, "{done}: {}", visible(change.path()))?;
    }
    writeln!(out)?;
    to_do(plan, out)?;
    next(planned, out)
}

/// If a command cannot be pasted safely into a shell, that command and all later commands are
/// omitted. No commit is made here, because git would run the hooks of the repository.
fn next(planned: &AddPlan, out: &mut dyn Write) -> io::Result<()> {
    let plan = &planned.plan;
    let folders: BTreeSet<&str> = (plan.filed.iter())
        .filter_map(|(path, _)| Some(path.rsplit_once('/')?.0))
        .collect();
    let folders: Option<Vec<_>> = folders.into_iter().map(shell::word).collect();
    let Some(folders) = folders else {
        return Ok(());
    };
    let title = match plan.rejected {
        0 => "Next",
        _ => "To submit it anyway",
    };
    writeln!(out, "{title}:\n  gwconform check {}", folders.join(" "))?;
    let Some(commands) = git_commands(planned) else {
        return Ok(());
    };
    for command in commands {
        writeln!(out, "  {command}")?;
    }
    writeln!(
        out,
        "\nPull request:\n  {}\n",
        visible(&plan.proposal.title)
    )?;
    for line in plan.proposal.text.lines() {
        let line = format!("  {}", visible(line));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Commands for a branch with one signed-off commit. `None` without changes.
fn git_commands(planned: &AddPlan) -> Option<Vec<String>> {
    let plan = &planned.plan;
    let folders: BTreeSet<&str> = plan.changes.changes().iter().map(Change::folder).collect();
    let repository = planned.repository.as_deref();
    let path = |folder: &str| {
        let below = repository.and_then(|one| folder.strip_prefix(one)?.strip_prefix('/'));
        match below.unwrap_or(folder) {
            "" => Some(".".to_owned()),
            // A leading colon would give the git pathspec a special meaning.
            folder if folder.starts_with(':') => {
                Some(shell::word(&format!("./{folder}"))?.into_owned())
            }
            folder => Some(shell::word(folder)?.into_owned()),
        }
    };
    let paths = folders.into_iter().map(path).collect::<Option<Vec<_>>>()?;
    if paths.is_empty() {
        return None;
    }
    let branch = &plan.proposal.branch;
    let title = shell::word(&plan.proposal.title)?;
    let go_there = repository.map(|one| Some(format!("cd {}", shell::word(one)?)));
    let mut commands: Vec<String> = match go_there {
        Some(command) => vec![command?],
        None => Vec::new(),
    };
    commands.extend([
        format!("git switch --create {branch}"),
        format!("git add -- {}", paths.join(" ")),
        format!("git commit --signoff --message {title}"),
        format!("git push --set-upstream origin {branch}"),
    ]);
    Some(commands)
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
