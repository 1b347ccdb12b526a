//! Messages that separate the program's words from quoted values, so that each output format can
//! render both.

use std::borrow::Cow;
use std::fmt;

use crate::text::json::as_text;
use crate::text::listed_of;
use crate::text::source::is_invisible;

/// Sequence of words and quoted values.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message {
    parts: Vec<Part>,
}

/// Part of a [`Message`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Text that input files cannot choose freely.
    Words(Cow<'static, str>),
    /// Untrusted value, name, path or line, printed in backticks.
    Code(Cow<'static, str>),
}

/// In characters. Hostile values must not fill the screen; real values have a few dozen characters.
const MAX_CODE: usize = 120;
const MAX_LINE: usize = 500;
const MAX_MESSAGE: usize = 1500;

as_text!(Message);

impl Message {
    /// Creates a message that consists of words.
    pub fn words(words: impl Into<Cow<'static, str>>) -> Self {
        let mut message = Self::default();
        message.push_words(words.into());
        message
    }

    /// Creates a message that consists of one quoted value.
    pub fn code(value: impl fmt::Display) -> Self {
        let mut message = Self::default();
        message.push_code(&value.to_string());
        message
    }

    /// Joins messages with `between` and `last`: `` `a`, `b` and `c` ``.
    pub fn list(
        items: impl IntoIterator<Item = Self>,
        between: &'static str,
        last: &'static str,
    ) -> Self {
        let mut items = items.into_iter().peekable();
        let mut message = items.next().unwrap_or_default();
        while let Some(item) = items.next() {
            let separator = if items.peek().is_some() {
                between
            } else {
                last
            };
            message.push_words(separator.into());
            message.push(item);
        }
        message
    }

    /// Like [`Self::list`], but counts the items after the first ones.
    pub fn short_list(
        items: impl IntoIterator<Item = Self>,
        between: &'static str,
        last: &'static str,
    ) -> Self {
        let items: Vec<_> = items.into_iter().collect();
        Self::list_up_to(listed_of(items.len()), items, between, last)
    }

    /// Like [`Self::list`], but counts the items after the first `most`.
    pub fn list_up_to(
        most: usize,
        mut items: Vec<Self>,
        between: &'static str,
        last: &'static str,
    ) -> Self {
        let more = items.split_off(most.min(items.len())).len();
        if more > 0 {
            items.push(Self::words(format!("{more} more")));
        }
        Self::list(items, between, last)
    }

    /// Fills the slots of a template, such as `{name}`.
    pub fn fill(template: &'static str, fields: &[(&str, &dyn Fill)]) -> Self {
        let mut message = Self::default();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            message.push_literal(before);
            let (slot, after) = after.split_once('}').unwrap_or((after, ""));
            let field = fields.iter().find(|(name, _)| *name == slot);
            debug_assert!(field.is_some(), "{template}: {slot}");
            if let Some((_, value)) = field {
                value.add_to(&mut message);
            }
            rest = after;
        }
        message.push_literal(rest);
        message
    }

    /// Backticks in the template delimit values.
    fn push_literal(&mut self, text: &'static str) {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('`')
            && let Some((value, after)) = after.split_once('`')
        {
            self.push_words(before.into());
            self.push_part(Part::Code(value.into()));
            rest = after;
        }
        self.push_words(rest.into());
    }

    /// Appends the parts of another message.
    pub fn push(&mut self, other: Self) {
        for part in other.parts {
            match part {
                Part::Words(words) => self.push_words(words),
                Part::Code(_) => self.push_part(part),
            }
        }
    }

    /// Appends a quoted value, truncated to 120 characters.
    pub fn push_code(&mut self, value: &str) {
        self.push_part(Part::Code(cut(value, MAX_CODE).into_owned().into()));
    }

    /// Appends text that input files cannot choose freely. Extends the last part if it consists of
    /// words.
    pub fn push_words(&mut self, words: Cow<'static, str>) {
        match self.parts.last_mut() {
            _ if words.is_empty() => {}
            Some(Part::Words(last)) => last.to_mut().push_str(&words),
            _ => self.push_part(Part::Words(words)),
        }
    }

    fn push_part(&mut self, part: Part) {
        self.parts.push(part);
    }

    /// Words and truncated values in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// True if no part contains text from a file.
    pub fn is_fixed(&self) -> bool {
        let is_fixed = |part: &Part| {
            matches!(
                part,
                Part::Words(Cow::Borrowed(_)) | Part::Code(Cow::Borrowed(_))
            )
        };
        self.parts.iter().all(is_fixed)
    }

    /// True if the message has no parts.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Truncates the message to 1500 characters.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        let mut room = MAX_MESSAGE;
        let mut kept = 0;
        for part in &mut self.parts {
            let (Part::Words(Cow::Owned(text)) | Part::Code(Cow::Owned(text))) = part else {
                kept += 1;
                continue;
            };
            if room == 0 {
                break;
            }
            let length = text.chars().count();
            if length > room {
                *text = cut(text, room).into_owned();
            }
            room = room.saturating_sub(length);
            kept += 1;
        }
        self.parts.truncate(kept);
        self
    }
}

/// Truncates a text after `most` characters and appends `…`.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            Part::Words(words) => f.write_str(words),
            Part::Code(value) => write!(f, "`{}`", value.replace('`', "'")),
        })
    }
}

/// Value for a slot of a message template.
pub trait Fill {
    /// Appends the value as words or as code.
    fn add_to(&self, message: &mut Message);
}

impl Fill for Message {
    fn add_to(&self, message: &mut Message) {
        message.push(self.clone());
    }
}

impl Fill for str {
    fn add_to(&self, message: &mut Message) {
        message.push_code(self);
    }
}

