use crate::rules::{ChangeContext, Findings, message_parts, rule};
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

rule! {
    "several_implementations.md", ChangeContext(check), Text;
    Several { count: usize, names: Message } => "the change touches {count} implementations: {names}",
    Split => "submit a separate change for each implementation, so that its maintainers can review it",
}

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    // A renamed implementation is one, reported by change/edited-metadata.
    let is_former = |name: &(&str, &str)| cx.renames.iter().any(|rename| rename.old == *name);
    let all = cx.implementations.iter().filter(|name| !is_former(name));
    let all: Vec<_> = all.collect();
    let count = all.len();
    if count < 2 {
        return;
    }
    let all: Vec<String> = (all.iter())
        .map(|(organization, project)| format!("{organization}/{project}"))
        .collect();
    let names = message_parts::names(all.iter().map(String::as_str));
    let anchor = Anchor::path(cx.root).about(all.join(", "));
    out.at(anchor, Text::Several { count, names })
        .help(Text::Split);
}
