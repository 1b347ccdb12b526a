//! A plan for a terminal.

use std::io::{self, Write};

use super::{PlanView, ReportView, features, lacking, named, not_run, note, tests, verdict};
use crate::outlook::plan::{ProfilePlan, command};
use crate::text::visible;
use crate::text::wrap::Wrapped;

/// Writes a plan, in lines as wide as the terminal at most; the command is left whole.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(view: PlanView<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    write_plan(view, &mut Wrapped::new(out, width))?;
    match command(view.plan) {
        Some(command) => writeln!(out, "{command}")?,
        None => writeln!(out, "none: a name holds a character that cannot be seen")?,
    }
    match view.report {
        Some(report) => write_report(report, &mut Wrapped::new(out, width)),
        None => Ok(()),
    }
}

fn write_plan(view: PlanView<'_>, out: &mut dyn Write) -> io::Result<()> {
    let plan = view.plan;
    writeln!(out, "Plan for {}", plan.release.version())?;
    writeln!(
        out,
        "Supported features: {}",
        visible(&features(&plan.source))
    )?;
    for one in &plan.notes {
        writeln!(out, "note: {}", visible(&note(plan, one)))?;
    }
    for profile in &plan.profiles {
        write_profile(profile, out)?;
    }
    if !plan.uncounted.is_empty() {
        let names = named(&plan.uncounted, |_| true);
        writeln!(out, "\nRun, and counted in no profile of the plan")?;
        writeln!(out, "  {}", visible(&names.join(", ")))?;
    }
    writeln!(
        out,
        "\nCommand, in a checkout of {}\n",
        plan.release.version()
    )?;
    out.flush()
}

fn write_report(report: ReportView<'_>, out: &mut dyn Write) -> io::Result<()> {
    let path = visible(report.source.path());
    writeln!(out, "\n{path}: {}", verdict(report.differences))?;
    for one in report.differences {
        let at = report.source.position(one.span.start as usize);
        let message = visible(&one.message.to_string());
        writeln!(out, "  {path}:{}:{}: {message}", at.line, at.column)?;
    }
    out.flush()
}

fn write_profile(profile: &ProfilePlan<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{}", visible(&profile.profile.name))?;
    writeln!(out, "  {}", tests("core", &profile.core, None))?;
    let skipped = Some(not_run(profile));
    writeln!(out, "  {}", tests("extended", &profile.extended, skipped))?;
    for (title, names) in [
        ("supported", &profile.supported),
        ("unsupported", &profile.unsupported),
    ] {
        if !names.is_empty() {
            let list = visible(&names.join(", "));
            writeln!(out, "  {title} ({}): {list}", names.len())?;
        }
    }
    let all = profile.core.iter().chain(&profile.extended);
    let provisional = named(all, |test| test.provisional);
    if !provisional.is_empty() {
        let list = visible(&provisional.join(", "));
        writeln!(out, "  provisional, may be skipped: {list}")?;
    }
    if !profile.left_out.is_empty() {
        let list = visible(&named(&profile.left_out, |_| true).join(", "));
        writeln!(out, "  left out by name, counted as skipped: {list}")?;
    }
    for (why, names) in lacking(profile) {
        writeln!(out, "  {}: {}", visible(&why), visible(&names.join(", ")))?;
    }
    Ok(())
}
