//! Findings: problem, place, severity, and fix.
//!
//! Line, column and excerpt are resolved on creation, so the source text can be dropped afterwards.

use std::sync::Arc;

mod anchor;
mod cut;

pub use crate::text::change::{Edit, Fix};
use crate::text::message::Message;
pub use crate::text::message::in_code;
use crate::text::source::{Position, Source, Span};
pub use anchor::{Anchor, Subject};
pub use cut::{Cut, MAX_IN_ALL, MAX_IN_FILE, Severities};

/// Severity of a finding, ordered: `Info` < `Warning` < `Error`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// For information; no fix is needed.
    Info,
    /// Imperfect, but accepted by reviewers.
    Warning,
    /// Reviewers request changes.
    Error,
}

impl Severity {
    /// `error`, `warning` or `info`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// A path and, unless the finding concerns the path itself, a region in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Display path: relative to the working directory if below it, with `/`.
    pub path: Arc<str>,
    /// `None` if the finding concerns the path itself.
    pub region: Option<Region>,
}

impl Place {
    /// Creates a place for a path.
    pub fn path(path: impl AsRef<str>) -> Self {
        Self {
            path: path.as_ref().into(),
            region: None,
        }
    }

    /// Creates a place for a span.
    pub fn span(source: &Source, span: Span) -> Self {
        Self {
            path: source.shared_path(),
            region: Some(Region::of(source, span)),
        }
    }

    /// True if neither the text nor its length may be shown.
    pub fn is_secret(&self) -> bool {
        self.region.as_ref().is_some_and(|region| region.is_secret)
    }

    /// Replaces a message that may quote secret text.
    fn text(&self, text: Message) -> Message {
        if self.is_secret() && !text.is_fixed() {
            return Message::words(NOT_SHOWN);
        }
        text.bounded()
    }

    /// Removes the excerpt.
    #[must_use]
    pub fn without_excerpt(mut self) -> Self {
        if let Some(region) = &mut self.region {
            region.excerpt = None;
        }
        self
    }

    /// Print order.
    pub fn sort_key(&self) -> (&str, Option<(Position, Position)>) {
        let region = self.region.as_ref();
        (&self.path, region.map(|region| (region.start, region.end)))
    }
}

/// A resolved region of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// First character.
    pub start: Position,
    /// One past the last character.
    pub end: Position,
    /// Source lines; `None` if too long or possibly secret.
    pub excerpt: Option<Excerpt>,
    /// True if the text may be secret (see [`Source::quote_only`]). The region is then empty.
    pub is_secret: bool,
}

/// Source lines with a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// At most [`MAX_EXCERPT_BYTES`].
    pub text: String,
    /// The region within `text`.
    pub span: Span,
}

/// Maximum size of an excerpt in bytes, for hostile files with one long line.
pub const MAX_EXCERPT_BYTES: usize = 2048;

impl Region {
    fn of(source: &Source, span: Span) -> Self {
        let span = source.clamp(span);
        let start = source.position(span.start as usize);
        if !source.is_quotable(span) {
            return Self {
                start,
                end: start,
                excerpt: None,
                is_secret: true,
            };
        }
        Self {
            start,
            end: source.position(span.end as usize),
            excerpt: Excerpt::of(source, span),
            is_secret: false,
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
        if (lines.end - lines.start) as usize > MAX_EXCERPT_BYTES || !source.is_showable(lines) {
            return None;
        }
        let inside = |offset: u32| (offset.clamp(lines.start, lines.end) - lines.start) as usize;
        Some(Self {
            text: source.slice(lines).to_owned(),
            span: Span::new(inside(span.start), inside(span.end)),
        })
    }
}

/// A secondary place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Secondary place.
    pub place: Place,
    /// Short description of the place.
    pub message: Message,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Rule ID: `report/date`.
    pub rule: &'static str,
    /// Effective severity.
    pub severity: Severity,
    /// Primary place.
    pub place: Place,
    /// Identifies the finding, together with rule and path.
    pub subject: Subject,
    /// One sentence without a full stop.
    pub message: Message,
    /// How to fix it.
    pub help: Option<Message>,
    /// Secondary places.
    pub labels: Vec<Label>,
    /// Proposed fix.
    pub fix: Option<Fix>,
    /// False if the finding exceeds a limit and is only counted.
    pub(crate) is_shown: bool,
    /// True if the finding does not block a verdict, although its rule can.
    pub(crate) is_verdict_kept: bool,
    /// Message to use at the first label instead.
    pub at_label: Option<Message>,
}

impl Diagnostic {
    /// Creates a finding. In places that may be secret, the subject and messages with values are
    /// dropped.
    pub fn new(
        rule: &'static str,
        severity: Severity,
        anchor: impl Into<Anchor>,
        message: impl Into<Message>,
    ) -> Self {
        let Anchor { place, subject } = anchor.into();
        let text = place.text(message.into());
        let public_subject = match place.is_secret() {
            true => Subject::whole(),
            false => subject,
        };
        Self {
            rule,
            severity,
            place,
            subject: public_subject,
            message: text,
            help: None,
            labels: Vec::new(),
            fix: None,
            is_shown: true,
            is_verdict_kept: false,
            at_label: None,
        }
    }

    /// Adds advice.
    pub fn help(&mut self, help: impl Into<Message>) -> &mut Self {
        self.help = Some(self.place.text(help.into()));
        self
    }

    /// Marks the finding as not blocking a verdict.
    pub fn keep_verdict(&mut self) -> &mut Self {
        self.is_verdict_kept = true;
        self
    }

    /// Allows a review to report the finding at its first label, if the change touches only that
    /// place.
    pub fn or_at_label(&mut self, message: impl Into<Message>) -> &mut Self {
        self.at_label = Some(self.place.text(message.into()));
        self
    }

    /// Adds a secondary place.
    pub fn label(&mut self, place: impl Into<Place>, message: impl Into<Message>) -> &mut Self {
        let place = place.into();
        let about = if place.is_secret() {
            &place
        } else {
            &self.place
        };
        let text = about.text(message.into());
        self.labels.push(Label {
            place,
            message: text,
        });
        self
    }

    /// Proposes a fix, computed only if the finding is shown. Hostile files can cause a finding on
    /// every line.
    pub fn fix_with(&mut self, fix: impl FnOnce() -> Option<Fix>) -> &mut Self {
        if self.is_shown {
            return self.fix(fix());
        }
        self
    }

    /// Proposes a fix.
    pub fn fix(&mut self, fix: Option<Fix>) -> &mut Self {
        self.fix = fix.filter(|_| !self.place.is_secret());
        self
    }
}

const NOT_SHOWN: &str = "details are not shown, because they may be secret";
