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

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Human,
            Self::Json,
            Self::Sarif,
            Self::Github,
            Self::Junit,
            Self::Markdown,
            Self::Suggestions,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Human => "For people: source lines with carets",
            Self::Json => "For programs; `gwconform schema findings` describes it",
            Self::Sarif => "For code scanning: SARIF 2.1.0",
            Self::Github => {
                "For a log of GitHub Actions, which shows the findings beside the lines"
            }
            Self::Junit => "For the dashboards of CI systems: JUnit XML",
            Self::Suggestions => {
                "With --since: safe fixes of changed lines, as the body of a review on GitHub"
            }
            Self::Markdown => "For a job summary or a comment, at most 60,000 characters",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

/// `--format` of commands that suggest nothing for a change.
pub fn without_suggestions() -> impl TypedValueParser<Value = Format> {
    let values = Format::ALL.iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(values)
        .map(|name| Format::from_str(&name, false).unwrap_or(Format::Human))
}
