use std::fmt;

/// Message template with the values of its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    template: &'static str,
    fields: Vec<(&'static str, Field)>,
}

/// Value of a template field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// Number or code point, which the input cannot choose freely.
    Words(String),
    /// Text from the input, displayed in backticks.
    Code(String),
}

/// Message template without values, for documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// Text with `{field}` placeholders.
    pub text: &'static str,
    /// Names of the fields, in order of declaration.
    pub fields: &'static [&'static str],
}

impl Text {
    pub(crate) fn new(template: &'static str, fields: Vec<(&'static str, Field)>) -> Self {
        Self { template, fields }
    }

    /// Text with `{field}` placeholders.
    pub fn template(&self) -> &'static str {
        self.template
    }

    /// Names and values of the fields.
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
            pub(crate) const TEMPLATES: &'static [$crate::message_text::Template] = &[
                $($crate::message_text::Template {
                    text: $template,
                    fields: &[$($(stringify!($field)),*)?],
                }),*
            ];
        }

        impl From<$name> for $crate::message_text::Text {
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
