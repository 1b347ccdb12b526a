//! A document of headings, lists, tables and code, rendered for a terminal or as Markdown.

mod markdown;
mod terminal;

use crate::text::message::Message;

pub use markdown::MAX_CHARACTERS;

/// A document.
#[derive(Debug, Default)]
pub struct Page {
    blocks: Vec<Block>,
    cut: Option<Cut>,
}

/// Truncation of long lists.
#[derive(Debug, Clone, Copy)]
pub struct Cut {
    /// Maximum number of items on a terminal.
    pub lines: usize,
    /// Where to find all items: "`--format json` lists".
    pub all: &'static str,
}

#[derive(Debug)]
enum Block {
    Mark(&'static str),
    Heading(u8, Inline),
    Folded(Inline),
    Paragraph(Inline),
    List(Vec<Item>),
    Table(Table),
    Code(String),
    Gap,
}

#[derive(Debug)]
struct Item {
    depth: usize,
    text: Inline,
    lines: Vec<Inline>,
    write: Option<String>,
}

#[derive(Debug)]
struct Table {
    head: &'static [&'static str],
    rows: Vec<Row>,
}

/// A table row.
#[derive(Debug, Default)]
pub struct Row {
    /// Cells of the row.
    pub cells: Vec<Inline>,
    /// Replacement for the cells on a terminal.
    pub line: Option<Inline>,
    /// Lines below the row, on a terminal.
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

/// Inline text. Its parts distinguish trusted words from values of files.
#[derive(Debug, Clone, Default)]
pub struct Inline(Vec<Piece>);

#[derive(Debug, Clone)]
enum Piece {
    /// Trusted text of this program.
    Words(String),
    /// May come from a file; escaped in Markdown.
    Text(String),
    Code(String),
    Message(Message),
    Link(String, String),
    Image([String; 3]),
}

impl Inline {
    /// Creates text from a message.
    pub fn message(message: &Message) -> Self {
        Self(vec![Piece::Message(message.clone())])
    }

    /// Creates a Markdown link.
    pub fn link(text: impl Into<String>, address: impl Into<String>) -> Self {
        Self(vec![Piece::Link(text.into(), address.into())])
    }

    /// Appends a Markdown image: alternative text, URL and link target.
    #[must_use]
    pub fn image(mut self, image: [String; 3]) -> Self {
        self.0.push(Piece::Image(image));
        self
    }

    /// Appends text.
    #[must_use]
    pub fn then(mut self, text: impl Into<String>) -> Self {
        self.0.push(Piece::Text(text.into()));
        self
    }

    /// Appends inline text.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }
}

/// Plain strings may come from a file and are escaped.
impl<T: Into<String>> From<T> for Inline {
    fn from(text: T) -> Self {
        Self(vec![Piece::Text(text.into())])
    }
}

/// Creates trusted text, which must not come from a file.
pub fn words(words: impl Into<String>) -> Inline {
    Inline(vec![Piece::Words(words.into())])
}

/// Creates inline code.
pub fn code(value: impl Into<String>) -> Inline {
    Inline(vec![Piece::Code(value.into())])
}

/// Joins names with commas.
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
    /// Creates a page that truncates long lists. Markdown is limited to the size of a GitHub
    /// comment.
    pub fn cut(cut: Cut) -> Self {
        Self {
            blocks: Vec::new(),
            cut: Some(cut),
        }
    }

    /// Adds a Markdown comment.
    pub fn mark(&mut self, comment: &'static str) {
        self.blocks.push(Block::Mark(comment));
    }

    /// Adds a heading; level 1 is the page title.
    pub fn heading(&mut self, level: u8, text: impl Into<Inline>) {
        self.blocks.push(Block::Heading(level, text.into()));
    }

    /// Adds a heading whose content is collapsed in Markdown.
    pub fn folded(&mut self, text: impl Into<Inline>) {
        self.blocks.push(Block::Folded(text.into()));
    }

    /// Ends a collapsed section.
    pub fn gap(&mut self) {
        self.blocks.push(Block::Gap);
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: impl Into<Inline>) {
        self.blocks.push(Block::Paragraph(text.into()));
    }

    /// Adds a list item.
    pub fn item(&mut self, text: impl Into<Inline>) {
        self.list(0, text.into(), Vec::new(), None);
    }

    /// Adds a nested list item.
    pub fn subitem(&mut self, text: impl Into<Inline>) {
        self.list(1, text.into(), Vec::new(), None);
    }

    /// Adds an item followed by lines.
    pub fn entry(&mut self, text: impl Into<Inline>, lines: Vec<Inline>) {
        self.list(0, text.into(), lines, None);
    }

    /// Adds an item with text to copy.
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

    /// Adds a shell command.
    pub fn command(&mut self, command: impl Into<String>) {
        self.blocks.push(Block::Code(command.into()));
    }

    fn more(&self, count: usize) -> String {
        let all = self.cut.map_or("", |cut| cut.all);
        format!("{count} more; {all} all")
    }
}
