use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::event::{Event, event};
use super::frame::{Frame, frame};
use super::log_lines::Line;
use super::output::{Output, Stream, Text, mark, without_position};
use super::prefix::{Prefix, time_length};
use super::signs::{Sign, Signs, sign};
use super::{LogError, MAX_LINE, MAX_TESTS, Mark, Outcome, TestRun};

/// For all incomplete lines, in bytes.
const MAX_PARTIAL: usize = 16 * 1024 * 1024;

/// Bytes of a name, which has a copy for each of its parents. Real names have up to about 150.
const MAX_NAME: usize = 512;

pub(super) struct Collector<'k, O: Output> {
    known: HashSet<&'k str>,
    prefix: Prefix,
    pub(super) packages: Vec<Package>,
    package_ids: BTreeMap<String, usize>,
    pub(super) tests: Vec<Test<O::Reason>>,
    block: Block,
    entries: usize,
    pub(super) output: O,
    pub(super) found: Vec<(Stream, u32, O::Found)>,
    partial: BTreeMap<Stream, String>,
    partial_bytes: usize,
    last: (usize, String, Option<usize>),
    /// The test named by the last line of `go test`, or its nearest stored parent.
    writer: Option<usize>,
    passed_line: Option<u32>,
    ended_package: Option<Box<str>>,
}

/// The last result in a text log, and the results above it. `go test -v` prints the result of a
/// subtest below that of its parent, and indents each level by four spaces.
#[derive(Debug, Default)]
struct Block {
    name: String,
    /// Length of the name at each level, in bytes.
    levels: Vec<usize>,
}

impl Block {
    /// Length of the parent's name, if the line is below the result of its parent. Programs can
    /// print lines elsewhere that look like results. The level identifies the parent, because short
    /// names can contain slashes, as in `0_request_to_'/get'` (`handleInputLine` in
    /// `cmd/internal/test2json`).
    fn place(&mut self, name: &str, level: usize) -> Option<usize> {
        if self.levels.len() < level || level == 0 && name.contains('/') {
            return None;
        }
        self.levels.truncate(level);
        let parent = self.levels.last().copied().unwrap_or_default();
        self.name.truncate(parent);
        let own = name.strip_prefix(&*self.name)?;
        if level > 0 && !own.starts_with('/') {
            return None;
        }
        self.name.push_str(own);
        self.levels.push(name.len());
        Some(parent)
    }
}

/// Results in text logs belong to one package without a name.
#[derive(Debug, Default)]
pub(super) struct Package {
    tests: HashMap<Box<str>, usize>,
    by_short_name: HashMap<Box<str>, usize>,
    /// Last line on which a top-level test starts or the test binary ends.
    pub(super) last_end: u32,
    pub(super) signs: Signs,
    pub(super) first_time: String,
    pub(super) last_time: String,
}

#[derive(Debug)]
pub(super) struct Test<R> {
    pub(super) name: Box<str>,
    pub(super) package: usize,
    pub(super) parent: Option<usize>,
    pub(super) begins: Vec<(Mark, Option<Box<str>>)>,
    /// Worst result of each run, by the number of starts.
    pub(super) ends: Vec<(usize, (Outcome, Mark))>,
    pub(super) states: Vec<(usize, TestRun<R>)>,
}

impl<'k, O: Output> Collector<'k, O> {
    pub(super) fn new(known: &BTreeSet<&'k str>, output: O) -> Self {
        Self {
            known: known.iter().copied().collect(),
            prefix: Prefix::default(),
            packages: vec![Package::default()],
            package_ids: BTreeMap::from([(String::new(), 0)]),
            tests: Vec::new(),
            block: Block::default(),
            entries: 0,
            output,
            found: Vec::new(),
            partial: BTreeMap::new(),
            partial_bytes: 0,
            last: (0, String::new(), None),
            writer: None,
            passed_line: None,
            ended_package: None,
        }
    }

    pub(super) fn is_known(&self, name: &str) -> bool {
        self.known.contains(name)
    }

