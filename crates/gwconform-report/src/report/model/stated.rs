use gwconform_base::api::ClosedSet;

/// Value with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanned<T, P = ()> {
    /// Value without quotes.
    pub value: T,
    /// Position: a node, or `()` after the text is dropped.
    pub node: P,
}

impl<T, P> Spanned<T, P> {
    /// Drops the position.
    pub fn without_place(self) -> Spanned<T> {
        Spanned::from(self.value)
    }
}

impl<T> From<T> for Spanned<T> {
    fn from(value: T) -> Self {
        Self { value, node: () }
    }
}

/// Field whose value must belong to a closed set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stated<V, T, P = ()> {
    /// Allowed value.
    Known(Spanned<V, P>),
    /// Any other text, as written.
    Other(Spanned<T, P>),
    /// The field is missing.
    #[default]
    Absent,
}

impl<V: ClosedSet, T: AsRef<str>, P: Copy> Stated<V, T, P> {
    /// Parses the text of a field; `None` means that the field is missing.
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

    /// Value, if allowed.
    pub fn known(&self) -> Option<V> {
        self.known_at().map(|known| known.value)
    }

    /// Value and position, if allowed.
    pub fn known_at(&self) -> Option<Spanned<V, P>> {
        match self {
            Self::Known(known) => Some(*known),
            Self::Other(_) | Self::Absent => None,
        }
    }

    /// Text as written, whether allowed or not.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Known(known) => Some(known.value.as_str()),
            Self::Other(other) => Some(other.value.as_ref()),
            Self::Absent => None,
        }
    }

    /// Position of the text.
    pub fn node(&self) -> Option<P> {
        match self {
            Self::Known(known) => Some(known.node),
            Self::Other(other) => Some(other.node),
            Self::Absent => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Spanned, Stated};
    use gwconform_base::api::{Channel, ClosedSet, Family, Level, Mode, TestResult};

    #[test]
    fn distinguishes_known_other_and_absent_values() {
        let of = |text: Option<&'static str>| -> Stated<TestResult, &str, usize> {
            Stated::of(text.map(|value| Spanned { value, node: 7 }))
        };
        let facts = [Some("partial"), Some("Partial"), None].map(|text| {
            let stated = of(text);
            (
                stated.known(),
                stated.text().map(str::to_owned),
                stated.node(),
            )
        });
        assert_eq!(
            facts,
            [
                (
                    Some(TestResult::Partial),
                    Some("partial".to_owned()),
                    Some(7)
                ),
                (None, Some("Partial".to_owned()), Some(7)),
                (None, None, None),
            ]
        );
    }

    #[test]
    fn accepts_one_spelling_of_closed_sets() {
        fn holds<V: ClosedSet + serde::Serialize + std::fmt::Debug>() {
            for value in V::ALL {
                let text = value.as_str();
                assert_eq!(V::from_text(text), Some(*value));
                assert_eq!(serde_json::json!(value), serde_json::json!(text));
            }
            assert_eq!(V::from_text("UNDEFINED"), None);
        }
        holds::<Level>();
        holds::<Channel>();
        holds::<Family>();
        holds::<TestResult>();
        holds::<Mode>();
    }
}
