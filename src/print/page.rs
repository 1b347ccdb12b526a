//! An answer as headings, facts, lists, tables and code, printed for a terminal or as Markdown.

use crate::text::escape::{markdown_code, markdown_text};
use crate::text::visible;
use crate::text::wrap::wrap;

/// An answer.
#[derive(Debug, Default)]
pub struct Page(Vec<Block>);

#[derive(Debug)]
enum Block {
    Heading(u8, Inline),
    Paragraph(Inline),
    Item(usize, Inline),
    Table(Table),
    Code(String),
}

#[derive(Debug)]
struct Table {
    head: &'static [&'static str],
    rows: Vec<Row>,
}

/// A row of a table.
#[derive(Debug)]
pub struct Row {
    /// Its cells.
    pub cells: Vec<Inline>,
    /// The same as a line, for a terminal.
    pub line: Inline,
}

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
}

impl Inline {
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
            Piece::Words(text) | Piece::Text(text) | Piece::Code(text) => visible(text),
        });
        pieces.collect()
    }

    fn markdown(&self) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Words(words) => words.clone(),
            Piece::Text(text) => markdown_text(text),
            Piece::Code(value) => markdown_code(value),
        });
        pieces.collect()
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
    /// Adds a heading: 1 is the title of the page.
    pub fn heading(&mut self, level: u8, text: impl Into<Inline>) {
        self.0.push(Block::Heading(level, text.into()));
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: impl Into<Inline>) {
        self.0.push(Block::Paragraph(text.into()));
    }

    /// Adds an item to a list.
    pub fn item(&mut self, text: impl Into<Inline>) {
        self.0.push(Block::Item(0, text.into()));
    }

    /// Adds an item to the list below the last item.
    pub fn subitem(&mut self, text: impl Into<Inline>) {
        self.0.push(Block::Item(1, text.into()));
    }

    /// Adds a table.
    pub fn table(&mut self, head: &'static [&'static str], rows: Vec<Row>) {
        self.0.push(Block::Table(Table { head, rows }));
    }

    /// Adds a command that can be pasted.
    pub fn command(&mut self, command: impl Into<String>) {
        self.0.push(Block::Code(command.into()));
    }

    /// For a terminal: lines of at most `width` columns, commands whole.
    pub fn human(&self, width: usize) -> String {
        let mut out = String::new();
        let mut indent = 0;
        for (at, block) in self.0.iter().enumerate() {
            let mut line = |depth: usize, text: &str| {
                for part in wrap(&format!("{:1$}{text}", "", 2 * depth), width) {
                    out.push_str(&part);
                    out.push('\n');
                }
            };
            match block {
                Block::Heading(level, text) => {
                    if at > 0 {
                        line(0, "");
                    }
                    let text = text.human();
                    line(0, &text);
                    if *level == 2 {
                        line(0, &"=".repeat(text.chars().count().min(width)));
                    }
                    indent = usize::from(*level > 1);
                }
                Block::Paragraph(text) => line(indent, &text.human()),
                Block::Item(depth, text) => line(indent + depth, &text.human()),
                Block::Table(table) => {
                    for row in &table.rows {
                        line(indent, &row.line.human());
                    }
                }
                Block::Code(command) => {
                    out.push('\n');
                    out.push_str(command);
                    out.push('\n');
                }
            }
        }
        out
    }

    /// As GitHub Flavored Markdown.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        let mut before: Option<&Block> = None;
        for block in &self.0 {
            let is_list = |block: &Block| matches!(block, Block::Item(..));
            if before.is_some_and(|before| !is_list(before) || !is_list(block)) {
                out.push('\n');
            }
            before = Some(block);
            match block {
                Block::Heading(level, text) => {
                    out.push_str(&"#".repeat((*level).into()));
                    out.push(' ');
                    out.push_str(&text.markdown());
                }
                Block::Paragraph(text) => out.push_str(&text.markdown()),
                Block::Item(depth, text) => {
                    out.push_str(&"  ".repeat(*depth));
                    out.push_str("- ");
                    out.push_str(&text.markdown());
                }
                Block::Table(table) => {
                    out.push_str(&format!("| {} |\n", table.head.join(" | ")));
                    out.push_str(&format!("|{}", "---|".repeat(table.head.len())));
                    for row in &table.rows {
                        let cells: Vec<String> = row.cells.iter().map(Inline::markdown).collect();
                        out.push_str(&format!("\n| {} |", cells.join(" | ")));
                    }
                }
                Block::Code(command) => out.push_str(&format!("```sh\n{command}\n```")),
            }
            out.push('\n');
        }
        out
    }
}
