//! An answer as headings, facts, lists, tables and code, printed for a terminal or as Markdown.

use std::mem;

use unicode_width::UnicodeWidthStr;

use crate::text::escape::{
    html, markdown_address, markdown_code, markdown_comment, markdown_fenced, markdown_text,
};
use crate::text::message::Message;
use crate::text::visible;
use crate::text::wrap::wrap;

/// An answer.
#[derive(Debug, Default)]
pub struct Page {
    blocks: Vec<Block>,
    cut: Option<Cut>,
}

/// How long lists are cut.
#[derive(Debug, Clone, Copy)]
pub struct Cut {
    /// Most items for a terminal.
    pub lines: usize,
    /// Where all are: "`--format json` lists".
    pub all: &'static str,
}

#[derive(Debug)]
enum Block {
    /// A comment in Markdown.
    Mark(&'static str),
    Heading(u8, Inline),
    /// A heading; in Markdown, what is below it is shown on demand.
    Folded(Inline),
    Paragraph(Inline),
    List(Vec<Item>),
    Table(Table),
    Code(String),
    /// The end of what is below a heading.
    Gap,
}

#[derive(Debug)]
struct Item {
    depth: usize,
    text: Inline,
    /// Lines below it.
    lines: Vec<Inline>,
    /// What is to be copied.
    write: Option<String>,
}

#[derive(Debug)]
struct Table {
    head: &'static [&'static str],
    rows: Vec<Row>,
}

/// A row of a table.
#[derive(Debug, Default)]
pub struct Row {
    /// Its cells.
    pub cells: Vec<Inline>,
    /// The same as a line for a terminal, instead of columns.
    pub line: Option<Inline>,
    /// Lines below it, for a terminal.
    pub notes: Vec<Inline>,
}

impl From<Vec<Inline>> for Row {
    fn from(cells: Vec<Inline>) -> Self {
        Self {
            cells,
            ..Self::default()
        }
    }
}

/// Longest output, in characters: a comment on GitHub takes 65,536, and who posts it adds a few.
pub const MAX_CHARACTERS: usize = 60_000;

/// Most items of a list that is cut, in Markdown.
const MAX_ITEMS: usize = 200;

/// What headings and the lines that count what was cut need at most, in characters.
const MAX_REST: usize = 2_000;

/// A text within a line: words, and names or values that were written elsewhere.
#[derive(Debug, Clone, Default)]
pub struct Inline(Vec<Piece>);

#[derive(Debug, Clone)]
enum Piece {
    /// Of this program.
    Words(String),
    /// Of a file, perhaps: nothing in it is Markdown.
    Text(String),
    /// A name or a value.
    Code(String),
    /// A message, with its values as code.
    Message(Message),
    /// A text that leads to an address in Markdown.
    Link(String, String),
    /// An image in Markdown: what it says, its address, and where it leads.
    Image([String; 3]),
}

impl Inline {
    /// A message.
    pub fn message(message: &Message) -> Self {
        Self(vec![Piece::Message(message.clone())])
    }

    /// A text that leads to an address in Markdown.
    pub fn link(text: impl Into<String>, address: impl Into<String>) -> Self {
        Self(vec![Piece::Link(text.into(), address.into())])
    }

    /// The same with an image behind it in Markdown: what it says, its address, and where it leads.
    #[must_use]
    pub fn image(mut self, image: [String; 3]) -> Self {
        self.0.push(Piece::Image(image));
        self
    }

