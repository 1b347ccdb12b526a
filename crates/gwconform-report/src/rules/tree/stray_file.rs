use crate::rules::{EntryContext, Findings, rule};
use crate::tree::EntryIssue;
use gwconform_base::files::name_of;
use gwconform_base::text::diagnostic::Anchor;

rule! {
    "stray_file.md", EntryContext(check), Text<'a>;
    GitSettings { name: &'a str } => "{name} changes how git stores, shows or ignores files of the tree",
    RemoveSettings => "remove it; git settings belong in the root of the repository",
    Unexpected { name: &'a str } => "unexpected entry {name}",
    OnlyInRoot => "move or remove it; the root of a reports tree contains only release folders, README.md, gwconform.toml and shell scripts",
    OnlyInSubmission => "move or remove it; a submission `<release>/<organization>-<project>/` contains only README.md, reports and shell scripts",
}

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    let name = &name_of(&cx.unexpected.path);
    let is_in_root = cx.unexpected.path.parent() == Some(&cx.tree.root);
    let (message, help) = match (&cx.unexpected.kind, is_in_root) {
        (EntryIssue::GitSettings, _) => (Text::GitSettings { name }, Text::RemoveSettings),
        (EntryIssue::Stray, true) => (Text::Unexpected { name }, Text::OnlyInRoot),
        (EntryIssue::Stray, false) => (Text::Unexpected { name }, Text::OnlyInSubmission),
        _ => return,
    };
    out.at(Anchor::path(cx.path()), message).help(help);
}
