//! Draws inline SVG charts without text from reports. Charts only repeat numbers from the
//! surrounding text, so screen readers ignore them.

use std::fmt::Write as _;

use super::MAX_ROWS;
use super::mark::Mark;

/// Draws a bar whose parts are as long as their counts.
pub(super) fn share(counts: &[(Mark, usize)]) -> String {
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let mut svg = format!(
        "<svg class=\"share\" viewBox=\"0 0 {} 1\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
        total.max(1)
    );
    let mut x = 0;
    for (mark, count) in counts.iter().filter(|(_, count)| *count > 0) {
        let _ = write!(
            svg,
            "<path class=\"{}\" d=\"M{x} 0h{count}v1h-{count}z\"/>",
            mark.class
        );
        x += count;
    }
    svg + "</svg>"
}

pub(super) struct Line<'l> {
    pub(super) class: &'static str,
    pub(super) name: &'static str,
    pub(super) values: &'l [Option<usize>],
}

const LEFT: usize = 28;
const TOP: usize = 10;
const STEP: usize = 44;
const CHART: usize = 132;
/// Width and height of the name of a line, in the larger font for phones.
const NAME: usize = 100;
const NAME_HEIGHT: usize = 16;

/// Draws one step per minor, with a filled area below each line.
pub(super) fn steps(minors: &[String], lines: &[Line<'_>]) -> String {
    let values = lines.iter().flat_map(|line| line.values.iter().flatten());
    let most = round_up(values.copied().max().unwrap_or_default());
    let width = LEFT + STEP * minors.len().max(1) + NAME;
    let mut svg = open("steps", width, TOP + CHART + 22);
    let y = |value: usize| TOP + CHART - value * CHART / most;
    for tick in [0, most / 2, most] {
        let _ = write!(
            svg,
            "<path class=\"axis\" d=\"M{LEFT} {0}h{1}\"/><text x=\"{2}\" y=\"{3}\" class=\"tick end\">{tick}</text>",
            y(tick),
            STEP * minors.len(),
            LEFT - 5,
            y(tick) + 4,
        );
    }
    for (at, minor) in minors.iter().enumerate() {
        let x = LEFT + at * STEP + STEP / 2;
        let base = TOP + CHART + 16;
        let _ = write!(
            svg,
            "<text x=\"{x}\" y=\"{base}\" class=\"tick mid\">{minor}</text>"
        );
    }
    let mut taken: Vec<usize> = Vec::new();
    for line in lines {
        let mut end = None;
        for run in runs(line.values) {
            let (mut path, first, last) = (String::new(), run.start, run.end);
            for at in run {
                let value = line.values[at].unwrap_or_default();
                let (x, y) = (LEFT + at * STEP, y(value));
                let _ = if path.is_empty() {
                    write!(path, "M{x} {y}h{STEP}")
                } else {
                    write!(path, "V{y}h{STEP}")
                };
                end = Some((x + STEP, y));
            }
            let floor = format!("{path}V{}H{}z", TOP + CHART, LEFT + first * STEP);
            debug_assert!(last > first);
            let class = line.class;
            let _ = write!(
                svg,
                "<path class=\"area {class}\" d=\"{floor}\"/><path class=\"line {class}\" d=\"{path}\"/>"
            );
        }
        if let Some((x, y)) = end {
            let mut y = y + 4;
            while taken.iter().any(|other| other.abs_diff(y) < NAME_HEIGHT) {
                y += NAME_HEIGHT;
            }
            taken.push(y);
            let (class, name) = (line.class, line.name);
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{y}\" class=\"name {class}\">{name}</text>",
                x + 5
            );
        }
    }
    svg + "</svg>"
}

fn open(class: &str, width: usize, height: usize) -> String {
    format!(
        "<svg class=\"{class}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" aria-hidden=\"true\" focusable=\"false\">"
    )
}

/// Rounds up to an even number of at least 2, so that the middle tick is an integer.
fn round_up(most: usize) -> usize {
    let unit = if most > 20 { 10 } else { 2 };
    most.max(2).div_ceil(unit) * unit
}

fn runs(values: &[Option<usize>]) -> Vec<std::ops::Range<usize>> {
    let mut runs = Vec::new();
    let mut start = None;
    for (at, value) in values.iter().enumerate() {
        match (value, start) {
            (Some(_), None) => start = Some(at),
            (None, Some(from)) => {
                runs.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    runs.extend(start.map(|from| from..values.len()));
    runs
}

/// Draws one mark per test, by result. More than twice [`MAX_ROWS`] tests result in an empty chart,
/// because the numbers come from the report.
pub(super) fn dots(numbers: [u64; 4]) -> String {
    // A mark is 8 wide.
    const STEP: u64 = 10;
    const IN_ROW: u64 = 24;
    let all = numbers
        .iter()
        .fold(0u64, |sum, number| sum.saturating_add(*number));
    if all == 0 || all > 2 * MAX_ROWS as u64 {
        return String::new();
    }
    let rows = all.div_ceil(IN_ROW);
    let columns = all.min(IN_ROW);
    let mut svg = open("dots", (columns * STEP) as usize, (rows * STEP) as usize);
    let mut from = 0;
    for (number, class) in numbers
        .into_iter()
        .zip(["passed", "unseen", "skipped", "failed"])
    {
        if number == 0 {
            continue;
        }
        let _ = write!(svg, "<path class=\"{class}\" d=\"");
        for at in from..from + number {
            let (x, y) = (at % IN_ROW * STEP, at / IN_ROW * STEP);
            // Shapes distinguish results without relying on color: unseen results are hollow,
            // skipped tests have half the height, and failed tests are crosses.
            let _ = match class {
                "passed" => write!(svg, "M{x} {y}h8v8h-8z"),
                "unseen" => write!(svg, "M{x}.5 {y}.5h7v7h-7z"),
                "skipped" => write!(svg, "M{x} {}h8v4h-8z", y + 4),
                _ => write!(svg, "M{x} {y}l8 8m0 -8l-8 8"),
            };
        }
        svg.push_str("\"/>");
        from += number;
    }
    svg + "</svg>"
}