    /// The same with a text behind it.
    #[must_use]
    pub fn then(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Text(text.into()));
        self
    }

    /// The same with another text behind it.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    fn human(&self) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Words(text) | Piece::Text(text) | Piece::Code(text) | Piece::Link(text, _) => {
                visible(text)
            }
            Piece::Message(message) => visible(&message.to_string()),
            Piece::Image(_) => String::new(),
        });
        pieces.collect()
    }

    fn markdown(&self) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Words(words) => words.clone(),
            Piece::Text(text) => markdown_text(text),
            Piece::Code(value) => markdown_code(value),
            Piece::Message(message) => markdown_comment(message),
            Piece::Link(text, address) => {
                format!("[{}]({})", markdown_text(text), markdown_address(address))
            }
            Piece::Image([says, address, leads_to]) => format!(
                "[![{says}]({})]({})",
                markdown_address(address),
                markdown_address(leads_to)
            ),
        });
        pieces.collect()
    }

    /// In a cell of a table code could not hold a `|`.
    fn markdown_cell(&self) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Code(value) => Piece::Text(value.clone()),
            Piece::Message(message) => Piece::Text(message.to_string()),
            piece => piece.clone(),
        });
        Self(pieces.collect()).markdown()
    }
}

/// A text that a file may have a part in.
impl<T: Into<String>> From<T> for Inline {
    fn from(text: T) -> Self {
        Self(vec![Piece::Text(text.into())])
    }
}

/// Words of this program, in which no file has a part.
pub fn words(words: impl Into<String>) -> Inline {
    Inline(vec![Piece::Words(words.into())])
}

/// A name or a value.
pub fn code(value: impl Into<String>) -> Inline {
    Inline(vec![Piece::Code(value.into())])
}

/// Names with commas between them.
pub fn names<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> Inline {
    let mut list = Inline::default();
    for name in names {
        if !list.0.is_empty() {
            list.0.push(Piece::Words(", ".to_owned()));
        }
        list.0.push(Piece::Code(name.as_ref().to_owned()));
    }
    list
}

impl Page {
    /// A page whose long lists are cut, in Markdown to what a comment on GitHub takes.
    pub fn cut(cut: Cut) -> Self {
        Self {
            blocks: Vec::new(),
            cut: Some(cut),
        }
    }

    /// Adds a comment, which only Markdown has.
    pub fn mark(&mut self, comment: &'static str) {
        self.blocks.push(Block::Mark(comment));
    }

    /// Adds a heading: 1 is the title of the page.
    pub fn heading(&mut self, level: u8, text: impl Into<Inline>) {
        self.blocks.push(Block::Heading(level, text.into()));
    }

    /// Adds a heading; in Markdown, what is below it is shown on demand.
    pub fn folded(&mut self, text: impl Into<Inline>) {
        self.blocks.push(Block::Folded(text.into()));
    }

    /// Ends what is below a heading.
    pub fn gap(&mut self) {
        self.blocks.push(Block::Gap);
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: impl Into<Inline>) {
        self.blocks.push(Block::Paragraph(text.into()));
    }

    /// Adds an item to a list.
    pub fn item(&mut self, text: impl Into<Inline>) {
        self.list(0, text.into(), Vec::new(), None);
    }

    /// Adds an item to the list below the last item.
    pub fn subitem(&mut self, text: impl Into<Inline>) {
        self.list(1, text.into(), Vec::new(), None);
    }

    /// Adds an item with lines below it.
    pub fn entry(&mut self, text: impl Into<Inline>, lines: Vec<Inline>) {
        self.list(0, text.into(), lines, None);
    }

    /// Adds an item with what is to be copied.
    pub fn change(&mut self, text: impl Into<Inline>, write: Option<&str>) {
        let write = write.unwrap_or_default().to_owned();
        self.list(0, text.into(), Vec::new(), Some(write));
    }

    fn list(&mut self, depth: usize, text: Inline, lines: Vec<Inline>, write: Option<String>) {
        let item = Item {
            depth,
            text,
            lines,
            write,
        };
        match self.blocks.last_mut() {
            Some(Block::List(items)) => items.push(item),
            _ => self.blocks.push(Block::List(vec![item])),
        }
    }

