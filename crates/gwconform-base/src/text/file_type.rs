//! Recognizes files that are not YAML, such as logs and archives.

/// Type of a file that is not YAML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileType {
    /// Archive, compressed file, image or document, with its name.
    Binary(&'static str),
    /// Text in UTF-16.
    Utf16,
    /// Pointer that git stores instead of the file.
    LfsPointer,
    /// Web page.
    Html,
    /// Output of `go test`, as text or events.
    Log,
    /// Text with escape sequences of a terminal.
    Colored,
    /// Report inside other text, such as a sentence and a fence.
    Pasted,
    /// Report whose lines are indented, as in a log.
    Indented,
    /// Markdown text.
    Markdown,
}

/// First characters after decoding, in which U+FFFD replaces invalid bytes.
const MAGIC: [(&str, &str); 8] = [
    ("PK\u{3}\u{4}", "a ZIP archive"),
    ("\u{1f}\u{fffd}\u{8}", "a gzip file"),
    ("BZh", "a bzip2 file"),
    ("\u{fffd}7zXZ\0", "an XZ file"),
    ("7z\u{fffd}\u{fffd}'\u{1c}", "a 7z archive"),
    ("(\u{fffd}/\u{fffd}", "a Zstandard file"),
    ("%PDF-", "a PDF document"),
    ("\u{fffd}PNG\r\n", "a PNG image"),
];

const LOG_LINES: [&str; 9] = [
    "Conformance report:",
    "=== RUN ",
    "=== PAUSE ",
    "=== CONT ",
    "--- PASS: ",
    "--- FAIL: ",
    "--- SKIP: ",
    "\"Action\":\"",
    "<testsuite",
];

impl FileType {
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut magic = MAGIC.iter().filter(|(start, _)| text.starts_with(start));
        if let Some((_, name)) = magic.next() {
            return Some(Self::Binary(name));
        }
        if is_utf_16(text) {
            return Some(Self::Utf16);
        }
        let text = text.trim_start_matches('\u{feff}');
        let text = text.trim_start_matches(['\n', '\r']);
        let first = text.trim_start().lines().next()?;
        let starts = |start: &str| {
            let head = first.get(..start.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(start))
        };
        match () {
            () if first.starts_with("version https://git-lfs.github.com/spec/") => {
                Some(Self::LfsPointer)
            }
            () if starts("<!doctype html") || starts("<html") => Some(Self::Html),
            () if is_log(text) => Some(Self::Log),
            () if first.contains("\u{1b}[") => Some(Self::Colored),
            () if is_pasted(text) => Some(Self::Pasted),
            () if is_indented(text) => Some(Self::Indented),
            () if is_markdown(text) => Some(Self::Markdown),
            () => None,
        }
    }
}

/// Without a byte order mark, every second character of the start is NUL.
fn is_utf_16(text: &str) -> bool {
    let mut start = [' '; 6];
    for (place, c) in start.iter_mut().zip(text.chars()) {
        *place = c;
    }
    let nul = start.map(|c| c == '\0');
    let marked = start.starts_with(&['\u{fffd}'; 2]) && nul[2] != nul[3];
    marked
        || matches!(
            nul,
            [true, false, true, false, true, false] | [false, true, false, true, false, true]
        )
}

fn starts_report(line: &str) -> bool {
    line.starts_with("apiVersion:") || line.starts_with("kind:")
}

/// Lines that are neither blank nor comments.
fn written_lines(text: &str) -> impl Iterator<Item = &str> + Clone {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.filter(|line| !line.trim_start().starts_with('#'))
}

/// Fences are never at the start of a line in YAML. A sentence has several words before a colon.
fn is_pasted(text: &str) -> bool {
    let is_fence = |line: &str| line.starts_with("```") || line.starts_with("~~~");
    let mut lines = written_lines(text);
    if !lines.clone().any(|line| starts_report(line.trim_start())) {
        return false;
    }
    let is_sentence = |line: &str| {
        let is_marker = line.starts_with(['<', '=', '>', '-', '%', '{', '[', '"', '\'']);
        let before = line.split_once(": ").map_or(line, |(before, _)| before);
        !is_marker && before.split_whitespace().count() >= 3
    };
    text.lines().any(is_fence) || lines.next().is_some_and(is_sentence)
}

/// Either all lines are indented, or all but the first.
fn is_indented(text: &str) -> bool {
    let mut lines = written_lines(text).take(2);
    let (Some(first), second) = (lines.next(), lines.next()) else {
        return false;
    };
    let is_deep = |line: &str| line.starts_with("  ");
    let key = first.trim_start();
    starts_report(key) && (is_deep(first) || (key == first && second.is_some_and(is_deep)))
}

/// A log can also contain a report, but does not start with it.
fn is_log(text: &str) -> bool {
    let starts_report = |line: &&str| starts_report(line);
    let before = text.split_inclusive('\n');
    let before = before.take_while(|line| !starts_report(line));
    let is_comment = |line: &&str| line.starts_with('#');
    let mut lines = before.filter(|line| !is_comment(line));
    lines.any(|line| LOG_LINES.iter().any(|sign| line.contains(sign)))
}

/// `#` also starts a YAML comment, so the first other line is significant.
fn is_markdown(text: &str) -> bool {
    let text = text.trim_start();
    if text.starts_with("```") {
        return true;
    }
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = lines.clone().find(|line| !line.starts_with('#')) else {
        return false;
    };
    let is_yaml = |line: &str| {
        let key = line.split_once(':').map(|(key, _)| key);
        let is_key = key.is_some_and(|key| !key.is_empty() && !key.contains([' ', '[', '`', '*']));
        is_key || line.starts_with(['{', '-', '%'])
    };
    !is_yaml(first.trim()) && lines.any(|line| line.starts_with("# "))
}
