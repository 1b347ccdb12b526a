use super::{Kind, ResourceContext};
use crate::Value;
use crate::rules::Findings;
use gwconform_base::text::message::Message;

resource_rule! {
    "programmed_without_address.md", &[&[Kind::Gateway]], check, Text;
    NoAddress { gateway: Message } => "`Programmed` of {gateway} is True, but its status has no address; expected False with reason `AddressNotAssigned`",
    Assign => "set `Programmed` to True only when the Gateway has an address",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, gateway) in cx.living(&[Kind::Gateway]) {
        let status = cx.cluster.own_status(at);
        let programmed = status.and_then(|status| status.find("Programmed"));
        let programmed = programmed.filter(|found| found.value == Some(Value::True));
        let has_address = gateway.items(&["status", "addresses"]).next().is_some();
        if let Some(programmed) = programmed
            && !has_address
            && cx.cluster.is_current(at)
        {
            let gateway = gateway.title();
            out.at(programmed.status_place(), Text::NoAddress { gateway })
                .help(Text::Assign);
        }
    }
}
