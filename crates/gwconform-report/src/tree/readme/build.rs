use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, RefDefs, Tag, TagEnd};

use super::{Bound, Cell, Link, LinkKind, Readme, Row, Table};
use super::{bounds, contents, link, nesting, row_text, section};
use gwconform_base::text::source::Span;

mod close;

struct Run {
    kind: RunKind,
    range: Range<usize>,
    text: String,
    extent: Option<Range<usize>>,
    opaque: Vec<Range<usize>>,
    links: Vec<Link>,
}

enum RunKind {
    Heading(u8),
    Cell,
    Link {
        kind: LinkKind,
        target: String,
        definition: Option<Range<usize>>,
    },
}

/// Maximum number of nested runs, because each level copies the text.
const MAX_RUNS: usize = 16;

struct Builder<'t> {
    text: &'t str,
    readme: Readme,
    runs: Vec<Run>,
    unread: usize,
    containers: usize,
    table: Option<Table>,
    cells: Vec<(Range<usize>, Cell)>,
    row_count: usize,
    cell_count: usize,
}

pub(super) fn build(text: &str) -> Readme {
    let offset = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let end = nesting::readable_end(text, offset);
    let mut builder = Builder {
        text,
        readme: Readme::default(),
        runs: Vec::new(),
        unread: 0,
        containers: 0,
        table: None,
        cells: Vec::new(),
        row_count: 0,
        cell_count: 0,
    };
    builder
        .readme
        .sections
        .push(section::new(None, Span::at(offset)));
    if end < text.len() {
        builder.left_out(Bound::Nesting);
    }
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_GFM;
    let mut events = Parser::new_ext(&text[offset..end], options).into_offset_iter();
    while let Some((event, relative)) = events.next() {
        let range = relative.start + offset..relative.end + offset;
        builder.event(event, range, events.reference_definitions(), offset);
    }
    let mut readme = builder.readme;
    readme
        .links
        .sort_by_key(|link| (link.span.start, link.span.end));
    section::nest(&mut readme, end);
    readme
}

