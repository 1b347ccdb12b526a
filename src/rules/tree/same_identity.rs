//! `tree/same-identity`

use std::collections::BTreeMap;

use super::{SameIdentity, identity_anchor, identity_in_words};
use crate::report::facts::{Identity, ReportFacts};
use crate::rules::{Findings, Remedy, SubmissionContext};
use crate::text::message::Message;

rule! {
    "same_identity.md", Submission(check), Text, SameIdentity, Remedy;
    Same { identity: Message } => "two reports of this submission have the same identity, {identity}; expected another channel, version or mode",
}

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let mut first: BTreeMap<Identity<'_>, &ReportFacts> = BTreeMap::new();
    for report in cx.reports {
        let Some(identity) = report.identity() else {
            continue;
        };
        let Some(other) = first.get(&identity) else {
            first.insert(identity, report);
            continue;
        };
        // A copy is for tree/copied-report.
        if other.run() == report.run() && other.path != report.path {
            continue;
        }
        let message = Message::from(Text::Same {
            identity: identity_in_words(&identity),
        });
        let remedy = Remedy::like("mode", "<name>").into();
        out.at(identity_anchor(report), message.clone())
            .label(identity_anchor(other), SameIdentity::Other)
            .help(SameIdentity::KeepOne { remedy })
            .or_at_label(message);
    }
}
