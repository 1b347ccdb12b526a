use crate::rules::{EntryContext, Findings, rule};
use crate::tree::EntryIssue;
use gwconform_base::files::name_of;
use gwconform_base::text::diagnostic::Anchor;

rule! {
    "repository.md", EntryContext(check), Text<'a>;
    Folder { name: &'a str } => "git treats {name} as a repository because of files in it such as `HEAD`",
    Entry { name: &'a str } => "{name} makes its folder a git repository and was not read",
    Remove => "remove it: git can run programs that the configuration of a repository names",
}

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    let EntryIssue::Repository { is_walked } = cx.unexpected.kind else {
        return;
    };
    let name = &name_of(&cx.unexpected.path);
    let message = if is_walked {
        Text::Folder { name }
    } else {
        Text::Entry { name }
    };
    out.at(Anchor::path(cx.path()), message).help(Text::Remove);
}
