use std::io;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::bar::Bar;
use super::{Content, Streams};
use crate::print::Format;
use crate::print::page::Page;
use crate::workspace::PathBase;
use gwconform_base::text::json;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextFormat {
    /// Human-readable output
    Human,
    /// Markdown for a comment, an issue or a page
    Markdown,
    /// Machine-readable output; `gwconform schema` prints its schema
    Json,
}

impl TextFormat {
    /// Folder of the printed paths.
    pub fn paths(self) -> PathBase {
        if self == Self::Json {
            PathBase::Repository
        } else {
            PathBase::WorkingDir
        }
    }

    pub fn bar(self, streams: &Streams<'_>) -> Bar {
        match self {
            Self::Human => Bar::new(streams),
            _ => Bar::hidden(),
        }
    }

    pub fn print<D: Serialize>(
        self,
        streams: &mut Streams<'_>,
        page: impl FnOnce() -> Page,
        document: impl FnOnce() -> D,
    ) -> io::Result<()> {
        let text = match self {
            Self::Json => return json::write(&document(), streams.out(Content::Json)),
            Self::Human => page().human(streams.width()),
            Self::Markdown => page().markdown(),
        };
        streams.out(Content::Text).write_all(text.as_bytes())
    }
}

pub const ALL: [Format; 8] = [
    Format::Human,
    Format::Concise,
    Format::Json,
    Format::Sarif,
    Format::Github,
    Format::Junit,
    Format::Markdown,
    Format::Suggestions,
];

pub fn of_findings() -> impl TypedValueParser<Value = Format> {
    parser(&ALL)
}

pub fn without_suggestions() -> impl TypedValueParser<Value = Format> {
    parser(&Format::ALL)
}

fn parser(formats: &'static [Format]) -> impl TypedValueParser<Value = Format> {
    let values = formats
        .iter()
        .map(|format| PossibleValue::new(format.name()).help(help(*format)));
    PossibleValuesParser::new(values).try_map(|name| named(formats, &name).ok_or(UnknownFormat))
}

pub fn named(formats: &[Format], name: &str) -> Option<Format> {
    formats.iter().copied().find(|format| format.name() == name)
}

#[derive(Debug, thiserror::Error)]
#[error("unknown format")]
struct UnknownFormat;

/// Type of the output. Lines in the format `github` are commands, and escape what they contain.
pub fn content(format: Format) -> Content {
    match format {
        Format::Human | Format::Concise | Format::Markdown => Content::Text,
        Format::Json | Format::Sarif | Format::Suggestions => Content::Json,
        Format::Junit => Content::Markup,
        Format::Github => Content::Exact,
    }
}

fn help(format: Format) -> &'static str {
    match format {
        Format::Human => "Human-readable output: source lines with carets",
        Format::Concise => "One line per finding, for editors, grep and reviewdog",
        Format::Json => "Machine-readable output; `gwconform schema findings` prints its schema",
        Format::Sarif => "SARIF 2.1.0 for code scanning",
        Format::Github => "GitHub Actions annotations, shown next to the lines",
        Format::Junit => "JUnit XML for CI dashboards",
        Format::Suggestions => {
            "With --since: safe fixes for changed lines, as the body of a GitHub review"
        }
        Format::Markdown => "Markdown for a job summary or a comment, at most 60,000 characters",
    }
}
