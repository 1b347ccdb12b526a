use std::collections::BTreeSet;

use super::reviews::Reviews;
use gwconform_base::api::Minor;
use gwconform_base::release::Registry;

/// Numbers of newest minors for which a report counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Windows {
    /// Number of minors for a conformant verdict.
    pub conformant: u32,
    /// Number of minors for a partially conformant verdict.
    pub partial: u32,
}

/// Released minors without gaps, with the minor from the command line or configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Minors {
    all: Vec<Minor>,
    newest: Option<Minor>,
    pending: Option<Minor>,
}

impl Minors {
    /// The newest minor is `latest`, or the newest released minor with a completed release review.
    pub fn new(registry: &Registry, latest: Option<Minor>, reviews: &Reviews) -> Self {
        let released = registry.released().map(|release| release.version().minor());
        let mut newest_first = released.clone().rev();
        let reviewed = newest_first.find(|minor| reviews.are_over(*minor, registry));
        let last = released.clone().next_back();
        Self {
            all: without_gaps(released.chain(latest).collect()),
            newest: latest.or(reviewed),
            pending: last.filter(|last| latest.is_none() && Some(*last) > reviewed),
        }
    }

    /// Minors after `minor` is released and reviewed.
    pub fn once_out(&self, minor: Minor) -> Self {
        let named = self.all.iter().copied().chain([minor]).collect();
        Self {
            all: without_gaps(named),
            newest: self.newest.max(Some(minor)),
            pending: None,
        }
    }

    /// Newest minor for the windows. `None` if no release review is over.
    pub fn newest(&self) -> Option<Minor> {
        self.newest
    }

    /// Newest released minor, if its review is not over and would change the newest minor.
    pub fn pending(&self) -> Option<Minor> {
        self.pending
    }

    /// The `count` newest minors and all later minors, newest first.
    pub fn newest_ones(&self, count: u32) -> Vec<Minor> {
        let of_windows = |minor: &&Minor| self.is_among_newest(**minor, count);
        self.all.iter().filter(of_windows).rev().copied().collect()
    }

    /// True for the `count` newest minors and all later minors.
    pub fn is_among_newest(&self, minor: Minor, count: u32) -> bool {
        let Some(newest) = self.newest.and_then(|newest| self.position(newest)) else {
            return false;
        };
        let oldest = newest.saturating_sub(count.saturating_sub(1) as usize);
        self.position(minor).is_some_and(|at| at >= oldest) && count > 0
    }

    /// Minor whose review expires a report for `minor`, if the report counts for `count` minors.
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

    /// True if `next` is the minor after `minor`.
    pub(crate) fn are_adjacent(&self, minor: Minor, next: Minor) -> bool {
        let place = |minor| self.position(minor);
        place(minor).map(|at| at + 1) == place(next)
    }

    /// True for released minors and the one that `latest` names.
    pub fn is_known(&self, minor: Minor) -> bool {
        self.all.binary_search(&minor).is_ok()
    }

    fn position(&self, minor: Minor) -> Option<usize> {
        let before = self.all.partition_point(|known| *known < minor);
        let is_known = self.all.get(before) == Some(&minor);
        (is_known || before == self.all.len()).then_some(before)
    }
}

fn without_gaps(named: BTreeSet<Minor>) -> Vec<Minor> {
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
    all
}

/// Limits the work for very large configured minors.
const MAX_GAP: u64 = 100;
