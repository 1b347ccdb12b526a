use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{backends, parent_refs};

resource_rule! {
    "core_group.md", &[Kind::ROUTES], check, Text<'a>;
    Named { kind: &'a str } => "no API group is called `core`, so the reference to {kind} does not resolve",
    Write => "write `group: \"\"`: the name of the core group is empty",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, route) in cx.living(Kind::ROUTES) {
        let parents = parent_refs(route).into_iter().map(|parent| parent.node);
        let backends = backends(route).all.into_iter().map(|backend| backend.node);
        for node in parents.chain(backends) {
            let group = node.text_at("group");
            if let Some(group) = group.filter(|group| group.value == "core") {
                let kind = node.str_at("kind");
                let kind = if kind.is_empty() { "Service" } else { kind };
                out.at(group.place(), Text::Named { kind })
                    .help(Text::Write);
            }
        }
    }
}
