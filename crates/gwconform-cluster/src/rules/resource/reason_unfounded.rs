use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{StatusKind, Value};
use gwconform_base::text::message::Message;

resource_rule! {
    "reason_unfounded.md", &[Kind::WITH_STATUS], check, Text<'a>;
    Unfounded { name: &'a str, owner: &'a Message, reason: &'a str, field: &'a str } => "{name} of {owner} is False with reason {reason}, but {field} is not set",
    Judge => "judge the object again when the field changes, or use another reason",
}

/// Status, condition type, reasons for False, and the field of the object that they concern.
type Row = (
    StatusKind,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

/// Field of listeners up to v1.3, for `spec.tls.frontend`.
const FORMER: [&str; 2] = ["tls", "frontendValidation"];

#[rustfmt::skip]
const ROWS: &[Row] = &[
    (StatusKind::Gateway, "Accepted", &["UnsupportedAddress"], &["spec", "addresses"]),
    (StatusKind::Gateway, "Programmed", &["AddressNotUsable"], &["spec", "addresses"]),
    (StatusKind::Gateway, "ResolvedRefs", &["InvalidClientCertificateRef"], &["spec", "tls", "backend"]),
    (StatusKind::Listener, "ResolvedRefs", &["InvalidCACertificateRef", "InvalidCACertificateKind"], &["spec", "tls", "frontend"]),
    (StatusKind::Listener, "Accepted", &["NoValidCACertificate"], &["spec", "tls", "frontend"]),
    (StatusKind::Policy, "ResolvedRefs", &["InvalidCACertificateRef"], &["spec", "validation", "caCertificateRefs"]),
    (StatusKind::Policy, "Accepted", &["NoValidCACertificate"], &["spec", "validation", "caCertificateRefs"]),
];

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        let object = cx.object(status);
        if status.is_outdated(object) {
            continue;
        }
        for (_, name, reasons, path) in ROWS.iter().filter(|row| row.0 == status.kind) {
            let found = status.find(name).filter(|found| {
                found.value == Some(Value::False) && reasons.contains(&found.reason())
            });
            let is_set = object.at(path).is_some_and(|node| !node.is_empty())
                || (status.kind == StatusKind::Listener
                    && object
                        .items(&["spec", "listeners"])
                        .any(|one| one.at(&FORMER).is_some()));
            if let Some(found) = found.filter(|_| !is_set) {
                let text = Text::Unfounded {
                    name,
                    owner: &status.title(),
                    reason: found.reason(),
                    field: &path.join("."),
                };
                out.at(found.reason_place(), text).help(Text::Judge);
            }
        }
    }
}
