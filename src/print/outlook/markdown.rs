//! An outlook as Markdown.

use std::io::{self, Write};

use super::{Detail, flags, groups, headline, last_release, sections, summary, title};
use crate::outlook::{FamilyOutlook, NewRun, Outlook};
use crate::print::certify::Listing;
use crate::text::escape::{markdown_code, markdown_text};

/// Writes an outlook: a row for each implementation and family, or all about each.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(outlook: &Outlook<'_>, detail: Detail, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# Outlook for {}", title(outlook.release))?;
    match detail {
        Detail::Lines(listing) => write_tables(outlook, listing, out),
        Detail::Full => write_all(outlook, out),
    }
}

fn write_tables(outlook: &Outlook<'_>, listing: Listing, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{}", headline(outlook))?;
    for (_, title, groups) in groups(outlook) {
        writeln!(out, "\n## {title}")?;
        for group in groups {
            if group.is_past() && listing == Listing::Current {
                continue;
            }
            writeln!(out, "\n### {}\n", group.title())?;
            writeln!(out, "| Implementation | Last report | A new run |")?;
            writeln!(out, "|---|---|---|")?;
            for (one, family) in group.rows {
                let release = family
                    .run
                    .as_ref()
                    .map_or_else(|| "none".to_owned(), last_release);
                let (name, release) = (markdown_text(&one.name), markdown_text(&release));
                writeln!(out, "| {name} | {release} | {} |", summary(family))?;
            }
        }
    }
    Ok(())
}

fn write_all(outlook: &Outlook<'_>, out: &mut dyn Write) -> io::Result<()> {
    for (one, family) in outlook.families() {
        writeln!(out, "\n## {}: {}", markdown_text(&one.name), family.family)?;
        write_family(outlook, family, out)?;
    }
    Ok(())
}

fn write_family(
    outlook: &Outlook<'_>,
    family: &FamilyOutlook<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out)?;
    for (what, verdict) in super::verdicts(outlook, family) {
        writeln!(out, "- {what}: {}", markdown_text(&verdict))?;
    }
    match &family.run {
        Some(run) => write_run(run, out),
        None => writeln!(out, "- {}", summary(family)),
    }
}

fn write_run(run: &NewRun<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "- Last report: {}",
        markdown_text(&super::last_report(run))
    )?;
    let sections = sections(run);
    for profile in &run.profiles {
        let heading = super::core_tests(profile);
        writeln!(out, "\n### {}", markdown_text(&heading))?;
        let own = sections
            .iter()
            .filter(|section| section.profile.as_deref() == Some(profile.name.as_str()));
        for section in own {
            write_list(&section.title, &section.items, out)?;
        }
    }
    for section in sections.iter().filter(|section| section.profile.is_none()) {
        writeln!(out, "\n### {}\n", section.title)?;
        for item in &section.items {
            writeln!(out, "- {}", markdown_text(item))?;
        }
    }
    let flags = flags(run);
    if !flags.is_empty() {
        writeln!(out, "\n### {}\n", super::FLAGS)?;
    }
    for flag in flags {
        writeln!(out, "- {}: {}", flag.when, markdown_code(&flag.arguments))?;
    }
    Ok(())
}

fn write_list(title: &str, items: &[String], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{title}\n")?;
    for item in items {
        writeln!(out, "- {}", markdown_text(item))?;
    }
    Ok(())
}
