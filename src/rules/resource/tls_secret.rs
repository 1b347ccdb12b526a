//! `resource/tls-secret`: the implementer's guide, "Overall Guidelines for TLS Extensions", 2

use super::{ResourceContext, WITH_OPTIONS, tls_options};
use crate::diagnostic::in_code;
use crate::resource::{Node, Object, Text};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/tls-secret",
    include_str!("tls_secret.md"),
    Check::Resource(&[WITH_OPTIONS], check),
);

/// What `kubectl apply` keeps: the whole object as it was applied.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// From this many characters of base64 in a row on it is no name: half of the smallest certificate,
/// and more than any digest.
const LONG: usize = 128;

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, object) in cx.living(WITH_OPTIONS) {
        for (name, value) in annotations(object) {
            look("annotation", name, value, out);
        }
        for (name, value) in tls_options(object) {
            look("TLS option", name, value, out);
        }
    }
}

fn annotations<'a>(object: &Object<'a>) -> impl Iterator<Item = (Text<'a>, Node<'a>)> {
    let annotations = object.at(&["metadata", "annotations"]).into_iter();
    let all = annotations.flat_map(Node::entries);
    all.filter(|(name, _)| name.value != LAST_APPLIED)
}

fn look(what: &str, name: Text<'_>, value: Node<'_>, out: &mut Findings) {
    let text = value.text().map_or("", |text| text.value);
    let found = if text.contains("-----BEGIN ") {
        "a PEM block"
    } else if has_long_base64(text) {
        "long base64, as certificates and keys are written"
    } else {
        return;
    };
    let message = format!("the {what} `{}` holds {found}", in_code(&name.value));
    // What may be a key is not shown again.
    out.at(value.place().without_excerpt(), message)
        .help("put it into a Secret and refer to that by its name");
}

/// True for a long run of base64 that is no digest: it has capitals, small letters and digits.
fn has_long_base64(text: &str) -> bool {
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
    let mut runs = text.split(|c: char| !is_base64(c));
    runs.any(|run| {
        run.len() >= LONG
            && run.contains(|c: char| c.is_ascii_uppercase())
            && run.contains(|c: char| c.is_ascii_lowercase())
            && run.contains(|c: char| c.is_ascii_digit())
    })
}
