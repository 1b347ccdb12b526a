//! Findings: what is wrong, where, how bad, and what to do about it.
//!
//! A [`Diagnostic`] cannot be made without a place, and its place is resolved when it is made:
//! the text it points into may be dropped afterwards.

use std::sync::Arc;

mod anchor;
mod cut;

pub use crate::text::change::{Edit, Fix};
use crate::text::message::Message;
pub use crate::text::message::in_code;
use crate::text::source::{Position, Source, Span};
pub use anchor::{Anchor, Subject};
pub use cut::{Cut, MAX_IN_ALL, MAX_IN_FILE, Severities};

/// The severity of a finding. Ordered: an error is greater than a warning, a warning than an info.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing to fix.
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
    /// As printed: relative to the working directory when below it, always with `/`. All places in a
    /// file share it.
    pub path: Arc<str>,
    /// `None` when the finding is about the path.
    pub region: Option<Region>,
}

impl Place {
    /// The path itself.
    pub fn path(path: impl AsRef<str>) -> Self {
        Self {
            path: path.as_ref().into(),
            region: None,
        }
    }

    /// A span of a file's text; clamped to the text and to character boundaries.
    pub fn span(source: &Source, span: Span) -> Self {
        Self {
            path: source.shared_path(),
            region: Some(Region::of(source, span)),
        }
    }

    /// True where the text may be secret: neither it nor how long it is may be shown.
    pub fn is_secret(&self) -> bool {
        self.region.as_ref().is_some_and(|region| region.is_secret)
    }

    /// A text about this place as it may be printed: one with a value in it may quote the place.
    fn text(&self, text: Message) -> Message {
        if self.is_secret() && !text.is_fixed() {
            return Message::words(NOT_SHOWN);
        }
        text.bounded()
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

/// A region of a text, resolved, with its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The first character.
    pub start: Position,
    /// One past the last character.
    pub end: Position,
    /// The source lines that the region touches, for printing; `None` when they are too long to
    /// print, or may be secret.
    pub excerpt: Option<Excerpt>,
    /// True where the text may be secret (see [`Source::quote_only`]); the region is then empty.
    pub is_secret: bool,
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

/// A second place that helps to understand a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// A short description of the place.
    pub message: Message,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The id of its rule: `report/date`.
    pub rule: &'static str,
    /// Its severity here (release, configuration and `--strict` applied).
    pub severity: Severity,
    /// Where.
    pub place: Place,
    /// Its subject; with rule and path its identity.
    pub subject: Subject,
    /// What is wrong and what was expected, one sentence without a full stop.
    pub message: Message,
    /// What to do about it.
    pub help: Option<Message>,
    /// Other places.
    pub labels: Vec<Label>,
    /// A change that would fix it.
    pub fix: Option<Fix>,
    /// False for one of too many, which is counted and dropped.
    pub(crate) is_shown: bool,
    /// True when it leaves the verdict on its report alone, whatever its rule says.
    pub(crate) is_verdict_kept: bool,
    /// The message at the place of its first label, where the finding can be there as well.
    pub at_label: Option<Message>,
}

impl Diagnostic {
    /// A finding about a subject at a place. Where the place may be secret, neither the subject nor a
    /// text with a value in it is kept: they may quote it.
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

    /// Leaves the verdict on its report alone, though findings of the rule block verdicts.
    pub fn keep_verdict(&mut self) -> &mut Self {
        self.is_verdict_kept = true;
        self
    }

    /// Can be at the place of the first label as well, with this message: a review shows it where the
    /// change is.
    pub fn or_at_label(&mut self, message: impl Into<Message>) -> &mut Self {
        self.at_label = Some(self.place.text(message.into()));
        self
    }

    /// Points at a second place.
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

    /// Offers a change that is worked out only for a finding that is shown: of a rule that a hostile
    /// file breaks on every line most are not.
    pub fn fix_with(&mut self, fix: impl FnOnce() -> Option<Fix>) -> &mut Self {
        if self.is_shown {
            return self.fix(fix());
        }
        self
    }

    /// Offers a change, where there is one.
    pub fn fix(&mut self, fix: Option<Fix>) -> &mut Self {
        self.fix = fix.filter(|_| !self.place.is_secret());
        self
    }
}

/// The replacement of a text that may quote a secret.
const NOT_SHOWN: &str = "what is wrong here is not shown, as it may be secret";
