//! README.md of a submission: title, sections, tables with their rows and cells, links, each with
//! the bytes it came from. The only user of the Markdown crate.
//!
//! What is read is what GitHub shows: GitHub Flavored Markdown, so a table inside an HTML comment or
//! a code block is not a table. A README is never refused: [`parse`] returns what there is, and
//! [`Readme::truncated`] names what a bound left out. All spans point into the text given to
//! [`parse`], byte order mark included. Judging what was found is left to the rules.

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

/// Bounds on what is kept of one README; the longest README of the real tree has 9 rows and
/// about 20 links. Beyond a bound the rest is left out and named in [`Readme::truncated`].
pub mod bounds {
    /// Headings kept.
    pub const HEADINGS: usize = 2_000;
    /// Tables kept.
    pub const TABLES: usize = 500;
    /// Rows kept, over all tables, rows outside of tables included.
    pub const ROWS: usize = 10_000;
    /// Cells kept, over all rows.
    pub const CELLS: usize = 60_000;
    /// Links and images kept.
    pub const LINKS: usize = 10_000;
    /// Block quotes and list items that one line may open: the text is read up to the first line
    /// that opens more. Without this bound, blank lines after such a line cost its depth each.
    pub const NESTING: usize = 100;
}

/// What a README holds. Made by [`parse`]; without errors, and without the text itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readme {
    /// All headings in order, those in lists and block quotes included.
    pub headings: Vec<Heading>,
    /// The part before the first heading, then one section for each heading that is in no list or
    /// block quote. Never empty.
    pub sections: Vec<Section>,
    /// All tables in order.
    pub tables: Vec<Table>,
    /// All links and images in order, those in tables included.
    pub links: Vec<Link>,
    /// Lines that begin like a table row but are paragraph text: a row cut off from its table by
    /// a blank line, or a table whose delimiter row does not fit its header.
    pub stray_rows: Vec<Span>,
    /// The first raw HTML table. Its content is not read; GitHub shows it.
    pub html_table: Option<Span>,
    /// The first raw HTML heading (`<h2>`). It makes no section here; GitHub shows one.
    pub html_heading: Option<Span>,
    /// An HTML comment without an end: nothing after it is shown.
    pub unclosed_comment: Option<Span>,
    /// What was left out because there was too much of it; sorted, each once.
    pub truncated: Vec<Bound>,
}

/// A bound of [`bounds`] that a README went over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// [`bounds::NESTING`]: the text from there on was not read.
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
    /// What was left out, in the plural; for [`Bound::Nesting`] where reading stopped.
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
    /// As shown, without markup.
    pub text: String,
    /// The text as written, without the `#`s or the underline. Empty for an empty heading.
    pub span: Span,
    /// The heading with all that makes it one.
    pub block: Span,
    /// In a list or block quote: it divides no section.
    pub nested: bool,
}

/// A part of the README that a heading opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Index into [`Readme::headings`]; `None` for the part before the first heading.
    pub heading: Option<usize>,
    /// Index of the section that this one is part of.
    pub parent: Option<usize>,
    /// From the end of the heading to the next heading of the same or a higher level; sections
    /// below included.
    pub body: Span,
    /// From the end of the heading to the next section's heading, whatever its level.
    pub own: Span,
    /// Nothing is shown in `body` but headings: white space, HTML comments, link definitions,
    /// empty code blocks and tables are nothing.
    pub content_is_empty: bool,
    /// The first paragraph, list item or HTML block in `body` that is a leftover of the template
    /// (see [`is_placeholder`]).
    pub placeholder: Option<Span>,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// From the header to the last row.
    pub span: Span,
    /// The header. Has at least one cell, and as many as the delimiter row (fewer only beyond
    /// [`bounds::CELLS`]).
    pub header: Row,
    /// The rows below the delimiter row.
    pub rows: Vec<Row>,
    /// Index of the innermost section it is in.
    pub section: usize,
    /// In a list or block quote.
    pub nested: bool,
}

/// A row of a table. In GFM every line up to a blank line or another block is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The line, without indentation, container markers, and white space at its end.
    pub span: Span,
    /// The cells that are written, at most as many as the header has: a row with fewer has fewer
    /// here, and those beyond are in `surplus`.
    pub cells: Vec<Cell>,
    /// Cells beyond the header's. GitHub does not show them, so they are not parsed.
    pub surplus: Vec<Span>,
    /// Begins with a pipe.
    pub opened: bool,
    /// Ends with a pipe that is not escaped.
    pub closed: bool,
}

impl Row {
    /// True for a line without any pipe: a sentence written directly below a table becomes a row.
    pub fn has_no_pipe(&self) -> bool {
        !self.opened && !self.closed && self.cells.len() <= 1 && self.surplus.is_empty()
    }
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The content as written, without the white space around it.
    pub span: Span,
    /// As shown: the text of links and code, escapes resolved, comments and tags dropped.
    pub text: String,
    /// The links and images in it.
    pub links: Vec<Link>,
    /// The first URL in it that is plain text; GitHub makes a link of it.
    pub bare_url: Option<Span>,
    /// `[v0.6.0]`, `[v0.6.0] (https://…)`: brackets of a link that is none.
    pub bracketed_without_link: bool,
}

/// A link or image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// As shown, without markup; for images the alternative text.
    pub text: String,
    /// Where it leads, escapes resolved; that of its definition for a reference link; with
    /// `mailto:` for `<someone@example.com>`.
    pub target: String,
    /// The whole link as written.
    pub span: Span,
    /// The target as written, in the definition for a reference link. The whole link where it
    /// is unknown (a target that continues on another line of a block quote).
    pub target_span: Span,
    /// How it is written.
    pub kind: LinkKind,
}

impl Link {
    /// Where it leads, split into parts.
    pub fn classify(&self) -> Target {
        Target::new(&self.target)
    }
}

/// How a link is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// `[text](target)`.
    Inline,
    /// `[text][label]`, `[label][]` or `[label]`, with a definition elsewhere.
    Reference,
    /// `<https://example.com>` or `<someone@example.com>`.
    Autolink,
    /// `![text](target)` or `![text][label]`.
    Image,
}

/// Reads a README. Never fails; takes time linear in the length of the text.
pub fn parse(text: &str) -> Readme {
    build::build(text)
}

impl Readme {
    /// The first heading of level 1 that is in no list or block quote.
    pub fn title(&self) -> Option<&Heading> {
        let mut headings = self.headings.iter();
        headings.find(|heading| heading.level == 1 && !heading.nested)
    }

    /// The heading that opens a section.
    pub fn heading_of(&self, section: usize) -> Option<&Heading> {
        let heading = self.sections.get(section)?.heading?;
        self.headings.get(heading)
    }
}