impl Fill for String {
    fn add_to(&self, message: &mut Message) {
        message.push_code(self);
    }
}

impl Fill for Cow<'_, str> {
    fn add_to(&self, message: &mut Message) {
        message.push_code(self);
    }
}

impl<T: Fill + ?Sized> Fill for &T {
    fn add_to(&self, message: &mut Message) {
        (**self).add_to(message);
    }
}

/// Line that users copy, such as a table row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line(pub String);

impl Line {
    /// Returns `None` if the message would truncate or escape the line.
    pub fn printable(line: &str) -> Option<Self> {
        let is_plain = |c: char| c != '`' && !is_invisible(c);
        let is_short = line.chars().nth(MAX_LINE).is_none();
        (is_short && line.chars().all(is_plain)).then(|| Self(line.to_owned()))
    }
}

impl Fill for Line {
    fn add_to(&self, message: &mut Message) {
        message.push_part(Part::Code(cut(&self.0, MAX_LINE).into_owned().into()));
    }
}

/// Fixed words for a slot of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words(pub &'static str);

impl Fill for Words {
    fn add_to(&self, message: &mut Message) {
        message.push_words(self.0.into());
    }
}

impl Message {
    /// Parses plain text in which backticks delimit values.
    pub fn of_text(text: &str) -> Self {
        let mut message = Self::default();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('`')
            && let Some((value, after)) = after.split_once('`')
        {
            message.push_words(before.to_owned().into());
            message.push_code(value);
            rest = after;
        }
        message.push_words(rest.to_owned().into());
        message
    }
}

/// Replaces backticks with `'`, for printing between backticks.
pub fn in_code(value: &(impl fmt::Display + ?Sized)) -> String {
    value.to_string().replace('`', "'")
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Fill for $number {
            fn add_to(&self, message: &mut Message) {
                message.push_words(self.to_string().into());
            }
        }
    )*};
}
numbers!(u32, u64, usize, i64);

/// Message template, as listed by `gwconform explain --messages`.
pub use gwconform_yaml::Template;

impl Fill for gwconform_yaml::Field {
    fn add_to(&self, message: &mut Message) {
        match self {
            Self::Words(words) => message.push_words(words.clone().into()),
            Self::Code(value) => message.push_code(value),
        }
    }
}

impl From<&gwconform_yaml::Text> for Message {
    fn from(text: &gwconform_yaml::Text) -> Self {
        let fields = text.fields().iter();
        let fields: Vec<(&str, &dyn Fill)> = fields
            .map(|(name, field)| (*name, field as &dyn Fill))
            .collect();
        Self::fill(text.template(), &fields)
    }
}

/// Declares an enum of messages. Each variant is a template with typed fields.
///
/// ```ignore
/// texts! {
///     enum Text<'a> {
///         NotListed { file: &'a str } => "{file} is not listed in the table of contents",
///         AddRow { row: String } => "add {row}",
///     }
/// }
/// out.at(anchor, Text::NotListed { file }).help(Text::AddRow { row });
/// ```
#[macro_export]
macro_rules! texts {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident $(<$lifetime:lifetime>)? {
            $(
                $(#[$variant_meta:meta])*
                $variant:ident $({ $($(#[$field_meta:meta])* $field:ident : $type:ty),* $(,)? })? => $template:literal
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone)]
        $vis enum $name $(<$lifetime>)? {
            $(
                $(#[$variant_meta])*
                $variant $({ $($(#[$field_meta])* $field: $type),* })?
            ),*
        }

        impl $(<$lifetime>)? $name $(<$lifetime>)? {
            /// Templates of all variants.
            pub const TEMPLATES: &'static [$crate::text::message::Template] = &[
                $($crate::text::message::Template {
                    text: $template,
                    fields: &[$($(stringify!($field)),*)?],
                }),*
            ];
        }

        impl $(<$lifetime>)? From<$name $(<$lifetime>)?> for $crate::text::message::Message {
            fn from(text: $name $(<$lifetime>)?) -> Self {
                match text {
                    $($name::$variant $({ $($field),* })? => Self::fill(
                        $template,
                        &[$($((stringify!($field), &$field as &dyn $crate::text::message::Fill)),*)?],
                    )),*
                }
            }
        }
    };
}
pub use crate::texts;

#[cfg(test)]
mod tests {
    use super::{Message, Words};

    texts! {
        enum Text<'a> {
            Fixed => "nothing to fill",
            Date { value: &'a str, count: usize } => "{value} is not a date, expected one like 2026; {count} of {value}",
            Nested { names: Message, verb: Words } => "{names} {verb} here",
        }
    }

    #[test]
    fn templates_are_filled() {
        assert_eq!(Message::from(Text::Fixed).to_string(), "nothing to fill");
        let names = Message::list(["a", "b", "c"].map(Message::code), ", ", " and ");
        let nested = Text::Nested {
            names,
            verb: Words("were"),
        };
        assert_eq!(
            Message::from(nested).to_string(),
            "`a`, `b` and `c` were here"
        );
        assert_eq!(Text::TEMPLATES[1].fields, ["value", "count"]);
    }

    #[test]
    fn cuts_long_values_but_keeps_expected_ones() {
        let value = "é".repeat(5000);
        let date = Text::Date {
            value: &value,
            count: 2,
        };
        let short = "é".repeat(120);
        assert_eq!(
            Message::from(date).to_string(),
            format!("`{short}…` is not a date, expected one like 2026; 2 of `{short}…`")
        );
        let many = Message::list((0..100).map(|_| Message::code(&value)), ", ", ", ");
        assert!(many.bounded().to_string().chars().count() < 1700);
    }

    #[test]
    fn values_cannot_end_their_quotation() {
        assert_eq!(Message::code("a` now `b").to_string(), "`a' now 'b`");
    }
}
