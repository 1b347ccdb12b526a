use std::io::{self, Write};

use super::{
    RenderInput, Styling, concise, github, human, json, junit, markdown, sarif, suggestions,
};

/// An output format for findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Source lines with carets, for terminals.
    Human,
    /// One line for each finding, for editors and grep.
    Concise,
    /// JSON; the schema is `schema/findings.schema.json`.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Workflow commands, which GitHub Actions shows as annotations.
    Github,
    /// JUnit XML, for CI dashboards.
    Junit,
    /// GitHub Flavored Markdown, at most [`markdown::MAX_CHARACTERS`] characters.
    Markdown,
    /// A GitHub review that contains only the safe fixes for changed lines.
    Suggestions,
}

impl Format {
    /// Formats that print all findings, in help text order.
    pub const ALL: [Self; 7] = [
        Self::Human,
        Self::Concise,
        Self::Json,
        Self::Sarif,
        Self::Github,
        Self::Junit,
        Self::Markdown,
    ];

    /// Name on the command line, such as `sarif`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Concise => "concise",
            Self::Json => "json",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Junit => "junit",
            Self::Markdown => "markdown",
            Self::Suggestions => "suggestions",
        }
    }

    /// Writes findings. [`Format::Human`] uses no color.
    pub fn write(self, input: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Human => human::write(input, Styling::Plain, out),
            Self::Concise => concise::write(input, out),
            Self::Json => json::write(input, out),
            Self::Sarif => sarif::write(input, out),
            Self::Github => github::write(input, out),
            Self::Junit => junit::write(input, out),
            Self::Markdown => markdown::write(input, out),
            Self::Suggestions => suggestions::write(input, out),
        }
    }
}
