use std::collections::BTreeMap;

use super::capture::{Capture, Step};
use super::{Printed, Said, Settings, SkipReason};
use crate::testlog::{Output, Stream, Text, mark, without_position};
use gwconform_report::report::fit::Extent;

#[derive(Debug, Clone)]
pub enum Content {
    Settings(Settings),
    Inferred(Vec<String>),
    Report(Printed),
}

#[derive(Debug, Clone, Default)]
pub struct Contents {
    found: Vec<(Stream, u32, Content)>,
    settings: BTreeMap<Stream, usize>,
    open: BTreeMap<Stream, Capture>,
}

/// Limits for hostile logs. The suite has a few hundred features.
const MAX_CONTENTS: usize = 1000;
const MAX_NAMES: usize = 500;

const MAX_DISTANCE: u32 = 40;

impl Output for Contents {
    type Found = Content;
    type Said = Said;
    type Reason = SkipReason;

    fn line<'t>(&mut self, line: Text<'t>) -> Option<(&'t str, SkipReason)> {
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

    fn interrupt(&mut self, stream: Stream) {
        self.close(stream, Extent::Whole);
    }

    fn finish(&mut self) -> Vec<(Stream, u32, Content)> {
        while let Some((&stream, _)) = self.open.first_key_value() {
            self.close(stream, Extent::BrokenOff);
        }
        let mut found = std::mem::take(&mut self.found);
        found.sort_by_key(|(_, line, _)| *line);
        found
    }

    fn is_before_tests(found: &Content) -> bool {
        !matches!(found, Content::Report(_))
    }

    fn add(said: &mut Said, found: Content) {
        match found {
            Content::Settings(settings) => {
                let inferred = said.settings.take().and_then(|before| before.inferred);
                said.settings = Some(Settings {
                    inferred,
                    ..settings
                });
            }
            Content::Inferred(names) => {
                let settings = said.settings.get_or_insert_default();
                settings.inferred.get_or_insert_default().extend(names);
            }
            // A harness may print the report more than once.
            Content::Report(printed) => {
                let is_other = |before: &Printed| {
                    !before.is_cut && !printed.is_cut && before.text != printed.text
                };
                said.prints_several |= said.printed.as_ref().is_some_and(is_other);
                let is_better = |before: &Printed| before.is_cut && !printed.is_cut;
                if said.printed.as_ref().is_none_or(is_better) {
                    said.printed = Some(printed);
                }
            }
        }
    }
}

impl Contents {
    fn is_captured(&mut self, line: Text<'_>) -> bool {
        let Some(capture) = self.open.get_mut(&line.stream) else {
            return false;
        };
        let is_taken = capture.step(line.text, line.line, line.taken) == Step::Taken;
        if !is_taken {
            self.close(line.stream, Extent::Whole);
        }
        is_taken
    }

    fn begin_report(&mut self, line: Text<'_>) {
        let Some(mut capture) = Capture::begin(line.text) else {
            return;
        };
        capture.step(line.text, line.line, line.taken);
        self.open.insert(line.stream, capture);
    }

    fn close(&mut self, stream: Stream, extent: Extent) {
        let capture = self.open.remove(&stream);
        let Some(printed) = capture.and_then(|capture| capture.finish(extent)) else {
            return;
        };
        let first = printed.lines.first().map_or(0, |(line, _)| *line);
        if self.found.len() < MAX_CONTENTS {
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

/// First line of a run, such as `Running conformance tests with acme GatewayClass` up to v1.0.x.
fn is_heading(message: &str) -> bool {
    let rest = message.strip_prefix("Running ").unwrap_or_default();
    let rest = rest.strip_prefix("experimental ").unwrap_or(rest);
    rest.starts_with("conformance tests with")
}

fn skip_reason(message: &str) -> Option<(&str, SkipReason)> {
    let (name, reason) = message.strip_prefix("Skipping ")?.split_once(": ")?;
    let reason = reason.trim_end();
    if reason == "test explicitly skipped" {
        return Some((name, SkipReason::Explicit));
    }
    let feature = reason.strip_prefix("suite does not support ")?;
    Some((name, SkipReason::NotSupported(feature.to_owned())))
}

/// Parses a Go list, such as `[A B]`, `[[A B]]`, `[A,B]` or `map[A:{} B:{}]`.
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
    use crate::testlog::without_position;

    use super::{SkipReason, go_list, skip_reason};

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
