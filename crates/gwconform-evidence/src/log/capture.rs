use super::Printed;
use gwconform_base::api::SUBJECT;
use gwconform_base::text::source::MAX_FILE_BYTES;
use gwconform_report::report::fit::Extent;

/// The suite sorts keys, so reports start with `apiVersion`.
const FIRST: &str = "apiVersion: ";

/// Distinguishes reports from other API objects, which tests also print.
const KIND: &str = "kind: ConformanceReport";

/// Top-level fields of a report. Any other unindented line ends the report.
const FIELDS: [&str; 11] = [
    "apiVersion",
    "date",
    SUBJECT.channel_field,
    SUBJECT.release_field,
    "implementation",
    "kind",
    "metadata",
    "mode",
    "profiles",
    "status",
    "succeededProvisionalTests",
];

#[derive(Debug, Clone, Default)]
pub(super) struct Capture {
    indent: usize,
    printed: Printed,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    Taken,
    Ended,
}

impl Capture {
    pub(super) fn begin(text: &str) -> Option<Self> {
        let rest = text.trim_start_matches(' ');
        let group = rest.strip_prefix(FIRST)?.strip_prefix(SUBJECT.group)?;
        group.starts_with('/').then(|| Self {
            indent: text.len() - rest.len(),
            printed: Printed::default(),
        })
    }

    /// Adds a line to the report. `taken` is the number of characters before the text in the log
    /// line.
    pub(super) fn step(&mut self, text: &str, line: u32, taken: Option<u32>) -> Step {
        let blanks = text.len() - text.trim_start_matches(' ').len();
        let is_blank = blanks == text.len();
        let belongs = is_blank || blanks >= self.indent && (self.indent > 0 || is_yaml(text));
        let bytes = self.printed.text.len() + text.len();
        if !belongs || bytes as u64 > MAX_FILE_BYTES {
            return Step::Ended;
        }
        self.printed
            .text
            .push_str(text.get(self.indent..).unwrap_or_default());
        self.printed.text.push('\n');
        let indent = u32::try_from(self.indent).unwrap_or(u32::MAX);
        let before = taken.map(|taken| taken.saturating_add(indent));
        self.printed.lines.push((line, before));
        Step::Taken
    }

    pub(super) fn finish(mut self, extent: Extent) -> Option<Printed> {
        while self.printed.text.ends_with("\n\n") {
            self.printed.text.pop();
            self.printed.lines.pop();
        }
        self.printed.is_cut = extent == Extent::BrokenOff;
        let is_report = self
            .printed
            .text
            .lines()
            .any(|line| line.trim_end() == KIND);
        (is_report || self.printed.is_cut).then_some(self.printed)
    }
}

fn is_yaml(text: &str) -> bool {
    if text.starts_with([' ', '-']) {
        return !text.starts_with("--");
    }
    let key = text.split_once(':').map(|(key, _)| key);
    key.is_some_and(|key| FIELDS.contains(&key))
}
