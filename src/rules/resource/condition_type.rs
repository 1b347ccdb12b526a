//! `resource/condition-type`: GEP-1364, "Proposed changes summary"

use super::{Kind, ResourceContext, is_domain_prefixed};
use crate::diagnostic::in_code;
use crate::resource::{homes, types};
use crate::rules::{Check, Findings, Rule};
use crate::suggest;
use crate::text::joined;

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/condition-type",
    include_str!("condition_type.md"),
    Check::Resource(&[Kind::WITH_STATUS], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        let types = types(status.subject);
        for condition in status
            .conditions
            .iter()
            .filter(|condition| !condition.is_default)
        {
            let name = condition.name();
            if types.contains_key(name) || is_domain_prefixed(name) {
                continue;
            }
            let here = status.subject.in_words();
            let homes: Vec<String> = homes(name)
                .into_iter()
                .map(|subject| subject.in_words().to_owned())
                .collect();
            let message = if name.is_empty() {
                format!("a condition of {} has no type", status.title)
            } else if homes.is_empty() {
                let near = suggest::similar(name, types.keys().map(String::as_str));
                let near = near.filter(|near| near.typo);
                let hint = near.map_or(String::new(), |near| {
                    format!("; did you mean `{}`?", in_code(&near.name))
                });
                format!(
                    "`{name}` is no condition of {here}, and has no domain prefix{hint}",
                    name = in_code(&name)
                )
            } else {
                format!(
                    "`{name}` is a condition of {}, not of {here}",
                    joined(&homes, "and"),
                    name = in_code(&name)
                )
            };
            out.at(condition.place(), message)
                .help("prefix types of your own with a domain, such as `acme.example/Ready`: the API may take the bare word");
        }
    }
}
