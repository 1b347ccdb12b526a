use super::{ResourceContext, WITH_OPTIONS, tls_options};
use crate::rules::Findings;
use crate::{Node, Object};
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Words;

resource_rule! {
    "tls_secret.md", &[WITH_OPTIONS], check, Text<'a>;
    Secret { place: Words, name: &'a str, content: Words } => "the {place} {name} contains {content}",
    Move => "move it into a Secret, and refer to the Secret by name",
}

/// This annotation contains the whole applied object.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Minimum number of characters: half of the smallest certificate, and more than any digest.
const LONG: usize = 128;

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, object) in cx.living(WITH_OPTIONS) {
        let annotations = annotations(object).map(|entry| ("annotation", entry));
        let options = tls_options(object)
            .into_iter()
            .map(|entry| ("TLS option", entry));
        for (place, (key, value)) in annotations.chain(options) {
            let Some(content) = content(value) else {
                continue;
            };
            let text = Text::Secret {
                place: Words(place),
                name: key.value,
                content: Words(content),
            };
            // The value may be a private key.
            let Anchor { place, subject } = value.place();
            out.at(Anchor::new(place.without_excerpt(), subject), text)
                .help(Text::Move);
        }
    }
}

fn annotations<'a>(object: &Object<'a>) -> impl Iterator<Item = (crate::Text<'a>, Node<'a>)> {
    object
        .at(&["metadata", "annotations"])
        .into_iter()
        .flat_map(Node::entries)
        .filter(|(name, _)| name.value != LAST_APPLIED)
}

fn content(value: Node<'_>) -> Option<&'static str> {
    let text = value.text().map_or("", |scalar| scalar.value);
    if text.contains("-----BEGIN ") {
        return Some("a PEM block");
    }
    has_long_base64(text).then_some("long base64, as certificates and keys are written")
}

/// Excludes hexadecimal digests, which lack capital or small letters.
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
