//! Parses a submission's README.md with source spans. Only this module uses the Markdown crate.
//!
//! Parsing accepts any text; [`Readme::truncated`] lists exceeded limits. Spans refer to the text
//! passed to [`parse`], including a byte order mark.

mod build;
mod contents;
mod html;
pub mod included;
mod link;
pub mod formatting;
mod nesting;
mod row_text;
mod section;
mod target;

#[cfg(test)]
mod tests;

pub(crate) use contents::says_reproduce;
pub use contents::{Columns, Contents};
pub use html::to_html;
pub use target::Target;

use gwconform_base::text::source::Span;

/// Limits for READMEs. Upstream READMEs have at most 9 rows and about 20 links. Items above a limit
/// are dropped, and [`Readme::truncated`] lists the limit.
pub mod bounds {
    /// Maximum number of headings.
    pub const HEADINGS: usize = 2_000;
    /// Maximum number of tables.
    pub const TABLES: usize = 500;
    /// Maximum number of rows in all tables, including stray rows.
    pub const ROWS: usize = 10_000;
    /// Maximum number of cells in all rows.
    pub const CELLS: usize = 60_000;
    /// Maximum number of links and images.
    pub const LINKS: usize = 10_000;
    /// Block quotes and list items that one line opens. Parsing stops at the limit, because each
    /// later blank line would take time proportional to the depth.
    pub const NESTING: usize = 100;
}

/// Structure of a README.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readme {
    /// Headings in order, including those in lists and block quotes.
    pub headings: Vec<Heading>,
    /// The part before the first heading, then one section per heading outside lists and block
    /// quotes.
    pub sections: Vec<Section>,
    /// Tables in order.
    pub tables: Vec<Table>,
    /// Links and images in order.
    pub links: Vec<Link>,
    /// Paragraph lines that look like table rows.
    pub stray_rows: Vec<Span>,
    /// First raw HTML table, whose content is not parsed.
    pub html_table: Option<Span>,
    /// First raw HTML heading, which does not start a section.
    pub html_heading: Option<Span>,
    /// Unclosed HTML comment, which hides all text after it.
    pub unclosed_comment: Option<Span>,
    /// Exceeded limits, sorted and unique.
    pub truncated: Vec<Bound>,
}

/// Limit that a README can exceed.
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
    /// Plural noun, such as `table rows`.
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

/// Heading that starts with `#` or is underlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Level from 1 to 6.
    pub level: u8,
    /// Rendered text.
    pub text: String,
    /// Source text without `#` or underline.
    pub span: Span,
    /// Source of the whole heading.
    pub block: Span,
    /// True if the heading is in a list or block quote.
    pub nested: bool,
}

/// Part of a README below a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Index into [`Readme::headings`]; `None` before the first heading.
    pub heading: Option<usize>,
    /// Index of the parent section in [`Readme::sections`].
    pub parent: Option<usize>,
    /// Content with subsections.
    pub body: Span,
    /// Content without subsections.
    pub own: Span,
    /// True if `body` renders only headings and empty tables.
    pub content_is_empty: bool,
    /// First placeholder block in `body` (`is_placeholder`).
    pub placeholder: Option<Span>,
}

/// Markdown table with its source spans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Source from the header to the last row.
    pub span: Span,
    /// Header. It has as many cells as the delimiter row, except above [`bounds::CELLS`].
    pub header: Row,
    /// Rows below the delimiter row.
    pub rows: Vec<Row>,
    /// Index of the innermost section.
    pub section: usize,
    /// True if the table is in a list or block quote.
    pub nested: bool,
}

/// Table row. In GFM, a table continues until a blank line or another block, and each line is a
/// row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Source without indentation, container markers and trailing whitespace.
    pub span: Span,
    /// Cells, at most as many as in the header.
    pub cells: Vec<Cell>,
    /// Cells beyond the header, which GitHub does not render.
    pub surplus: Vec<Span>,
    /// True if the row starts with a pipe.
    pub opened: bool,
    /// True if the row ends with an unescaped pipe.
    pub closed: bool,
}

impl Row {
    /// True for a row without pipes, such as a sentence directly below a table.
    pub(crate) fn has_no_pipe(&self) -> bool {
        !self.opened && !self.closed && self.cells.len() <= 1 && self.surplus.is_empty()
    }
}

/// Table cell with its links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Source text without surrounding whitespace.
    pub span: Span,
    /// Rendered text.
    pub text: String,
    /// Links and images in the cell.
    pub links: Vec<Link>,
    /// First URL in plain text.
    pub bare_url: Option<Span>,
    /// `[v0.6.0]` or `[v0.6.0] (https://…)`, which are not links in Markdown.
    pub bracketed_without_link: bool,
}

/// Link or image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Text of a link, or alternative text of an image.
    pub text: String,
    /// Target with escapes resolved, and with `mailto:` for `<someone@example.com>`.
    pub target: String,
    /// Source of the whole link.
    pub span: Span,
    /// Source of the target, possibly in a reference definition. Equals `span` if the target cannot
    /// be located.
    pub target_span: Span,
    /// Syntax of the link.
    pub kind: LinkKind,
}

impl Link {
    /// Classifies the target by its text.
    pub fn classify(&self) -> Target {
        Target::new(&self.target)
    }
}

/// Syntax of a link.
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
    /// First level-1 heading outside lists and block quotes.
    pub fn title(&self) -> Option<&Heading> {
        let mut headings = self.headings.iter();
        headings.find(|heading| heading.level == 1 && !heading.nested)
    }

    /// Heading of a section; `None` before the first heading.
    pub fn heading_of(&self, section: usize) -> Option<&Heading> {
        let heading = self.sections.get(section)?.heading?;
        self.headings.get(heading)
    }
}
