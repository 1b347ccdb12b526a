//! `resource/parameters-ref`: GEP-3949, "status" and MeshSpec; the implementer's guide, "GatewayClass"

use super::{Kind, ResourceContext};
use crate::diagnostic::Severity;
use crate::resource::{Node, Object, Presence, Value, parameters};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/parameters-ref",
    include_str!("parameters_ref.md"),
    Check::Resource(&[&[Kind::GatewayClass, Kind::Mesh]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, object) in cx.living(&[Kind::GatewayClass, Kind::Mesh]) {
        let written = object
            .at(&["spec"])
            .and_then(|spec| spec.written("parametersRef"));
        if let Some(node) = written
            && object.kind == Some(Kind::Mesh)
            && let Some(lack) = lacks(node)
        {
            out.at(
                node.head(),
                format!("parametersRef of {} {lack}", object.title()),
            )
            .help("leave it out where no parameters are needed");
            continue;
        }
        accepted(cx, at, object, out);
    }
}

/// What is wrong with a reference to parameters.
fn lacks(node: Node<'_>) -> Option<String> {
    if node.is_null() || node.is_empty() {
        return Some("is empty".to_owned());
    }
    let mut fields = ["group", "kind", "name"].into_iter();
    // The core group is written as an empty text.
    let missing = fields.find(|field| node.written(field).is_none());
    missing.map(|field| format!("has no {field}"))
}

fn accepted(cx: &ResourceContext<'_>, at: usize, object: &Object<'_>, out: &mut Findings) {
    let Some(status) = cx
        .cluster
        .own_status(at)
        .filter(|status| !status.is_outdated(object))
    else {
        return;
    };
    let Some(condition) = status.find("Accepted").filter(|found| !found.is_default) else {
        return;
    };
    let is_invalid =
        condition.value == Some(Value::False) && condition.reason() == "InvalidParameters";
    let Some(reference) = parameters(object) else {
        if is_invalid {
            let message = format!(
                "{} has no parametersRef that could be invalid",
                object.title()
            );
            out.at(condition.reason_place(), message);
        }
        return;
    };
    let title = reference.title();
    match cx.cluster.presence(&reference) {
        Presence::There => {}
        Presence::NotDumped => out.leave_out(format!(
            "{}: whether {title} exists: nothing of its kind and namespace is there",
            RULE.id
        )),
        Presence::Missing if is_invalid => {}
        Presence::Missing => {
            let message = format!(
                "parametersRef of {} names {title}, which is not there; expected Accepted False with the reason InvalidParameters",
                object.title()
            );
            let finding = out.at(condition.status_place(), message);
            finding.label(reference.node.head(), "named here");
            // Of a GatewayClass the guide says SHOULD.
            if object.kind == Some(Kind::GatewayClass) {
                finding.severity = finding.severity.min(Severity::Warning);
            }
        }
    }
}
