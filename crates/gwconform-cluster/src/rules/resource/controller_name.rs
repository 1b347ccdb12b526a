use super::{Kind, ResourceContext, is_domain_prefixed};
use crate::rules::Findings;
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

resource_rule! {
    "controller_name.md", &[Kind::WITH_STATUS], check, Text<'a>;
    OfStatus { written: &'a str, owner: &'a Message } => "the `controllerName` of {owner} is {written}; expected a domain-prefixed path",
    Missing { object: Message } => "{object} has no `controllerName`",
    Empty { object: Message } => "`controllerName` of {object} is empty",
    NoPrefix { written: &'a str } => "{written} is not a domain-prefixed path",
    Prefix => "prefix the name with a domain that you own, such as `acme.example/controller`",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, object) in cx.living(&[Kind::GatewayClass, Kind::Mesh]) {
        let spec = object.at(&["spec"]);
        let node = spec.and_then(|spec| spec.written("controllerName"));
        let text = node.and_then(|node| node.text());
        let written = text.map_or("", |text| text.value);
        if is_domain_prefixed(written) {
            continue;
        }
        let missing = object.place_of("spec/controllerName").subject;
        let (anchor, text) = match (node, spec) {
            (Some(node), _) if written.is_empty() => (
                node.place(),
                Text::Empty {
                    object: object.title(),
                },
            ),
            (Some(node), _) => (node.place().with_value(written), Text::NoPrefix { written }),
            (None, spec) => {
                let at_spec = spec.map(|spec| spec.head());
                let place = at_spec.unwrap_or_else(|| object.place()).place;
                (
                    Anchor::new(place, missing),
                    Text::Missing {
                        object: object.title(),
                    },
                )
            }
        };
        out.at(anchor, text).help(Text::Prefix);
    }
    for status in cx.cluster.statuses() {
        let name = status
            .entry
            .and_then(|entry| entry.text_at("controllerName"));
        if let Some(name) = name.filter(|name| !is_domain_prefixed(name.value)) {
            let (written, owner) = (name.value, &status.title());
            out.at(name.place(), Text::OfStatus { written, owner })
                .help(Text::Prefix);
        }
    }
}
