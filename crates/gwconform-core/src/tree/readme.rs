//! Parses a submission's README.md: title, sections, tables and links with source spans. Only this
//! module uses the Markdown crate.
//!
//! Parsing follows GitHub Flavored Markdown and accepts any text; [`Readme::truncated`] lists
//! exceeded limits. Spans refer to the text given to [`parse`], including a byte order mark.

mod build;
mod find;
mod html;
mod link;
pub mod manner;
mod nesting;
mod row;
mod section;
mod target;

#[cfg(test)]
mod tests;

pub use find::{Columns, Contents, is_placeholder, says_reproduce};
pub use html::to_html;
pub use target::Target;

use crate::text::source::Span;

/// Limits per README; the longest upstream README has 9 rows and about 20 links. Items above a
/// limit are dropped and listed in [`Readme::truncated`].
pub mod bounds {
    /// Headings.
    pub const HEADINGS: usize = 2_000;
    /// Tables.
    pub const TABLES: usize = 500;
    /// Rows of all tables, including stray rows.
    pub const ROWS: usize = 10_000;
    /// Cells of all rows.
    pub const CELLS: usize = 60_000;
    /// Links and images.
    pub const LINKS: usize = 10_000;
    /// Block quotes and list items opened by one line. Parsing stops there, because each later
    /// blank line would take time proportional to the depth.
    pub const NESTING: usize = 100;
}

/// A parsed README.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readme {
    /// All headings.
    pub headings: Vec<Heading>,
    /// The part before the first heading, then one section per heading outside of lists and block
    /// quotes.
    pub sections: Vec<Section>,
    /// Tables in order.
    pub tables: Vec<Table>,
    /// All links and images.
    pub links: Vec<Link>,
    /// Paragraph lines that look like table rows, for example after a blank line.
    pub stray_rows: Vec<Span>,
    /// First raw HTML table. Its content is not parsed.
    pub html_table: Option<Span>,
    /// First raw HTML heading. It does not start a section.
    pub html_heading: Option<Span>,
    /// An HTML comment without an end, which hides all text after it.
    pub unclosed_comment: Option<Span>,
    /// Exceeded limits, sorted and unique.
    pub truncated: Vec<Bound>,
}

/// An exceeded limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// [`bounds::NESTING`]; the remaining text is not parsed.
    Nesting,
    /// [`bounds::HEADINGS`].
    Headings,
    /// [`bounds::TABLES`].
    Tables,
    /// [`bounds::ROWS`].
    Rows,
    /// [`bounds::CELLS`].
    Cells,
    /// [`bounds::LINKS`].
    Links,
}

impl Bound {
    /// Plural noun for the dropped items.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Nesting => "text after a deeply nested line",
            Self::Headings => "headings",
            Self::Tables => "tables",
            Self::Rows => "table rows",
            Self::Cells => "table cells",
            Self::Links => "links",
        }
    }
}

/// A heading, with `#` or underlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Rendered text.
    pub text: String,
    /// Source text without `#` or underline.
    pub span: Span,
    /// Whole heading.
    pub block: Span,
    /// True in a list or block quote.
    pub nested: bool,
}

/// The part below a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Index into [`Readme::headings`]; `None` before the first heading.
    pub heading: Option<usize>,
    /// Index of the parent section.
    pub parent: Option<usize>,
    /// Includes subsections.
    pub body: Span,
    /// Excludes subsections.
    pub own: Span,
    /// True if `body` renders nothing but headings and empty tables.
    pub content_is_empty: bool,
    /// First block in `body` that remains from the template ([`is_placeholder`]).
    pub placeholder: Option<Span>,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// From the header to the last row.
    pub span: Span,
    /// Header; as many cells as in the delimiter row, except above [`bounds::CELLS`].
    pub header: Row,
    /// Rows below the delimiter row.
    pub rows: Vec<Row>,
    /// Index of the innermost section.
    pub section: usize,
    /// True in a list or block quote.
    pub nested: bool,
}

/// A table row. In GFM, each line up to a blank line or another block is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Excludes indentation, container markers and trailing whitespace.
    pub span: Span,
    /// At most as many as in the header.
    pub cells: Vec<Cell>,
    /// Cells beyond the header, which GitHub does not render.
    pub surplus: Vec<Span>,
    /// True if the row starts with a pipe.
    pub opened: bool,
    /// True if the row ends with an unescaped pipe.
    pub closed: bool,
}

impl Row {
    /// True for a sentence directly below a table.
    pub fn has_no_pipe(&self) -> bool {
        !self.opened && !self.closed && self.cells.len() <= 1 && self.surplus.is_empty()
    }
}

/// A table cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Source text without surrounding whitespace.
    pub span: Span,
    /// Rendered text.
    pub text: String,
    /// Links and images.
    pub links: Vec<Link>,
    /// First URL in plain text.
    pub bare_url: Option<Span>,
    /// True for `[v0.6.0]` or `[v0.6.0] (https://…)`, which are not links.
    pub bracketed_without_link: bool,
}

/// A link or image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Rendered or alternative text.
    pub text: String,
    /// Target with escapes resolved; with `mailto:` for `<someone@example.com>`.
    pub target: String,
    /// Whole link in the source.
    pub span: Span,
    /// Target in the source, which may be in a reference definition. The whole link if it cannot be
    /// located.
    pub target_span: Span,
    /// Syntax.
    pub kind: LinkKind,
}

impl Link {
    /// Classifies the target.
    pub fn classify(&self) -> Target {
        Target::new(&self.target)
    }
}

/// The syntax of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// `[text](target)`.
    Inline,
    /// `[text][label]`, `[label][]` or `[label]`, with a separate definition.
    Reference,
    /// `<https://example.com>` or `<someone@example.com>`.
    Autolink,
    /// `![text](target)` or `![text][label]`.
    Image,
}

/// Parses a README in linear time.
pub fn parse(text: &str) -> Readme {
    build::build(text)
}

impl Readme {
    /// First level-1 heading outside of lists and block quotes.
    pub fn title(&self) -> Option<&Heading> {
        let mut headings = self.headings.iter();
        headings.find(|heading| heading.level == 1 && !heading.nested)
    }

    /// Heading of a section.
    pub fn heading_of(&self, section: usize) -> Option<&Heading> {
        let heading = self.sections.get(section)?.heading?;
        self.headings.get(heading)
    }
}
