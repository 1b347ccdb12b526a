//! Places in a text.

/// A half-open byte range `start..end` in a text. Offsets beyond 4 GiB are 4 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span `start..end`; an end before the start gives an empty span at the start.
    pub fn new(start: usize, end: usize) -> Self {
        let [start, end] = [start, end].map(|offset| u32::try_from(offset).unwrap_or(u32::MAX));
        Self {
            start,
            end: end.max(start),
        }
    }

    /// The empty span at `offset`.
    pub fn at(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    /// The span as a range that indexes a `str`.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// True when the span holds no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}
