//! `resource/tls-secret`

use super::{ResourceContext, WITH_OPTIONS, tls_options};
use crate::cluster::{self, Node, Object};
use crate::rules::Findings;
use crate::text::diagnostic::Anchor;

rule! {
    "tls_secret.md", Resource(&[WITH_OPTIONS], check), Text<'a>;
    PemInAnnotation { name: &'a str } => "the annotation {name} contains a PEM block",
    Base64InAnnotation { name: &'a str } => "the annotation {name} contains long base64, as certificates and keys are written",
    PemInOption { name: &'a str } => "the TLS option {name} contains a PEM block",
    Base64InOption { name: &'a str } => "the TLS option {name} contains long base64, as certificates and keys are written",
    Move => "move it into a Secret, and refer to the Secret by name",
}

/// What `kubectl apply` keeps: the whole object as it was applied.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// From this many consecutive characters of base64 on it is not a name: half of the smallest certificate,
/// and more than any digest.
const LONG: usize = 128;

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, object) in cx.living(WITH_OPTIONS) {
        for (key, value) in annotations(object) {
            let name = key.value;
            match content(value) {
                Some(Content::Pem) => add(value, Text::PemInAnnotation { name }, out),
                Some(Content::Base64) => add(value, Text::Base64InAnnotation { name }, out),
                None => {}
            }
        }
        for (key, value) in tls_options(object) {
            let name = key.value;
            match content(value) {
                Some(Content::Pem) => add(value, Text::PemInOption { name }, out),
                Some(Content::Base64) => add(value, Text::Base64InOption { name }, out),
                None => {}
            }
        }
    }
}

fn annotations<'a>(object: &Object<'a>) -> impl Iterator<Item = (cluster::Text<'a>, Node<'a>)> {
    object
        .at(&["metadata", "annotations"])
        .into_iter()
        .flat_map(Node::entries)
        .filter(|(name, _)| name.value != LAST_APPLIED)
}

/// What may be a secret.
enum Content {
    Pem,
    Base64,
}

fn content(value: Node<'_>) -> Option<Content> {
    let text = value.text().map_or("", |scalar| scalar.value);
    if text.contains("-----BEGIN ") {
        return Some(Content::Pem);
    }
    has_long_base64(text).then_some(Content::Base64)
}

/// Adds a finding without the value, neither as a source line nor in its subject: it may be a key.
fn add(value: Node<'_>, text: Text<'_>, out: &mut Findings) {
    let Anchor { place, subject } = value.place();
    out.at(Anchor::new(place.without_excerpt(), subject), text)
        .help(Text::Move);
}

/// True for a long run of base64 that is not a digest: it has capitals, small letters and digits.
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
