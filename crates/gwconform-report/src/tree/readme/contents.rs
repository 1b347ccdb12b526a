use super::{Readme, Section, Table};
use gwconform_base::text;

/// Location of the table of contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Section with the heading `Table of contents`.
    pub section: Option<usize>,
    /// Table under that heading with the most known columns; otherwise a table with all four
    /// columns.
    pub table: Option<usize>,
    /// True if the table is under the heading.
    pub under_heading: bool,
    /// Known columns of the table; empty without a table.
    pub columns: Columns,
    /// Other tables under the heading, and tables elsewhere with all four columns.
    pub others: Vec<usize>,
}

/// Indexes of the known columns in a header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Index of `API channel`.
    pub channel: Option<usize>,
    /// Index of `Implementation version`.
    pub version: Option<usize>,
    /// Index of `Mode`.
    pub mode: Option<usize>,
    /// Index of `Report`.
    pub report: Option<usize>,
}

impl Columns {
    /// Column names that the README of the reports tree requires.
    pub const NAMES: [&'static str; 4] =
        ["API channel", "Implementation version", "Mode", "Report"];

    /// Finds columns regardless of case, spacing and punctuation. If a full name is missing, a
    /// short or plural name counts.
    pub fn new(table: &Table) -> Self {
        let header = table.header.cells.iter();
        let names: Vec<String> = header.map(|cell| letters(&cell.text)).collect();
        let find = |wanted: &[&str]| {
            let mut wanted = wanted.iter();
            wanted.find_map(|wanted| names.iter().position(|name| name == wanted))
        };
        Self {
            channel: find(&["apichannel", "gatewayapichannel", "channel", "apichannels"]),
            version: find(&["implementationversion", "version", "implementationversions"]),
            mode: find(&["mode", "modes"]),
            report: find(&["report", "reports", "conformancereport"]),
        }
    }

    /// Indexes in the order of [`Columns::NAMES`].
    pub fn as_array(&self) -> [Option<usize>; 4] {
        [self.channel, self.version, self.mode, self.report]
    }

    /// Names of missing columns.
    pub fn missing(&self) -> Vec<&'static str> {
        let columns = Self::NAMES.into_iter().zip(self.as_array());
        columns
            .filter(|(_, at)| at.is_none())
            .map(|(name, _)| name)
            .collect()
    }

    fn known(&self) -> usize {
        self.as_array().into_iter().flatten().count()
    }
}

impl Readme {
    /// Finds the table with the most known columns below the *Table of Contents* heading or,
    /// failing that, the first table elsewhere that has all known columns.
    pub fn find_table_of_contents(&self) -> Contents {
        let section =
            self.section_named(|heading| matches!(heading, "tableofcontents" | "tableofcontent"));
        let body = section.map(|section| self.sections[section].body);
        let mut below = Vec::new();
        let mut elsewhere = Vec::new();
        for (index, table) in self.tables.iter().enumerate() {
            let columns = Columns::new(table);
            if body.is_some_and(|body| body.start <= table.span.start && table.span.end <= body.end)
            {
                below.push((index, columns));
            } else if columns.known() == Columns::NAMES.len() {
                elsewhere.push((index, columns));
            }
        }
        let under_heading = !below.is_empty();
        // `max_by_key` would return the last of equal tables.
        let most = |tables: &[(usize, Columns)]| {
            let best = tables.iter().map(|(_, columns)| columns.known()).max()?;
            tables
                .iter()
                .find(|(_, columns)| columns.known() == best)
                .cloned()
        };
        let chosen = most(&below).or_else(|| most(&elsewhere));
        let table = chosen.as_ref().map(|(index, _)| *index);
        let mut others: Vec<usize> = below
            .iter()
            .chain(&elsewhere)
            .map(|(index, _)| *index)
            .filter(|index| Some(*index) != table)
            .collect();
        others.sort_unstable();
        Contents {
            section,
            table,
            under_heading,
            columns: chosen.map(|(_, columns)| columns).unwrap_or_default(),
            others,
        }
    }

