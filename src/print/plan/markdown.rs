//! A plan as Markdown.

use std::io::{self, Write};

use super::{PlanView, features, lacking, named, not_run, note, tests, verdict};
use crate::outlook::plan::{ProfilePlan, command};
use crate::text::escape::{markdown_code, markdown_text};

/// Writes a plan.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(view: PlanView<'_>, out: &mut dyn Write) -> io::Result<()> {
    let plan = view.plan;
    writeln!(out, "# Plan for {}\n", plan.release.version())?;
    let chosen = markdown_text(&features(&plan.source));
    writeln!(out, "- Supported features: {chosen}")?;
    for one in &plan.notes {
        writeln!(out, "- Note: {}", markdown_text(&note(plan, one)))?;
    }
    for profile in &plan.profiles {
        write_profile(profile, out)?;
    }
    if !plan.uncounted.is_empty() {
        writeln!(out, "\n## Counted in no profile of the plan\n")?;
        for name in named(&plan.uncounted, |_| true) {
            writeln!(out, "- {}", markdown_code(name))?;
        }
    }
    writeln!(out, "\n## Command\n")?;
    match command(plan) {
        Some(command) => writeln!(out, "```sh\n{command}\n```")?,
        None => writeln!(out, "None: a name holds a character that cannot be seen.")?,
    }
    let Some(report) = view.report else {
        return Ok(());
    };
    writeln!(out, "\n## Report\n")?;
    let path = markdown_code(report.source.path());
    writeln!(out, "{path}: {}", verdict(report.differences))?;
    if !report.differences.is_empty() {
        writeln!(out)?;
    }
    for one in report.differences {
        let at = report.source.position(one.span.start as usize);
        let message = markdown_text(&one.message.to_string());
        writeln!(out, "- line {}, column {}: {message}", at.line, at.column)?;
    }
    Ok(())
}

fn write_profile(profile: &ProfilePlan<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n## {}\n", markdown_text(&profile.profile.name))?;
    writeln!(out, "- {}", tests("core", &profile.core, None))?;
    let skipped = Some(not_run(profile));
    writeln!(out, "- {}", tests("extended", &profile.extended, skipped))?;
    let list = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| markdown_code(name)).collect();
        names.join(", ")
    };
    for (title, names) in [
        ("supported", &profile.supported),
        ("unsupported", &profile.unsupported),
    ] {
        if !names.is_empty() {
            writeln!(out, "- {title} ({}): {}", names.len(), list(names))?;
        }
    }
    if !profile.left_out.is_empty() {
        let names = list(&named(&profile.left_out, |_| true));
        writeln!(out, "- left out by name, counted as skipped: {names}")?;
    }
    for (why, names) in lacking(profile) {
        writeln!(out, "- {}: {}", markdown_text(&why), list(&names))?;
    }
    Ok(())
}
