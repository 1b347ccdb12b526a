//! What manifests need and who has it, for a terminal.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::{
    NO_LINK, NOTHING_TO_ASK, NeedsInput, asked, detail, find_address, groups, name, not_known,
    of_level, perhaps, remarks,
};
use crate::api::Level;
use crate::needs::{Answers, NeedsReport, ResolvedPlace, ResolvedPlaces};
use crate::text::visible;
use crate::text::wrap::wrap;

/// Writes what is needed, and who has it. Prose has lines of `width` columns at most.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(input: NeedsInput<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let report = &input.found.needs;
    writeln!(
        out,
        "Needs of {}\n",
        crate::print::resources(&report.counts)
    )?;
    write_features(report, out)?;
    let core: Vec<&str> = of_level(report, Level::Core)
        .map(|need| need.feature.as_str())
        .collect();
    if !core.is_empty() {
        prose(&format!("Core: {}", core.join(", ")), width, out)?;
    }
    for need in &report.perhaps {
        let place = first(&need.places).replacen("  ", " ", 1);
        let because = need.because.as_deref().unwrap_or_default();
        let text = format!("{}: {} ({place}: {because})", perhaps(need), need.feature);
        prose(&text, width, out)?;
    }
    write_others(report, out)?;
    if let Some(answers) = &input.found.answers {
        write_answers(answers, input, width, out)?;
    }
    let remarks = remarks(input.found);
    let kinds = report.kinds_not_read();
    let lines = remarks.len() + report.unread.len() + report.unknown.len();
    if lines > 0 || kinds.is_some() {
        writeln!(out)?;
    }
    for remark in remarks {
        prose(&remark, width, out)?;
    }
    for unknown in &report.unknown {
        prose(&format!("Not known: {}", not_known(unknown)), width, out)?;
    }
    for unread in &report.unread {
        let text = format!(
            "Not read: {}:{}: {}",
            unread.path, unread.line, unread.reason
        );
        prose(&text, width, out)?;
    }
    if let Some(kinds) = kinds {
        prose(&format!("Kinds not read: {kinds}"), width, out)?;
    }
    Ok(())
}

fn prose(text: &str, width: usize, out: &mut dyn Write) -> io::Result<()> {
    for line in wrap(&visible(text), width) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// `shop/routes.yaml:31:13  filters[0].type: CORS`
fn shown(place: &ResolvedPlace) -> String {
    let text = place.title.to_string();
    // A field alone is no value to be told from words.
    let title = match text
        .strip_prefix('`')
        .and_then(|rest| rest.strip_suffix('`'))
    {
        Some(field) if !field.contains('`') => field,
        _ => text.as_str(),
    };
    format!("{}:{}:{}  {title}", place.path, place.line, place.column)
}

fn first(places: &ResolvedPlaces) -> String {
    places.kept.first().map(shown).unwrap_or_default()
}

/// Rows below a heading, their columns aligned.
fn table(heading: &[&str], rows: &[Vec<String>], out: &mut dyn Write) -> io::Result<()> {
    let columns = heading.len().saturating_sub(1);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            let widest = cells.map(|cell| cell.width()).max().unwrap_or_default();
            let own = heading.get(column).map_or(0, |cell| cell.width());
            widest.max(own.saturating_sub(if column == 0 { 2 } else { 0 }))
        })
        .collect();
    let line = |cells: &[&str], indent: usize| {
        let mut line = String::new();
        for (column, cell) in cells.iter().enumerate() {
            line.push_str(cell);
            if let Some(width) = widths.get(column) {
                let room = width + if column == 0 { 2 - indent } else { 0 };
                line.push_str(&" ".repeat((room + 2).saturating_sub(cell.width())));
            }
        }
        format!("{:indent$}{}", "", line.trim_end())
    };
    writeln!(out, "{}", line(heading, 0))?;
    for row in rows {
        let cells: Vec<&str> = row.iter().map(String::as_str).collect();
        writeln!(out, "{}", line(&cells, 2))?;
    }
    Ok(())
}

fn write_features(report: &NeedsReport, out: &mut dyn Write) -> io::Result<()> {
    let rows: Vec<Vec<String>> = of_level(report, Level::Extended)
        .map(|need| {
            vec![
                need.feature.clone(),
                need.since.clone().unwrap_or_default(),
                need.channel.to_string(),
                need.places.count.to_string(),
                visible(&first(&need.places)),
            ]
        })
        .collect();
    if rows.is_empty() {
        return writeln!(out, "No extended features");
    }
    let heading = ["Extended features", "since", "channel", "", "first place"];
    table(&heading, &rows, out)
}

/// What no feature covers, and what is beyond the API.
fn write_others(report: &NeedsReport, out: &mut dyn Write) -> io::Result<()> {
    let row = |name: String, places: &ResolvedPlaces| {
        vec![name, places.count.to_string(), visible(&first(places))]
    };
    let uncovered: Vec<_> = (report.uncovered.iter())
        .map(|field| row(field.name.clone(), &field.places))
        .collect();
    let beyond: Vec<_> = (report.beyond.iter())
        .map(|beyond| {
            row(
                visible(&beyond.title.to_string().replace('`', "")),
                &beyond.places,
            )
        })
        .collect();
    let sections = [
        (
            "No test shows who has it (extended, without a feature)",
            uncovered,
        ),
        (
            "Beyond the API (look it up in the implementation's documentation)",
            beyond,
        ),
    ];
    for (title, rows) in sections {
        if !rows.is_empty() {
            writeln!(out, "\n{title}")?;
            // The title is longer than any column.
            let mut rest = Vec::new();
            table(&["", "", ""], &rows, &mut rest)?;
            let rest = String::from_utf8_lossy(&rest).into_owned();
            write!(out, "{}", rest.trim_start_matches('\n'))?;
        }
    }
    Ok(())
}

fn write_answers(
    answers: &Answers,
    input: NeedsInput<'_>,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out)?;
    if answers.must.is_empty() {
        return writeln!(out, "{NOTHING_TO_ASK}");
    }
    prose(&format!("Who runs it ({})", asked(answers)), width, out)?;
    let (groups, left_out) = groups(answers, input.is_all);
    for group in &groups {
        let members = group.answers.iter().map(|answer| {
            let name = visible(&name(answer));
            match detail(answer, group.detail) {
                Some(detail) => format!("{name} ({})", visible(&detail)),
                None => name,
            }
        });
        let members: Vec<String> = members.collect();
        let text = format!("  {}: {}", group.title, members.join(" · "));
        for line in wrap(&text, width) {
            writeln!(out, "{line}")?;
        }
    }
    if groups.is_empty() {
        writeln!(out, "  no report comes near")?;
    }
    if left_out > 0 {
        writeln!(out, "  further away: {left_out}, which `--all` lists")?;
    }
    match find_address(answers, input.site) {
        Some(address) => writeln!(out, "Find: {}", visible(&address)),
        None => prose(NO_LINK, width, out),
    }
}
