use crate::rules::{EntryContext, Findings, rule};
use crate::tree::{EntryIssue, LinkProblem};
use gwconform_base::files::name_of;
use gwconform_base::text::diagnostic::Anchor;

rule! {
    "link.md", EntryContext(check), Text<'a>;
    ToItself { name: &'a str, target: &'a str } => "{name} is a link to {target}, which does not resolve to a folder",
    ToOutside { name: &'a str, target: &'a str } => "{name} is a link to {target}, which is outside the reports tree",
    ToNothing { name: &'a str, target: &'a str } => "{name} is a link to {target}, which does not exist",
    ToOtherMinor { name: &'a str, target: &'a str } => "{name} is a link to {target}, which is the folder of another minor release",
    NotARelease { name: &'a str, target: &'a str } => "{name} is a link to {target}, which was not followed; expected links only as aliases of release folders",
    OnlyAliases => "correct or remove the link; the links in a reports tree are aliases of release folders, such as `v1.5.0` for `v1.5`",
    ReplaceByTarget => "replace the link with the file or folder itself; links in a submission are not followed",
}

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    let EntryIssue::Link { target, problem } = &cx.unexpected.kind else {
        return;
    };
    let name = &name_of(&cx.unexpected.path);
    let message = match problem {
        LinkProblem::Itself => Text::ToItself { name, target },
        LinkProblem::Outside => Text::ToOutside { name, target },
        LinkProblem::Nowhere => Text::ToNothing { name, target },
        LinkProblem::OtherMinor => Text::ToOtherMinor { name, target },
        LinkProblem::NotARelease => Text::NotARelease { name, target },
    };
    let is_next_to_releases = cx.unexpected.path.parent() == Some(&cx.tree.root);
    out.at(
        Anchor::path(cx.path()).about(format!("link to {target}")),
        message,
    )
    .help(if is_next_to_releases {
        Text::OnlyAliases
    } else {
        Text::ReplaceByTarget
    });
}
