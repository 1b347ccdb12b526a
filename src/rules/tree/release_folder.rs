//! `tree/release-folder`

use crate::diagnostic::{Place, Severity};
use crate::rules::{Check, EntryContext, Findings, Rule};
use crate::tree::{FolderRelease, OddityKind, name_of};

/// The rule.
pub static RULE: Rule = Rule {
    id: "tree/release-folder",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    doc: include_str!("release_folder.md"),
    check: Check::Entry(check),
};

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    if cx.oddity.kind != OddityKind::NotARelease {
        return;
    }
    let name = name_of(&cx.oddity.path);
    let with_v = format!("v{}", name.trim_start_matches(['v', 'V']));
    let help = match FolderRelease::parse_leniently(&name) {
        Some(_) => format!("rename it to {with_v}"),
        None => "a release folder is named vX.Y from v1.5 on, vX.Y.Z before".to_owned(),
    };
    out.at(
        Place::path(cx.path()),
        format!("`{name}` holds reports, but is not the name of a release"),
    )
    .help(help);
}
