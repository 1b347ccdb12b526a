//! Detects signs that a run failed as a whole, even if none of its tests failed.

use super::{Failure, Mark};

#[derive(Debug, Default)]
pub(super) struct Signs {
    begins: Vec<u32>,
    /// Lines that consist of `ok` or `FAIL` and a package name.
    package_ends: Vec<(bool, Mark)>,
    /// Lines that consist only of `PASS` or `FAIL`.
    bare_ends: Vec<(bool, Mark)>,
    faults: Vec<(Failure, Mark)>,
    recent: Vec<Sign>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Fault(Failure),
    End { is_passed: bool, is_package: bool },
}

pub(super) fn sign(text: &str) -> Option<Sign> {
    const RACE: &str = "race detected during execution of test";
    let text = text.trim_end();
    let is_race = match *text.as_bytes().first()? {
        b'p' if text.starts_with("panic: ") => return Some(Sign::Fault(Failure::Panic)),
        b'W' => text == "WARNING: DATA RACE",
        b'F' => text.starts_with("Found ") && text.ends_with(" data race(s)"),
        _ => text.ends_with(RACE) && super::output::without_position(text.trim_start()) == RACE,
    };
    is_race.then_some(Sign::Fault(Failure::Race))
}

impl Signs {
    pub(super) fn begin(&mut self, line: u32) {
        self.recent.clear();
        self.begins.push(line);
    }

    pub(super) fn result(&mut self) {
        self.recent.clear();
    }

    pub(super) fn push(&mut self, sign: Sign, mark: impl FnOnce() -> Mark) {
        if self.recent.contains(&sign) {
            return;
        }
        self.recent.push(sign);
        match sign {
            Sign::Fault(failure) => self.faults.push((failure, mark())),
            Sign::End {
                is_passed,
                is_package: true,
            } => self.package_ends.push((is_passed, mark())),
            Sign::End { is_passed, .. } => self.bare_ends.push((is_passed, mark())),
        }
    }

    pub(super) fn fault(&self, from: u32, end: u32) -> Option<(Failure, Mark)> {
        let first = self.faults.partition_point(|(_, mark)| mark.line < from);
        let found = self.faults.get(first);
        found.filter(|(_, mark)| mark.line <= end).cloned()
    }

    pub(super) fn start(&self, line: u32) -> u32 {
        let before = |ends: &[(bool, Mark)]| {
            let count = ends.partition_point(|(_, mark)| mark.line < line);
            count.checked_sub(1).map_or(0, |at| ends[at].1.line)
        };
        before(&self.package_ends).max(before(&self.bare_ends))
    }

    pub(super) fn end(&self, line: u32) -> (u32, Option<&Mark>) {
        let after = |ends: &[(bool, Mark)]| ends.partition_point(|(_, mark)| mark.line <= line);
        let package = self.package_ends.get(after(&self.package_ends));
        let bare = &self.bare_ends[after(&self.bare_ends)..];
        let of_package = package.map_or(u32::MAX, |(_, mark)| mark.line);
        // Another test binary can run before.
        let next = bare.first().and_then(|(_, bare)| {
            let at = self.begins.partition_point(|begin| *begin <= bare.line);
            self.begins.get(at).copied()
        });
        let end = next.map_or(of_package, |next| of_package.min(next.saturating_sub(1)));
        let ends = bare.iter().take(2).chain(package);
        let failed = ends.filter(|(is_passed, mark)| !is_passed && mark.line <= end);
        (
            end,
            failed.map(|(_, mark)| mark).min_by_key(|mark| mark.line),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Failure, Mark};
    use super::{Sign, Signs, sign};

    #[test]
    fn signs_are_whole_lines_of_the_binary() {
        let fault = |failure| Some(Sign::Fault(failure));
        let cases = [
            ("panic: boom", fault(Failure::Panic)),
            ("\tpanic: boom", None),
            ("    x.go:1: panic: boom", None),
            ("WARNING: DATA RACE", fault(Failure::Race)),
            (
                "    testing.go:1490: race detected during execution of test",
                fault(Failure::Race),
            ),
            ("no race detected during execution of test", None),
            ("Found 1 data race(s)", fault(Failure::Race)),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(sign(text), expected, "{text:?}");
        }
    }

    #[test]
    fn distinguishes_the_ends_of_two_binaries() {
        let push = |signs: &mut Signs, line, is_passed, is_package| {
            let mark = Mark { line, text: None };
            let sign = Sign::End {
                is_passed,
                is_package,
            };
            signs.push(sign, || mark);
        };
        let mut signs = Signs::default();
        push(&mut signs, 10, true, false);
        push(&mut signs, 11, true, true);
        signs.begin(20);
        push(&mut signs, 30, false, false);
        push(&mut signs, 31, false, true);
        let failed = |line| {
            let (end, failed) = signs.end(line);
            (end, failed.map(|mark| mark.line))
        };
        assert_eq!(failed(5), (11, None));
        assert_eq!(failed(25), (31, Some(30)));
        assert_eq!(signs.start(25), 11);
    }
}