    /// Includes repeated tests such as `X#01`.
    fn is_test_of_suite(&self, part: &str) -> bool {
        self.is_known(without_repeat(part).0)
    }

    pub(super) fn line(&mut self, line: &Line<'_>) -> Result<(), LogError> {
        let whole = String::from_utf8_lossy(line.bytes);
        let own = whole.trim_end_matches('\r');
        let (time, text) = self.prefix.split(own, line.number)?;
        if let Some(event) = event(text) {
            return self.event(&event, line);
        }
        if let Some(time) = time {
            self.time(0, time);
        }
        let stream = Stream {
            package: 0,
            test: self.writer,
        };
        match frame(text) {
            // The last line of a truncated log can be the beginning of another line.
            Some(
                Frame::Run(_)
                | Frame::Other(_)
                | Frame::End {
                    is_passed: true, ..
                },
            ) if !line.is_ended => Ok(()),
            Some(frame) => {
                self.output.interrupt(stream);
                self.frame(&frame, line)
            }
            None => {
                if let Some(sign) = sign(text) {
                    self.sign(0, sign, line);
                }
                let taken = own[..own.len() - text.len()].chars().count();
                let is_exact = matches!(whole, Cow::Borrowed(_));
                self.content(Text {
                    stream,
                    text,
                    line: line.number,
                    taken: u32::try_from(taken).ok().filter(|_| is_exact),
                    raw: line.bytes,
                });
                Ok(())
            }
        }
    }

    fn frame(&mut self, frame: &Frame<'_>, line: &Line<'_>) -> Result<(), LogError> {
        let raw = mark(line.number, line.bytes);
        match *frame {
            Frame::Result {
                outcome,
                name,
                level,
            } => return self.text_result(name, level, outcome, raw),
            Frame::Run(name) => {
                self.begin(0, name, raw)?;
                self.writer = self.nearest(0, name);
            }
            Frame::Other(name) => self.writer = self.nearest(0, name),
            Frame::End { is_passed, package } => {
                if let Some(name) = package.filter(|name| name.len() <= MAX_NAME) {
                    self.ended_package.get_or_insert_with(|| name.into());
                }
                self.binary_end(0, is_passed, package.is_some(), line);
            }
        }
        Ok(())
    }

    fn text_result(
        &mut self,
        name: &str,
        level: usize,
        outcome: Outcome,
        mark: Mark,
    ) -> Result<(), LogError> {
        let Some(parent) = self.block.place(name, level) else {
            return Ok(());
        };
        let (parent, own) = name.split_at(parent);
        if outcome == Outcome::Failed && level > 0 {
            self.fail(0, parent, &mark)?;
        }
        let mut parts = own.split('/').skip(1);
        let has_slash = parts.clone().nth(1).is_some();
        if has_slash && parts.any(|part| self.is_test_of_suite(part)) {
            return Ok(());
        }
        self.result(0, name, outcome, mark)
    }

    fn event(&mut self, event: &Event<'_>, line: &Line<'_>) -> Result<(), LogError> {
        let package = self.package(&event.package);
        if !event.time.is_empty() {
            self.time(package, &event.time);
        }
        let outcome = match event.action.as_ref() {
            "output" => {
                self.failed_output(package, event, line)?;
                self.output(package, event, line);
                return Ok(());
            }
            "run" => {
                let raw = mark(line.number, line.bytes);
                return self.begin(package, &event.test, raw);
            }
            "pass" => Outcome::Passed,
            "fail" => Outcome::Failed,
            "skip" => Outcome::Skipped,
            _ => return Ok(()),
        };
        if event.test.is_empty() {
            self.binary_end(package, outcome != Outcome::Failed, true, line);
            return Ok(());
        }
        let raw = mark(line.number, line.bytes);
        self.result(package, &event.test, outcome, raw)
    }

