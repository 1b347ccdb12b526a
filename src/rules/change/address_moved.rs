//! `change/address-moved`

use std::fmt;

use crate::diagnostic::Severity;
use crate::rules::{ChangeContext, Check, Findings, MovedAddress, Owner, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "change/address-moved",
    include_str!("address_moved.md"),
    Check::Change(check),
);

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    for moved in cx.moved {
        let severity = out.severity();
        let finding = out.at(moved.place.clone(), message(moved));
        // Whoever renames a report means to; but links to it break all the same.
        if moved.is_renamed {
            finding.severity = severity.min(Severity::Warning);
        }
        if let Some(place) = &moved.owner_place {
            finding.label(
                place.clone(),
                format!("has the address `{}` in {}", moved.address, cx.revision),
            );
        }
        finding.help(help(moved));
    }
}

fn message(moved: &MovedAddress) -> String {
    let MovedAddress { owner, address, .. } = moved;
    let moves = |to: &str| format!("{owner} moves from the address `{address}` to `{to}`");
    match (&moved.new_owner, &moved.new_address) {
        (Some(new_owner), Some(to)) => {
            format!("{new_owner} takes the address `{address}` of {owner}, which moves to `{to}`")
        }
        (Some(new_owner), None) => {
            format!(
                "{new_owner} takes the address `{address}` of {owner}, which has no report left"
            )
        }
        (None, to) => moves(to.as_deref().unwrap_or_default()),
    }
}

fn help(moved: &MovedAddress) -> String {
    match &moved.owner {
        Owner::Implementation(organization, project) => format!(
            "add an `[[implementation]]` entry with `organization = {organization:?}` and `project = {project:?}` to gwconform.toml: configured implementations keep their addresses"
        ),
        Owner::Report(_) if moved.is_renamed => {
            "expected a report that is accepted to keep its name: links to its page break"
                .to_owned()
        }
        Owner::Report(_) => {
            "expected a new report to have a name of its own in the folder of the implementation"
                .to_owned()
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Implementation(organization, project) => write!(f, "`{organization}/{project}`"),
            Self::Report(path) => write!(f, "the report `{path}`"),
        }
    }
}
