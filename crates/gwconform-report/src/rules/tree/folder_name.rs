use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;

use crate::report::facts::ReportFacts;
use crate::report::naming::{Name, folded, letters};
use crate::rules::{Findings, TreeContext, rule};
use gwconform_base::api::Version;
use gwconform_base::text::diagnostic::{Anchor, Severity};

rule! {
    "folder_name.md", TreeContext(check), Text<'a>;
    Differs { implementation: String, expected: &'a str } => "the folder name does not contain the project of {implementation}; expected {expected}",
    DiffersFromOthers { implementation: String, expected: &'a str } => "the folder name neither contains the project of {implementation} nor is that of its other releases; expected {expected}",
    Foreign { implementation: String, expected: &'a str } => "the folder is not a folder of {implementation}; expected {expected}",
    Move { expected: &'a str } => "move the report to the folder {expected} of its release; if it belongs to another implementation, run the suite again with its `--organization` and `--project`",
    Rename { expected: &'a str } => "name the folder {expected} from the next submission on",
}

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    let known = Known::new(cx);
    for submission in &cx.tree.submissions {
        let path = submission.path.as_os_str();
        let (Some(folder), Some(reports)) = (&submission.folder, known.named.get(path)) else {
            continue;
        };
        let mut foreign = known.foreign(folder, reports).peekable();
        let is_fine = |name: &Name<'_>| name.is_part_of(folder) || known.has_often(name, folder);
        if foreign.peek().is_none()
            && let Some((first, _)) = reports.first()
            && !reports.iter().any(|(name, _)| is_fine(name))
        {
            let shown = cx.tree.display(&submission.path);
            strange(shown, first, known.elsewhere(first, folder), out);
        }
        for (name, report, expected) in foreign {
            let implementation = format!("{}/{}", name.organization, name.project);
            let message = Text::Foreign {
                implementation,
                expected,
            };
            let finding = out.at(Anchor::path(&report.path), message);
            finding.help(Text::Move { expected }).severity = Severity::Warning;
        }
    }
}

fn strange(shown: String, name: &Name<'_>, elsewhere: Option<&str>, out: &mut Findings) {
    let implementation = format!("{}/{}", name.organization, name.project);
    let made = name.folder();
    let expected = elsewhere.unwrap_or(&made);
    let message = match elsewhere {
        None => Text::Differs {
            implementation,
            expected,
        },
        Some(expected) => Text::DiffersFromOthers {
            implementation,
            expected,
        },
    };
    out.at(Anchor::path(shown), message)
        .help(Text::Rename { expected });
}

type Folders<'t> = BTreeMap<&'t str, (Option<&'t Version>, HashSet<&'t OsStr>)>;

type Named<'t> = (Name<'t>, &'t ReportFacts);

#[derive(Default)]
struct Known<'t> {
    /// Hashed, because comparing long paths with equal prefixes is slow.
    named: HashMap<&'t OsStr, Vec<Named<'t>>>,
    folders: BTreeMap<(&'t str, &'t str), Folders<'t>>,
    newest: BTreeMap<(&'t str, &'t str), BestTwo<'t>>,
    /// Folders that are used for several releases or named after the project.
    right: BTreeMap<(&'t str, &'t str), BestTwo<'t>>,
    users: HashMap<&'t str, BTreeSet<(String, String)>>,
}

impl<'t> Known<'t> {
    fn new(cx: &TreeContext<'t>) -> Self {
        let submissions = cx.tree.submissions.iter();
        let in_folders: HashMap<&OsStr, &str> = submissions
            .filter_map(|one| Some((one.path.as_os_str(), one.folder.as_deref()?)))
            .collect();
        let mut known = Self::default();
        for report in cx.reports {
            let path = report.submission.as_os_str();
            let (Some(name), Some(folder)) = (Name::try_new(report), in_folders.get(path)) else {
                continue;
            };
            let (organization, project) = (name.organization, name.project);
            let of = known.folders.entry((organization, project)).or_default();
            let (newest, paths) = of.entry(folder).or_default();
            *newest = report.release.version.as_ref().max(*newest);
            paths.insert(path);
            known.named.entry(path).or_default().push((name, report));
        }
        for (&(organization, project), of) in &known.folders {
            let name = Name {
                organization,
                project,
            };
            let newest = of.iter().map(|(folder, (newest, _))| (*newest, *folder));
            let right = of
                .iter()
                .filter(|(folder, (_, paths))| paths.len() > 1 || name.is_part_of(folder));
            let right = right.map(|(folder, (newest, paths))| ((paths.len(), *newest), *folder));
            known
                .newest
                .insert((organization, project), best_two(newest));
            known.right.insert((organization, project), best_two(right));
            // The configuration can map several names to one implementation.
            let (organization, project) = cx.names.usual((organization, project));
            for folder in of.keys() {
                let name = (folded(organization), folded(project));
                known.users.entry(folder).or_default().insert(name);
            }
        }
        known
    }

    fn has_often(&self, name: &Name<'_>, folder: &str) -> bool {
        let of = self.folders.get(&(name.organization, name.project));
        let found = of.and_then(|of| of.get(folder));
        found.is_some_and(|(_, paths)| paths.len() > 1)
    }

    fn elsewhere(&self, name: &Name<'_>, folder: &str) -> Option<&'t str> {
        let newest = self.newest.get(&(name.organization, name.project));
        other_than(folder, newest)
    }

    /// Returns one report for each implementation that belongs in another folder.
    fn foreign<'k>(
        &'k self,
        folder: &'k str,
        reports: &'k [Named<'t>],
    ) -> impl Iterator<Item = (&'k Name<'t>, &'t ReportFacts, &'t str)> {
        let is_shared = self.users.get(folder).is_some_and(|of| of.len() > 1);
        let own = letters(folder);
        let mut seen = BTreeSet::new();
        reports.iter().filter_map(move |(name, report)| {
            let right = self.right.get(&(name.organization, name.project));
            let expected = other_than(folder, right)?;
            let is_named = name.is_part_of(folder) || own.contains(&letters(expected));
            if self.has_often(name, folder) || (is_named && !is_shared) {
                return None;
            }
            let is_first = seen.insert((name.organization, name.project));
            is_first.then_some((name, *report, expected))
        })
    }
}

type BestTwo<'t> = Vec<&'t str>;

fn other_than<'t>(folder: &str, best: Option<&BestTwo<'t>>) -> Option<&'t str> {
    let mut others = best.into_iter().flatten();
    others.find(|other| **other != folder).copied()
}

fn best_two<'t, K: Ord>(folders: impl Iterator<Item = (K, &'t str)>) -> BestTwo<'t> {
    let mut folders: Vec<_> = folders.collect();
    folders.sort_by(|a, b| b.cmp(a));
    folders
        .into_iter()
        .map(|(_, folder)| folder)
        .take(2)
        .collect()
}
