//! Builds documents of headings, lists, tables and code, and renders them for a terminal or as
//! Markdown.

mod markdown;
mod terminal;

use gwconform_base::text::message::Message;

pub use markdown::MAX_CHARACTERS;

/// A document, built block by block.
#[derive(Debug, Default)]
pub struct Page {
    blocks: Vec<Block>,
    cut: Option<Cut>,
}

/// Limits and hints for truncated lists.
#[derive(Debug, Clone, Copy)]
pub struct Cut {
    /// Maximum list items on a terminal.
    pub lines: usize,
    /// Start of the hint, such as "`--format json` lists".
    pub all: &'static str,
}

#[derive(Debug)]
enum Block {
    Mark(&'static str),
    Heading(u8, Inline),
    Folded {
        title: Inline,
        is_open: bool,
    },
    Paragraph(Inline),
    List(Vec<Item>),
    /// List that a terminal shows completely.
    WholeList(Vec<Item>),
    Table(Table),
    Code(String),
    Gap,
}

#[derive(Debug)]
struct Item {
    depth: usize,
    text: Inline,
    lines: Vec<Inline>,
}

#[derive(Debug)]
struct Table {
    head: &'static [&'static str],
    rows: Vec<Row>,
}

/// A table row, with alternative content for terminals.
#[derive(Debug, Default)]
pub struct Row {
    /// Cells in column order.
    pub cells: Vec<Inline>,
    /// Line that replaces the cells on a terminal.
    pub line: Option<Inline>,
}

impl From<Vec<Inline>> for Row {
    fn from(cells: Vec<Inline>) -> Self {
        Self {
            cells,
            ..Self::default()
        }
    }
}

/// Inline text, which distinguishes trusted words from file values.
#[derive(Debug, Clone, Default)]
pub struct Inline(Vec<Piece>);

#[derive(Debug, Clone)]
enum Piece {
    /// Trusted program text, which Markdown output does not escape.
    Words(String),
    /// Text that can come from a file. Markdown output escapes it.
    Text(String),
    Code(String),
    Message(Message),
    Link(String, String),
    Image([String; 3]),
}

impl Inline {
    /// Formats values as code.
    pub fn message(message: &Message) -> Self {
        Self(vec![Piece::Message(message.clone())])
    }

    /// Creates a link, which is plain text on a terminal.
    pub fn link(text: impl Into<String>, address: impl Into<String>) -> Self {
        Self(vec![Piece::Link(text.into(), address.into())])
    }

    /// Appends an image, only in Markdown. The array contains alternative text, image URL and link
    /// target.
    #[must_use]
    pub fn image(mut self, image: [String; 3]) -> Self {
        self.0.push(Piece::Image(image));
        self
    }

    /// Appends text, which can come from a file.
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

/// Converts a string to text that Markdown output escapes, because the string can come from a file.
impl<T: Into<String>> From<T> for Inline {
    fn from(text: T) -> Self {
        Self(vec![Piece::Text(text.into())])
    }
}

/// Creates trusted text, which Markdown output does not escape. `words` must not come from a file.
pub fn words(words: impl Into<String>) -> Inline {
    Inline(vec![Piece::Words(words.into())])
}

/// Creates inline code. The value can come from a file.
pub fn code(value: impl Into<String>) -> Inline {
    Inline(vec![Piece::Code(value.into())])
}

/// Joins escaped names with commas.
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
    /// Truncates long lists. Markdown output is limited to the size of a GitHub comment.
    pub fn cut(cut: Cut) -> Self {
        Self {
            blocks: Vec::new(),
            cut: Some(cut),
        }
    }

    /// Adds an HTML comment, only in Markdown.
    pub fn mark(&mut self, comment: &'static str) {
        self.blocks.push(Block::Mark(comment));
    }

    /// Adds a heading. Level 1 is the page title.
    pub fn heading(&mut self, level: u8, text: impl Into<Inline>) {
        self.blocks.push(Block::Heading(level, text.into()));
    }

    /// Adds a heading that collapses the following blocks in Markdown.
    pub fn folded(&mut self, text: impl Into<Inline>) {
        self.fold(text.into(), false);
    }

    /// Adds a heading whose following blocks readers can collapse in Markdown.
    pub fn unfolded(&mut self, text: impl Into<Inline>) {
        self.fold(text.into(), true);
    }

    fn fold(&mut self, title: Inline, is_open: bool) {
        self.blocks.push(Block::Folded { title, is_open });
    }

    /// Adds an empty line on a terminal, and ends indentation.
    pub fn gap(&mut self) {
        self.blocks.push(Block::Gap);
    }

    /// Adds a paragraph, which is wrapped on a terminal.
    pub fn paragraph(&mut self, text: impl Into<Inline>) {
        self.blocks.push(Block::Paragraph(text.into()));
    }

    /// Adds a list item.
    pub fn item(&mut self, text: impl Into<Inline>) {
        self.list(0, text.into(), Vec::new());
    }

    /// Adds a list that a terminal shows completely.
    pub fn whole_list(&mut self, items: impl IntoIterator<Item = Inline>) {
        let items = items.into_iter().map(|text| Item {
            depth: 0,
            text,
            lines: Vec::new(),
        });
        let items = Vec::from_iter(items);
        if !items.is_empty() {
            self.blocks.push(Block::WholeList(items));
        }
    }

    /// Adds a nested list item.
    pub fn subitem(&mut self, text: impl Into<Inline>) {
        self.list(1, text.into(), Vec::new());
    }

    /// Adds a list item with lines below.
    pub fn entry(&mut self, text: impl Into<Inline>, lines: Vec<Inline>) {
        self.list(0, text.into(), lines);
    }

    fn list(&mut self, depth: usize, text: Inline, lines: Vec<Inline>) {
        let item = Item { depth, text, lines };
        match self.blocks.last_mut() {
            Some(Block::List(items)) => items.push(item),
            _ => self.blocks.push(Block::List(vec![item])),
        }
    }

    /// Adds a table with column names.
    pub fn table(&mut self, head: &'static [&'static str], rows: Vec<Row>) {
        self.blocks.push(Block::Table(Table { head, rows }));
    }

    /// Adds a shell command to copy.
    pub fn command(&mut self, command: impl Into<String>) {
        self.blocks.push(Block::Code(command.into()));
    }

    fn more(&self, count: usize) -> String {
        let all = self.cut.map_or("", |cut| cut.all);
        format!("{count} more; {all} all")
    }
}
