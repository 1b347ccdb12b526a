//! `change/several-implementations`

use crate::diagnostic::{Place, in_code};
use crate::rules::{ChangeContext, Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::info(
    "change/several-implementations",
    include_str!("several_implementations.md"),
    Check::Change(check),
);

/// How many are named before the rest is counted.
const MAX_NAMES: usize = 5;

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    let all = cx.implementations.len();
    if all < 2 {
        return;
    }
    let names = cx.implementations.iter().take(MAX_NAMES);
    let names: Vec<String> = names
        .map(|(organization, project)| {
            format!(
                "`{organization}/{project}`",
                organization = in_code(&organization),
                project = in_code(&project)
            )
        })
        .collect();
    let more = match all.saturating_sub(MAX_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "the change is about {all} implementations: {}{more}",
        names.join(", ")
    );
    out.at(Place::path(cx.root), message)
        .help("a change for each can be reviewed by those who maintain it");
}
