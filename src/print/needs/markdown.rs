//! What manifests need and who has it, as GitHub Flavored Markdown: for a comment or an issue.

use std::io::{self, Write};

use super::{
    NO_LINK, NOTHING_TO_ASK, NeedsInput, asked, detail, find_address, groups, name, not_known,
    of_level, perhaps, remarks,
};
use crate::api::Level;
use crate::needs::{NeedsReport, ResolvedPlaces};
use crate::text::escape::{markdown, markdown_address, markdown_comment};
use crate::text::message::Message;

/// Writes what is needed, and who has it.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(input: NeedsInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let report = &input.found.needs;
    let resources = crate::print::resources(&report.counts);
    writeln!(out, "**Needs of {}**\n", markdown(&resources))?;
    write_features(report, out)?;
    let core: Vec<String> = of_level(report, Level::Core)
        .map(|need| markdown(&need.feature))
        .collect();
    if !core.is_empty() {
        writeln!(out, "- Core: {}", core.join(", "))?;
    }
    for need in &report.perhaps {
        let because = need.because.as_deref().unwrap_or_default();
        let (place, because) = (first(&need.places), markdown(because));
        writeln!(
            out,
            "- {}: {}, {place}: {because}",
            perhaps(need),
            markdown(&need.feature)
        )?;
    }
    for field in &report.uncovered {
        let place = first(&field.places);
        writeln!(
            out,
            "- No test shows who has it: {}, {place}",
            markdown(&field.name)
        )?;
    }
    for beyond in &report.beyond {
        let place = first(&beyond.places);
        writeln!(
            out,
            "- Beyond the API: {}, {place}",
            markdown_comment(&beyond.title)
        )?;
    }
    for unknown in &report.unknown {
        writeln!(out, "- Not known: {}", markdown(&not_known(unknown)))?;
    }
    for unread in &report.unread {
        let text = format!("{}:{}: {}", unread.path, unread.line, unread.reason);
        writeln!(out, "- Not read: {}", markdown(&text))?;
    }
    if let Some(kinds) = report.kinds_not_read() {
        writeln!(out, "- Kinds not read: {}", markdown(&kinds))?;
    }
    let answers = input.found.answers.as_ref();
    if answers.is_some_and(|answers| answers.must.is_empty()) {
        writeln!(out, "\n{NOTHING_TO_ASK}")?;
    } else if let Some(answers) = answers {
        writeln!(out, "\n**Who runs it** ({})\n", markdown(&asked(answers)))?;
        let (groups, left_out) = groups(answers, input.is_all);
        for group in &groups {
            for answer in &group.answers {
                let detail = detail(answer, group.detail);
                let more = detail.map_or_else(String::new, |detail| format!(": {detail}"));
                let text = format!("{} ({}{more})", name(answer), group.title);
                writeln!(out, "- {}", markdown(&text))?;
            }
        }
        if groups.is_empty() {
            writeln!(out, "- no report comes near")?;
        }
        if left_out > 0 {
            writeln!(out, "- further away: {left_out}")?;
        }
        match find_address(answers, input.site) {
            Some(address) => {
                let address = markdown_address(&address);
                writeln!(out, "\n[The same on the site]({address})")?;
            }
            None => writeln!(out, "\n{NO_LINK}.")?,
        }
    }
    for remark in remarks(input.found) {
        writeln!(out, "\n{}", markdown_comment(&Message::of_text(&remark)))?;
    }
    Ok(())
}

fn write_features(report: &NeedsReport, out: &mut dyn Write) -> io::Result<()> {
    let mut needs = of_level(report, Level::Extended).peekable();
    if needs.peek().is_none() {
        return writeln!(out, "- No extended features");
    }
    writeln!(
        out,
        "| Extended feature | Since | Channel | Places | First place |"
    )?;
    writeln!(out, "|---|---|---|---|---|")?;
    for need in needs {
        let since = need.since.as_deref().unwrap_or_default();
        writeln!(
            out,
            "| {} | {} | {} | {} | {} |",
            markdown(&need.feature),
            markdown(since),
            need.channel,
            need.places.count,
            first(&need.places)
        )?;
    }
    writeln!(out)
}

/// The first place.
fn first(places: &ResolvedPlaces) -> String {
    let place = places.kept.first().map(|place| {
        let at = format!("{}:{}:{} ", place.path, place.line, place.column);
        markdown(&at) + &markdown(&place.title.to_string().replace('`', ""))
    });
    place.unwrap_or_default()
}
