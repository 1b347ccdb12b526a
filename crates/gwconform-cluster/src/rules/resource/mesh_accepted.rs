use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{Condition, Object, Value};
use gwconform_base::text::diagnostic::{Anchor, Severity};
use gwconform_base::text::letters;
use gwconform_base::text::message::{Message, Words};

resource_rule! {
    "mesh_accepted.md", &[&[Kind::Mesh]], check, Text;
    Without { object: Message, value: Words, lacks: Words } => "`Accepted` of {object} is {value} without a {lacks}",
    Unnamed { object: Message } => "the message does not name the mesh instance that has claimed {object}",
    Explain => "explain the rejection in reason and message",
    Name => "name the mesh instance with its version or namespace, such as `accepted by acme-mesh v1.2.3 in namespace acme-mesh`",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, object) in cx.living(&[Kind::Mesh]) {
        let accepted = cx
            .cluster
            .own_status(at)
            .filter(|status| status.is_reconciled)
            .and_then(|status| status.find("Accepted"));
        let Some(accepted) = accepted.filter(|accepted| !accepted.is_default) else {
            continue;
        };
        let message = accepted.message.map_or("", |text| text.value);
        let controller = cx.cluster.controller(at).map_or("", |name| name.value);
        let without = |value, lacks| Text::Without {
            object: object.title(),
            value: Words(value),
            lacks: Words(lacks),
        };
        match accepted.value {
            Some(Value::False) if message.is_empty() => {
                out.at(accepted.status_place(), without("False", "message"))
                    .help(Text::Explain);
            }
            Some(Value::False) if accepted.reason().is_empty() => {
                out.at(accepted.status_place(), without("False", "reason"))
                    .help(Text::Explain);
            }
            Some(Value::True) if message.is_empty() => {
                out.at(message_place(accepted), without("True", "message"))
                    .help(Text::Name);
            }
            Some(Value::True) if !names_someone(message, object, controller) => {
                let (place, object) = (message_place(accepted), object.title());
                let finding = out.at(place, Text::Unnamed { object });
                // Warning at most, because the finding depends on free text.
                finding.severity = finding.severity.min(Severity::Warning);
                finding.help(Text::Name);
            }
            _ => {}
        }
    }
}

fn message_place(condition: &Condition<'_>) -> Anchor {
    condition
        .message
        .map(|message| message.node.place())
        .unwrap_or_else(|| condition.place())
}

fn names_someone(message: &str, object: &Object<'_>, controller: &str) -> bool {
    let folded = letters(message);
    let parts = controller
        .split(['/', '.'])
        .chain([object.name(), "namespace"]);
    // Short parts such as `com` identify no mesh.
    let mut telling_parts = parts.map(letters).filter(|part| part.len() > 3);
    let is_version =
        |word: &str| word.starts_with('v') && word[1..].starts_with(|c: char| c.is_ascii_digit());
    telling_parts.any(|part| folded.contains(&part)) || message.split_whitespace().any(is_version)
}
