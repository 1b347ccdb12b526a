//! Findings: what is wrong, where, how bad, and what to do about it.
//!
//! A [`Diagnostic`] cannot be made without a place, and its place is resolved when it is made:
//! the text it points into may be dropped afterwards.

use crate::source::{Position, Source, Span};

/// How bad a finding is. Ordered: an error is greater than a warning, a warning than an info.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing to mend.
    Info,
    /// Imperfect, but accepted by reviewers.
    Warning,
    /// A reviewer would send it back.
    Error,
}

impl Severity {
    /// `error`, `warning` or `info`, as every output format spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// Where a finding is: a path, and in it a region unless the finding is about the path itself
/// (a README that is missing, a wrong name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// As printed: relative to the working directory when below it, always with `/`.
    pub path: String,
    /// `None` when the finding is about the path.
    pub region: Option<Region>,
}

impl Place {
    /// The path itself.
    pub fn path(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            region: None,
        }
    }

    /// A span of a file's text; clamped to the text and to character boundaries.
    pub fn span(source: &Source, span: Span) -> Self {
        Self {
            path: source.path().to_owned(),
            region: Some(Region::of(source, span)),
        }
    }

    /// The same place, whose text is not shown: it may be a secret.
    #[must_use]
    pub fn without_excerpt(mut self) -> Self {
        if let Some(region) = &mut self.region {
            region.excerpt = None;
        }
        self
    }

    /// The order in which findings are printed: by path, the path's own first, then by position.
    pub fn sort_key(&self) -> (&str, Option<(Position, Position)>) {
        let region = self.region.as_ref();
        (&self.path, region.map(|region| (region.start, region.end)))
    }
}

/// A region of a text, resolved, with the lines it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The first character.
    pub start: Position,
    /// One past the last character.
    pub end: Position,
    /// The source lines that the region touches, for printing; `None` when they are too long to
    /// print.
    pub excerpt: Option<Excerpt>,
}

/// Whole source lines with a region in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The lines, at most [`MAX_EXCERPT_BYTES`].
    pub text: String,
    /// The region as a span of `text`; a region over more lines ends with the excerpt.
    pub span: Span,
}

/// Longest excerpt kept with a finding, in bytes: what a screen can show, and what a hostile
/// one-line file cannot multiply.
pub const MAX_EXCERPT_BYTES: usize = 2048;

impl Region {
    fn of(source: &Source, span: Span) -> Self {
        let span = source.clamp(span);
        Self {
            start: source.position(span.start as usize),
            end: source.position(span.end as usize),
            excerpt: Excerpt::of(source, span),
        }
    }
}

impl Excerpt {
    fn of(source: &Source, span: Span) -> Option<Self> {
        let first_line = source.lines_around(Span::at(span.start as usize));
        let mut lines = source.lines_around(span);
        if (lines.end - lines.start) as usize > MAX_EXCERPT_BYTES {
            lines = first_line;
        }
        if (lines.end - lines.start) as usize > MAX_EXCERPT_BYTES {
            return None;
        }
        let inside = |offset: u32| (offset.clamp(lines.start, lines.end) - lines.start) as usize;
        Some(Self {
            text: source.slice(lines).to_owned(),
            span: Span::new(inside(span.start), inside(span.end)),
        })
    }
}

/// A second place that helps to understand a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What is there, in a few words.
    pub message: String,
}

/// A change that would mend a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// True when applying it cannot lose or change anything a person meant.
    pub safe: bool,
    /// What it does, in the imperative: `rename the file`.
    pub title: String,
    /// The edits, all or none of them.
    pub edits: Vec<Edit>,
}

/// One edit of a [`Fix`]. A report's bytes are never edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Replace a region of a file by a text.
    Replace {
        /// The region; always within a file.
        place: Place,
        /// The new text.
        text: String,
    },
    /// Create a file that does not exist.
    Create {
        /// Its path.
        path: String,
        /// Its text.
        text: String,
    },
    /// Rename a file to a name that does not exist.
    Rename {
        /// The path now.
        path: String,
        /// The path after.
        to: String,
    },
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The id of its rule: `report/date`.
    pub rule: &'static str,
    /// How bad it is here (release, configuration and `--strict` applied).
    pub severity: Severity,
    /// Where.
    pub place: Place,
    /// What is wrong and what was expected, one sentence without a full stop.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Other places.
    pub labels: Vec<Label>,
    /// A change that would mend it.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// A finding at a place.
    pub fn new(
        rule: &'static str,
        severity: Severity,
        place: Place,
        message: impl Into<String>,
    ) -> Self {
        Self {
            rule,
            severity,
            place,
            message: clipped(message.into()),
            help: None,
            labels: Vec::new(),
            fix: None,
        }
    }

    /// Says what to do.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(clipped(help.into()));
        self
    }

    /// Points at a second place.
    pub fn label(&mut self, place: Place, message: impl Into<String>) -> &mut Self {
        self.labels.push(Label {
            place,
            message: clipped(message.into()),
        });
        self
    }

    /// Offers a change.
    pub fn fix(&mut self, fix: Fix) -> &mut Self {
        self.fix = Some(fix);
        self
    }
}

/// Longest quoted value and longest message that are printed, in characters. Reports hold values
/// of a few dozen; a hostile one must not fill the screen.
const MAX_QUOTED: usize = 120;
const MAX_MESSAGE: usize = 1500;

/// A message with its quoted values, and then itself, cut to a length that people read.
fn clipped(message: String) -> String {
    if message.len() <= MAX_QUOTED {
        return message;
    }
    let cut = |text: &str, most: usize| match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    };
    // What stands between backticks is every second part.
    let parts = message.split('`').enumerate();
    let parts = parts.map(|(nth, part)| {
        if nth % 2 == 1 {
            cut(part, MAX_QUOTED)
        } else {
            part.to_owned()
        }
    });
    cut(&parts.collect::<Vec<_>>().join("`"), MAX_MESSAGE)
}

#[cfg(test)]
mod tests {
    use super::clipped;

    #[test]
    fn long_values_are_cut_and_what_was_expected_stays() {
        let message = format!(
            "`{}` is not a date, expected one like 2026",
            "é".repeat(5000)
        );
        assert_eq!(
            clipped(message),
            format!(
                "`{}…` is not a date, expected one like 2026",
                "é".repeat(120)
            )
        );
        assert_eq!(clipped("x".repeat(5000)).chars().count(), 1501);
        assert_eq!(clipped("`a` is short".to_owned()), "`a` is short");
    }
}
