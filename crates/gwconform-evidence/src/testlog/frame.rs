use super::Outcome;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame<'l> {
    /// Start of a test: `=== RUN   name`.
    Run(&'l str),
    /// Line about a running test: `=== PAUSE name`, `=== CONT  name` or `=== NAME  name`.
    Other(&'l str),
    /// Result of a test, such as `--- PASS: name (0.00s)`.
    Result {
        outcome: Outcome,
        name: &'l str,
        /// Indentation in units of four spaces. Each level of subtests adds one unit.
        level: usize,
    },
    /// End of a test binary or package: `PASS`, `FAIL`, `ok  <TAB>package…` or `FAIL<TAB>package…`.
    End {
        is_passed: bool,
        /// Package, if the line names it. `go test` writes such lines after the test binary has
        /// exited.
        package: Option<&'l str>,
    },
}

pub(super) const RUN: &str = "=== RUN   ";

const BEGINNINGS: [&str; 4] = [RUN, "=== PAUSE ", "=== CONT  ", "=== NAME  "];

pub(super) const RESULTS: [(&str, Outcome); 3] = [
    ("--- PASS: ", Outcome::Passed),
    ("--- FAIL: ", Outcome::Failed),
    ("--- SKIP: ", Outcome::Skipped),
];

/// Program output without a final newline can precede a frame. Messages of a test are indented and
/// never contain frames.
pub(super) fn frame(line: &str) -> Option<Frame<'_>> {
    let bytes = line.as_bytes();
    match *bytes.first()? {
        b'P' | b'F' | b'o' if is_end(line) => {
            return Some(Frame::End {
                is_passed: !line.starts_with('F'),
                package: line.split('\t').nth(1),
            });
        }
        b' ' | b'\t' => return indented_result(line),
        _ => {}
    }
    // `go test -json` of Go 1.20 and later writes ^V before frames.
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(&bytes[from..], b"=== ") {
        let rest = &line[from + at..];
        let found = BEGINNINGS.iter().position(|word| rest.starts_with(word));
        if let Some(name) = found.and_then(|at| name(&rest[BEGINNINGS[at].len()..])) {
            return Some(match found {
                Some(0) => Frame::Run(name),
                _ => Frame::Other(name),
            });
        }
        from += at + 4;
    }
    let at = memchr::memmem::rfind(bytes, b"--- ")?;
    let (outcome, name) = result(&line[at..])?;
    Some(Frame::Result {
        outcome,
        name,
        level: 0,
    })
}

/// Each level adds at least one slash to the name, but the short name of a subtest can contain more
/// slashes.
fn indented_result(line: &str) -> Option<Frame<'_>> {
    let rest = line.trim_start_matches([' ', '\t']);
    let (outcome, name) = result(rest)?;
    let (indent, _) = line.split_at(line.len() - rest.len());
    let level = indent.len() / 4;
    let is_level = indent.len().is_multiple_of(4)
        && !indent.contains('\t')
        && level <= name.matches('/').count();
    is_level.then_some(Frame::Result {
        outcome,
        name,
        level,
    })
}

fn result(text: &str) -> Option<(Outcome, &str)> {
    let (word, outcome) = RESULTS.iter().find(|(word, _)| text.starts_with(word))?;
    let (name_text, duration) = text[word.len()..].split_once(" (")?;
    let seconds = duration.strip_suffix("s)")?;
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let is_duration = !seconds.is_empty() && seconds.chars().all(is_number);
    Some((*outcome, name(name_text).filter(|_| is_duration)?))
}

/// Test name, in which `go test` replaces spaces with `_`.
fn name(text: &str) -> Option<&str> {
    let is_name = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    is_name.then_some(text)
}

fn is_end(line: &str) -> bool {
    matches!(line, "PASS" | "FAIL") || line.starts_with("ok  \t") || line.starts_with("FAIL\t")
}

#[cfg(test)]
mod tests {
    use super::{Frame, Outcome, frame};

    #[test]
    fn frames_are_whole_lines() {
        let result = |name, level| {
            Some(Frame::Result {
                outcome: Outcome::Passed,
                name,
                level,
            })
        };
        let passed = |name| result(name, 0);
        let end = |is_passed, package| Some(Frame::End { is_passed, package });
        let cases = [
            ("=== RUN   T/A", Some(Frame::Run("T/A"))),
            ("=== CONT  T/A", Some(Frame::Other("T/A"))),
            ("…skipping...=== RUN   T/A", Some(Frame::Run("T/A"))),
            ("\u{16}=== NAME  T", Some(Frame::Other("T"))),
            ("=== RUN   two words", None),
            ("--- PASS: T (0.41s)", passed("T")),
            ("    --- PASS: T/A (0.41s)", result("T/A", 1)),
            (
                "        --- PASS: T/A/0_'/get' (0.41s)",
                result("T/A/0_'/get'", 2),
            ),
            ("      --- PASS: T/A/b (0.41s)", None),
            ("skipping...--- PASS: T (0.41s)", passed("T")),
            ("        --- PASS: T/A (0.41s)", None),
            ("    a.go:1: --- PASS: T/A (0.41s)", None),
            ("--- FAIL: not a result line", None),
            ("--- FAIL: T (never)", None),
            ("  --- FAIL: T/A (0.41s)", None),
            ("\t--- FAIL: T/A (0.41s)", None),
            ("PASS", end(true, None)),
            ("FAIL\tpkg\t1s", end(false, Some("pkg"))),
            (
                "FAIL\tpkg [build failed]",
                end(false, Some("pkg [build failed]")),
            ),
            ("ok  \tpkg\t1s", end(true, Some("pkg"))),
            ("PASSED", None),
            ("", None),
        ];
        for (line, expected) in cases {
            assert_eq!(frame(line), expected, "{line:?}");
        }
    }
}