    fn binary_end(&mut self, package: usize, is_passed: bool, is_package: bool, line: &Line<'_>) {
        self.end(package, line.number);
        if is_passed {
            self.passed_line.get_or_insert(line.number);
        }
        let end = Sign::End {
            is_passed,
            is_package,
        };
        self.sign(package, end, line);
    }

    fn output(&mut self, package: usize, event: &Event<'_>, line: &Line<'_>) {
        let test = match event.test.as_ref() {
            "" => None,
            name => match self.find(package, name) {
                None => return,
                found => found,
            },
        };
        let stream = Stream { package, test };
        let mut output = event.output.as_ref();
        if let Some(mut begun) = self.partial.remove(&stream) {
            self.partial_bytes -= begun.len();
            let (end, rest) = match output.split_once('\n') {
                Some((end, rest)) => (end, Some(rest)),
                None => (output, None),
            };
            let room = MAX_LINE.saturating_sub(begun.len());
            let room = room.min(MAX_PARTIAL - self.partial_bytes);
            begun.push_str(&end[..end.floor_char_boundary(room)]);
            let Some(rest) = rest else {
                self.partial_bytes += begun.len();
                self.partial.insert(stream, begun);
                return;
            };
            self.output_line(stream, &begun, line);
            output = rest;
        }
        for piece in output.split_inclusive('\n') {
            let Some(text) = piece.strip_suffix('\n') else {
                let room = MAX_LINE.min(MAX_PARTIAL - self.partial_bytes);
                let kept = &piece[..piece.floor_char_boundary(room)];
                self.partial_bytes += kept.len();
                self.partial.insert(stream, kept.to_owned());
                return;
            };
            self.output_line(stream, text, line);
        }
    }

    fn output_line(&mut self, stream: Stream, text: &str, line: &Line<'_>) {
        self.content(Text {
            stream,
            text: text.strip_suffix('\r').unwrap_or(text),
            line: line.number,
            taken: None,
            raw: line.bytes,
        });
    }

    pub(super) fn content(&mut self, line: Text<'_>) {
        let message = without_position(line.text.trim_start());
        if let Some(length) = time_length(message.as_bytes())
            && message[length..].starts_with(": ")
        {
            self.time(line.stream.package, &message[..length]);
        }
        let Some((name, reason)) = self.output.line(line) else {
            return;
        };
        let package = &self.packages[line.stream.package];
        let is_writer =
            |&test: &usize| without_repeat(short_name(&self.tests[test].name)).0 == name;
        let writer = line.stream.test.filter(is_writer);
        if let Some(test) = writer.or_else(|| package.by_short_name.get(name).copied()) {
            let run = self.state(test);
            if run.reason.is_none() {
                run.reason = Some((reason, mark(line.line, line.raw)));
            }
        }
    }

    pub(super) fn package(&mut self, name: &str) -> usize {
        if let Some(&at) = self.package_ids.get(name) {
            return at;
        }
        if self.packages.len() >= MAX_TESTS || name.len() > MAX_NAME {
            return 0;
        }
        self.packages.push(Package::default());
        let at = self.packages.len() - 1;
        self.package_ids.insert(name.to_owned(), at);
        at
    }

    fn time(&mut self, package: usize, time: &str) {
        let package = &mut self.packages[package];
        if package.first_time.is_empty() {
            package.first_time.push_str(time);
        }
        package.last_time.clear();
        package.last_time.push_str(time);
    }

    pub(super) fn end(&mut self, package: usize, line: u32) {
        let stream = Stream {
            package,
            test: None,
        };
        self.output.interrupt(stream);
        self.packages[package].last_end = line;
    }

    fn find(&mut self, package: usize, name: &str) -> Option<usize> {
        let (last_package, last_name, found) = &self.last;
        if *last_package == package && last_name == name {
            return *found;
        }
        let found = self.packages[package].tests.get(name).copied();
        self.last.0 = package;
        self.last.1.clear();
        self.last.1.push_str(name);
        self.last.2 = found;
        found
    }

