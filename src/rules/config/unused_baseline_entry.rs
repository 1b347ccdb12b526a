//! `config/unused-baseline-entry`

use crate::rules::{Check, ConfigContext, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "config/unused-baseline-entry",
    include_str!("unused_baseline_entry.md"),
    Check::Config(check),
);

fn check(cx: &ConfigContext<'_>, out: &mut Findings) {
    for entry in cx.unused_accepted {
        let message = match entry.found {
            0 => format!("this entry accepts no finding of {}", entry.rule),
            found => format!(
                "this entry accepts {} findings of {}, and there is {found} of them",
                entry.count, entry.rule
            ),
        };
        out.at(entry.place.clone(), message).help(
            "what it was for is mended: write the baseline anew with --write-baseline, or take the entry out",
        );
    }
}
