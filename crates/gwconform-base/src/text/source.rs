//! Source files, byte spans, lines and columns.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use percent_encoding::percent_encode_byte;
use sha2::{Digest as _, Sha256};

use super::file_type::FileType;
pub use gwconform_yaml::Span;

/// A 1-based line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// 1-based. Only `\n` ends a line, so `\r` of CRLF belongs to the line.
    pub line: u32,
    /// 1-based column in Unicode scalar values.
    pub column: u32,
}

/// In bytes. Larger files are reported but not read. The largest upstream report has about 20 KB.
pub const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;

/// Maximum total size of resource files in bytes, enough for a `kubectl` dump of a large cluster.
pub const MAX_DUMP_BYTES: u64 = 256 * 1024 * 1024;

/// A file as text. Invalid UTF-8 becomes U+FFFD, and text after [`Source::valid_len`] is never
/// interpreted.
#[derive(Debug, Clone)]
pub struct Source {
    path: Arc<str>,
    text: String,
    valid_len: usize,
    line_starts: OnceLock<Vec<u32>>,
    digest: OnceLock<Digest>,
    /// Number of characters before each block of [`BLOCK`] bytes.
    characters: OnceLock<Vec<u32>>,
    /// Parts that may be quoted; unset if all text may be quoted.
    quotable: OnceLock<Vec<Span>>,
    file_type: OnceLock<Option<FileType>>,
}

/// Block size in bytes. Without blocks, counting characters in a long line would take quadratic
/// time.
const BLOCK: usize = 1024;

impl Source {
    /// Creates a source from the bytes of a file; `path` is the display path.
    pub fn new(path: impl Into<Arc<str>>, bytes: Vec<u8>) -> Self {
        let path = path.into();
        let (text, valid_len, digest) = match String::from_utf8(bytes) {
            Ok(text) => {
                let valid_len = text.len();
                (text, valid_len, None)
            }
            // The lossy text does not preserve the original bytes.
            Err(error) => (
                String::from_utf8_lossy(error.as_bytes()).into_owned(),
                error.utf8_error().valid_up_to(),
                Some(Digest::new(error.as_bytes())),
            ),
        };
        Self {
            path,
            text,
            valid_len,
            line_starts: OnceLock::new(),
            digest: digest.map(OnceLock::from).unwrap_or_default(),
            characters: OnceLock::new(),
            quotable: OnceLock::new(),
            file_type: OnceLock::new(),
        }
    }

    /// Clones the source with another display path.
    #[must_use]
    pub fn renamed(&self, path: impl Into<Arc<str>>) -> Self {
        Self {
            path: path.into(),
            ..self.clone()
        }
    }

    /// Restricts quoting to `parts`, sorted and disjoint, because other text may be secret. Only
    /// the first call has an effect.
    pub fn quote_only(&self, parts: Vec<Span>) {
        self.quotable.get_or_init(|| parts);
    }

    /// True within a part passed to [`Source::quote_only`], or if quoting is unrestricted.
    pub fn is_quotable(&self, span: Span) -> bool {
        let Some(parts) = self.quotable.get() else {
            return true;
        };
        let after = parts.partition_point(|part| part.start <= span.start);
        let part = after.checked_sub(1).and_then(|at| parts.get(at));
        part.is_some_and(|part| span.end <= part.end)
    }

    /// True if the unquotable parts of a span contain only whitespace and punctuation.
    pub fn is_showable(&self, span: Span) -> bool {
        let Some(parts) = self.quotable.get() else {
            return true;
        };
        let is_empty = |start: u32, end: u32| {
            let between = self.slice(Span { start, end });
            between.chars().all(|c| " \t\r\n-,[]{}".contains(c))
        };
        let first = parts.partition_point(|part| part.end <= span.start);
        let mut at = span.start;
        for part in parts[first..]
            .iter()
            .take_while(|part| part.start < span.end)
        {
            if part.start > at && !is_empty(at, part.start) {
                return false;
            }
            at = part.end.min(span.end);
        }
        is_empty(at, span.end)
    }

    /// Display path, as in [`display_path`].
    pub fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn shared_path(&self) -> Arc<str> {
        Arc::clone(&self.path)
    }

    /// Whole text, including replaced characters.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Length in bytes of the valid UTF-8 prefix.
    pub fn valid_len(&self) -> usize {
        self.valid_len
    }

    /// Valid UTF-8, so the text is identical to the file's bytes.
    pub fn is_exact(&self) -> bool {
        self.valid_len == self.text.len()
    }

    /// `None` for YAML, text of another type, and text that starts like a report.
    pub fn file_type(&self) -> Option<FileType> {
        *self.file_type.get_or_init(|| FileType::of(&self.text))
    }

    /// SHA-256 digest of the file's bytes.
    pub fn digest(&self) -> Digest {
        *(self.digest).get_or_init(|| Digest::new(self.text.as_bytes()))
    }

    /// Text of a span, which is clamped (see [`Source::clamp`]).
    pub fn slice(&self, span: Span) -> &str {
        &self.text[self.clamp(span).range()]
    }

    /// Clamps a span to the text and extends it to character boundaries.
    pub fn clamp(&self, span: Span) -> Span {
        let start = self.text.floor_char_boundary(span.start as usize);
        let end = self.text.ceil_char_boundary(span.end as usize).max(start);
        Span::new(start, end)
    }

