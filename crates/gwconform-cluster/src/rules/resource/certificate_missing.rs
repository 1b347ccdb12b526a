use super::{Kind, ResourceContext, WITH_LISTENERS, listeners_with_status};
use crate::rules::Findings;
use crate::{Presence, Value};
use gwconform_base::text::message::Message;

resource_rule! {
    "certificate_missing.md", &[WITH_LISTENERS, &[Kind::Secret]], check, Text<'a>;
    Resolved { owner: &'a Message, secret: Message } => "`ResolvedRefs` of {owner} is True, but {secret} does not exist; expected False with reason `InvalidCertificateRef`",
    Reference => "this certificate",
    Resolve => "set `ResolvedRefs` to False until all certificates exist",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, object) in cx.living(WITH_LISTENERS) {
        for (listener, status) in listeners_with_status(cx, at, object) {
            let resolved = status.find("ResolvedRefs");
            let Some(resolved) = resolved.filter(|found| found.value == Some(Value::True)) else {
                continue;
            };
            let references = listener.certificates(object);
            let missing = references.iter().find(|reference| {
                (reference.group, reference.kind) == ("", "Secret")
                    && cx.cluster.presence(reference) == Presence::Missing
            });
            if let Some(missing) = missing {
                let (owner, secret) = (&status.title(), missing.title());
                out.at(resolved.status_place(), Text::Resolved { owner, secret })
                    .label(missing.node.head(), Text::Reference)
                    .help(Text::Resolve);
            }
        }
    }
}
