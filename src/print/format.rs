//! The output formats of findings, as one list.

use std::io::{self, Write};

use super::{RenderInput, Styling, github, human, json, junit, markdown, sarif, suggestions};

/// An output format of findings. The shared tests walk [`Format::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Source lines with carets.
    Human,
    /// The schema is `schema/findings.schema.json`.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// JUnit XML.
    Junit,
    /// GitHub Flavored Markdown of at most [`markdown::MAX_CHARACTERS`].
    Markdown,
    /// The body of a review on GitHub: safe fixes of the lines of a change, and no other findings.
    Suggestions,
}

impl Format {
    /// All formats that print every finding, in the order of the help.
    pub const ALL: [Self; 6] = [
        Self::Human,
        Self::Json,
        Self::Sarif,
        Self::Github,
        Self::Junit,
        Self::Markdown,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Junit => "junit",
            Self::Markdown => "markdown",
            Self::Suggestions => "suggestions",
        }
    }

    /// Writes findings in this format, [`Format::Human`] without colour.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(self, input: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Human => human::write(input, Styling::Plain, out),
            Self::Json => json::write(input, out),
            Self::Sarif => sarif::write(input, out),
            Self::Github => github::write(input, out),
            Self::Junit => junit::write(input, out),
            Self::Markdown => markdown::write(input, out),
            Self::Suggestions => suggestions::write(input, out),
        }
    }
}
