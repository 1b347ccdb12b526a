use super::{Kind, ResourceContext, feature_lists};
use crate::rules::Findings;
use gwconform_base::text::letters;

resource_rule! {
    "feature_name.md", &[&[Kind::GatewayClass, Kind::Mesh]], check, Text<'a>;
    TooLong { name: &'a str, most: usize } => "{name} is too long; expected at most {most} characters",
    WrongCharacter { name: &'a str, character: String } => "{name} contains {character}; expected letters and digits only",
    Misspelled { name: &'a str, resource: &'a str } => "{name} misspells the name of its resource; expected {resource}",
    WithoutResource { name: &'a str } => "{name} does not begin with the name of a resource; expected a name such as `HTTPRoute`",
}

/// GEP-2162, "Feature Names".
const LONGEST: usize = 128;

const RESOURCES: &[&str] = &[
    "BackendTLSPolicy",
    "GRPCRoute",
    "Gateway",
    "GatewayClass",
    "HTTPRoute",
    "ListenerSet",
    "Mesh",
    "ReferenceGrant",
    "TCPRoute",
    "TLSRoute",
    "UDPRoute",
];

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, list) in feature_lists(cx) {
        for name in &list.names {
            let known = cx
                .registry
                .since(gwconform_base::api::NameKind::Feature, name.value);
            if known.is_none()
                && let Some(text) = issue(name.value)
            {
                out.at(list.place(name), text);
            }
        }
    }
}

fn issue(name: &str) -> Option<Text<'_>> {
    if name.chars().count() > LONGEST {
        let most = LONGEST;
        return Some(Text::TooLong { name, most });
    }
    if let Some(odd) = name.chars().find(|c| !c.is_ascii_alphanumeric()) {
        let character = odd.escape_debug().to_string();
        return Some(Text::WrongCharacter { name, character });
    }
    if RESOURCES.iter().any(|resource| name.starts_with(resource)) {
        return None;
    }
    let folded = letters(name);
    let mut resources = RESOURCES.iter();
    let meant = resources.find(|resource| folded.starts_with(&resource.to_ascii_lowercase()));
    Some(match meant {
        Some(resource) => Text::Misspelled { name, resource },
        None => Text::WithoutResource { name },
    })
}
