use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::AddAssign;

use super::{Diagnostic, Severity};
use crate::text::counted;

/// Maximum number of findings per file or folder.
pub const MAX_IN_FILE: usize = 500;

/// Maximum number of findings in total.
pub const MAX_IN_ALL: usize = 10_000;

const MAX_LINES: usize = 200;

/// Number of findings per severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Severities {
    /// Number of errors.
    pub errors: usize,
    /// Number of warnings.
    pub warnings: usize,
    /// Number of findings with severity `info`.
    pub infos: usize,
}

impl Severities {
    /// Number of findings with the given severity.
    pub fn of(&self, severity: Severity) -> usize {
        match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.warnings,
            Severity::Info => self.infos,
        }
    }

    /// Counts of a single severity.
    pub fn of_one(severity: Severity, count: usize) -> Self {
        let mut counts = Self::default();
        match severity {
            Severity::Error => counts.errors = count,
            Severity::Warning => counts.warnings = count,
            Severity::Info => counts.infos = count,
        }
        counts
    }

    /// Counts one more finding.
    pub fn count(&mut self, severity: Severity) {
        *self += Self::of_one(severity, 1);
    }

    /// Total of all severities.
    pub fn sum(&self) -> usize {
        self.errors + self.warnings + self.infos
    }

    /// Number of findings with severity `least` or higher.
    pub fn at_least(&self, least: Severity) -> usize {
        let all = [Severity::Error, Severity::Warning, Severity::Info];
        let counts = all.into_iter().filter(|severity| *severity >= least);
        counts.map(|severity| self.of(severity)).sum()
    }

    fn take_below(&mut self, least: Severity) -> Self {
        let mut below = Self::default();
        for severity in [Severity::Error, Severity::Warning, Severity::Info] {
            if severity < least {
                below += Self::of_one(severity, self.of(severity));
            }
        }
        self.subtract(below)
    }

    /// Removes a finding with severity `least` or higher, lowest first. False if none exists.
    pub fn take_one(&mut self, least: Severity) -> bool {
        let counts = [
            (Severity::Info, &mut self.infos),
            (Severity::Warning, &mut self.warnings),
            (Severity::Error, &mut self.errors),
        ];
        let mut counts = counts
            .into_iter()
            .filter(|(severity, _)| *severity >= least);
        match counts.find(|(_, count)| **count > 0) {
            Some((_, count)) => {
                *count -= 1;
                true
            }
            None => false,
        }
    }

    fn subtract(&mut self, other: Self) -> Self {
        let taken = Self {
            errors: self.errors.min(other.errors),
            warnings: self.warnings.min(other.warnings),
            infos: self.infos.min(other.infos),
        };
        self.errors -= taken.errors;
        self.warnings -= taken.warnings;
        self.infos -= taken.infos;
        taken
    }

    /// Removes up to `most` findings, lowest severity first, and returns their number.
    fn take(&mut self, mut most: usize) -> usize {
        let all = most;
        for count in [&mut self.infos, &mut self.warnings, &mut self.errors] {
            let taken = most.min(*count);
            *count -= taken;
            most -= taken;
        }
        all - most
    }
}

impl AddAssign for Severities {
    fn add_assign(&mut self, other: Self) {
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.infos += other.infos;
    }
}

/// Number of dropped findings per path and rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cut(BTreeMap<String, BTreeMap<&'static str, Severities>>);

impl Cut {
    /// Adds dropped findings of a rule at a path.
    pub fn add(&mut self, path: String, rule: &'static str, counts: Severities) {
        *self.0.entry(path).or_default().entry(rule).or_default() += counts;
    }

    fn count(&mut self, finding: &Diagnostic) {
        let counts = Severities::of_one(finding.severity, 1);
        self.add(finding.place.path.to_string(), finding.rule, counts);
    }

