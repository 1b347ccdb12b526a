use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{StatusKind, types};
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;
use gwconform_report::rules::message_parts;

resource_rule! {
    "condition_missing.md", &[Kind::WITH_STATUS], check, Text<'a>;
    Missing { owner: &'a Message, name: &'a str } => "{owner} has no condition {name}",
    SeveralMissing { owner: &'a Message, names: Message } => "{owner} has no conditions {names}",
    Set => "set it with the first update of the status, to Unknown until it is decided",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        let required = types(status.kind)
            .iter()
            .filter(|(_, known)| known.required);
        let missing: Vec<&str> = required
            .filter(|(name, _)| status.find(name).is_none())
            .map(|(name, _)| name.as_str())
            .collect();
        let owner = &status.title();
        let message: Message = match missing.as_slice() {
            [] => continue,
            [name] => Text::Missing { owner, name }.into(),
            names => {
                let names = message_parts::names(names.iter().copied());
                Text::SeveralMissing { owner, names }.into()
            }
        };
        let finding = out.at(status.place().with_value(&missing.join(", ")), message);
        if status.kind == StatusKind::AnyPolicy {
            finding.severity = finding.severity.min(Severity::Warning);
        }
        finding.help(Text::Set);
    }
}