    /// Position of a byte offset, clamped to the text.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start as usize <= offset);
        let line_start = starts[line - 1] as usize;
        let characters = if offset - line_start <= BLOCK {
            self.text[line_start..offset].chars().count()
        } else {
            self.characters_before(offset) - self.characters_before(line_start)
        };
        let column = characters + 1;
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let breaks = memchr::memchr_iter(b'\n', self.text.as_bytes());
            std::iter::once(0)
                .chain(breaks.map(|at| at + 1))
                .map(|at| u32::try_from(at).unwrap_or(u32::MAX))
                .collect()
        })
    }

    fn characters_before(&self, offset: usize) -> usize {
        let count = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte as i8 >= -0x40).count();
        let bytes = self.text.as_bytes();
        let before = self.characters.get_or_init(|| {
            // A text can end at a block boundary.
            let blocks = bytes.chunks(BLOCK).map(count).chain([0]);
            let before = blocks.scan(0, |sum, here| {
                let sum_before = *sum;
                *sum += here;
                u32::try_from(sum_before).ok()
            });
            before.collect()
        });
        let block = offset / BLOCK;
        before.get(block).map_or(0, |&before| before as usize)
            + count(&bytes[block * BLOCK..offset])
    }

    /// 1-based, without the line break; `None` after the last line. A final line break does not
    /// start another line.
    pub fn line(&self, number: u32) -> Option<Span> {
        let at = (number as usize).checked_sub(1)?;
        let start = *self.line_starts().get(at)? as usize;
        let is_line = at == 0 || start < self.text.len();
        is_line.then(|| self.lines_around(Span::at(start)))
    }

    /// All lines that a span touches, without the final line break.
    pub fn lines_around(&self, span: Span) -> Span {
        let span = self.clamp(span);
        let starts = self.line_starts();
        let first = starts.partition_point(|&start| start <= span.start);
        let after = starts.partition_point(|&start| start <= span.end);
        let end = starts.get(after).map(|&start| start as usize - 1);
        let start = starts[first - 1] as usize;
        Span::new(start, end.unwrap_or(self.text.len()))
    }
}

/// A SHA-256 digest, displayed as lower-case hexadecimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// Computes the SHA-256 digest.
    pub fn new(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

crate::text::json::as_text!(Digest);

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Path with `/` and percent-encoded invalid UTF-8, relative to `base` if inside it. Both arguments
/// must be absolute.
pub fn display_path(path: &Path, base: &Path) -> String {
    let shown = path.strip_prefix(base).unwrap_or(path);
    if shown.as_os_str().is_empty() {
        return ".".to_owned();
    }
    let mut text = String::new();
    for part in shown.components() {
        match part {
            std::path::Component::RootDir => text.push('/'),
            part => {
                if !text.is_empty() && !text.ends_with('/') {
                    text.push('/');
                }
                push_name(&mut text, part.as_os_str());
            }
        }
    }
    text
}

/// File name for messages, with invalid UTF-8 percent-encoded.
pub fn display_name(name: &std::ffi::OsStr) -> String {
    let mut text = String::new();
    push_name(&mut text, name);
    text
}

fn push_name(text: &mut String, name: &std::ffi::OsStr) {
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().copied().map(percent_encode_byte));
    }
}

/// True for printable ASCII, which contains no invisible characters.
pub fn is_plain(text: &str) -> bool {
    all_bytes(text, is_plain_byte)
}

/// True if all bytes have a property. The compiler can vectorize blocks if `has` has no branches.
pub(super) fn all_bytes(text: &str, has: impl Fn(u8) -> bool) -> bool {
    let all_of = |block: &[u8]| block.iter().fold(true, |all, byte| all & has(*byte));
    text.as_bytes().chunks(64).all(all_of)
}

/// True for a printable ASCII byte.
pub fn is_plain_byte(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// True for control characters, line separators, interlinear annotations, the empty Braille
/// pattern, and Unicode's `Default_Ignorable_Code_Point`.
#[inline]
pub fn is_invisible(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_control()
    } else {
        is_invisible_beyond_ascii(c)
    }
}

fn is_invisible_beyond_ascii(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Source, Span};

    #[test]
    fn finds_lines_by_number() {
        let lines = |text: &str| -> Vec<Option<Span>> {
            let source = Source::new("x", text.as_bytes().to_vec());
            (0..4).map(|number| source.line(number)).collect()
        };
        let span = |start, end| Some(Span::new(start, end));
        assert_eq!(
            lines("a\r\n\né"),
            [None, span(0, 2), span(3, 3), span(4, 6)]
        );
        assert_eq!(lines("a\nb\n"), [None, span(0, 1), span(2, 3), None]);
        assert_eq!(lines(""), [None, span(0, 0), None, None]);
    }

    #[test]
    fn columns_of_a_long_line_count_to_its_end() {
        for length in [
            BLOCK - 1,
            BLOCK,
            BLOCK + 1,
            2 * BLOCK,
            3 * BLOCK,
            3 * BLOCK + 1,
        ] {
            let source = Source::new("x", "é".repeat(length / 2).into_bytes());
            for characters in [0, length / 4, length / 2] {
                let column = source.position(2 * characters).column as usize;
                assert_eq!(column, characters + 1, "{length}");
            }
        }
    }
}
