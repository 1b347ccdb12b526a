use super::{Kind, ResourceContext};
use crate::rules::Findings;
use gwconform_base::text::message::Message;

resource_rule! {
    "gateway_class_missing.md", &[&[Kind::Gateway], &[Kind::GatewayClass]], check, Text<'a>;
    Missing { gateway: Message, class: &'a str } => "{gateway} refers to GatewayClass {class}, which does not exist",
    Name => "name an existing GatewayClass, or add all GatewayClasses to the dump",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    if cx.cluster.is_partial() || !cx.cluster.has_status() {
        return;
    }
    for (_, gateway) in cx.living(&[Kind::Gateway]) {
        let Some((name, None)) = cx.cluster.class_of(gateway) else {
            continue;
        };
        let (gateway, class) = (gateway.title(), name.value);
        out.at(name.place(), Text::Missing { gateway, class })
            .help(Text::Name);
    }
}
