use super::{Kind, ResourceContext};
use crate::rules::Findings;
use gwconform_base::text::message::Message;

resource_rule! {
    "condition_status.md", &[Kind::WITH_STATUS], check, Text<'a>;
    Missing { name: &'a str, owner: &'a Message } => "{name} of {owner} has no status; expected True, False or Unknown",
    NotAStatus { written: &'a str } => "{written} is not a condition status; expected True, False or Unknown",
    Set => "set the status to Unknown until it is decided, because readers treat an empty status as Unknown",
    Quote => "write the status as a string, with a capital letter",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        let all = status.conditions.iter();
        for condition in all.filter(|condition| condition.value.is_none()) {
            let (text, help) = match condition.status.map_or("", |status| status.value) {
                "" => (
                    Text::Missing {
                        name: condition.name(),
                        owner: &status.title(),
                    },
                    Text::Set,
                ),
                written => (Text::NotAStatus { written }, Text::Quote),
            };
            out.at(condition.status_place(), text).help(help);
        }
    }
}
