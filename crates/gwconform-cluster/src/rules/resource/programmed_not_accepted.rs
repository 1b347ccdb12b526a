use super::{Kind, ResourceContext};
use crate::Value;
use crate::rules::Findings;
use gwconform_base::text::message::Message;

resource_rule! {
    "programmed_not_accepted.md", &[Kind::WITH_STATUS], check, Text<'a>;
    Programmed { owner: &'a Message } => "`Programmed` of {owner} is True, but `Accepted` is False",
    Accepted => "not accepted here",
    Agree => "set `Programmed` to True only while `Accepted` is True",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        let (Some(programmed), Some(accepted)) =
            (status.find("Programmed"), status.find("Accepted"))
        else {
            continue;
        };
        let is_same_time =
            programmed.observed.map(|found| found.0) == accepted.observed.map(|found| found.0);
        let contradicts =
            programmed.value == Some(Value::True) && accepted.value == Some(Value::False);
        if contradicts && is_same_time && !status.is_outdated(cx.object(status)) {
            let owner = &status.title();
            out.at(programmed.status_place(), Text::Programmed { owner })
                .label(accepted.status_place(), Text::Accepted)
                .help(Text::Agree);
        }
    }
}
