//! Removes unknown line prefixes, such as those of `kubectl logs --prefix`, stern, `ts`, `docker
//! build`, Tekton, Drone and klog.

use std::borrow::Cow;

use super::clean::Cleaned;
use super::frame::is_top_result;

const BEGINNINGS: [&str; 3] = ["=== RUN   ", "{\"Time\":\"", "{\"Action\":\""];

/// In bytes.
const MAX_PREFIX: usize = 256;

/// A second line must confirm a prefix within these lines, because other programs can write between
/// them.
const MAX_WAIT: u32 = 16;

/// The prefix is taken from the first line in which a test starts after other text. A later line
/// must confirm the prefix with the same text, except for digits. Program output without a final
/// newline is therefore not mistaken for a prefix.
#[derive(Debug, Default)]
pub(super) struct Prefix {
    state: State,
    first_behind: u32,
    behind: u32,
    /// Indentation of all lines so far; `None` before the first line with text.
    indent: Option<Box<str>>,
    /// True if a test starts in the first column, although all earlier lines were indented.
    is_broken: bool,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Unknown,
    /// Seen once, with the number of lines left to confirm the prefix.
    Seen(Shape, u32),
    Known(Shape),
    /// The log has no prefix, because a test starts in the first column.
    None,
}

impl Prefix {
    pub(super) fn strip<'l>(&mut self, line: Cleaned<'l>, number: u32) -> Cleaned<'l> {
        if let State::None = self.state {
            return line;
        }
        let length = match &self.state {
            State::Seen(shape, _) | State::Known(shape) => shape.length_in(&line.text),
            State::Unknown | State::None => None,
        };
        if let Some(length) = length {
            self.state = match std::mem::take(&mut self.state) {
                State::Seen(shape, _) => State::Known(shape),
                other => other,
            };
            return without(line, length);
        }
        if let (State::Known(shape), Some(0)) = (&self.state, beginning(&line.text)) {
            self.is_broken |= shape.is_blank();
        }
        self.look(&line.text, number);
        match &self.state {
            State::Known(shape) => match shape.length_in(&line.text) {
                Some(length) => without(line, length),
                None => line,
            },
            _ => line,
        }
    }

    fn share(&mut self, text: &str) {
        let own = &text[..text.len() - text.trim_start_matches([' ', '\t']).len()];
        if own.len() == text.len() {
            return;
        }
        let shared = self.indent.as_deref().map_or(own.len(), |shared| {
            let bytes = shared.bytes().zip(own.bytes());
            bytes.take_while(|(a, b)| a == b).count()
        });
        if self
            .indent
            .as_ref()
            .is_none_or(|indent| indent.len() != shared)
        {
            self.indent = Some(own[..shared].into());
        }
    }

    fn look(&mut self, text: &str, number: u32) {
        if let State::Unknown | State::Seen(..) = self.state {
            self.share(text);
        }
        match (beginning(text), &mut self.state) {
            (Some(0), State::Unknown | State::Seen(..)) => self.state = State::None,
            (Some(at), State::Unknown | State::Seen(..)) => {
                if self.behind == 0 {
                    self.first_behind = number;
                }
                self.behind += 1;
                if self.indent.as_deref() == Some(&text[..at]) {
                    self.state = State::Known(Shape::blank(&text[..at]));
                } else if let Some(shape) = Shape::of(&text[..at]) {
                    self.state = State::Seen(shape, MAX_WAIT);
                }
            }
            (None, State::Seen(_, left)) if *left > 0 => *left -= 1,
            (None, State::Seen(..)) => self.state = State::Unknown,
            _ => {}
        }
    }

    /// First line in which a test starts, if several tests start only after unknown text.
    pub(super) fn unknown(&self) -> Option<u32> {
        let is_unknown = matches!(self.state, State::Unknown | State::Seen(..));
        Some(self.first_behind).filter(|_| is_unknown && self.behind > 1 || self.is_broken)
    }
}

fn beginning(text: &str) -> Option<usize> {
    let places = BEGINNINGS.iter().filter_map(|begin| text.find(begin));
    // An event contains test output in a field.
    let place = places
        .min()
        .map(|at| if text.starts_with('{') { 0 } else { at });
    place.or_else(|| {
        // Results can be quoted without other lines.
        let rest = text.trim_start_matches([' ', '\t', '>']);
        is_top_result(rest).then(|| text.len() - rest.len())
    })
}

/// A prefix pattern. Digits match any digits, and spaces before the last part match any number of
/// spaces.
#[derive(Debug)]
struct Shape(Box<[Part]>);

#[derive(Debug)]
enum Part {
    Digits,
    Blanks,
    Other(char),
}