    fn nearest(&mut self, package: usize, name: &str) -> Option<usize> {
        if name.len() > MAX_NAME {
            return None;
        }
        let mut above = Some(name);
        while let Some(name) = above {
            if let Some(found) = self.find(package, name) {
                return Some(found);
            }
            above = name.rsplit_once('/').map(|(above, _)| above);
        }
        None
    }

    /// `None` for subtests of suite tests, and for names that suite tests cannot have.
    fn test(&mut self, package: usize, name: &str, line: u32) -> Result<Option<usize>, LogError> {
        if let Some(found) = self.find(package, name) {
            return Ok(Some(found));
        }
        if name.len() > MAX_NAME {
            return Ok(None);
        }
        let mut parts = name.split('/');
        let short = parts.next_back().unwrap_or_default();
        if parts.skip(1).any(|part| self.is_test_of_suite(part)) {
            return Ok(None);
        }
        if self.tests.len() >= MAX_TESTS {
            return Err(LogError::TooManyTests { line });
        }
        let parent = match name.rsplit_once('/') {
            Some((parent, _)) => self.test(package, parent, line)?,
            None => None,
        };
        let at = self.tests.len();
        self.tests.push(Test {
            name: name.into(),
            package,
            parent,
            begins: Vec::new(),
            ends: Vec::new(),
            states: Vec::new(),
        });
        let of_package = &mut self.packages[package];
        of_package.tests.insert(name.into(), at);
        let (short, _) = without_repeat(short);
        if self.known.contains(short) {
            of_package.by_short_name.insert(short.into(), at);
        }
        self.last = (package, name.to_owned(), Some(at));
        Ok(Some(at))
    }

    fn count(&mut self, line: u32) -> Result<(), LogError> {
        self.entries += 1;
        if self.entries > 2 * MAX_TESTS {
            Err(LogError::TooManyTests { line })
        } else {
            Ok(())
        }
    }

    fn state(&mut self, test: usize) -> &mut TestRun<O::Reason> {
        let parent = self.tests[test].parent;
        let run = parent.map_or(0, |parent| self.tests[parent].begins.len());
        let states = &mut self.tests[test].states;
        if states.last().is_none_or(|(last, _)| *last != run) {
            states.push((run, TestRun::default()));
        }
        let last = states.len() - 1;
        &mut states[last].1
    }

    pub(super) fn begin(&mut self, package: usize, name: &str, mark: Mark) -> Result<(), LogError> {
        if !name.contains('/') {
            self.end(package, mark.line);
        }
        let begin = mark.line;
        let Some(test) = self.test(package, name, mark.line)? else {
            return Ok(());
        };
        self.count(mark.line)?;
        let now = self.packages[package].last_time.as_str();
        let time = Some(now).filter(|now| !now.is_empty());
        let time = time.map(Into::into);
        let run = self.state(test);
        run.begun.get_or_insert_with(|| mark.clone());
        self.tests[test].begins.push((mark, time));
        if self.tests[test].parent.is_none() {
            self.packages[package].signs.begin(begin);
        }
        self.newest(package, name, test);
        Ok(())
    }

    pub(super) fn result(
        &mut self,
        package: usize,
        name: &str,
        outcome: Outcome,
        mark: Mark,
    ) -> Result<(), LogError> {
        if self.test_of_suite(name).len() < name.len() {
            return match outcome {
                Outcome::Failed => self.fail(package, name, &mark),
                _ => Ok(()),
            };
        }
        let Some(test) = self.test(package, name, mark.line)? else {
            return Ok(());
        };
        self.count(mark.line)?;
        self.newest(package, name, test);
        self.output.interrupt(Stream {
            package,
            test: Some(test),
        });
        if self.tests[test].parent.is_none() {
            self.packages[package].signs.result();
        }
        self.end_test(test, outcome, mark);
        Ok(())
    }

    fn fail(&mut self, package: usize, name: &str, mark: &Mark) -> Result<(), LogError> {
        let name = self.test_of_suite(name);
        if let Some(test) = self.test(package, name, mark.line)? {
            self.end_test(test, Outcome::Failed, mark.clone());
        }
        Ok(())
    }