    /// Finds the section about reproducing the reports, preferably with content.
    pub fn find_reproduce(&self) -> Option<usize> {
        let sections = self.reproduce_sections();
        let filled = sections
            .iter()
            .find(|&&at| !self.sections[at].content_is_empty);
        filled.or(sections.first()).copied()
    }

    /// Content of the section that [`Readme::find_reproduce`] finds; `None` if it is empty.
    pub(crate) fn reproduce(&self) -> Option<text::source::Span> {
        let section = self.sections.get(self.find_reproduce()?)?;
        (!section.content_is_empty).then_some(section.body)
    }

    /// Sections that [`Readme::find_reproduce`] chooses from.
    pub fn reproduce_sections(&self) -> Vec<usize> {
        let sections = 0..self.sections.len();
        sections
            .filter(|&at| {
                self.heading_of(at)
                    .is_some_and(|heading| says_reproduce(&heading.text))
            })
            .collect()
    }

    fn section_named(&self, fits: impl Fn(&str) -> bool) -> Option<usize> {
        let sections = 0..self.sections.len();
        let named = sections.filter(|&at| {
            self.heading_of(at)
                .is_some_and(|heading| fits(&letters(&heading.text)))
        });
        let empty = |section: &Section| section.content_is_empty;
        named.min_by_key(|&at| empty(&self.sections[at]))
    }
}

/// True if a heading is about reproducing the reports.
pub(crate) fn says_reproduce(heading: &str) -> bool {
    const WORDS: [&str; 8] = [
        "reproduce",
        "reproducer",
        "reproducers",
        "reproduces",
        "reproducing",
        "reproduction",
        "repro",
        "reproductions",
    ];
    let mut words = heading.split(|c: char| !c.is_alphanumeric());
    words.any(|word| WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

fn letters(text: &str) -> String {
    text::letters(text.trim_start_matches(|c: char| !c.is_alphabetic()))
}

/// Sentences from the README of the reports tree, as returned by [`letters`].
const TEMPLATE: [&str; 2] = [
    "instructionsonhowtoreproducetheclaimedreport",
    "generalinformationabouttheacmeoperatorproject",
];

/// HTML elements, to distinguish tags from placeholders such as `<name>`.
const ELEMENTS: [&str; 27] = [
    "a",
    "b",
    "blockquote",
    "br",
    "center",
    "code",
    "details",
    "div",
    "em",
    "h1",
    "h2",
    "h3",
    "hr",
    "i",
    "img",
    "kbd",
    "li",
    "ol",
    "p",
    "picture",
    "pre",
    "span",
    "strong",
    "summary",
    "table",
    "ul",
    "video",
];

/// A template sentence, `<…>`, only dots, or `TODO`, `TBD` or `FIXME`, which must be in capitals if
/// text follows.
pub(crate) fn is_placeholder(text: &str) -> bool {
    const MARKS: [&str; 3] = ["TODO", "TBD", "FIXME"];
    let text = text.trim();
    let inner = text
        .strip_prefix('<')
        .and_then(|text| text.strip_suffix('>'));
    if let Some(inner) = inner {
        return is_placeholder_name(inner);
    }
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    if bare.is_empty() {
        return !text.is_empty() && text.chars().all(|c| matches!(c, '.' | '…'));
    }
    if MARKS
        .iter()
        .any(|mark| bare.eq_ignore_ascii_case(mark) || begins_with_word(bare, mark))
    {
        return true;
    }
    TEMPLATE.contains(&letters(text).as_str())
}

fn begins_with_word(text: &str, word: &str) -> bool {
    let rest = text.strip_prefix(word);
    rest.is_some_and(|rest| rest.starts_with(|c: char| !c.is_alphanumeric() && c != '_'))
}

fn is_placeholder_name(inner: &str) -> bool {
    if inner.contains(['<', '>', '=', '@', '\n']) || inner.contains("://") {
        return false;
    }
    let element = inner
        .split(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    let known = ELEMENTS
        .iter()
        .any(|name| element.eq_ignore_ascii_case(name));
    // `<a description>` is a placeholder although `a` is an element.
    let alone = inner.trim_end_matches(['/', ' ']).len() == element.len();
    let tag = inner.starts_with(['/', '!', '?']) || (known && alone);
    !tag && !inner.trim().is_empty()
}
