use crate::rules::{EntryContext, Findings, rule};
use crate::tree::EntryIssue;
use gwconform_base::files::name_of;
use gwconform_base::text::diagnostic::Anchor;

rule! {
    "report_extension.md", EntryContext(check), Text<'a>;
    Other { name: &'a str } => "{name} does not end in `.yaml`, so tools that read the tree ignore it; expected the extension `.yaml`",
    Rename { expected: &'a str } => "rename it to {expected} and correct the link in README.md",
}

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    if cx.unexpected.kind != EntryIssue::Extension {
        return;
    }
    let name = &name_of(&cx.unexpected.path);
    let expected = &name_of(&cx.unexpected.path.with_extension("yaml"));
    out.at(Anchor::path(cx.path()), Text::Other { name })
        .help(Text::Rename { expected });
}