    /// Adds a table.
    pub fn table(&mut self, head: &'static [&'static str], rows: Vec<Row>) {
        self.blocks.push(Block::Table(Table { head, rows }));
    }

    /// Adds a command that can be pasted.
    pub fn command(&mut self, command: impl Into<String>) {
        self.blocks.push(Block::Code(command.into()));
    }

    /// For a terminal: lines of at most `width` columns; commands and what is to be copied are whole.
    pub fn human(&self, width: usize) -> String {
        let mut out = Lines {
            text: String::new(),
            width,
            has_gap: false,
        };
        let mut indent = 0;
        for block in &self.blocks {
            match block {
                Block::Mark(_) => {}
                Block::Gap => {
                    out.has_gap = true;
                    indent = 0;
                }
                Block::Heading(1, text) => out.add(0, &text.human()),
                Block::Heading(_, text) | Block::Folded(text) => {
                    out.empty();
                    let text = text.human();
                    out.add(0, &text);
                    if matches!(block, Block::Heading(2, _)) {
                        out.add(0, &"=".repeat(text.width().min(width)));
                    }
                    indent = 1;
                }
                Block::Paragraph(text) => out.add(indent, &text.human()),
                Block::List(items) => {
                    let shown = self.cut.map_or(usize::MAX, |cut| cut.lines);
                    for item in items.iter().take(shown) {
                        out.add_item(indent, item);
                    }
                    if let more @ 1.. = items.len().saturating_sub(shown) {
                        out.add(indent, &self.more(more));
                    }
                }
                Block::Table(table) => out.add_table(indent, table),
                Block::Code(command) => out.text.push_str(&format!("\n{command}\n")),
            }
        }
        out.text
    }

    fn more(&self, count: usize) -> String {
        let all = self.cut.map_or("", |cut| cut.all);
        format!("{count} more; {all} all")
    }

    /// As GitHub Flavored Markdown.
    pub fn markdown(&self) -> String {
        self.markdown_within(MAX_CHARACTERS)
    }

    /// The same; lists that are cut leave out what `room` characters do not hold.
    pub fn markdown_within(&self, room: usize) -> String {
        let mut room = room.saturating_sub(MAX_REST);
        let mut out = String::new();
        let mut is_folded = false;
        for block in &self.blocks {
            if let Block::Heading(..) | Block::Folded(_) = block
                && mem::take(&mut is_folded)
            {
                out.push_str("\n</details>\n");
            }
            if !out.is_empty() && !matches!(block, Block::Gap) {
                out.push('\n');
            }
            match block {
                Block::Gap => continue,
                Block::Mark(comment) => out.push_str(&format!("<!-- {comment} -->")),
                Block::Heading(level, text) => {
                    let marks = "#".repeat((*level).into());
                    out.push_str(&format!("{marks} {}", text.markdown()));
                }
                Block::Folded(text) => {
                    let title = html(&text.human());
                    out.push_str(&format!("<details><summary>{title}</summary>"));
                    is_folded = true;
                }
                Block::Paragraph(text) => out.push_str(&text.markdown()),
                Block::List(items) => {
                    let mut shown = 0;
                    for item in items {
                        let text = item.markdown();
                        if self.cut.is_some() {
                            let length = text.chars().count();
                            if shown == MAX_ITEMS || length > room {
                                break;
                            }
                            room -= length;
                        }
                        out.push_str(&text);
                        shown += 1;
                    }
                    if shown < items.len() {
                        out.push_str(&format!("- {}\n", self.more(items.len() - shown)));
                    }
                    continue;
                }
                Block::Table(table) => {
                    out.push_str(&format!("| {} |\n", table.head.join(" | ")));
                    out.push_str(&format!("|{}", "---|".repeat(table.head.len())));
                    for row in &table.rows {
                        let cells = row.cells.iter().map(Inline::markdown_cell);
                        let cells: Vec<String> = cells.collect();
                        out.push_str(&format!("\n| {} |", cells.join(" | ")));
                    }
                }
                Block::Code(command) => out.push_str(&format!("```sh\n{command}\n```")),
            }
            out.push('\n');
        }
        if is_folded {
            out.push_str("\n</details>\n");
        }
        out
    }
}

