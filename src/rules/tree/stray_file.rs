//! `tree/stray-file`

use crate::diagnostic::{Place, in_code};
use crate::rules::{Check, EntryContext, Findings, Rule};
use crate::tree::{EntryIssue, name_of};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "tree/stray-file",
    include_str!("stray_file.md"),
    Check::Entry(check),
);

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    let name = name_of(&cx.unexpected.path);
    let place = Place::path(cx.path());
    match cx.unexpected.kind {
        EntryIssue::ReadmeName => {
            out.at(
                place,
                format!(
                    "`{name}` is not read as the README of this submission",
                    name = in_code(&name)
                ),
            )
            .help("rename it to `README.md`");
        }
        EntryIssue::Stray => {
            let is_in_root = cx.unexpected.path.parent() == Some(&cx.tree.root);
            let finding = out.at(
                place,
                format!("`{name}` does not belong here", name = in_code(&name)),
            );
            finding.help(if is_in_root {
                "the root of a reports tree holds release folders and, if you like, README.md, gwconform.toml and shell scripts; move or remove the rest"
            } else {
                "a submission is <release>/<organization>-<project>/ with README.md, reports and, if you like, shell scripts; move or remove the rest"
            });
        }
        _ => {}
    }
}
