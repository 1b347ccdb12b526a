use crate::rules::{self, ALL, ConfigContext, Findings, Scope, rule};
use gwconform_base::text::diagnostic::{Anchor, Subject};

rule! {
    "unused_ignore.md", ConfigContext(check), Text<'a>;
    Unused { rule: &'a str } => "the entry ignores no finding of {rule}",
    Remove => "remove the entry; its findings no longer occur",
    Outside => "write the path relative to the folder of gwconform.toml; paths outside of it never match",
}

fn check(cx: &ConfigContext<'_>, out: &mut Findings) {
    for (place, ignore) in cx.unused_ignores {
        let (rule, path) = (
            ignore.rule.get_ref().as_str(),
            ignore.path.get_ref().as_str(),
        );
        // Findings of change rules depend on the revision. Rules that did not run have no findings.
        let was_run = rules::find(&ALL, rule)
            .is_some_and(|rule| rule.scope != Scope::Change && cx.settings.is_selected(rule));
        if !was_run {
            continue;
        }
        let subject = Subject::new(format!("{rule} {path}"));
        let anchor = Anchor::new(place.clone(), subject);
        out.at(anchor, Text::Unused { rule })
            .help(if leads_outside(path) {
                Text::Outside
            } else {
                Text::Remove
            });
    }
}

/// True for paths outside of the tree, which never match a finding.
fn leads_outside(path: &str) -> bool {
    path.starts_with('/') || path.split('/').any(|name| name == "..")
}
