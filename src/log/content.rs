//! What the suite itself logs: its options, why it skips a test, the report.

use std::collections::BTreeMap;

use super::capture::{Capture, Step};
use super::{Mark, Printed, Settings, SkipReason};

/// A line that a program or test has written, put together.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    /// What wrote it: the package, and the test or nothing.
    pub(super) stream: Stream,
    /// The text.
    pub(super) text: &'t str,
    /// The line of the log on which it ends.
    pub(super) line: u32,
    /// How many characters of that are before it; `None` in another notation.
    pub(super) taken: Option<u32>,
    /// The line of the log as it is, where that is valid.
    pub(super) raw: &'t [u8],
}

/// A package and one of its tests, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stream {
    pub(super) package: usize,
    pub(super) test: Option<usize>,
}

/// Something of a run, at a line.
#[derive(Debug)]
pub(super) enum Content {
    Settings(Settings),
    Inferred(Vec<String>),
    Report(Printed),
}

/// The contents of a log, in the order of their lines.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) found: Vec<(Stream, u32, Content)>,
    /// The newest settings of each stream, by their place in `found`.
    settings: BTreeMap<Stream, usize>,
    /// How many bytes of reports are in `found`.
    report_bytes: usize,
    open: Vec<(Stream, Capture)>,
}

/// Most contents that are kept, and most reports that are being read at once: a run has three.
const MAX_CONTENTS: usize = 1000;
const MAX_OPEN: usize = 16;

/// Most bytes of reports that are kept, and most names of a list: the suite has some hundred features.
const MAX_REPORT_BYTES: usize = 8 * 1024 * 1024;
const MAX_NAMES: usize = 500;

/// How far below its beginning an option can be.
const MAX_DISTANCE: u32 = 40;

/// Longest line of a log that is shown.
const MAX_SHOWN: usize = 300;

/// A line of a log, with its text where that can be shown.
pub(super) fn mark(line: u32, raw: &[u8]) -> Mark {
    let text = std::str::from_utf8(raw.get(..raw.len().min(MAX_SHOWN + 1)).unwrap_or_default());
    let text = text.ok().filter(|text| text.len() <= MAX_SHOWN);
    Mark {
        line,
        text: text.map(Into::into),
    }
}

impl Contents {
    /// Reads a line; the reason for which a test was skipped, by its name, is for the caller.
    pub(super) fn line<'t>(&mut self, line: Text<'t>) -> Option<(&'t str, SkipReason)> {
        if self.is_captured(line) {
            return None;
        }
        let message = without_position(line.text.trim_start()).trim_start();
        match *message.as_bytes().first()? {
            b'a' => self.begin_report(line),
            b'S' if message.starts_with("Skipping ") => return skip_reason(message),
            b'R' if is_heading(message) => {
                let settings = Settings {
                    mark: mark(line.line, line.raw),
                    ..Settings::default()
                };
                self.push(line, Content::Settings(settings));
            }
            b'S' | b's' if message.starts_with("Supported features for ") => {
                if let Some((_, list)) = message.split_once(": ") {
                    self.push(line, Content::Inferred(go_list(list)));
                }
            }
            b'S' | b's' | b'E' | b'e' | b'C' => self.option(line, message),
            _ => {}
        }
        None
    }

    /// Ends the report that a stream is printing.
    pub(super) fn interrupt(&mut self, stream: Stream) {
        while let Some(at) = self.open.iter().position(|(open, _)| *open == stream) {
            self.close(at, false);
        }
    }

    /// Ends all reports with the log.
    pub(super) fn finish(&mut self) {
        while !self.open.is_empty() {
            self.close(0, true);
        }
        self.found.sort_by_key(|(_, line, _)| *line);
    }

    fn is_captured(&mut self, line: Text<'_>) -> bool {
        let Some(at) = self.open.iter().position(|(open, _)| *open == line.stream) else {
            return false;
        };
        let is_taken = self.open.get_mut(at).is_some_and(|(_, capture)| {
            capture.step(line.text, line.line, line.taken) == Step::Taken
        });
        if !is_taken {
            self.close(at, false);
        }
        is_taken
    }

    fn begin_report(&mut self, line: Text<'_>) {
        let Some(mut capture) = Capture::begin(line.text) else {
            return;
        };
        capture.step(line.text, line.line, line.taken);
        if self.open.len() < MAX_OPEN {
            self.open.push((line.stream, capture));
        }
    }

    fn close(&mut self, at: usize, is_cut: bool) {
        let (stream, capture) = self.open.remove(at);
        let Some(printed) = capture.finish(is_cut) else {
            return;
        };
        let first = printed.lines.first().map_or(0, |(line, _)| *line);
        let bytes = self.report_bytes + printed.text.len();
        if self.found.len() < MAX_CONTENTS && bytes <= MAX_REPORT_BYTES {
            self.report_bytes = bytes;
            self.found.push((stream, first, Content::Report(printed)));
        }
    }

    fn push(&mut self, line: Text<'_>, content: Content) {
        if self.found.len() < MAX_CONTENTS {
            if matches!(content, Content::Settings(_)) {
                self.settings.insert(line.stream, self.found.len());
            }
            self.found.push((line.stream, line.line, content));
        }
    }

    /// Reads an option of the settings that the stream began.
    fn option(&mut self, line: Text<'_>, message: &str) {
        let Some((name, value)) = message.split_once(':') else {
            return;
        };
        let newest = self.settings.get(&line.stream).copied();
        let Some((_, begin, Content::Settings(settings))) =
            newest.and_then(|at| self.found.get_mut(at))
        else {
            return;
        };
        if line.line.saturating_sub(*begin) > MAX_DISTANCE {
            return;
        }
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "supported features" => settings.supported = Some(go_list(value)),
            "exemptfeatures" | "exempt features" => settings.exempt = go_list(value),
            "conformanceprofiles" => settings.profiles = Some(go_list(value)),
            "enable all features" => settings.enables_all = value == "true",
            _ => {}
        }
    }
}

