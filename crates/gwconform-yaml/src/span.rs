/// Half-open byte range `start..end`. Offsets are limited to 4 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the range `start..end`; empty at `start` if `end` is smaller.
    pub fn new(start: usize, end: usize) -> Self {
        let [start, end] = [start, end].map(narrow);
        Self {
            start,
            end: end.max(start),
        }
    }

    /// Creates an empty range at `offset`.
    pub fn at(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    /// Range for indexing a `str`.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether the range is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// Up to 4 GiB. Callers limit the size of their texts.
pub(crate) fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