fn span(range: Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

impl Builder<'_> {
    fn event(
        &mut self,
        event: Event<'_>,
        range: Range<usize>,
        definitions: &RefDefs<'_>,
        offset: usize,
    ) {
        match event {
            Event::Start(tag) => self.start(tag, range, definitions, offset),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => self.push_text(&text, range),
            Event::Code(text) => {
                self.opaque(range.clone());
                self.push_text(&text, range);
            }
            Event::SoftBreak | Event::HardBreak => self.push_text(" ", range),
            Event::InlineHtml(html) => {
                self.opaque(range.clone());
                self.extend(range.clone());
                if html.to_ascii_lowercase().starts_with("<br") {
                    self.push_text(" ", range.clone());
                }
                self.html(range);
            }
            Event::FootnoteReference(_) => self.extend(range),
            Event::Html(_)
            | Event::Rule
            | Event::TaskListMarker(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_) => {}
        }
    }

    fn start(
        &mut self,
        tag: Tag<'_>,
        range: Range<usize>,
        definitions: &RefDefs<'_>,
        offset: usize,
    ) {
        let is_image = matches!(tag, Tag::Image { .. });
        match tag {
            Tag::BlockQuote(_) | Tag::List(_) | Tag::FootnoteDefinition(_) => self.containers += 1,
            Tag::Item => {
                let item = row_text::trim(self.text, range);
                let content = self.text[item.clone()].trim_start_matches(|c: char| {
                    c.is_ascii_digit() || matches!(c, '-' | '*' | '+' | '.' | ')' | ' ' | '\t')
                });
                self.placeholder(item.end - content.len()..item.end);
            }
            Tag::Paragraph => {
                self.placeholder(row_text::trim(self.text, range.clone()));
                for stray in row_text::stray(self.text, range) {
                    if self.count_row() {
                        self.readme.stray_rows.push(stray);
                    }
                }
            }
            Tag::HtmlBlock => {
                self.placeholder(row_text::trim(self.text, range.clone()));
                self.html(range);
            }
            Tag::Heading { level, .. } => self.open(RunKind::Heading(level as u8), range),
            Tag::Table(_) => self.open_table(range),
            Tag::TableCell => self.open(RunKind::Cell, range),
            Tag::Link {
                link_type,
                dest_url,
                id,
                ..
            }
            | Tag::Image {
                link_type,
                dest_url,
                id,
                ..
            } => {
                let definition = link::definition(link_type, &id, definitions, offset);
                let (mut kind, target) = link::link_kind(link_type, &dest_url);
                if is_image {
                    self.mark_content();
                    kind = LinkKind::Image;
                }
                self.open_link(
                    range,
                    RunKind::Link {
                        kind,
                        target,
                        definition,
                    },
                );
            }
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough => self.extend(range),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::FootnoteDefinition => {
                self.containers = self.containers.saturating_sub(1);
            }
            TagEnd::Heading(_) | TagEnd::TableCell => {
                if let Some(run) = self.runs.pop() {
                    self.close(run);
                }
            }
            TagEnd::Link | TagEnd::Image => {
                if self.unread > 0 {
                    self.unread -= 1;
                } else if let Some(run) = self.runs.pop() {
                    self.close(run);
                }
            }
            TagEnd::TableHead => {
                let header = self.close_row(range);
                if let Some(table) = &mut self.table {
                    table.header = header;
                }
            }
            TagEnd::TableRow => {
                let row = self.close_row(range);
                if self.table.is_some()
                    && self.count_row()
                    && let Some(table) = &mut self.table
                {
                    table.span.end = row.span.end;
                    table.rows.push(row);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.readme.tables.push(table);
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, kind: RunKind, range: Range<usize>) {
        self.runs.push(Run {
            kind,
            range,
            text: String::new(),
            extent: None,
            opaque: Vec::new(),
            links: Vec::new(),
        });
    }

    fn open_link(&mut self, range: Range<usize>, kind: RunKind) {
        if self.unread > 0 || self.runs.len() >= MAX_RUNS {
            self.left_out(Bound::Links);
            self.unread += 1;
        } else {
            self.open(kind, range);
        }
    }

    fn open_table(&mut self, range: Range<usize>) {
        if self.readme.tables.len() >= bounds::TABLES {
            self.left_out(Bound::Tables);
            return;
        }
        let span = span(row_text::line(self.text, range));
        self.table = Some(Table {
            span,
            header: Row {
                span,
                cells: Vec::new(),
                surplus: Vec::new(),
                opened: false,
                closed: false,
            },
            rows: Vec::new(),
            section: self.readme.sections.len() - 1,
            nested: self.containers > 0,
        });
    }

    fn count_row(&mut self) -> bool {
        if self.row_count >= bounds::ROWS {
            self.left_out(Bound::Rows);
            return false;
        }
        self.row_count += 1;
        true
    }

    fn push_text(&mut self, text: &str, range: Range<usize>) {
        self.extend(range);
        match self.runs.last_mut() {
            // Skip text in unread runs, so that parsing takes linear time.
            Some(run) if self.unread == 0 => run.text.push_str(text),
            _ => {}
        }
        let shown = |c: char| {
            !c.is_whitespace() && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
        };
        if text.contains(shown) {
            self.mark_content();
        }
    }

    fn extend(&mut self, range: Range<usize>) {
        if let Some(run) = self.runs.last_mut() {
            let extent = run.extent.get_or_insert(range.clone());
            extent.start = extent.start.min(range.start);
            extent.end = extent.end.max(range.end);
        }
    }

    fn opaque(&mut self, range: Range<usize>) {
        if let Some(run) = self.runs.last_mut() {
            run.opaque.push(range);
        }
    }

    fn mark_content(&mut self) {
        let heading = self.runs.first().map(|run| &run.kind);
        if matches!(heading, Some(RunKind::Heading(_))) {
            return;
        }
        if let Some(section) = self.readme.sections.last_mut() {
            section.content_is_empty = false;
        }
    }

    fn placeholder(&mut self, range: Range<usize>) {
        if contents::is_placeholder(&self.text[range.clone()])
            && let Some(section) = self.readme.sections.last_mut()
            && section.placeholder.is_none()
        {
            section.placeholder = Some(span(range));
        }
    }

    /// Finds content other than comments, and the tags that rules check.
    fn html(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            let rest = &self.text[at..range.end];
            let comment = rest.find("<!--").unwrap_or(rest.len());
            self.html_outside_comments(at..at + comment);
            if comment == rest.len() {
                return;
            }
            match rest[comment..].find("-->") {
                Some(end) => at += comment + end + "-->".len(),
                None => {
                    let unclosed = row_text::trim(self.text, at + comment..range.end);
                    self.readme.unclosed_comment.get_or_insert(span(unclosed));
                    return;
                }
            }
        }
    }

    fn html_outside_comments(&mut self, range: Range<usize>) {
        let html = &self.text[range.clone()];
        if html.trim().is_empty() {
            return;
        }
        self.mark_content();
        for (at, _) in html.match_indices('<') {
            let rest = &html[at + 1..];
            let name = rest
                .split(|c: char| !c.is_ascii_alphanumeric())
                .next()
                .unwrap_or_default();
            let seen = match name.as_bytes() {
                name if name.eq_ignore_ascii_case(b"table") => &mut self.readme.html_table,
                [b'h' | b'H', b'1'..=b'6'] => &mut self.readme.html_heading,
                _ => continue,
            };
            let start = range.start + at;
            seen.get_or_insert(Span::new(start, start + 1 + name.len()));
        }
    }

    fn left_out(&mut self, bound: Bound) {
        if let Err(at) = self.readme.truncated.binary_search(&bound) {
            self.readme.truncated.insert(at, bound);
        }
    }
}
