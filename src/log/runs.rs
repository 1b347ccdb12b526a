//! Tells the runs of the suite apart, and which test is their root.

use super::collect::{Collector, Test};
use super::content::Content;
use super::{Outcome, Run};
use crate::formats::rfc3339;

/// A root and one of its beginnings: the number of beginnings by then.
struct Begin {
    root: usize,
    number: usize,
    line: u32,
}

/// The runs of a log with so many lines, in their order.
pub(super) fn runs(mut collector: Collector<'_>, lines: u32) -> Vec<Run> {
    let roots = roots(&collector);
    let mut begins: Vec<Begin> = roots
        .iter()
        .flat_map(|&root| begins(&collector, root))
        .collect();
    begins.sort_by_key(|begin| begin.line);
    let mut runs: Vec<(usize, Run)> = Vec::new();
    for begin in &begins {
        let package = collector.tests[begin.root].package;
        let same = |other: &&Begin| {
            collector.tests[other.root].package == package && other.line > begin.line
        };
        let next = begins.iter().find(same);
        let last_line = next.map_or(lines, |next| next.line.saturating_sub(1));
        let mut run = run(&mut collector, begin, last_line);
        run.times = times(&collector, begin, next);
        runs.push((package, run));
    }
    for (stream, line, content) in std::mem::take(&mut collector.contents.found) {
        let of_package = runs
            .iter_mut()
            .filter(|(package, _)| *package == stream.package);
        // What is before the first run belongs to it.
        let mut first = None;
        let mut owner = None;
        for (_, run) in of_package {
            if run.begin <= line {
                owner = Some(run);
            } else if first.is_none() {
                first = Some(run);
            }
        }
        if let Some(run) = owner.or(first) {
            add(run, content);
        }
    }
    runs.into_iter().map(|(_, run)| run).collect()
}

fn add(run: &mut Run, content: Content) {
    match content {
        Content::Settings(settings) => {
            let inferred = run.settings.take().and_then(|before| before.inferred);
            run.settings = Some(super::Settings {
                inferred,
                ..settings
            });
        }
        Content::Inferred(names) => {
            let settings = run.settings.get_or_insert_default();
            settings.inferred.get_or_insert_default().extend(names);
        }
        // A harness may print it once more: the first one is the suite's.
        Content::Report(printed) => {
            let is_better = |before: &super::Printed| before.is_cut && !printed.is_cut;
            if run.printed.as_ref().is_none_or(is_better) {
                run.printed = Some(printed);
            }
        }
    }
}

/// The tests whose children are tests of the suite: those with at least half as many as the one that
/// has most.
fn roots(collector: &Collector<'_>) -> Vec<usize> {
    let mut children = vec![0_usize; collector.tests.len()];
    for test in &collector.tests {
        if let Some(parent) = test.parent
            && collector.is_known(short_name(test))
        {
            children[parent] += 1;
        }
    }
    let most = children.iter().copied().max().unwrap_or(0);
    let counts = children.into_iter().enumerate();
    let is_root = |count: usize| count > 0 && 2 * count >= most;
    counts
        .filter(|&(_, count)| is_root(count))
        .map(|(at, _)| at)
        .collect()
}

fn short_name(test: &Test) -> &str {
    test.name.rsplit('/').next().unwrap_or_default()
}

fn begins(collector: &Collector<'_>, root: usize) -> Vec<Begin> {
    let test = &collector.tests[root];
    let marks = test.begins.iter().enumerate();
    let mut begins: Vec<Begin> = marks
        .map(|(at, (mark, _))| Begin {
            root,
            number: at + 1,
            line: mark.line,
        })
        .collect();
    // The beginning is not in the log.
    let children = collector
        .tests
        .iter()
        .filter(|test| test.parent == Some(root));
    let states = children.flat_map(|child| &child.states);
    let first = states
        .filter(|(run, _)| *run == 0)
        .flat_map(|(_, state)| {
            [
                state.begun.as_ref(),
                state.outcome.as_ref().map(|(_, mark)| mark),
            ]
        })
        .flatten()
        .map(|mark| mark.line)
        .min();
    begins.extend(first.map(|line| Begin {
        root,
        number: 0,
        line,
    }));
    begins
}

fn run(collector: &mut Collector<'_>, begin: &Begin, last_line: u32) -> Run {
    let root = &collector.tests[begin.root];
    let of_begin = root
        .ends
        .iter()
        .filter(|(number, ..)| *number == begin.number);
    let end = of_begin.max_by_key(|(_, outcome, _)| *outcome);
    let outcome: Option<(Outcome, _)> = end.map(|(_, outcome, mark)| (*outcome, mark.clone()));
    let last_end = collector.packages[root.package].last_end;
    let is_ended = |(_, mark): &(Outcome, super::Mark)| last_end > mark.line;
    let is_complete = collector.is_document_closed || outcome.as_ref().is_some_and(is_ended);
    let name = root.name.to_string();
    let mut run = Run {
        root: name,
        begin: begin.line,
        last_line,
        outcome,
        is_complete,
        ..Run::default()
    };
    for test in &mut collector.tests {
        if test.parent != Some(begin.root) {
            continue;
        }
        let at = test
            .states
            .iter()
            .position(|(number, _)| *number == begin.number);
        if let Some(at) = at {
            let (_, state) = test.states.swap_remove(at);
            run.tests.insert(short_name(test).to_owned(), state);
        }
    }
    run
}

/// The first and the last time around a run: written before it begins, and before the next one does.
fn times(
    collector: &Collector<'_>,
    begin: &Begin,
    next: Option<&Begin>,
) -> Option<(jiff::Timestamp, jiff::Timestamp)> {
    let package = &collector.packages[collector.tests[begin.root].package];
    let before = |begin: &Begin| {
        let at = begin.number.checked_sub(1)?;
        let (_, time) = collector.tests[begin.root].begins.get(at)?;
        time.as_deref()
    };
    let start = before(begin).unwrap_or(&package.first_time);
    let end = next.and_then(before).unwrap_or(&package.last_time);
    Some((rfc3339(start)?, rfc3339(end)?))
}
