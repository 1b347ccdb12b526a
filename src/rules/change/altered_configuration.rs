//! `change/altered-configuration`

use crate::diagnostic::Place;
use crate::rules::{Alteration, Check, Findings, InputsContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "change/altered-configuration",
    include_str!("altered_configuration.md"),
    Check::Inputs(check),
);

fn check(cx: &InputsContext<'_>, out: &mut Findings) {
    let revision = cx.revision;
    for file in cx.altered {
        let message = match file.alteration {
            Alteration::Added => {
                "the change adds this file, which decides how it is checked; the check with it and the one without it both count".to_owned()
            }
            Alteration::Deleted => format!(
                "the change deletes this file, which decides how it is checked; the check with the version of `{revision}` and the one without it both count"
            ),
            Alteration::Changed => format!(
                "the change alters this file, which decides how it is checked; the check with the version of `{revision}` and the one with the new version both count"
            ),
            Alteration::Repaired => format!(
                "the change alters this file, which decides how it is checked; the version of `{revision}` is invalid, so the check without it and the one with the new version both count"
            ),
        };
        out.at(Place::path(&file.path), message).help(
            "a finding is left out only where both checks leave it out, and has the higher severity of both; review this file first, and submit it as a change of its own",
        );
    }
}