    /// The worst result counts.
    fn end_test(&mut self, test: usize, outcome: Outcome, mark: Mark) {
        let run = self.state(test);
        if run
            .outcome
            .as_ref()
            .is_none_or(|(before, _)| *before < outcome)
        {
            run.outcome = Some((outcome, mark.clone()));
        }
        let Test { begins, ends, .. } = &mut self.tests[test];
        match ends.last_mut().filter(|last| last.0 == begins.len()) {
            Some((_, (before, _))) if *before >= outcome => {}
            Some((_, end)) => *end = (outcome, mark),
            None => ends.push((begins.len(), (outcome, mark))),
        }
    }

    fn test_of_suite<'n>(&self, name: &'n str) -> &'n str {
        let mut from = 0;
        for (number, part) in name.split('/').enumerate() {
            let end = from + part.len();
            if number > 0 && self.is_test_of_suite(part) {
                return &name[..end];
            }
            from = end + 1;
        }
        name
    }

    /// Tests below different roots can have the same short name, and output that contains only the
    /// short name refers to the newest test.
    fn newest(&mut self, package: usize, name: &str, test: usize) {
        let (short, _) = without_repeat(short_name(name));
        if let Some(newest) = self.packages[package].by_short_name.get_mut(short) {
            *newest = test;
        }
    }

    fn sign(&mut self, package: usize, sign: Sign, line: &Line<'_>) {
        let signs = &mut self.packages[package].signs;
        signs.push(sign, || mark(line.number, line.bytes));
    }

    /// Reads failures from output text, because the log can omit a test's `fail` event.
    fn failed_output(
        &mut self,
        package: usize,
        event: &Event<'_>,
        line: &Line<'_>,
    ) -> Result<(), LogError> {
        let text = event.output.trim_end_matches(['\n', '\r']);
        if let Some(sign) = sign(text) {
            self.sign(package, sign, line);
        }
        if memchr::memmem::find(text.as_bytes(), b"--- FAIL: ").is_none() {
            return Ok(());
        }
        let failed = match frame(text) {
            Some(Frame::Result {
                outcome: Outcome::Failed,
                name,
                ..
            }) => name,
            _ => return Ok(()),
        };
        if failed != event.test {
            return Ok(());
        }
        let raw = mark(line.number, line.bytes);
        self.result(package, failed, Outcome::Failed, raw)
    }

    pub(super) fn unknown_prefix(&self) -> Option<u32> {
        self.prefix.unknown()
    }

    /// First test of a suite without known tests.
    pub(super) fn other_test(&self) -> Option<Box<str>> {
        let short = |test| without_repeat(short_name(test)).0;
        let mut names = self.tests.iter().map(|test| short(&*test.name));
        if names.any(|name| self.is_known(name)) {
            return None;
        }
        let mut below = self.tests.iter().filter(|test| test.parent.is_some());
        below.next().map(|test| short(&*test.name).into())
    }

    /// The package in the result of a test binary, or else in the first event.
    pub(super) fn named_package(&self) -> Option<Box<str>> {
        let of_events = || self.package_ids.keys().find(|name| !name.is_empty());
        let of_end = self.ended_package.clone();
        of_end.or_else(|| of_events().map(|name| name.as_str().into()))
    }

    pub(super) fn passed_without_names(&self) -> Option<u32> {
        self.passed_line.filter(|_| self.tests.is_empty())
    }
}

pub(super) fn short_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or_default()
}

/// Splits `X#01` into `X` and 1. `go test` adds the number to the second test `X` of a parent.
pub(super) fn without_repeat(short: &str) -> (&str, u32) {
    let repeat = short.rsplit_once('#').and_then(|(name, digits)| {
        let is_number = digits.len() >= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        Some((name, digits.parse().ok().filter(|_| is_number)?))
    });
    repeat.unwrap_or((short, 0))
}
