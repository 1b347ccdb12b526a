use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{Presence, Reference, Value, policy_certificates, policy_targets};
use gwconform_base::text::message::Message;

resource_rule! {
    "policy_reference.md", &[&[Kind::Policy]], check, Text<'a>;
    NoTarget { owner: &'a Message, target: Message } => "{owner} is accepted, but {target} does not exist; expected `Accepted` False with reason `TargetNotFound`",
    Resolved { owner: &'a Message, target: Message } => "`ResolvedRefs` of {owner} is True, but {target} does not exist; expected False with reason `InvalidCACertificateRef`",
    NoCertificate { owner: &'a Message } => "{owner} is accepted, but none of its CA certificates exists; expected `Accepted` False with reason `NoValidCACertificate`",
    AllThere { owner: &'a Message } => "`Accepted` of {owner} is False with reason `TargetNotFound`, but all its targets exist",
    Accept => "judge the policy again when a target is created",
    Reference => "this reference",
    Refuse => "set the condition to False until the references of the policy exist",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let is_missing =
        |reference: &&Reference<'_>| cx.cluster.presence(reference) == Presence::Missing;
    for (at, policy) in cx.living(&[Kind::Policy]) {
        if policy.kind_name != "BackendTLSPolicy" {
            continue;
        }
        let (targets, certificates) = (policy_targets(policy), policy_certificates(policy));
        let all_targets = targets.iter().all(|target| is_missing(&target));
        let target = targets.iter().find(is_missing).filter(|_| all_targets);
        let certificate = certificates.iter().find(is_missing);
        let all_certificates = certificates.iter().all(|reference| is_missing(&reference));
        let statuses = cx.cluster.statuses_of(at).iter();
        for status in statuses.filter(|status| !status.is_outdated(policy)) {
            let is_true = |name: &str| {
                let found = status.find(name);
                found.filter(|found| found.value == Some(Value::True))
            };
            let (owner, accepted) = (&status.title(), is_true("Accepted"));
            let refused = status.find("Accepted").filter(|found| {
                found.value == Some(Value::False) && found.reason() == "TargetNotFound"
            });
            // Sections of targets are not compared.
            let is_there = |target: &Reference<'_>| {
                cx.cluster.presence(target) == Presence::There
                    && target.node.get("sectionName").is_none()
            };
            if let Some(refused) = refused.filter(|_| targets.iter().all(is_there)) {
                out.at(refused.reason_place(), Text::AllThere { owner })
                    .help(Text::Accept);
            }
            if let Some((accepted, target)) = accepted.zip(target) {
                let text = Text::NoTarget {
                    owner,
                    target: target.title(),
                };
                out.at(accepted.status_place(), text)
                    .label(target.node.head(), Text::Reference)
                    .help(Text::Refuse);
                continue;
            }
            let Some(certificate) = certificate else {
                continue;
            };
            if let Some(resolved) = is_true("ResolvedRefs") {
                let text = Text::Resolved {
                    owner,
                    target: certificate.title(),
                };
                out.at(resolved.status_place(), text)
                    .label(certificate.node.head(), Text::Reference)
                    .help(Text::Refuse);
            }
            if let Some(accepted) = accepted.filter(|_| all_certificates) {
                out.at(accepted.status_place(), Text::NoCertificate { owner })
                    .label(certificate.node.head(), Text::Reference)
                    .help(Text::Refuse);
            }
        }
    }
}
