use std::ops::Range;

use super::{Builder, Run, RunKind, span};
use crate::tree::readme::{Bound, Cell, Heading, Link, Row, bounds, link, row_text, section};
use gwconform_base::text::source::Span;

impl Builder<'_> {
    pub(super) fn close(&mut self, run: Run) {
        match run.kind {
            RunKind::Heading(level) => self.close_heading(level, run),
            RunKind::Cell => self.close_cell(run),
            RunKind::Link { .. } => self.close_link(run),
        }
    }

    fn close_heading(&mut self, level: u8, run: Run) {
        if self.readme.headings.len() >= bounds::HEADINGS {
            self.left_out(Bound::Headings);
            return;
        }
        let block = row_text::trim(self.text, run.range.clone());
        let extent = run.extent.unwrap_or(block.end..block.end);
        // The event of an escaped character does not include the backslash.
        let escaped = extent.start > block.start && self.text[..extent.start].ends_with('\\');
        let content = extent.start - usize::from(escaped)..extent.end;
        let nested = self.containers > 0;
        if !nested {
            let end = Span::at(run.range.end);
            let heading = Some(self.readme.headings.len());
            self.readme.sections.push(section::new(heading, end));
        }
        self.readme.headings.push(Heading {
            level,
            text: run.text.trim_matches(row_text::is_blank).to_owned(),
            span: span(row_text::trim(self.text, content)),
            block: span(block),
            nested,
        });
    }

    fn close_cell(&mut self, run: Run) {
        if self.table.is_none() {
            return;
        }
        if self.cell_count >= bounds::CELLS {
            self.left_out(Bound::Cells);
            return;
        }
        self.cell_count += 1;
        let content = row_text::trim(self.text, run.range.clone());
        let written = &self.text[content.clone()];
        let cell = Cell {
            span: span(content.clone()),
            text: run.text.trim_matches(row_text::is_blank).to_owned(),
            bare_url: row_text::bare_url(self.text, content, &run.opaque),
            bracketed_without_link: run.links.is_empty()
                && written.starts_with('[')
                && written.contains(']'),
            links: run.links,
        };
        self.cells.push((run.range, cell));
    }

    fn close_link(&mut self, run: Run) {
        let RunKind::Link {
            kind,
            target,
            definition,
        } = run.kind
        else {
            return;
        };
        self.extend(run.range.clone());
        self.opaque(run.range.clone());
        let target_span =
            link::target_span(self.text, &target, &run.range, &run.extent, definition);
        if let Some(around) = self.runs.last_mut() {
            around.text.push_str(&run.text);
            around.links.extend(run.links);
        }
        let found = Link {
            text: run.text,
            target,
            span: span(run.range),
            target_span,
            kind,
        };
        if self.readme.links.len() >= bounds::LINKS {
            self.left_out(Bound::Links);
            return;
        }
        self.readme.links.push(found.clone());
        if let Some(around) = self.runs.last_mut() {
            around.links.push(found);
        }
    }

    pub(super) fn close_row(&mut self, range: Range<usize>) -> Row {
        let line = row_text::line(self.text, range);
        let text = &self.text[line.clone()];
        let mut raw_end = None;
        let mut cells = Vec::new();
        for (range, cell) in std::mem::take(&mut self.cells) {
            if range.start < line.end {
                raw_end = Some(range.end);
                cells.push(cell);
            }
        }
        let after = raw_end.map_or(line.end, |end| end + 1).min(line.end);
        let piped = raw_end.is_some_and(|end| end < line.end);
        let (mut surplus, closed) = if piped {
            row_text::split(self.text, after..line.end)
        } else {
            (Vec::new(), false)
        };
        let room = bounds::CELLS.saturating_sub(self.cell_count);
        if surplus.len() > room {
            surplus.truncate(room);
            self.left_out(Bound::Cells);
        }
        self.cell_count += surplus.len();
        Row {
            opened: text.starts_with('|'),
            span: span(line),
            cells,
            surplus,
            closed,
        }
    }
}