    /// Counts by path and rule, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &'static str, Severities)> {
        self.0.iter().flat_map(|(path, rules)| {
            rules
                .iter()
                .map(move |(rule, counts)| (path.as_str(), *rule, *counts))
        })
    }

    /// Sum of the counts at one path.
    pub fn about(&self, path: &str) -> Severities {
        let rules = self.0.get(path).into_iter().flatten();
        sum(rules.map(|(_, counts)| *counts))
    }

    /// Sum of the counts at all paths.
    pub fn all(&self) -> Severities {
        sum(self.iter().map(|(.., counts)| counts))
    }

    /// Removes up to `most(path, rule)` findings for each path and rule. Returns the number
    /// removed.
    pub fn accept(&mut self, mut most: impl FnMut(&str, &'static str) -> usize) -> usize {
        let mut taken = 0;
        self.0.retain(|path, rules| {
            rules.retain(|rule, counts| {
                taken += counts.take(most(path, rule).min(counts.sum()));
                counts.sum() > 0
            });
            !rules.is_empty()
        });
        taken
    }

    /// Renames all paths, and merges counts of equal paths.
    pub fn map_paths(self, mut path_of: impl FnMut(&str) -> String) -> Self {
        let mut mapped = Self::default();
        for (path, rule, counts) in self.iter() {
            mapped.add(path_of(path), rule, counts);
        }
        mapped
    }

    /// Removes a finding with severity `least` or higher. False if none exists.
    pub fn take_one(&mut self, path: &str, rule: &str, least: Severity) -> bool {
        let counts = self.0.get_mut(path).and_then(|rules| rules.get_mut(rule));
        counts.is_some_and(|counts| counts.take_one(least))
    }

    /// Subtracts `other`, and returns the counts removed.
    pub fn subtract(&mut self, other: &Self) -> Severities {
        let mut taken = Severities::default();
        self.0.retain(|path, rules| {
            let known = other.0.get(path);
            rules.retain(|rule, counts| {
                let known = known.and_then(|rules| rules.get(rule));
                taken += counts.subtract(known.copied().unwrap_or_default());
                counts.sum() > 0
            });
            !rules.is_empty()
        });
        taken
    }

    /// Removes and returns the counts below `least`.
    pub fn take_below(&mut self, least: Severity) -> Severities {
        let mut taken = Severities::default();
        self.0.retain(|_, rules| {
            rules.retain(|_, counts| {
                taken += counts.take_below(least);
                counts.sum() > 0
            });
            !rules.is_empty()
        });
        taken
    }

    /// Paths and messages for people, at most 200 lines.
    pub fn lines(&self) -> Vec<(String, String)> {
        let line = |path: &str, reason| (path.to_owned(), reason);
        let mut all = self.iter();
        let first = all.by_ref().take(MAX_LINES).map(|(path, rule, counts)| {
            let reason = format!(
                "{} of {rule} not shown",
                counted(counts.sum(), "more finding")
            );
            line(path, reason)
        });
        let mut lines: Vec<_> = first.collect();
        let more = sum(all.map(|(.., counts)| counts)).sum();
        if more > 0 {
            let reason = format!("{} not shown", counted(more, "more finding"));
            lines.push(line("other files", reason));
        }
        lines
    }

    /// Adds the counts of `other`.
    pub fn absorb(&mut self, other: Self) {
        for (path, rules) in other.0 {
            let own = self.0.entry(path).or_default();
            for (rule, counts) in rules {
                *own.entry(rule).or_default() += counts;
            }
        }
    }

    /// Raises each count to the count in `other`, if higher.
    pub fn raise(&mut self, other: Self) {
        for (path, rules) in other.0 {
            let own = self.0.entry(path).or_default();
            for (rule, counts) in rules {
                let highest = own.entry(rule).or_default();
                highest.errors = highest.errors.max(counts.errors);
                highest.warnings = highest.warnings.max(counts.warnings);
                highest.infos = highest.infos.max(counts.infos);
            }
        }
    }

    /// Drops and counts findings above the limits, least severe first, but keeps some of each rule
    /// per path. `findings` must be sorted by path.
    pub fn bound(&mut self, findings: &mut Vec<Diagnostic>) {
        if findings.len() <= MAX_IN_FILE {
            return;
        }
        let mut kept: Vec<usize> = Vec::with_capacity(findings.len());
        let mut start = 0;
        for of_path in findings.chunk_by(|a, b| a.place.path == b.place.path) {
            let mut here: Vec<usize> = (0..of_path.len()).collect();
            worst(&mut here, MAX_IN_FILE, &ranks(of_path));
            kept.extend(here.iter().map(|at| start + at));
            start += of_path.len();
        }
        let severities: Vec<_> = findings
            .iter()
            .map(|finding| (Reverse(finding.severity), 0))
            .collect();
        worst(&mut kept, MAX_IN_ALL, &severities);
        let mut flags = vec![false; findings.len()];
        for at in kept {
            flags[at] = true;
        }
        let mut next_flag = flags.into_iter();
        findings.retain(|finding| {
            let is_kept = next_flag.next().unwrap_or(true);
            if !is_kept {
                self.count(finding);
            }
            is_kept
        });
    }
}

