//! Findings. Lines, columns and excerpts are resolved on creation, so the source text can be
//! dropped.

use std::sync::Arc;

mod anchor;
pub(crate) mod json;
mod severities;

pub use crate::text::change::{Edit, Fix};
use crate::text::counted;
use crate::text::message::Message;
pub use crate::text::message::in_code;
use crate::text::source::{Position, Source, Span};
pub use anchor::{Anchor, Subject};
pub use severities::Severities;

/// Severity of a finding, ordered: `Info` < `Warning` < `Error`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Information that requires no action.
    Info,
    /// Problem that reviewers accept.
    Warning,
    /// Problem that must be fixed, because reviewers request changes.
    Error,
}

impl Severity {
    /// Returns `error`, `warning` or `info`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// Path of a finding and, unless the finding concerns the path itself, a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Path with `/`, relative to the working directory if inside it.
    pub path: Arc<str>,
    /// `None` if the finding concerns the path itself.
    pub region: Option<Region>,
}

impl Place {
    /// Place of a whole file or folder.
    pub fn path(path: impl AsRef<str>) -> Self {
        Self {
            path: path.as_ref().into(),
            region: None,
        }
    }

    /// Creates a place for a span in a file.
    pub fn span(source: &Source, span: Span) -> Self {
        Self {
            path: source.shared_path(),
            region: Some(Region::of(source, span)),
        }
    }

    /// Whether neither the text nor its length may be printed.
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

    /// Removes the excerpt, for output formats that do not print source lines.
    #[must_use]
    pub fn without_excerpt(mut self) -> Self {
        if let Some(region) = &mut self.region {
            region.excerpt = None;
        }
        self
    }

    /// Key for sorting findings: path, then region.
    pub fn sort_key(&self) -> (&str, Option<(Position, Position)>) {
        let region = self.region.as_ref();
        (&self.path, region.map(|region| (region.start, region.end)))
    }
}

/// Region of a file with resolved positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Position of the first character.
    pub start: Position,
    /// Position after the last character.
    pub end: Position,
    /// Source lines; `None` if too long or possibly secret.
    pub excerpt: Option<Excerpt>,
    /// May be secret (see [`Source::quote_only`]). The region is then empty.
    pub is_secret: bool,
}

/// Source lines that contain a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Whole lines, at most [`MAX_EXCERPT_BYTES`] bytes.
    pub text: String,
    /// Span of the region within `text`.
    pub span: Span,
}

/// Maximum labels of a finding.
const MAX_LABELS: usize = 40;

/// In bytes. Hostile files may consist of one long line.
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

/// Secondary place of a finding, with a description.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Label {
    /// Place to print below the finding.
    #[serde(flatten, serialize_with = "json::place")]
    #[schemars(with = "json::PlaceFields<'_>")]
    pub place: Place,
    /// Short description of the place, or the message of a merged finding.
    pub message: Message,
    /// True for a merged finding. The message then states a further problem.
    #[serde(skip)]
    pub is_finding: bool,
}

/// A finding: a rule violation at a place.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Diagnostic {
    /// Rule ID.
    #[schemars(extend("examples" = ["report/date"]))]
    pub rule: &'static str,
    /// Severity, including changes by the configuration.
    pub severity: Severity,
    /// Primary place.
    #[serde(flatten, serialize_with = "json::place")]
    #[schemars(with = "json::PlaceFields<'_>")]
    pub place: Place,
    /// Affected item, identified by names instead of a position; empty for a whole file or folder.
    /// Rule, path and subject together identify the finding.
    pub subject: Subject,
    /// Description of the problem and the expected value, without a trailing period.
    pub message: Message,
    /// Suggested correction; null if the rule suggests none.
    pub help: Option<Message>,
    /// Related places, such as a conflicting value.
    pub labels: Vec<Label>,
    /// Fix for the finding; null if the correction is not mechanical.
    pub fix: Option<Fix>,
    /// Number of findings over a limit that this one counts; 0 for all others.
    #[serde(skip)]
    pub more: usize,
    /// False if the finding exceeds a limit and is only counted.
    #[serde(skip)]
    pub is_shown: bool,
    /// True if the finding does not prevent a verdict, although its rule can.
    #[serde(skip)]
    pub is_verdict_kept: bool,
    /// Message after a move to the first label (see [`Self::or_at_label`]).
    #[serde(skip)]
    pub at_label: Option<Message>,
}

