use super::{Kind, ResourceContext};
use crate::rules::Findings;
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

resource_rule! {
    "condition_retired.md", &[Kind::WITH_STATUS], check, Text<'a>;
    Replaced { name: &'a str, owner: &'a Message, successor: &'a str } => "{name} of {owner} is retired; expected {successor}",
    Publish { successor: &'a str } => "publish {successor} instead",
    PublishOpposite { successor: &'a str } => "publish {successor} instead, with the opposite status",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        for (condition, known) in status.known() {
            let Some(successor) = known.retired.as_deref() else {
                continue;
            };
            let name = condition.name();
            let finding = out.at(
                condition.place(),
                Text::Replaced {
                    name,
                    owner: &status.title(),
                    successor,
                },
            );
            finding.help(match name {
                "Detached" => Text::PublishOpposite { successor },
                _ => Text::Publish { successor },
            });
            // Implementations publish both during a transition.
            if status.find(successor).is_some() {
                finding.severity = Severity::Info;
            }
        }
    }
}