fn sum(counts: impl Iterator<Item = Severities>) -> Severities {
    counts.fold(Severities::default(), |mut sum, counts| {
        sum += counts;
        sum
    })
}

/// Severity, then position among findings of the same rule.
type Rank = (Reverse<Severity>, usize);

fn ranks(findings: &[Diagnostic]) -> Vec<Rank> {
    let mut counts: BTreeMap<(&str, Severity), usize> = BTreeMap::new();
    let rank = |finding: &Diagnostic| {
        let count = counts.entry((finding.rule, finding.severity)).or_default();
        *count += 1;
        (Reverse(finding.severity), *count)
    };
    findings.iter().map(rank).collect()
}

fn worst(places: &mut Vec<usize>, most: usize, ranks: &[Rank]) {
    if places.len() > most {
        places.sort_by_key(|&at| ranks[at]);
        places.truncate(most);
    }
}

#[cfg(test)]
mod tests {
    use super::{Cut, MAX_IN_ALL, MAX_IN_FILE};
    use crate::text::diagnostic::{Anchor, Diagnostic, Severity};
    use crate::text::message::Message;

    fn finding(path: &str, severity: Severity) -> Diagnostic {
        Diagnostic::new(
            "text/encoding",
            severity,
            Anchor::path(path),
            Message::words("x"),
        )
    }

    #[test]
    fn one_finding_is_not_plural() {
        let mut findings = vec![finding("a", Severity::Info); MAX_IN_FILE + 1];
        let mut cut = Cut::default();
        cut.bound(&mut findings);
        let said = "1 more finding of text/encoding not shown".to_owned();
        assert_eq!(cut.all().sum(), 1);
        assert_eq!(cut.lines(), [("a".to_owned(), said)]);
    }

    #[test]
    fn errors_stay_and_all_are_counted() {
        let mut findings = vec![finding("a", Severity::Info); MAX_IN_FILE + 10];
        findings.extend(vec![finding("a", Severity::Error); 3]);
        findings.push(finding("b", Severity::Warning));
        let mut cut = Cut::default();
        cut.bound(&mut findings);
        assert_eq!(findings.len(), MAX_IN_FILE + 1);
        let errors = |findings: &[Diagnostic]| {
            let errors = findings
                .iter()
                .filter(|one| one.severity == Severity::Error);
            errors.count()
        };
        assert_eq!(errors(&findings), 3);
        assert_eq!((cut.about("a").infos, cut.all().sum()), (13, 13));
        assert_eq!(cut.about("b").sum(), 0);
    }

    #[test]
    fn cutting_in_parts_is_cutting_at_once() {
        let all: Vec<Diagnostic> = (0..60)
            .flat_map(|file| {
                let severity = match file % 3 {
                    0 => Severity::Info,
                    1 => Severity::Warning,
                    _ => Severity::Error,
                };
                vec![finding(&format!("{file:02}"), severity); MAX_IN_FILE - 1]
            })
            .collect();
        let (mut at_once, mut cut) = (all.clone(), Cut::default());
        cut.bound(&mut at_once);
        assert_eq!(at_once.len(), MAX_IN_ALL);
        assert_eq!(at_once.len() + cut.all().sum(), all.len());
        let (mut in_parts, mut cut_in_parts) = (Vec::new(), Cut::default());
        for part in all.chunks(7000) {
            in_parts.extend(part.to_vec());
            cut_in_parts.bound(&mut in_parts);
        }
        assert_eq!((in_parts, cut_in_parts), (at_once, cut));
    }

    #[test]
    fn what_is_accepted_is_the_least_bad() {
        let mut findings = vec![finding("a", Severity::Error); MAX_IN_FILE + 5];
        findings.extend(vec![finding("a", Severity::Info); 4]);
        let mut cut = Cut::default();
        cut.bound(&mut findings);
        assert_eq!(cut.accept(|_, _| 6), 6);
        assert_eq!(cut.all().errors, 3);
        assert_eq!(cut.accept(|_, _| usize::MAX), 3);
        assert_eq!(cut, Cut::default());
    }
}
