use super::{Advice, NeedsContext};
use crate::needs::{LossKind, Lost};
use crate::rules::{Findings, rule};
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

rule! {
    "not_compared.md", NeedsContext(check), Text, Advice;
    Unread { what: Message } => "not compared: {what}",
    Unknown { what: Message } => "{what}",
    Convert { command: String } => "convert it with {command}, and compare the result",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    let unknown = cx.losses(LossKind::Unknown);
    for (loss, place) in cx.losses(LossKind::NotRead).chain(unknown) {
        let provider = loss.provider(cx.registry.controllers());
        let what = loss.title.clone();
        let text = if matches!(loss.lost, Lost::Kind | Lost::FieldOrValue | Lost::Unserved) {
            Text::Unknown { what }
        } else {
            Text::Unread { what }
        };
        let finding = out.at(place.anchor(), text);
        match loss.lost {
            Lost::Objects if loss.group.is_none() => {
                finding.severity = finding.severity.min(Severity::Info);
            }
            Lost::Controller | Lost::Objects => match provider {
                Some(provider) => {
                    let command = format!("ingress2gateway print --providers {provider}");
                    finding.help(Text::Convert { command });
                }
                None => {
                    finding.help(Advice::LookUp);
                }
            },
            _ => {}
        }
    }
}
