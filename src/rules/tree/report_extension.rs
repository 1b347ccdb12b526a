//! `tree/report-extension`

use crate::diagnostic::{Place, in_code};
use crate::rules::{Check, EntryContext, Findings, Rule};
use crate::tree::{EntryIssue, name_of};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/report-extension",
    include_str!("report_extension.md"),
    Check::Entry(check),
);

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    if cx.unexpected.kind != EntryIssue::Extension {
        return;
    }
    let name = name_of(&cx.unexpected.path);
    let renamed = name_of(&cx.unexpected.path.with_extension("yaml"));
    out.at(
        Place::path(cx.path()),
        format!(
            "`{name}` does not end in `.yaml`; tools that read the tree pass it over",
            name = in_code(&name)
        ),
    )
    .help(format!(
        "rename it to `{}`, and the link in README.md with it",
        in_code(&renamed)
    ));
}
