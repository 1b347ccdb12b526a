//! The text of an issue: words of this crate, with values of the text put in.

use std::fmt;

/// What is wrong, as a template with its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    template: &'static str,
    fields: Vec<(&'static str, Field)>,
}

/// What fills a slot of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// A number, the code of a character: nothing that a text chooses freely.
    Words(String),
    /// A value of the text, which is shown between backticks.
    Code(String),
}

/// A text that an issue can have, as data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// The text, with `{field}` where a value is put in.
    pub text: &'static str,
    /// The names of its fields.
    pub fields: &'static [&'static str],
}

impl Text {
    pub(crate) fn new(template: &'static str, fields: Vec<(&'static str, Field)>) -> Self {
        Self { template, fields }
    }

    /// The text, with `{field}` where a value is put in. What is between backticks is YAML.
    pub fn template(&self) -> &'static str {
        self.template
    }

    /// The fields by their names.
    pub fn fields(&self) -> &[(&'static str, Field)] {
        &self.fields
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.template;
        while let Some((before, (slot, after))) = rest
            .split_once('{')
            .and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            f.write_str(before)?;
            match self.fields.iter().find(|(name, _)| *name == slot) {
                Some((_, Field::Words(words))) => f.write_str(words)?,
                Some((_, Field::Code(value))) => write!(f, "`{}`", value.replace('`', "'"))?,
                None => {}
            }
            rest = after;
        }
        f.write_str(rest)
    }
}

/// A text of the YAML.
impl From<String> for Field {
    fn from(value: String) -> Self {
        Self::Code(value)
    }
}

impl From<usize> for Field {
    fn from(number: usize) -> Self {
        Self::Words(number.to_string())
    }
}

/// Declares texts together: an enum whose variants are templates with typed fields.
macro_rules! texts {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $($variant:ident $({ $($field:ident : $type:ty),* })? => $template:literal),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone)]
        $vis enum $name {
            $($variant $({ $($field: $type),* })?),*
        }

        impl $name {
            /// The texts, as data.
            pub(crate) const TEMPLATES: &'static [$crate::text::Template] = &[
                $($crate::text::Template {
                    text: $template,
                    fields: &[$($(stringify!($field)),*)?],
                }),*
            ];
        }

        impl From<$name> for $crate::text::Text {
            fn from(text: $name) -> Self {
                match text {
                    $($name::$variant $({ $($field),* })? => Self::new(
                        $template,
                        vec![$($((stringify!($field), $field.into())),*)?],
                    )),*
                }
            }
        }
    };
}
pub(crate) use texts;
