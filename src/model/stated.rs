//! Values and the places where they are written.

use super::ClosedSet;

/// A value, and where it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanned<T, P = ()> {
    /// The value.
    pub value: T,
    /// Where it is written.
    pub node: P,
}

impl<T, P> Spanned<T, P> {
    /// The value alone.
    pub fn without_place(self) -> Spanned<T> {
        Spanned::from(self.value)
    }
}

impl<T> From<T> for Spanned<T> {
    fn from(value: T) -> Self {
        Self { value, node: () }
    }
}

/// What is written where one of a closed set of values is expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stated<V, T, P = ()> {
    /// One of them.
    Known(Spanned<V, P>),
    /// Something else.
    Other(Spanned<T, P>),
    /// Nothing.
    #[default]
    Absent,
}

impl<V: ClosedSet, T: AsRef<str>, P: Copy> Stated<V, T, P> {
    /// Reads a text.
    pub fn of(text: Option<Spanned<T, P>>) -> Self {
        match text {
            None => Self::Absent,
            Some(text) => match V::from_text(text.value.as_ref()) {
                Some(value) => Self::Known(Spanned {
                    value,
                    node: text.node,
                }),
                None => Self::Other(text),
            },
        }
    }

    /// The value, when it is one of the closed set.
    pub fn known(&self) -> Option<V> {
        self.known_at().map(|known| known.value)
    }

    /// The value and its place, when it is one of the closed set.
    pub fn known_at(&self) -> Option<Spanned<V, P>> {
        match self {
            Self::Known(known) => Some(*known),
            Self::Other(_) | Self::Absent => None,
        }
    }

    /// What is written, whatever it is.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Known(known) => Some(known.value.as_str()),
            Self::Other(other) => Some(other.value.as_ref()),
            Self::Absent => None,
        }
    }

    /// Where it is written.
    pub fn node(&self) -> Option<P> {
        match self {
            Self::Known(known) => Some(known.node),
            Self::Other(other) => Some(other.node),
            Self::Absent => None,
        }
    }
}
