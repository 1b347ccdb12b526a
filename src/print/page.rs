//! An answer as headings, facts, lists, tables and code, printed for a terminal or as Markdown.

mod markdown;
mod terminal;

use crate::text::message::Message;

pub use markdown::MAX_CHARACTERS;

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

    fn more(&self, count: usize) -> String {
        let all = self.cut.map_or("", |cut| cut.all);
        format!("{count} more; {all} all")
    }
}
