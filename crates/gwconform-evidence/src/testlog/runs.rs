use std::collections::{BTreeMap, BTreeSet};

use super::collector::{Collector, Test, short_name, without_repeat};
use super::output::{Output, Stream};
use super::{Failure, Mark, Outcome, Run, TestRun};

struct Part<R> {
    root: usize,
    number: usize,
    begin: u32,
    last_test: u32,
    tests: Vec<(String, TestRun<R>)>,
}

type Tests<R> = Vec<(String, TestRun<R>)>;

/// Key of a run: the root, the number of its starts, and the number of earlier suite runs below
/// that start. `go test` adds `#01` to the test names of a second suite run.
type Key = (usize, usize, u32);

type Parts<R> = BTreeMap<Key, Tests<R>>;

/// Runs in log order, and the output that belongs to none.
pub(super) fn runs<O: Output>(
    mut collector: Collector<'_, O>,
    lines: u32,
) -> (Vec<Run<O>>, Vec<O::Found>) {
    collector.found = collector.output.finish();
    let is_root = roots(&collector);
    let mut parts = parts(&mut collector, &is_root);
    parts.sort_by_key(|part| part.begin);
    let owners = owners(&mut collector, &is_root, &parts);
    let mut runs = together(&collector, &is_root, parts, lines);
    let mut rest = Vec::new();
    for (owner, content) in owners {
        match owner.and_then(|at| runs.get_mut(at)) {
            Some(run) => O::add(&mut run.said, content),
            None => rest.push(content),
        }
    }
    (runs, rest)
}

/// A root is a parent with at least half as many suite tests as the parent with the most suite
/// tests. If no test of the suite ran, it is a top-level test without subtests that wrote output of
/// the suite, or is named for the suite, such as `TestConformance`.
fn roots<O: Output>(collector: &Collector<'_, O>) -> Vec<bool> {
    let mut children = vec![0_usize; collector.tests.len()];
    for test in &collector.tests {
        if let Some(parent) = test.parent
            && collector.is_known(without_repeat(short_name(&test.name)).0)
        {
            children[parent] += 1;
        }
    }
    let most = children.iter().copied().max().unwrap_or(0);
    if most == 0 {
        let parents: BTreeSet<usize> = collector.tests.iter().filter_map(|t| t.parent).collect();
        let found = collector.found.iter();
        let writers: BTreeSet<usize> = found.filter_map(|(stream, ..)| stream.test).collect();
        let tests = collector.tests.iter().enumerate();
        let is_root = |(at, test): (usize, &Test<O::Reason>)| {
            let is_alone = test.parent.is_none() && !parents.contains(&at);
            is_alone && (writers.contains(&at) || test.name.contains("Conformance"))
        };
        return tests.map(is_root).collect();
    }
    let is_root = |count: usize| count > 0 && 2 * count >= most;
    children.into_iter().map(is_root).collect()
}

fn parts<O: Output>(collector: &mut Collector<'_, O>, is_root: &[bool]) -> Vec<Part<O::Reason>> {
    let mut tests: Parts<O::Reason> = BTreeMap::new();
    for (root, test) in collector.tests.iter().enumerate() {
        if is_root[root] {
            let begun = 1..=test.begins.len();
            tests.extend(begun.map(|number| ((root, number, 0), Vec::new())));
        }
    }
    for at in 0..collector.tests.len() {
        let Some(root) = collector.tests[at].parent.filter(|&root| is_root[root]) else {
            continue;
        };
        let states = std::mem::take(&mut collector.tests[at].states);
        let short = short_name(&collector.tests[at].name);
        let (name, repeat) = match without_repeat(short) {
            (name, repeat) if collector.is_known(name) => (name, repeat),
            _ => (short, 0),
        };
        for (number, state) in states {
            let of_part = tests.entry((root, number, repeat)).or_default();
            of_part.push((name.to_owned(), state));
        }
    }
    join_namesakes(&mut tests);
    let part = |((root, number, repeat), tests): (Key, Tests<O::Reason>)| {
        let lines = || tests.iter().flat_map(|(_, test)| marks(test));
        let first = lines().min().unwrap_or_default();
        let begins = &collector.tests[root].begins;
        let own = number.checked_sub(1).and_then(|at| begins.get(at));
        let begun = tests.iter().filter_map(|(_, test)| test.begun.as_ref());
        Part {
            root,
            number,
            begin: own
                .filter(|_| repeat == 0)
                .map_or(first, |(mark, _)| mark.line),
            last_test: begun.map(|mark| mark.line).max().unwrap_or_default(),
            tests,
        }
    };
    tests.into_iter().map(part).collect()
}

