use crate::report::facts::ReportFacts;
use crate::report::naming::Name;
use crate::rules::tree::implementation;
use crate::rules::{ChangeContext, Findings, Known, rule};
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

rule! {
    "other_folder.md", ChangeContext(check), Text<'a>;
    Other { folder: &'a str, implementation: String, folders: Message } => "{folder} is not a folder of {implementation}; its reports are in {folders}",
    Move { folder: &'a str } => "move the report to the folder {folder} of its release; if it belongs to another implementation, run the suite again with its `--organization` and `--project`",
}

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    for (report, known) in cx.of_known() {
        let Some(folder) = report.folder() else {
            continue;
        };
        let mut folders: Vec<&str> = Vec::new();
        for own in known.reports.iter().rev().filter_map(|one| one.folder()) {
            if !folders.contains(&own) {
                folders.push(own);
            }
        }
        if folders.contains(&folder) || is_made_by_add(folder, report, known, cx) {
            continue;
        }
        let Some(&newest) = folders.first() else {
            continue;
        };
        let message = Text::Other {
            folder,
            implementation: implementation(report),
            folders: Message::list(folders.into_iter().map(Message::code), ", ", " and "),
        };
        out.at(Anchor::path(&report.path), message)
            .help(Text::Move { folder: newest });
    }
}

/// True for the folder that `gwconform add` creates for a configured name, unless another
/// implementation has reports in it.
fn is_made_by_add(
    folder: &str,
    report: &ReportFacts,
    known: &Known<'_>,
    cx: &ChangeContext<'_>,
) -> bool {
    let Some((organization, project)) = cx.names.of(report) else {
        return false;
    };
    let name = Name {
        organization,
        project,
    };
    let is_in_it = |one: &&ReportFacts| one.folder() == Some(folder);
    let mut others = cx.known.values().filter(|one| !std::ptr::eq(*one, known));
    cx.names.has((organization, project))
        && name.folder() == folder
        && !others.any(|other| other.reports.iter().any(is_in_it))
}