impl Item {
    fn markdown(&self) -> String {
        let indent = "  ".repeat(self.depth);
        let mut text = format!("{indent}- {}", self.text.markdown());
        for line in &self.lines {
            text.push_str(&format!("\\\n{indent}  {}", line.markdown()));
        }
        text.push('\n');
        let write = self.write.as_deref().filter(|write| !write.is_empty());
        for line in write
            .map(markdown_fenced)
            .iter()
            .flat_map(|text| text.lines())
        {
            text.push_str(&format!("{indent}  {line}\n"));
        }
        text
    }
}

/// Lines for a terminal.
struct Lines {
    text: String,
    width: usize,
    /// The next line has an empty one above it.
    has_gap: bool,
}

impl Lines {
    fn empty(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn add(&mut self, indent: usize, text: &str) {
        self.add_wrapped(indent, text, self.width);
    }

    fn add_wrapped(&mut self, indent: usize, text: &str, width: usize) {
        if mem::take(&mut self.has_gap) {
            self.empty();
        }
        for part in wrap(&format!("{:1$}{text}", "", 2 * indent), width) {
            self.text.push_str(&part);
            self.text.push('\n');
        }
    }

    fn add_item(&mut self, indent: usize, item: &Item) {
        let indent = indent + item.depth;
        if !item.lines.is_empty() || item.write.is_some() {
            self.empty();
        }
        self.add(indent, &item.text.human());
        for line in &item.lines {
            self.add(indent + 1, &line.human());
        }
        let write = item.write.iter().flat_map(|write| write.lines());
        for (at, line) in write.enumerate() {
            let label = if at == 0 { "write:" } else { "" };
            let line = visible(line);
            self.text.push_str(&format!("  {label:6} {line}\n"));
        }
    }

    /// Numbers are flush right.
    fn add_table(&mut self, indent: usize, table: &Table) {
        let rows = || table.rows.iter().map(|row| row.cells.as_slice());
        let cell = |row: &[Inline], column: usize| row.get(column).map(Inline::human);
        let columns: Vec<(usize, bool)> =
            (0..rows().map(<[Inline]>::len).max().unwrap_or_default())
                .map(|column| {
                    let cells: Vec<String> = rows().filter_map(|row| cell(row, column)).collect();
                    let head = table.head.get(column).map_or(0, |head| head.width());
                    let widest = cells.iter().map(|cell| cell.width()).max();
                    let is_number = |cell: &String| cell.bytes().all(|byte| byte.is_ascii_digit());
                    let is_right = cells.iter().all(is_number);
                    (widest.unwrap_or_default().max(head), is_right)
                })
                .collect();
        let line = |cells: Vec<String>| {
            let cells = cells.iter().zip(&columns).map(|(cell, (width, is_right))| {
                let room = " ".repeat(width.saturating_sub(cell.width()));
                match is_right {
                    true => room + cell,
                    false => cell.clone() + &room,
                }
            });
            cells.collect::<Vec<_>>().join("  ")
        };
        if !table.head.is_empty() && table.rows.iter().any(|row| row.line.is_none()) {
            let head = table.head.iter().map(|head| (*head).to_owned()).collect();
            self.add_wrapped(indent, line(head).trim_end(), usize::MAX);
        }
        // What has columns is as wide as it is.
        let width = match table.head.is_empty() {
            true => self.width,
            false => usize::MAX,
        };
        for row in &table.rows {
            match &row.line {
                Some(line) => self.add(indent, &line.human()),
                None => {
                    let cells = row.cells.iter().map(Inline::human).collect();
                    self.add_wrapped(indent, line(cells).trim_end(), width);
                }
            }
            for note in &row.notes {
                self.add(indent + 1, &note.human());
            }
        }
    }
}