/// Joins tests whose names are repeated. A second suite run repeats all tests. If only a few have
/// the suffix `#01`, the harness has tests of the same name. Such a name has no result, unless both
/// tests agree.
fn join_namesakes<R>(tests: &mut Parts<R>) {
    let of_first: BTreeMap<(usize, usize), usize> = tests
        .iter()
        .filter(|((_, _, repeat), _)| *repeat == 0)
        .map(|((root, number, _), tests)| ((*root, *number), tests.len()))
        .collect();
    let few = tests.iter().filter(|((root, number, repeat), tests)| {
        let all = of_first.get(&(*root, *number)).copied().unwrap_or_default();
        *repeat > 0 && 2 * tests.len() < all
    });
    let few: Vec<Key> = few.map(|(key, _)| *key).collect();
    for key in few {
        let (root, number, _) = key;
        let namesakes: BTreeMap<String, TestRun<R>> =
            tests.remove(&key).into_iter().flatten().collect();
        for (name, state) in tests.entry((root, number, 0)).or_default() {
            let outcome = |run: &TestRun<R>| run.outcome.as_ref().map(|(outcome, _)| *outcome);
            let other = namesakes.get(name.as_str()).and_then(outcome);
            if other.is_some() && other != outcome(state) {
                state.outcome = None;
            }
        }
    }
}

fn marks<R>(test: &TestRun<R>) -> impl Iterator<Item = u32> {
    let begun = test.begun.as_ref();
    let ended = test.outcome.as_ref().map(|(_, mark)| mark);
    begun.into_iter().chain(ended).map(|mark| mark.line)
}

fn owners<O: Output>(
    collector: &mut Collector<'_, O>,
    is_root: &[bool],
    parts: &[Part<O::Reason>],
) -> Vec<(Option<usize>, O::Found)> {
    let mut by_root: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut by_package: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, part) in parts.iter().enumerate() {
        by_root.entry(part.root).or_default().push(at);
        let package = collector.tests[part.root].package;
        by_package.entry(package).or_default().push(at);
    }
    let root_of = |stream: Stream| {
        let mut test = stream.test;
        while let Some(at) = test.filter(|&at| !is_root[at]) {
            test = collector.tests[at].parent;
        }
        test
    };
    let owner = |stream: Stream, line: u32, content: &O::Found| {
        let of_root = root_of(stream).and_then(|root| by_root.get(&root));
        let among = of_root.or_else(|| by_package.get(&stream.package))?;
        let begun = among.partition_point(|&at| parts[at].begin <= line);
        let at = *among.get(begun.saturating_sub(1))?;
        // The next run's options precede its first test.
        let is_option = O::is_before_tests(content) && line > parts[at].last_test;
        let next = among.get(begun).copied().filter(|&next| {
            is_option
                && (parts[next].root, parts[next].number) == (parts[at].root, parts[at].number)
        });
        Some(next.unwrap_or(at))
    };
    let found = std::mem::take(&mut collector.found);
    let owned = found
        .into_iter()
        .map(|(stream, line, content)| (owner(stream, line, &content), content));
    owned.collect()
}

fn together<O: Output>(
    collector: &Collector<'_, O>,
    is_root: &[bool],
    parts: Vec<Part<O::Reason>>,
    lines: u32,
) -> Vec<Run<O>> {
    let failures = Failures::of(collector, is_root, &parts);
    let mut next: BTreeMap<usize, (u32, Option<Box<str>>)> = BTreeMap::new();
    let mut runs = Vec::new();
    for part in parts.into_iter().rev() {
        let root = &collector.tests[part.root];
        let package = &collector.packages[root.package];
        let before = part.number.checked_sub(1).and_then(|at| {
            let (_, time) = root.begins.get(at)?;
            time.clone()
        });
        let start = before.as_deref().unwrap_or(&package.first_time).into();
        let following = next.insert(root.package, (part.begin, before));
        let end = match &following {
            Some((_, Some(time))) => time,
            _ => package.last_time.as_str(),
        };
        let last_line = match following {
            Some((line, _)) => line.saturating_sub(1).max(part.begin),
            None => lines,
        };
        let outcome = (root.ends)
            .binary_search_by_key(&part.number, |end| end.0)
            .map(|at| root.ends[at].1.clone())
            .ok();
        let is_ended = |(_, mark): &(Outcome, Mark)| package.last_end > mark.line;
        runs.push(Run {
            failure: failures.of_run(&part, outcome.as_ref()),
            root: root.name.to_string(),
            begin: part.begin,
            last_line,
            is_complete: outcome.as_ref().is_some_and(is_ended),
            outcome,
            tests: part.tests.into_iter().collect(),
            times: (start, end.into()),
            said: O::Said::default(),
        });
    }
    runs.reverse();
    runs
}

