//! `tree/same-identity-elsewhere`

use std::collections::{BTreeMap, BTreeSet};

use super::{SameIdentity, identity_anchor, identity_in_words};
use crate::report::facts::{Identity, ReportFacts};
use crate::rules::{Findings, Remedy, TreeContext};
use crate::text::message::Message;

rule! {
    "same_identity_elsewhere.md", Tree(check), Text, SameIdentity, Remedy;
    Same { identity: Message } => "two submissions have a report with the same identity, {identity}; expected another project, channel, version or mode",
}

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    // A report outside of a release folder is to be moved anyway; its folder has a rule of its own.
    let submissions: BTreeSet<_> = cx
        .tree
        .submissions
        .iter()
        .filter(|submission| submission.release.is_some())
        .map(|submission| &submission.path)
        .collect();
    let mut first: BTreeMap<Identity<'_>, &ReportFacts> = BTreeMap::new();
    for report in cx.reports {
        if !submissions.contains(&report.submission) {
            continue;
        }
        let Some(identity) = report
            .identity()
            .filter(|identity| identity.release.is_some())
        else {
            continue;
        };
        let name = (identity.organization, identity.project);
        let (organization, project) = cx.names.usual(name);
        let identity = Identity {
            organization,
            project,
            ..identity
        };
        let Some(other) = first.get(&identity) else {
            first.insert(identity, report);
            continue;
        };
        // Within a submission it is tree/same-identity; a copy is tree/copied-report.
        if other.submission == report.submission || other.run() == report.run() {
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
