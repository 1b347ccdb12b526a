use std::path::Path;

use super::{SameIdentity, repeated};
use crate::report::facts::{Identity, ReportFacts};
use crate::rules::{Findings, Remedy, TreeContext, rule};
use gwconform_base::text::message::Message;

rule! {
    "same_identity_elsewhere.md", TreeContext(check), Text, SameIdentity, Remedy;
    Same { identity: Message } => "two submissions have a report with the same identity, {identity}; expected another project, channel, version or mode",
}

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    let has_release = |submission: &Path| {
        let all = &cx.tree.submissions;
        let at = all.binary_search_by(|one| one.path.as_path().cmp(submission));
        at.is_ok_and(|at| all[at].release.is_some())
    };
    let reports = cx.reports.iter().filter_map(|report| {
        let identity = report.identity()?;
        // Reports outside of release folders must be moved first.
        if identity.release.is_none() || !has_release(&report.submission) {
            return None;
        }
        let name = (identity.organization, identity.project);
        let (organization, project) = cx.names.usual(name);
        let identity = Identity {
            organization,
            project,
            ..identity
        };
        Some((identity, report))
    });
    // Reported by tree/same-identity or tree/copied-report.
    let is_for_others =
        |a: &ReportFacts, b: &ReportFacts| a.submission == b.submission || a.run() == b.run();
    repeated(
        reports,
        is_for_others,
        |identity| Text::Same { identity }.into(),
        out,
    );
}
