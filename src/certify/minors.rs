//! The minors that verdicts are counted in.

use std::collections::BTreeSet;

use crate::facts::ReportFacts;
use crate::registry::{Minor, Registry};

/// For how many minors, the newest among them, a report counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Windows {
    /// As conformant.
    pub conformant: u32,
    /// As partially conformant.
    pub partial: u32,
}

/// The minors, one after the other: those of the registry and of the tree. Between two minors of
/// one major all are there, known or not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Minors {
    all: Vec<Minor>,
    newest: Option<Minor>,
}

impl Minors {
    /// The minors up to the newest one: `latest`, else the newest with a report. A prerelease is
    /// not there yet, and a report whose file could not be read to its end shows nothing.
    pub fn of<'f>(
        registry: &Registry,
        reports: impl IntoIterator<Item = &'f ReportFacts>,
        latest: Option<Minor>,
    ) -> Self {
        let versions = reports
            .into_iter()
            .filter(|report| report.is_report)
            .filter_map(|report| report.release.version.as_ref())
            .filter(|version| version.pre().is_none());
        let tree: BTreeSet<Minor> = versions.map(|version| version.minor()).collect();
        let newest = latest.or_else(|| tree.last().copied());
        let known = registry
            .releases()
            .iter()
            .map(|release| release.version().minor());
        let named: BTreeSet<Minor> = known.chain(tree).chain(latest).collect();
        let mut all = Vec::new();
        for minor in named {
            if let Some(&Minor { major, minor: last }) = all.last()
                && major == minor.major
                && minor.minor - last <= MAX_GAP
            {
                all.extend((last + 1..minor.minor).map(|minor| Minor { major, minor }));
            }
            all.push(minor);
        }
        Self { all, newest }
    }

    /// The newest minor; `None` without a report and without a named minor.
    pub fn newest(&self) -> Option<Minor> {
        self.newest
    }

    /// The `count` newest ones, newest first.
    pub fn newest_ones(&self, count: u32) -> Vec<Minor> {
        let position = self.newest.and_then(|newest| self.position(newest));
        let end = position.map_or(0, |at| (at + 1).min(self.all.len()));
        self.all[..end]
            .iter()
            .rev()
            .take(count as usize)
            .copied()
            .collect()
    }

    /// True when a minor is among the `count` newest ones, or newer than they.
    pub fn is_among_newest(&self, minor: Minor, count: u32) -> bool {
        let Some(newest) = self.newest.and_then(|newest| self.position(newest)) else {
            return false;
        };
        let oldest = newest.saturating_sub(count.saturating_sub(1) as usize);
        self.position(minor).is_some_and(|at| at >= oldest) && count > 0
    }

    /// The minor whose review ends what a report of `minor` stands for, when it counts for `count`
    /// minors: the first that leaves it outside.
    pub fn end(&self, minor: Minor, count: u32) -> Option<Minor> {
        let last = self.all.last()?;
        let at = self.position(minor)? + count as usize;
        Some(match self.all.get(at) {
            Some(minor) => *minor,
            None => Minor {
                major: last.major,
                minor: last.minor.saturating_add((at - self.all.len() + 1) as u64),
            },
        })
    }

    fn position(&self, minor: Minor) -> Option<usize> {
        let before = self.all.partition_point(|known| *known < minor);
        // A prerelease of a minor without reports comes after all known minors.
        let is_known = self.all.get(before) == Some(&minor);
        (is_known || before == self.all.len()).then_some(before)
    }
}

/// The longest run of unknown minors that is filled in.
const MAX_GAP: u64 = 100;
