//! `resource/observed-generation`: the implementer's guide, "Standard Status Fields and Conditions"; GEP-1364, "Background"

use super::{Kind, ResourceContext};
use crate::diagnostic::in_code;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/observed-generation",
    include_str!("observed_generation.md"),
    Check::Resource(&[Kind::WITH_STATUS], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        let generation = cx.object(status).generation;
        for condition in status
            .conditions
            .iter()
            .filter(|condition| !condition.is_default)
        {
            let name = condition.name();
            let Some((observed, node)) = condition.observed else {
                let message = format!(
                    "`{name}` of {} has no observedGeneration",
                    status.title,
                    name = in_code(&name)
                );
                out.at(condition.place(), message)
                    .help("set it to the metadata.generation that the controller saw");
                continue;
            };
            if let Some((now, place)) = generation
                && observed > now
            {
                let message = format!(
                    "`{name}` of {} was written for generation {observed}, and the object is at {now}",
                    status.title,
                    name = in_code(&name)
                );
                out.at(node.place(), message)
                    .label(place.place(), "metadata.generation")
                    .help(
                        "copy the object's own metadata.generation, not the one of another object",
                    );
            }
        }
    }
}