impl Shape {
    fn of(text: &str) -> Option<Self> {
        if text.len() > MAX_PREFIX || text.starts_with([' ', '\t']) {
            return None;
        }
        let end = text.trim_end_matches(' ').len();
        let mut parts = Vec::new();
        for (at, character) in text.char_indices() {
            match character {
                '0'..='9' if matches!(parts.last(), Some(Part::Digits)) => {}
                '0'..='9' => parts.push(Part::Digits),
                ' ' if at < end && matches!(parts.last(), Some(Part::Blanks)) => {}
                ' ' if at < end => parts.push(Part::Blanks),
                other => parts.push(Part::Other(other)),
            }
        }
        Some(Self(parts.into()))
    }

    fn blank(text: &str) -> Self {
        Self(text.chars().map(Part::Other).collect())
    }

    fn is_blank(&self) -> bool {
        let is_blank = |part: &Part| matches!(part, Part::Other(' ' | '\t'));
        self.0.iter().all(is_blank)
    }

    fn length_in(&self, line: &str) -> Option<usize> {
        let mut rest = line;
        for part in &self.0 {
            rest = match part {
                Part::Digits => after_run(rest, |c| c.is_ascii_digit())?,
                Part::Blanks => after_run(rest, |c| c == ' ')?,
                Part::Other(character) => rest.strip_prefix(*character)?,
            };
        }
        Some(line.len() - rest.len())
    }
}

fn after_run(text: &str, is_of_run: impl Fn(char) -> bool) -> Option<&str> {
    let rest = text.trim_start_matches(is_of_run);
    (rest.len() < text.len()).then_some(rest)
}

fn without(line: Cleaned<'_>, length: usize) -> Cleaned<'_> {
    let characters = line.text[..length].chars().count();
    let text = match line.text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[length..]),
        Cow::Owned(mut text) => {
            text.drain(..length);
            Cow::Owned(text)
        }
    };
    let more = u32::try_from(characters).ok();
    Cleaned {
        text,
        time: line.time,
        taken: line
            .taken
            .zip(more)
            .and_then(|(taken, more)| taken.checked_add(more)),
    }
}

#[cfg(test)]
mod tests {
    use super::Prefix;
    use crate::clean::clean;

    fn stripped(lines: &[&str]) -> (Vec<String>, Option<u32>) {
        let mut prefix = Prefix::default();
        let texts = lines
            .iter()
            .zip(1..)
            .map(|(line, number)| {
                prefix
                    .strip(clean(line.as_bytes()), number)
                    .text
                    .into_owned()
            })
            .collect();
        (texts, prefix.unknown())
    }

    #[test]
    fn blanks_that_all_lines_share_are_taken_away() {
        for indent in ["  ", "    ", "\t"] {
            let lines = ["=== RUN   T", "", "    x.go:1: y", "--- PASS: T (0.00s)"];
            let indented = lines.map(|line| format!("{indent}{line}"));
            let (texts, unknown) = stripped(&indented.each_ref().map(String::as_str));
            assert_eq!((texts, unknown), (lines.map(str::to_owned).to_vec(), None));
        }
        let lines = ["make", "    === RUN   T", "    --- PASS: T (0.00s)"];
        assert_eq!(stripped(&lines).0, lines);
        let (_, unknown) = stripped(&["    === RUN   T", "=== RUN   T"]);
        assert_eq!(unknown, Some(1));
    }

    #[test]
    fn results_alone_may_be_quoted() {
        let (texts, _) = stripped(&["> --- PASS: T (0.00s)", ">     --- PASS: T/A (0.00s)"]);
        assert_eq!(texts[1], "    --- PASS: T/A (0.00s)");
    }

    #[test]
    fn a_prefix_is_seen_twice() {
        let (texts, _) = stripped(&[
            "I0701 10:00:00.1     1 x.go:12] === RUN   T",
            "I0701 10:00:01.25   17 x.go:7]     x.go:1: y",
            "of another program",
            "I0701 10:00:02.1     1 x.go:12] --- PASS: T (0.00s)",
            "I0701 10:00:02.1     1 x.go:12] PASS",
        ]);
        assert_eq!(
            texts[1..],
            [
                "    x.go:1: y",
                "of another program",
                "--- PASS: T (0.00s)",
                "PASS"
            ]
        );
    }

    #[test]
    fn text_without_a_line_end_is_none() {
        let lines = [
            "starting 1 test ...=== RUN   T",
            "    x.go:1: y",
            "=== RUN   T/A",
            "starting 2 test ...=== RUN   T/B",
        ];
        let (texts, unknown) = stripped(&lines);
        assert_eq!(texts, lines);
        assert_eq!(unknown, None);
    }

    #[test]
    fn what_changes_with_each_line_is_not_understood() {
        let (_, unknown) = stripped(&[
            "[ab] === RUN   T",
            "[cd]     x.go:1: y",
            "[ef] === RUN   T/A",
        ]);
        assert_eq!(unknown, Some(1));
    }
}