/// `Running conformance tests with:`, up to v1.0.x `Running conformance tests with acme GatewayClass`.
fn is_heading(message: &str) -> bool {
    let rest = message.strip_prefix("Running ").unwrap_or_default();
    let rest = rest.strip_prefix("experimental ").unwrap_or(rest);
    rest.starts_with("conformance tests with")
}

/// `Skipping X: suite does not support F` and `Skipping X: test explicitly skipped`.
fn skip_reason(message: &str) -> Option<(&str, SkipReason)> {
    let (name, reason) = message.strip_prefix("Skipping ")?.split_once(": ")?;
    let reason = reason.trim_end();
    if reason == "test explicitly skipped" {
        return Some((name, SkipReason::Explicit));
    }
    let feature = reason.strip_prefix("suite does not support ")?;
    Some((name, SkipReason::NotSupported(feature.to_owned())))
}

/// A message without the `file.go:12: ` that `t.Log` puts before it.
pub(super) fn without_position(text: &str) -> &str {
    let Some((file, rest)) = text.split_once(".go:") else {
        return text;
    };
    let message = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_position = !file.contains(char::is_whitespace) && message.len() < rest.len();
    match message.strip_prefix(": ") {
        Some(message) if is_position => message,
        _ => text,
    }
}

/// The names in a list or set that Go has printed: `[A B]`, `[[A B]]`, `[A,B]`, `map[A:{} B:{}]`.
fn go_list(text: &str) -> Vec<String> {
    let inner = text
        .trim()
        .trim_start_matches("[")
        .trim_start_matches("map[");
    let names = inner.trim_end_matches(']').split([' ', ',']);
    let names = names.map(|name| name.strip_suffix(":{}").unwrap_or(name));
    names
        .filter(|name| !name.is_empty())
        .take(MAX_NAMES)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{SkipReason, go_list, skip_reason, without_position};

    #[test]
    fn lists_of_go_are_read() {
        let expected = ["A", "B"].map(str::to_owned).to_vec();
        for text in ["[A B]", "[[A B]]", "[A,B]", "map[A:{} B:{}]"] {
            assert_eq!(go_list(text), expected, "{text}");
        }
        assert_eq!(go_list("[]"), Vec::<String>::new());
        assert_eq!(go_list("map[]"), Vec::<String>::new());
    }

    #[test]
    fn reasons_name_their_test() {
        let unsupported = SkipReason::NotSupported("F".to_owned());
        assert_eq!(
            skip_reason("Skipping X: suite does not support F"),
            Some(("X", unsupported))
        );
        assert_eq!(
            skip_reason("Skipping X: test explicitly skipped"),
            Some(("X", SkipReason::Explicit))
        );
        assert_eq!(skip_reason("Skipping X: too late"), None);
        assert_eq!(without_position("a.go:12: x"), "x");
        assert_eq!(without_position("see a.go:12: x"), "see a.go:12: x");
    }
}
