//! `readme/row-spelling`

use super::cells::channel_in;
use super::cells::{is_same_mode, is_spelled};
use super::fixes::{plain, says_no_more};
use super::letters;
use super::quoted;
use super::version::{Likeness, Named, cell_likeness, named_by_link};
use crate::diagnostic::Fix;
use crate::facts::Fact;
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "readme/row-spelling",
    include_str!("row_spelling.md"),
    Check::Readme(check),
)
.not_legacy()
.strict()
.fixes(Fixes::SafeOrUnsafe);

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (row, report) in cx.listing.rows_with_reports() {
        let columns = &row.columns;
        let mut say = |column: Option<usize>,
                       text: &str,
                       fact: &Fact,
                       expected: &str,
                       fix: &dyn Fn() -> Option<Fix>| {
            let (shown, stated) = (quoted(text), quoted(&fact.value));
            out.at(
                cx.cell(row.row, column),
                format!("the row says {shown}, the report spells it {stated}"),
            )
            .label(fact.place.clone(), "as the report has it")
            .help(format!("write {}", quoted(expected)))
            .fix_with(fix);
        };
        let fix = |is_safe: bool, title: &str| match is_safe {
            true => Fix::safe(title),
            false => Fix::unsafe_(title),
        };
        if let (Some(text), Some(channel)) = (row.text(columns.channel), &report.channel)
            && text != channel.value
            && channel_in(text) == Some(&channel.value)
        {
            let is_safe = letters(text).trim_end_matches("channel") == channel.value;
            let fix = || {
                let fix = fix(is_safe, "spell the channel as the report does");
                cx.fix_cell(fix, row.cell(columns.channel), &channel.value)
            };
            say(columns.channel, text, channel, &channel.value, &fix);
        }
        if let (Some(cell), Some(version)) = (row.cell(columns.version), &report.version)
            // A link that is none comes first, and readme/version-link asks for it.
            && !cell.bracketed_without_link
            && cell_likeness(cell, &version.value) == Likeness::Spelled
        {
            let target = cell.links.first().map(|link| link.target.as_str());
            let target = target.or(cell.bare_url.map(|url| cx.source.slice(url)));
            let names_another =
                |target: &&str| named_by_link(target, &version.value) == Named::Another;
            let expected = match target.filter(|target| !names_another(target)) {
                Some(target) => format!("[{}]({target})", version.value),
                None => version.value.clone(),
            };
            let is_safe = says_no_more(cell.text.trim(), &version.value);
            let fix = || {
                let fix = fix(is_safe, "spell the version as the report does");
                cx.fix_version(fix, cell, &version.value)
            };
            say(columns.version, &cell.text, version, &expected, &fix);
        }
        if let (Some(text), Some(mode)) = (row.text(columns.mode), &report.mode)
            && text != mode.value
            && is_spelled(text, &mode.value)
        {
            let is_safe = is_same_mode(text, &mode.value);
            let fix = || {
                let fix = fix(is_safe, "spell the mode as the report does");
                cx.fix_cell(fix, row.cell(columns.mode), plain(&mode.value)?)
            };
            say(columns.mode, text, mode, &mode.value, &fix);
        }
    }
}
