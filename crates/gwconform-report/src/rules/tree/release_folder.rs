use crate::rules::{EntryContext, Findings, rule};
use crate::tree::{EntryIssue, FIRST_MINOR_FOLDER, Submission};
use gwconform_base::api::FolderRelease;
use gwconform_base::files::name_of;
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

rule! {
    "release_folder.md", EntryContext(check), Text<'a>;
    NotARelease { name: &'a str, first: String } => "{name} contains reports but is not named after a release; expected `vX.Y` from {first} on, `vX.Y.Z` before",
    Rename { expected: String } => "rename it to {expected}",
    RenameToRelease => "name it after the release of its reports",
    OfMinor { name: &'a str, first: String, minor: String } => "{name} is a separate folder; expected its reports in {minor}, because all releases of a minor share a folder from {first} on",
    MoveToMinor { name: &'a str, minor: String } => "move the reports to {minor}, and make {name} a link to it",
}

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    let name = &name_of(&cx.unexpected.path);
    let first = FIRST_MINOR_FOLDER.to_string();
    let (message, help) = match &cx.unexpected.kind {
        EntryIssue::NotARelease => (Text::NotARelease { name, first }, rename(name)),
        EntryIssue::ReleaseOfMinor { minor } => {
            let minor = minor.to_string();
            let message = Text::OfMinor {
                name,
                first,
                minor: minor.clone(),
            };
            (message, Text::MoveToMinor { name, minor })
        }
        _ => return,
    };
    out.at(Anchor::path(cx.path()), message).help(help);
}

pub fn block(submission: &Submission) -> Option<Message> {
    if submission.folder.is_none() || submission.release.is_some() {
        return None;
    }
    let name = &name_of(submission.path.parent()?);
    let first = FIRST_MINOR_FOLDER.to_string();
    Some(Text::NotARelease { name, first }.into())
}

fn rename(name: &str) -> Text<'_> {
    match FolderRelease::parse_leniently(name) {
        Some(FolderRelease::Exact(version)) if version.minor() >= FIRST_MINOR_FOLDER => {
            let expected = version.minor().to_string();
            Text::Rename { expected }
        }
        Some(_) => {
            let expected = format!("v{}", name.trim_start_matches(['v', 'V']));
            Text::Rename { expected }
        }
        None => Text::RenameToRelease,
    }
}