struct Failures<'c, 'k, O: Output> {
    collector: &'c Collector<'k, O>,
    lines: BTreeMap<usize, Vec<u32>>,
    with_failed_test: BTreeSet<(usize, usize)>,
}

impl<'c, 'k, O: Output> Failures<'c, 'k, O> {
    fn of(collector: &'c Collector<'k, O>, is_root: &[bool], parts: &[Part<O::Reason>]) -> Self {
        let mut is_above = is_root.to_vec();
        // A parent has a lower index than its children.
        for at in (0..is_above.len()).rev() {
            if let (true, Some(parent)) = (is_above[at], collector.tests[at].parent) {
                is_above[parent] = true;
            }
        }
        let mut lines: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        let tests = collector.tests.iter().zip(&is_above);
        for (test, _) in tests.filter(|(_, is_above)| !**is_above) {
            let failed = test
                .ends
                .iter()
                .filter(|(_, (outcome, _))| *outcome == Outcome::Failed);
            let of_package = lines.entry(test.package).or_default();
            of_package.extend(failed.map(|(_, (_, mark))| mark.line));
        }
        lines.values_mut().for_each(|lines| lines.sort_unstable());
        let has_failed = |part: &&Part<O::Reason>| {
            let mut outcomes = part
                .tests
                .iter()
                .filter_map(|(_, test)| test.outcome.as_ref());
            outcomes.any(|(outcome, _)| *outcome == Outcome::Failed)
        };
        let failed = parts.iter().filter(has_failed);
        Self {
            collector,
            lines,
            with_failed_test: failed.map(|part| (part.root, part.number)).collect(),
        }
    }

    fn of_run(
        &self,
        part: &Part<O::Reason>,
        outcome: Option<&(Outcome, Mark)>,
    ) -> Option<(Failure, Mark)> {
        let (outcome, mark) = outcome?;
        let root = &self.collector.tests[part.root];
        let signs = &self.collector.packages[root.package].signs;
        let start = signs.start(part.begin);
        let (end, failed) = signs.end(mark.line);
        if let Some(fault) = signs.fault(part.begin, end) {
            return Some(fault);
        }
        match outcome {
            Outcome::Skipped => return Some((Failure::RootSkipped, mark.clone())),
            Outcome::Failed if !self.with_failed_test.contains(&(part.root, part.number)) => {
                let has_tests = !part.tests.is_empty();
                let failure = if has_tests {
                    Failure::Root
                } else {
                    Failure::Setup
                };
                return Some((failure, mark.clone()));
            }
            _ => {}
        }
        let lines = self.lines.get(&root.package).map_or(&[][..], Vec::as_slice);
        let first = lines.partition_point(|line| *line <= start);
        let has_cause = lines.get(first).is_some_and(|line| *line <= end);
        if has_cause {
            return None;
        }
        let failed = failed.or_else(|| self.failed_above(part.root, start, end));
        failed.map(|mark| (Failure::Package, mark.clone()))
    }

    fn failed_above(&self, root: usize, start: u32, end: u32) -> Option<&Mark> {
        let mut above = self.collector.tests[root].parent;
        while let Some(at) = above {
            let ends = &self.collector.tests[at].ends;
            let first = ends.partition_point(|(_, (_, mark))| mark.line < start);
            let of_binary = ends[first..]
                .iter()
                .take_while(|(_, (_, mark))| mark.line <= end);
            if let Some((_, (Outcome::Failed, mark))) = of_binary.last() {
                return Some(mark);
            }
            above = self.collector.tests[at].parent;
        }
        None
    }
}
