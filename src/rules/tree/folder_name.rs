//! `tree/folder-name`

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;

use crate::diagnostic::{Anchor, Severity};
use crate::facts::ReportFacts;
use crate::message::texts;
use crate::naming::{Name, folded, letters};
use crate::registry::Version;
use crate::rules::{Check, Findings, Rule, TreeContext};

/// The rule.
pub static RULE: Rule = Rule::info(
    "tree/folder-name",
    include_str!("folder_name.md"),
    Check::Tree(check),
)
.sources(&["reports README, How this folder is structured"])
.related(&["tree/project-spelling"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        Differs { implementation: String, expected: &'a str } => "the folder name does not contain the project of {implementation}; expected {expected}",
        DiffersFromOthers { implementation: String, expected: &'a str } => "the folder name neither contains the project of {implementation} nor is that of its other releases; expected {expected}",
        Foreign { implementation: String, expected: &'a str } => "the report of {implementation} is in a folder of another name or implementation; expected {expected}",
        Move { expected: &'a str } => "move the report to the folder {expected} of its release; if it is of another implementation, run the suite again with its `--organization` and `--project`",
        Rename { expected: &'a str } => "name the folder {expected} from the next submission on",
    }
}

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    // Long paths that begin alike: comparing them costs more than hashing.
    let mut named: HashMap<&OsStr, Vec<(Name<'_>, &ReportFacts)>> = HashMap::new();
    // The folders of each implementation, and the newest release that has it there.
    let mut folders: BTreeMap<(&str, &str), Folders<'_>> = BTreeMap::new();
    let submissions = cx.tree.submissions.iter();
    let in_folders: HashMap<&OsStr, &str> = submissions
        .filter_map(|submission| Some((submission.path.as_os_str(), submission.folder.as_deref()?)))
        .collect();
    for report in cx.reports {
        let path = report.submission.as_os_str();
        let (Some(name), Some(folder)) = (Name::of(report), in_folders.get(path)) else {
            continue;
        };
        let of = folders
            .entry((name.organization, name.project))
            .or_default();
        let (newest, paths) = of.entry(folder).or_default();
        *newest = report.release.version.as_ref().max(*newest);
        paths.insert(path);
        named.entry(path).or_default().push((name, report));
    }
    let mut users: HashMap<&str, BTreeSet<(String, String)>> = HashMap::new();
    for ((organization, project), of) in &folders {
        for folder in of.keys() {
            let name = (folded(organization), folded(project));
            users.entry(folder).or_default().insert(name);
        }
    }
    for submission in &cx.tree.submissions {
        let path = submission.path.as_os_str();
        let (Some(folder), Some(reports)) = (&submission.folder, named.get(path)) else {
            continue;
        };
        let is_shared = users.get(folder.as_str()).is_some_and(|of| of.len() > 1);
        let mut seen = BTreeSet::new();
        let mut is_fine = false;
        for (name, report) in reports {
            let of = &folders[&(name.organization, name.project)];
            let is_known = of[folder.as_str()].1.len() > 1;
            let is_part = name.is_part_of(folder);
            is_fine |= is_known || is_part;
            let is_strange = is_shared || !(is_part || contains_any(folder, of));
            let right = right_folder(name, folder, of).filter(|_| is_strange && !is_known);
            if let Some(expected) = right.filter(|_| seen.insert((name.organization, name.project)))
            {
                is_fine = true;
                let implementation = format!("{}/{}", name.organization, name.project);
                let message = Text::Foreign {
                    implementation,
                    expected,
                };
                let finding = out.at(Anchor::path(&report.path), message);
                finding.help(Text::Move { expected }).severity = Severity::Warning;
            }
        }
        let Some((first, _)) = reports.first().filter(|_| !is_fine) else {
            continue;
        };
        let elsewhere = folders[&(first.organization, first.project)]
            .iter()
            .filter(|(other, _)| *other != folder)
            .max_by_key(|(other, (newest, _))| (*newest, *other));
        let implementation = format!("{}/{}", first.organization, first.project);
        let made = first.folder();
        let (message, expected) = match elsewhere {
            None => {
                let expected = made.as_str();
                (
                    Text::Differs {
                        implementation,
                        expected,
                    },
                    expected,
                )
            }
            Some((expected, _)) => (
                Text::DiffersFromOthers {
                    implementation,
                    expected,
                },
                *expected,
            ),
        };
        out.at(Anchor::path(cx.tree.display(&submission.path)), message)
            .help(Text::Rename { expected });
    }
}

/// True if the name of a folder contains that of another one.
fn contains_any(folder: &str, others: &Folders<'_>) -> bool {
    let mut others = others.keys().filter(|other| **other != folder);
    others.any(|other| letters(folder).contains(&letters(other)))
}

/// The folder that an implementation is known to have besides `folder`: one with submissions for several
/// releases or with its project in the name. Any other folder may be as strange.
fn right_folder<'t>(name: &Name<'_>, folder: &str, of: &Folders<'t>) -> Option<&'t str> {
    let others = of.iter().filter(|(other, _)| **other != folder);
    let right = others.filter(|(other, (_, paths))| paths.len() > 1 || name.is_part_of(other));
    let right = right.max_by_key(|(other, (newest, paths))| (paths.len(), *newest, **other));
    right.map(|(folder, _)| *folder)
}

/// Folders by name: the newest release of a report in one, and their paths.
type Folders<'t> = BTreeMap<&'t str, (Option<&'t Version>, HashSet<&'t OsStr>)>;
