//! Adds the corrected rows to README findings.

use std::collections::BTreeMap;

use super::Write;
use crate::rules::ReadmeContext;
use crate::text::change::fitting;
use crate::text::diagnostic::{Diagnostic, Edit, Fix};
use crate::text::message::{Line, Message};
use crate::text::source::Span;

/// Adds the row that `--fix` or, for unsafe fixes, `--unsafe-fixes` writes.
pub fn show(cx: &ReadmeContext<'_>, findings: &mut [Diagnostic]) {
    let mut in_order: Vec<usize> = (0..findings.len()).collect();
    in_order.sort_by_key(|&at| {
        let finding = &findings[at];
        (finding.place.sort_key(), finding.rule, &finding.message)
    });
    let lines = lines(cx);
    let mut by_line: BTreeMap<Span, Vec<usize>> = BTreeMap::new();
    for at in in_order {
        let fix = findings[at].fix.as_ref();
        if let Some(line) = fix.and_then(|fix| line_of(&lines, fix))
            && cx.source.is_showable(line)
        {
            by_line.entry(line).or_default().push(at);
        }
    }
    for (line, offers) in by_line {
        let row = |is_meant: fn(&Fix) -> bool| {
            let fixes = offers.iter().filter_map(|&at| findings[at].fix.as_ref());
            fixed(cx, line, &fitting(fixes.filter(|fix| is_meant(fix))))
        };
        let [safe, all] = [row(|fix| fix.safe), row(|_| true)];
        for at in offers {
            let finding = &mut findings[at];
            let is_safe = finding.fix.as_ref().is_some_and(|fix| fix.safe);
            let row = if is_safe { &safe } else { &all };
            if let Some(help) = help(finding, row) {
                finding.help(help);
            }
        }
    }
}

fn help(finding: &Diagnostic, row: &str) -> Option<Message> {
    let Some(help) = &finding.help else {
        let line = Line::printable(row)?;
        return Some(Write::Line { line }.into());
    };
    help.with_line(row).or_else(|| {
        let (help, line) = (help.clone(), Line::printable(row)?);
        Some(Write::Fixed { help, line }.into())
    })
}

/// Skips reports listed several times, because a fix may remove such rows.
fn lines(cx: &ReadmeContext<'_>) -> BTreeMap<u32, Span> {
    let text = cx.source.text();
    let mut listed: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    for row in &cx.listing.rows {
        if let Some(file) = row.file.as_deref() {
            listed.entry(file).or_default().push(row.row.span);
        }
    }
    let alone = listed.into_values().filter(|rows| rows.len() == 1);
    alone
        .flatten()
        .map(|row| {
            let before = text[..row.start as usize].rfind('\n');
            let rest = &text[row.end as usize..];
            let after = rest.find(['\r', '\n']).unwrap_or(rest.len());
            let begin = before.map_or(0, |newline| newline + 1);
            (row.start, Span::new(begin, row.end as usize + after))
        })
        .collect()
}

fn line_of(lines: &BTreeMap<u32, Span>, fix: &Fix) -> Option<Span> {
    let replaces = |edit: &Edit| match edit {
        Edit::Replace { span, text, .. } if !text.contains('\n') => Some(*span),
        _ => None,
    };
    let spans: Vec<Span> = fix.edits.iter().map(replaces).collect::<Option<_>>()?;
    let start = spans.iter().map(|span| span.start).min()?;
    let end = spans.iter().map(|span| span.end).max()?;
    let (_, line) = lines.range(..=start).next_back()?;
    (end <= line.end).then_some(*line)
}

fn fixed(cx: &ReadmeContext<'_>, line: Span, fixes: &[&Fix]) -> String {
    let edits = fixes.iter().flat_map(|fix| &fix.edits);
    let mut replaced: Vec<(Span, &str)> = edits
        .filter_map(|edit| match edit {
            Edit::Replace { span, text, .. } => Some((*span, text.as_str())),
            Edit::Rename { .. } => None,
        })
        .collect();
    replaced.sort_by_key(|(span, _)| *span);
    replaced.dedup();
    let between = |start, end| cx.source.slice(Span { start, end });
    let (mut row, mut done) = (String::new(), line.start);
    for (span, text) in replaced {
        row.push_str(between(done, span.start));
        row.push_str(text);
        done = span.end;
    }
    row.push_str(between(done, line.end));
    row
}
