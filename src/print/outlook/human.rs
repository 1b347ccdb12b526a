//! An outlook for a terminal.

use std::io::{self, Write};

use super::{Detail, flags, groups, headline, last_release, sections, summary, title};
use crate::outlook::{FamilyOutlook, ImplementationOutlook, NewRun, Outlook};
use crate::print::certify::Listing;
use crate::text::visible;

/// Writes an outlook: a line for each implementation and family, or all about each.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(outlook: &Outlook<'_>, detail: Detail, out: &mut dyn Write) -> io::Result<()> {
    match detail {
        Detail::Lines(listing) => write_lines(outlook, listing, out),
        Detail::Full => write_all(outlook, out),
    }
}

fn write_lines(outlook: &Outlook<'_>, listing: Listing, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "Outlook for {}", title(outlook.release))?;
    if let Some(minor) = outlook.newest {
        writeln!(out, "Newest minor: {minor}")?;
    }
    writeln!(out, "{}", headline(outlook))?;
    for (_, title, groups) in groups(outlook) {
        writeln!(out, "\n{title}\n{}", "=".repeat(title.len()))?;
        for group in groups {
            let count = group.rows.len();
            if group.is_past() && listing == Listing::Current {
                writeln!(out, "\n{}: {count} (list them with --all)", group.title())?;
                continue;
            }
            writeln!(out, "\n{}: {count}\n", group.title())?;
            for (one, family) in group.rows {
                let release = family.run.as_ref().map_or_else(String::new, |run| {
                    format!(" ({})", visible(&last_release(run)))
                });
                writeln!(
                    out,
                    "  {}{release}: {}",
                    visible(&one.name),
                    summary(family)
                )?;
            }
        }
    }
    writeln!(
        out,
        "\nIn brackets: the release of the last report. --implementation NAME shows all about one."
    )
}

fn write_all(outlook: &Outlook<'_>, out: &mut dyn Write) -> io::Result<()> {
    for (at, (one, family)) in outlook.families().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        write_family(outlook, one, family, out)?;
    }
    Ok(())
}

fn write_family(
    outlook: &Outlook<'_>,
    one: &ImplementationOutlook<'_>,
    family: &FamilyOutlook<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let heading = format!(
        "{}, {}: outlook for {}",
        visible(&one.name),
        family.family,
        title(outlook.release)
    );
    writeln!(out, "{heading}\n{}", "=".repeat(heading.chars().count()))?;
    for (what, verdict) in super::verdicts(outlook, family) {
        writeln!(out, "{what}: {}", visible(&verdict))?;
    }
    match &family.run {
        Some(run) => write_run(run, out),
        None => writeln!(out, "\n{}", summary(family)),
    }
}

fn write_run(run: &NewRun<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "Last report: {}", visible(&super::last_report(run)))?;
    let sections = sections(run);
    for profile in &run.profiles {
        writeln!(out, "\n{}", visible(&super::core_tests(profile)))?;
        let own = sections
            .iter()
            .filter(|section| section.profile.as_deref() == Some(profile.name.as_str()));
        for section in own {
            writeln!(out, "  {}", section.title)?;
            for item in &section.items {
                writeln!(out, "    {}", visible(item))?;
            }
        }
    }
    for section in sections.iter().filter(|section| section.profile.is_none()) {
        writeln!(out, "\n{}", section.title)?;
        for item in &section.items {
            writeln!(out, "  {}", visible(item))?;
        }
    }
    let flags = flags(run);
    if !flags.is_empty() {
        writeln!(out, "\n{}", super::FLAGS)?;
    }
    for flag in flags {
        writeln!(out, "  {}:\n    {}", flag.when, flag.arguments)?;
    }
    Ok(())
}