impl Diagnostic {
    /// Creates a finding. If the place may be secret, the subject is dropped, and messages that
    /// quote values are replaced.
    pub fn new(
        rule: &'static str,
        severity: Severity,
        anchor: impl Into<Anchor>,
        message: impl Into<Message>,
    ) -> Self {
        let Anchor { place, subject } = anchor.into();
        let text = place.text(message.into());
        let public_subject = if place.is_secret() {
            Subject::whole()
        } else {
            subject
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
            more: 0,
            is_shown: true,
            is_verdict_kept: false,
            at_label: None,
        }
    }

    /// A finding that counts others of the same rule, path and severity, which are not listed.
    pub fn of_more(rule: &'static str, severity: Severity, path: &str, more: usize) -> Self {
        let text = format!("{} of this rule not shown", counted(more, "more finding"));
        let anchor = Anchor::path(path).about(Self::subject_of_more(severity));
        Self {
            more,
            ..Self::new(rule, severity, anchor, Message::words(text))
        }
    }

    /// Subject of [`Self::of_more`].
    pub fn subject_of_more(severity: Severity) -> String {
        format!("more findings than are shown: {}", severity.as_str())
    }

    /// Key for sorting: path, then region. Findings that count others are the last of their path.
    pub fn sort_key(&self) -> impl Ord {
        let (path, region) = self.place.sort_key();
        (path, self.more > 0, region)
    }

    /// Number of findings that this one stands for.
    pub fn count(&self) -> usize {
        self.more.max(1)
    }

    /// Removes some of the findings that this one stands for. True if none is left.
    pub fn take(&mut self, count: usize) -> bool {
        let left = self.count() - count;
        if left > 0 && self.more > 0 {
            *self = Self::of_more(self.rule, self.severity, &self.place.path.clone(), left);
        }
        left == 0
    }

    /// Sets the advice for fixing the problem.
    pub fn help(&mut self, help: impl Into<Message>) -> &mut Self {
        self.help = Some(self.place.text(help.into()));
        self
    }

    /// Marks the finding as not preventing a verdict.
    pub fn keep_verdict(&mut self) -> &mut Self {
        self.is_verdict_kept = true;
        self
    }

    /// Lets a review move the finding to its first label if the change touches only that.
    pub fn or_at_label(&mut self, message: impl Into<Message>) -> &mut Self {
        self.at_label = Some(self.place.text(message.into()));
        self
    }

    /// Adds a label, unless the finding or a label has the same place.
    pub fn label_once(
        &mut self,
        place: impl Into<Place>,
        message: impl Into<Message>,
    ) -> &mut Self {
        let place = place.into();
        let mut places = self.labels.iter().map(|label| &label.place);
        if place == self.place || places.any(|other| *other == place) {
            return self;
        }
        self.label(place, message)
    }

    /// Adds a secondary place with a description, unless the finding has many.
    pub fn label(&mut self, place: impl Into<Place>, message: impl Into<Message>) -> &mut Self {
        if self.labels.len() == MAX_LABELS {
            return self;
        }
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
            is_finding: false,
        });
        self
    }

    /// Computes a fix only for printed findings, because hostile files can cause a finding on every
    /// line.
    pub fn fix_with(&mut self, fix: impl FnOnce() -> Option<Fix>) -> &mut Self {
        if self.is_shown {
            return self.fix(fix());
        }
        self
    }

    /// Sets the proposed fix, unless the place may be secret.
    pub fn fix(&mut self, fix: Option<Fix>) -> &mut Self {
        self.fix = fix.filter(|_| !self.place.is_secret());
        self
    }
}

const NOT_SHOWN: &str = "details are not shown, because they may be secret";
