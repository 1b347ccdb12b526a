//! `tree/release-folder`

use crate::diagnostic::{Place, in_code};
use crate::rules::{Check, EntryContext, Findings, Rule};
use crate::tree::{EntryIssue, FIRST_MINOR_FOLDER, FolderRelease, name_of};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/release-folder",
    include_str!("release_folder.md"),
    Check::Entry(check),
);

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    let name = name_of(&cx.unexpected.path);
    match &cx.unexpected.kind {
        EntryIssue::NotARelease => {}
        EntryIssue::ReleaseOfMinor { minor } => {
            let message = format!(
                "`{name}` is a folder of its own, but from {FIRST_MINOR_FOLDER} on all releases of a minor share one",
                name = in_code(&name)
            );
            out.at(Place::path(cx.path()), message).help(format!(
                "move it to {minor}, and let {name} be a link to it"
            ));
            return;
        }
        _ => return,
    }
    let help = match FolderRelease::parse_leniently(&name) {
        Some(FolderRelease::Exact(version)) if version.minor() >= FIRST_MINOR_FOLDER => {
            format!("rename it to `{}`", version.minor())
        }
        Some(_) => format!(
            "rename it to `v{}`",
            in_code(name.trim_start_matches(['v', 'V']))
        ),
        None => {
            format!("a release folder is named vX.Y from {FIRST_MINOR_FOLDER} on, vX.Y.Z before")
        }
    };
    out.at(
        Place::path(cx.path()),
        format!(
            "`{name}` holds reports, but is not the name of a release",
            name = in_code(&name)
        ),
    )
    .help(help);
}
