//! `resource/condition-retired`

use super::{Kind, ResourceContext};
use crate::rules::{Check, Findings, Rule};
use crate::text::diagnostic::Severity;
use crate::text::message::{Message, texts};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/condition-retired",
    include_str!("condition_retired.md"),
    Check::Resource(&[Kind::WITH_STATUS], check),
)
.sources(&[
    "GEP-1364, New and Updated Conditions",
    "GEP-1364, Proposed changes summary",
])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        Replaced { name: &'a str, owner: &'a Message, successor: &'a str } => "{name} of {owner} is retired; expected {successor}",
        Publish { successor: &'a str } => "publish {successor} instead",
        PublishOpposite { successor: &'a str } => "publish {successor} instead, with the opposite status",
    }
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
                    owner: &status.title,
                    successor,
                },
            );
            finding.help(match name {
                "Detached" => Text::PublishOpposite { successor },
                _ => Text::Publish { successor },
            });
            // Both are published while users move over.
            if status.find(successor).is_some() {
                finding.severity = Severity::Info;
            }
        }
    }
}
