//! `resource/mesh-accepted`: GEP-3949, "status" and MeshConditionType

use super::{Kind, ResourceContext};
use crate::diagnostic::Severity;
use crate::resource::{Object, Value};
use crate::rules::{Check, Findings, Rule};
use crate::suggest;

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/mesh-accepted",
    include_str!("mesh_accepted.md"),
    Check::Resource(&[&[Kind::Mesh]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, object) in cx.living(&[Kind::Mesh]) {
        let status = cx
            .cluster
            .own_status(at)
            .filter(|status| status.is_reconciled);
        let accepted = status.and_then(|status| status.find("Accepted"));
        let Some(accepted) = accepted.filter(|accepted| !accepted.is_default) else {
            continue;
        };
        let message = accepted.message.map_or("", |message| message.value);
        let place = || match accepted.message {
            Some(message) => message.node.place(),
            None => accepted.place(),
        };
        match accepted.value {
            Some(Value::False) if message.is_empty() || accepted.reason().is_empty() => {
                let what = match message.is_empty() {
                    true => "message",
                    false => "reason",
                };
                out.at(
                    accepted.status_place(),
                    format!("{} is not accepted, without a {what}", object.title()),
                )
                .help("say in reason and message why");
            }
            Some(Value::True) if message.is_empty() => {
                out.at(place(), format!("{} is accepted without a message", object.title()))
                    .help("say which mesh instance has claimed it: `accepted by acme-mesh v1.2.3 in namespace acme-mesh`");
            }
            Some(Value::True)
                if !names_someone(
                    message,
                    object,
                    cx.cluster.controller(at).map_or("", |name| name.value),
                ) =>
            {
                let finding = out.at(
                    place(),
                    format!(
                        "this does not name the mesh instance that has claimed {}",
                        object.title()
                    ),
                );
                // Words are judged here, and a name may be one that nobody can guess.
                finding.severity = finding.severity.min(Severity::Warning);
                finding.help("name it, with its version or namespace: `accepted by acme-mesh v1.2.3 in namespace acme-mesh`");
            }
            _ => {}
        }
    }
}

/// True when a message holds a part of the controller's name, the mesh's own name, a version or a
/// namespace.
fn names_someone(message: &str, object: &Object<'_>, controller: &str) -> bool {
    let folded = suggest::letters(message);
    let parts = controller
        .split(['/', '.'])
        .chain([object.name(), "namespace"]);
    // `com` and `io` name nobody.
    let mut parts = parts.map(suggest::letters).filter(|part| part.len() > 3);
    let is_version =
        |word: &str| word.starts_with('v') && word[1..].starts_with(|c: char| c.is_ascii_digit());
    parts.any(|part| folded.contains(&part)) || message.split_whitespace().any(is_version)
}
