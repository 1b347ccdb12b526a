use super::{Advice, NeedsContext};
use crate::needs::{LossKind, Lost};
use crate::rules::{Findings, rule};
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

rule! {
    "not_compared.md", NeedsContext(check), Text<'a>, Advice;
    Unread { what: Message } => "not compared: {what}",
    Unknown { what: Message } => "{what}",
    Convert { provider: &'a str } => "convert it with `ingress2gateway print --providers {provider}`, and compare the result",
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
            Lost::Controller | Lost::Objects if provider.is_some() => {
                let provider = provider.unwrap_or_default();
                finding.help(Text::Convert { provider });
            }
            Lost::Controller | Lost::Objects => {
                finding.help(Advice::LookUp);
            }
            _ => {}
        }
    }
}
