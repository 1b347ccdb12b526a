//! Removes the prefix of each line: timestamps of GitHub, and the prefixes of `gh run view --log` and `kubectl logs
//! --prefix`.

use super::LogError;
use super::frame::{RESULTS, RUN, frame};

/// The first line of `go test` determines the prefix, which all its later lines must have.
#[derive(Debug, Default)]
pub(super) struct Prefix {
    shape: Option<Shape>,
    /// First line that contains a start or a result after other text.
    unknown: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    head: Head,
    has_time: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Head {
    None,
    /// `job<TAB>step<TAB>`, followed by a timestamp.
    Job,
    /// `[pod/name/container] `.
    Pod,
}

const SHAPES: [Shape; 5] = [
    Shape {
        head: Head::None,
        has_time: false,
    },
    Shape {
        head: Head::None,
        has_time: true,
    },
    Shape {
        head: Head::Job,
        has_time: true,
    },
    Shape {
        head: Head::Pod,
        has_time: false,
    },
    Shape {
        head: Head::Pod,
        has_time: true,
    },
];

const EVENTS: [&str; 2] = ["{\"Time\":\"", "{\"Action\":\""];

/// GitHub writes one at the start of each step.
const BYTE_ORDER_MARK: char = '\u{feff}';

impl Prefix {
    /// The timestamp in the prefix of a line, and its text.
    pub(super) fn split<'l>(
        &mut self,
        line: &'l str,
        number: u32,
    ) -> Result<(Option<&'l str>, &'l str), LogError> {
        let shape = SHAPES.into_iter().find(|shape| {
            let split = shape.split(line);
            split.is_some_and(|(_, text)| is_of_go_test(text))
        });
        if self.shape.is_none() {
            self.shape = shape;
        } else if shape.is_some() && shape != self.shape {
            return Err(LogError::Form { line: number });
        }
        if self.shape.is_none() && self.unknown.is_none() && contains_line(line) {
            self.unknown = Some(number);
        }
        // Lines of other programs, and further lines of a message, can lack the prefix.
        let split = self.shape.and_then(|shape| shape.split(line));
        Ok(split.unwrap_or((None, line)))
    }

    /// Line that shows a test after an unknown prefix, if no line of the log has a known prefix.
    pub(super) fn unknown(&self) -> Option<u32> {
        self.unknown.filter(|_| self.shape.is_none())
    }
}

impl Shape {
    /// The timestamp and the text of a line with this prefix.
    fn split(self, line: &str) -> Option<(Option<&str>, &str)> {
        let line = line.trim_start_matches(BYTE_ORDER_MARK);
        let rest = match self.head {
            Head::None => line,
            Head::Job => line.splitn(3, '\t').nth(2)?,
            Head::Pod => {
                let (_, rest) = line.strip_prefix("[pod/")?.split_once(']')?;
                rest.strip_prefix(' ').unwrap_or(rest)
            }
        };
        if !self.has_time {
            return Some((None, rest));
        }
        let rest = rest.trim_start_matches(BYTE_ORDER_MARK);
        let (time, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let is_time = time_length(time.as_bytes()) == Some(time.len());
        is_time.then_some((Some(time), text))
    }
}

fn is_of_go_test(text: &str) -> bool {
    let is_start = ["=== ", "--- ", "PASS", "FAIL", "ok  \t"]
        .iter()
        .any(|start| text.starts_with(start));
    is_start && frame(text).is_some() || EVENTS.iter().any(|start| text.starts_with(start))
}

fn contains_line(text: &str) -> bool {
    let results = RESULTS.iter().map(|(start, _)| *start);
    let mut starts = results.chain([RUN]).chain(EVENTS);
    starts.any(|start| text.contains(start))
}

/// Length of a timestamp such as `2026-07-01T10:00:00.1234567Z`.
pub(super) fn time_length(bytes: &[u8]) -> Option<usize> {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00";
    let begin = bytes.get(..SHAPE.len())?;
    let fits = |(byte, shape): (&u8, &u8)| match shape {
        b'0' => byte.is_ascii_digit(),
        shape => byte == shape,
    };
    if !begin.iter().zip(SHAPE).all(fits) {
        return None;
    }
    let mut at = SHAPE.len();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    if bytes.get(at) == Some(&b'.') {
        at += 1 + digits(at + 1);
    }
    match bytes.get(at)? {
        b'Z' => Some(at + 1),
        b'+' | b'-' => {
            let offset = bytes.get(at + 1..at + 6)?;
            let is_offset = offset.iter().zip(b"00:00").all(fits);
            is_offset.then_some(at + 6)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Prefix;

    #[test]
    fn removes_each_prefix_and_keeps_the_indentation() {
        let time = "2026-07-01T10:00:00.1234567Z";
        let prefixes = [
            ("", None),
            ("2026-07-01T10:00:00.1234567Z ", Some(time)),
            ("job\tRun tests\t2026-07-01T10:00:00.1234567Z ", Some(time)),
            ("[pod/suite-x7k2p/suite] ", None),
            (
                "[pod/suite-x7k2p/suite] 2026-07-01T10:00:00.1234567Z ",
                Some(time),
            ),
        ];
        for (before, time) in prefixes {
            let mut prefix = Prefix::default();
            for text in ["=== RUN   T", "", "    --- PASS: T/A (0.00s)"] {
                let line = format!("{before}{text}");
                assert_eq!(prefix.split(&line, 1).unwrap(), (time, text), "{line}");
            }
            for (other, _) in prefixes {
                let line = format!("{other}PASS");
                let is_same = prefix.split(&line, 1).is_ok();
                assert_eq!(is_same, other == before, "{before} {line}");
            }
        }
    }

    #[test]
    fn accepts_lines_without_text_or_mark() {
        let mut prefix = Prefix::default();
        let lines = [
            (
                "job\tstep\t\u{feff}2026-07-01T10:00:00Z === RUN   T",
                "=== RUN   T",
            ),
            ("job\tstep\t2026-07-01T10:00:00Z", ""),
            ("", ""),
            ("\u{feff}job\tstep 2\t2026-07-01T10:00:00Z a\tb", "a\tb"),
        ];
        for (line, text) in lines {
            assert_eq!(prefix.split(line, 1).unwrap().1, text, "{line}");
        }
    }

    #[test]
    fn names_the_line_with_an_unknown_prefix() {
        for line in [
            "[a] === RUN   T",
            "> --- PASS: T (0.00s)",
            "  {\"Time\":\"",
            "\t=== RUN   T",
        ] {
            let mut prefix = Prefix::default();
            let (_, text) = prefix.split(line, 1).unwrap();
            assert_eq!((text, prefix.unknown()), (line, Some(1)));
            let _ = prefix.split("=== RUN   T", 2);
            assert_eq!(prefix.unknown(), None);
        }
    }
}
