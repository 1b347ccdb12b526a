//! What `--format` takes.

use std::io;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::Streams;
use super::bar::Bar;
use crate::print::Format;
use crate::print::page::Page;
use crate::text::json;

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextFormat {
    /// For people
    Human,
    /// For a comment, an issue or a page
    Markdown,
    /// For programs; `gwconform schema` prints its schema
    Json,
}

impl TextFormat {
    /// The progress of the work before an answer: drawn for people only.
    pub fn bar(self, streams: &Streams<'_>) -> Bar {
        match self {
            Self::Human => Bar::new(streams),
            _ => Bar::hidden(),
        }
    }

    /// Prints an answer: its page, or its document.
    pub fn print<D: Serialize>(
        self,
        streams: &mut Streams<'_>,
        page: impl FnOnce() -> Page,
        document: impl FnOnce() -> D,
    ) -> io::Result<()> {
        let text = match self {
            Self::Json => return json::write(&document(), &mut streams.stdout),
            Self::Human => page().human(streams.width()),
            Self::Markdown => page().markdown(),
        };
        streams.stdout.write_all(text.as_bytes())
    }
}

/// The formats of findings, those of a change among them.
pub const ALL: [Format; 7] = [
    Format::Human,
    Format::Json,
    Format::Sarif,
    Format::Github,
    Format::Junit,
    Format::Markdown,
    Format::Suggestions,
];

/// `--format` of commands that check a change.
pub fn of_findings() -> impl TypedValueParser<Value = Format> {
    parser(&ALL)
}

/// `--format` of commands that suggest nothing for a change.
pub fn without_suggestions() -> impl TypedValueParser<Value = Format> {
    parser(&Format::ALL)
}

fn parser(formats: &'static [Format]) -> impl TypedValueParser<Value = Format> {
    let values = formats
        .iter()
        .map(|format| PossibleValue::new(format.name()).help(help(*format)));
    PossibleValuesParser::new(values).try_map(|name| named(formats, &name).ok_or(UnknownFormat))
}

/// The format with a name.
pub fn named(formats: &[Format], name: &str) -> Option<Format> {
    formats.iter().copied().find(|format| format.name() == name)
}

/// The parser of possible values refuses other names before.
#[derive(Debug, thiserror::Error)]
#[error("unknown format")]
struct UnknownFormat;

fn help(format: Format) -> &'static str {
    match format {
        Format::Human => "For people: source lines with carets",
        Format::Json => "For programs; `gwconform schema findings` describes it",
        Format::Sarif => "For code scanning: SARIF 2.1.0",
        Format::Github => "For a log of GitHub Actions, which shows the findings beside the lines",
        Format::Junit => "For the dashboards of CI systems: JUnit XML",
        Format::Suggestions => {
            "With --since: safe fixes of changed lines, as the body of a review on GitHub"
        }
        Format::Markdown => "For a job summary or a comment, at most 60,000 characters",
    }
}
