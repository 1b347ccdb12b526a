//! `tree/folder-name`

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;

use crate::diagnostic::Anchor;
use crate::message::texts;
use crate::naming::Name;
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
        Rename { expected: &'a str } => "name the folder {expected} from the next submission on",
    }
}

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    // Long paths that begin alike: comparing them costs more than hashing.
    let mut names: HashMap<&OsStr, Vec<Name<'_>>> = HashMap::new();
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
        names.entry(path).or_default().push(name);
    }
    for submission in &cx.tree.submissions {
        let path = submission.path.as_os_str();
        let (Some(folder), Some(names)) = (&submission.folder, names.get(path)) else {
            continue;
        };
        let is_known = |name: &Name<'_>| {
            let of = &folders[&(name.organization, name.project)];
            of[folder.as_str()].1.len() > 1
        };
        let is_fine = |name: &Name<'_>| name.is_part_of(folder) || is_known(name);
        let Some(first) = names.first().filter(|_| !names.iter().any(is_fine)) else {
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

/// Folders by name: the newest release of a report in one, and their paths.
type Folders<'t> = BTreeMap<&'t str, (Option<&'t Version>, HashSet<&'t OsStr>)>;
