use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{Status, StatusKind};
use gwconform_base::text::diagnostic::{Anchor, Diagnostic, Severity};
use gwconform_base::text::message::Message;

resource_rule! {
    "observed_generation.md", &[Kind::WITH_STATUS], check, Text<'a>;
    Missing { name: &'a str, owner: &'a Message } => "{name} of {owner} has no `observedGeneration`",
    NotANumber { name: &'a str, owner: &'a Message } => "`observedGeneration` of {name} of {owner} is not a number",
    Ahead { name: &'a str, owner: &'a Message, observed: i64, generation: i64 } => "{name} of {owner} is for generation {observed}, but the object is at {generation}",
    Generation => "`metadata.generation`",
    Set => "set it to the `metadata.generation` that the controller observed",
    Copy => "copy `metadata.generation` of the object itself, not of another one",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        let current = cx.object(status).generation;
        let written = status.conditions.iter();
        for condition in written.filter(|condition| !condition.is_default) {
            let (name, owner) = (condition.name(), &status.title());
            let Some((observed, node)) = condition.observed else {
                if let Some(written) = condition.written_generation() {
                    limited(
                        out.at(written.place(), Text::NotANumber { name, owner }),
                        status,
                    )
                    .help(Text::Set);
                    continue;
                }
                let Anchor { place, subject } = condition.place();
                let missing = Anchor::new(place, subject.child("observedGeneration"));
                limited(out.at(missing, Text::Missing { name, owner }), status).help(Text::Set);
                continue;
            };
            if let Some((generation, current)) = current
                && observed > generation
            {
                let text = Text::Ahead {
                    name,
                    owner,
                    observed,
                    generation,
                };
                limited(out.at(node.place(), text), status)
                    .label(current.place(), Text::Generation)
                    .help(Text::Copy);
            }
        }
    }
}

/// GEP-713 only recommends the field for policies of other groups.
fn limited<'o>(finding: &'o mut Diagnostic, status: &Status<'_>) -> &'o mut Diagnostic {
    if status.kind == StatusKind::AnyPolicy {
        finding.severity = finding.severity.min(Severity::Warning);
    }
    finding
}
