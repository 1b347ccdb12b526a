use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::{CheckReport, Settings, check_rest, check_submission};
use crate::tree::load::{Loaded, load_submission};
use crate::tree::{Submission, Tree};
use gwconform_base::release::Registry;

/// Two states of a tree: now, and before a change.
pub struct Comparison<'a> {
    pub(super) trees: [&'a Tree; 2],
    pub(super) settings: &'a Settings,
    pub(super) registry: &'a Registry,
    /// Both states of each submission, sorted by path.
    pub(super) submissions: Vec<[Option<&'a Submission>; 2]>,
    checked: AtomicUsize,
}

impl<'a> Comparison<'a> {
    /// Pairs the submissions of both trees by path.
    pub fn new(trees: [&'a Tree; 2], settings: &'a Settings, registry: &'a Registry) -> Self {
        let [mut now, mut before] = trees.map(|tree| tree.submissions.iter().peekable());
        let mut submissions = Vec::new();
        loop {
            submissions.push(match (now.peek(), before.peek()) {
                (None, None) => break,
                (Some(a), Some(b)) if a.path == b.path => [now.next(), before.next()],
                (Some(a), Some(b)) if a.path > b.path => [None, before.next()],
                (Some(_), _) => [now.next(), None],
                (None, Some(_)) => [None, before.next()],
            });
        }
        Self {
            trees,
            settings,
            registry,
            submissions,
            checked: AtomicUsize::new(0),
        }
    }

    /// Checks all submissions.
    pub fn check_all(&self, done: &(dyn Fn(usize) + Sync)) -> [CheckReport; 2] {
        self.check(&(0..self.submissions.len()).collect(), done)
    }

    /// Checks some submissions, by index.
    pub fn check(
        &self,
        which: &BTreeSet<usize>,
        done: &(dyn Fn(usize) + Sync),
    ) -> [CheckReport; 2] {
        let [tree, earlier] = self.trees;
        let load = |submission, tree: &Tree| {
            load_submission(submission, Some(tree), &|path| tree.display(path))
        };
        let check = |tree, submission, loaded| {
            check_submission(tree, submission, loaded, self.settings, self.registry)
        };
        let which: Vec<_> = which.iter().map(|&at| self.submissions[at]).collect();
        which
            .par_iter()
            .map(|&[now, before]| {
                let loaded = now.map(|now| load(now, tree)).unwrap_or_default();
                let is_same =
                    now == before && before.is_some_and(|one| is_same(one, &loaded, earlier));
                let outcome = now.map(|now| check(tree, now, loaded)).unwrap_or_default();
                let outcome_before = match before {
                    Some(_) if is_same => outcome.clone(),
                    Some(before) => check(earlier, before, load(before, earlier)),
                    None => CheckReport::default(),
                };
                if now.is_some() {
                    done(self.checked.fetch_add(1, Ordering::Relaxed) + 1);
                }
                [outcome, outcome_before]
            })
            .reduce(Default::default, |[now, before], [other, other_before]| {
                [now.and(other), before.and(other_before)]
            })
    }

    /// Runs the rules for entries and trees on the results of [`Self::check`].
    pub fn finish(&self, mut reports: [CheckReport; 2]) -> [CheckReport; 2] {
        // Several calls can check submissions in any order. Of equal reports, rules prefer the
        // first.
        for report in &mut reports {
            (report.reports).sort_by(|a, b| a.submission.cmp(&b.submission));
        }
        let [tree, earlier] = self.trees;
        let [now, before] = reports;
        [
            check_rest(now, tree, self.settings),
            check_rest(before, earlier, self.settings),
        ]
    }
}

fn is_same(submission: &Submission, loaded: &[Loaded], earlier: &Tree) -> bool {
    let files = earlier.folder.as_ref().map(|folder| folder.files());
    let is_touched = files.is_none_or(|files| files.are_changed_below(&submission.path));
    let mut loaded = loaded.iter();
    !is_touched && loaded.all(|file| file.leads_as_in(earlier, &submission.path))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use super::Comparison;
    use crate::rules::check::{CheckReport, Settings, check_tree};
    use crate::tree::{Parts, Tree, discover_earlier, discover_in};
    use gwconform_base::files::{EarlierFiles, Files, MemoryFiles, Previous};
    use gwconform_base::release::Registry;

    const REPORT: &str = "apiVersion: gateway.networking.k8s.io/v1\nkind: ConformanceReport\ndate: \"2026-03-20T10:15:30Z\"\ngatewayAPIChannel: standard\ngatewayAPIVersion: v1.5.1\nimplementation:\n  contact: ['@acme/a']\n  organization: acme\n  project: operator\n  url: https://acme.example\n  version: v2.0.0\nmode: default\nprofiles: []\n";

    fn tree(files: &Files) -> Tree {
        discover_in(files, Path::new("/reports"), Path::new("/"), &Parts::Whole).unwrap()
    }

    fn dead_links(report: &CheckReport) -> Vec<&str> {
        let findings = report.findings.iter();
        let dead = findings.filter(|finding| finding.rule == "readme/dead-link");
        dead.map(|finding| &*finding.place.path).collect()
    }

    #[test]
    fn both_checks_are_those_of_each_tree_alone() {
        let readme = |link: &str| format!("# Acme\n\nSee [this]({link}).\n");
        let now = [
            ("v1.5/same/README.md", readme("x-report.yaml")),
            ("v1.5/same/x-report.yaml", REPORT.to_owned()),
            ("v1.5/led-to-gone/README.md", readme("../gone/README.md")),
            ("v1.5/leads-to-new/README.md", readme("../new/README.md")),
            ("v1.5/new/README.md", readme("https://acme.example")),
            ("v1.5/edited/README.md", readme("nowhere.yaml")),
            ("v1.5/edited/x-report.yaml", REPORT.to_owned()),
        ];
        let path = |below: &str| PathBuf::from("/reports").join(below);
        let of_memory = now.map(|(below, text)| (path(below), text.into_bytes()));
        let now: Files = MemoryFiles::new(of_memory).unwrap().into();
        let was = |text: &str| Previous::File(text.into());
        let changed = BTreeMap::from([
            (path("v1.5/gone/README.md"), was("# Gone\n")),
            (path("v1.5/new/README.md"), Previous::Absent),
            (path("v1.5/edited/README.md"), was("# Acme\n")),
        ]);
        let earlier = EarlierFiles::new(now.clone(), Path::new("/reports"), changed).into();
        let (now, walked) = (tree(&now), tree(&earlier));
        let earlier = discover_earlier(&earlier, &now).unwrap();
        let found = |tree: &Tree| format!("{:?} {:?}", tree.submissions, tree.unexpected);
        assert_eq!(found(&earlier), found(&walked));
        let (settings, registry) = (Settings::default(), Registry::embedded());
        let comparison = Comparison::new([&now, &earlier], &settings, registry);
        let both = comparison.finish(comparison.check_all(&|_| ()));
        let alone = [&now, &earlier].map(|tree| check_tree(tree, &settings, registry, &|_| ()));
        assert_eq!(format!("{both:#?}"), format!("{alone:#?}"));
        let dead = both.each_ref().map(dead_links);
        let [edited, gone, new] = ["edited", "led-to-gone", "leads-to-new"]
            .map(|folder| format!("reports/v1.5/{folder}/README.md"));
        assert_eq!(dead, [vec![edited, gone], vec![new]]);
    }
}
