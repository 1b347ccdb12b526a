use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{Condition, Node, Object, Presence, Value, parameters};
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

resource_rule! {
    "parameters_ref.md", &[&[Kind::GatewayClass, Kind::Mesh]], check, Text<'a>;
    Empty { object: Message } => "`parametersRef` of {object} is empty",
    Incomplete { object: Message, field: &'a str } => "`parametersRef` of {object} has no {field}",
    Absent { object: Message } => "`Accepted` of {object} has reason `InvalidParameters`, but the object has no `parametersRef`",
    Missing { object: Message, target: Message } => "`parametersRef` of {object} refers to {target}, which does not exist; expected `Accepted` False with reason `InvalidParameters`",
    Reference => "this reference",
    Remove => "remove `parametersRef` if no parameters are needed",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, object) in cx.living(&[Kind::GatewayClass, Kind::Mesh]) {
        let spec = object.at(&["spec"]);
        let written = spec.and_then(|spec| spec.written("parametersRef"));
        if let Some(node) = written
            && object.kind == Some(Kind::Mesh)
            && let Some(text) = issue(node, object)
        {
            out.at(node.head(), text).help(Text::Remove);
            continue;
        }
        let accepted = cx
            .cluster
            .own_status(at)
            .filter(|status| !status.is_outdated(object))
            .and_then(|status| status.find("Accepted"));
        if let Some(accepted) = accepted.filter(|found| !found.is_default) {
            compare(cx, object, accepted, out);
        }
    }
}

fn issue(node: Node<'_>, object: &Object<'_>) -> Option<Text<'static>> {
    let object = object.title();
    if node.is_null() || node.is_empty() {
        return Some(Text::Empty { object });
    }
    // An empty group is valid, because it is the core group.
    let field = ["group", "kind", "name"]
        .into_iter()
        .find(|name| node.written(name).is_none())?;
    Some(Text::Incomplete { object, field })
}

fn compare(
    cx: &ResourceContext<'_>,
    object: &Object<'_>,
    accepted: &Condition<'_>,
    out: &mut Findings,
) {
    let is_invalid =
        accepted.value == Some(Value::False) && accepted.reason() == "InvalidParameters";
    let Some(reference) = parameters(object) else {
        if is_invalid {
            let text = Text::Absent {
                object: object.title(),
            };
            out.at(accepted.reason_place(), text);
        }
        return;
    };
    match cx.cluster.presence(&reference) {
        Presence::There => {}
        Presence::NotDumped => out.leave_out(format!(
            "{}: whether {} exists: the input has nothing of its kind and namespace",
            RULE.about().id,
            reference.title()
        )),
        Presence::Missing if is_invalid => {}
        Presence::Missing => {
            let text = Text::Missing {
                object: object.title(),
                target: reference.title(),
            };
            let finding = out.at(accepted.status_place(), text);
            finding.label(reference.node.head(), Text::Reference);
            // The spec uses SHOULD for GatewayClasses.
            if object.kind == Some(Kind::GatewayClass) {
                finding.severity = finding.severity.min(Severity::Warning);
            }
        }
    }
}
