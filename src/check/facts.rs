//! What is kept of a report when its text is dropped.

use sha2::{Digest as _, Sha256};

use crate::facts::{Digest, Fact, LISTENER_ISOLATION, ProfileFacts, ReportFacts, names, texts};
use crate::release::lenient_version;
use crate::report::view::{Report, Text};
use crate::rules::report::date::is_rfc3339;
use crate::rules::{self, ReportContext};
use crate::yaml::{Entry, NodeId, Yaml};

/// The facts of a report.
pub fn collect(
    cx: &ReportContext<'_>,
    file_name: &str,
    document: usize,
    digest: Digest,
) -> ReportFacts {
    let fact = |text: Option<Text<'_>>| {
        text.map(|text| Fact {
            value: text.value.to_owned(),
            place: cx.value(text.node),
        })
    };
    let report = cx.report;
    ReportFacts {
        path: cx.source.path().to_owned(),
        file_name: file_name.to_owned(),
        document,
        submission: cx.submission.path.clone(),
        digest,
        results: results(cx),
        fits_folder: fits_folder(cx),
        release: cx.release.clone(),
        organization: fact(report.implementation.organization),
        project: fact(report.implementation.project),
        version: fact(report.implementation.version),
        channel: fact(report.gateway_api_channel),
        mode: fact(report.mode),
        date: fact(report.date),
        lacks_listener_isolation: lacks(report, LISTENER_ISOLATION),
        api_version: report.api_version.map(|text| text.value.to_owned()),
        url: (report.implementation.url).map(|text| text.value.to_owned()),
        contact: texts(report.implementation.contact.as_ref()),
        profiles: ProfileFacts::of(cx.report, cx.registry),
        succeeded_provisional: names(cx.registry, report.succeeded_provisional_tests.as_ref()),
        blocks: rules::blocking::blocks(cx),
        is_report: report.is_recognizable(),
        is_cut: cx.is_cut,
    }
}

/// See [`ReportFacts::results`].
fn results(cx: &ReportContext<'_>) -> Option<Digest> {
    // Runs cannot be told apart by what is no date: `-` occurs in accepted reports.
    let date = cx.report.date.filter(|date| is_rfc3339(date.value));
    if date.is_none() || cx.report.profiles.is_empty() {
        return None;
    }
    let mut hasher = Sha256::new();
    for profile in &cx.report.profiles {
        hash(cx.yaml, profile.node, &mut hasher);
    }
    if let Some(list) = &cx.report.succeeded_provisional_tests {
        hash(cx.yaml, list.node, &mut hasher);
    }
    Some(Digest(hasher.finalize().into()))
}

/// Hashes what a node says: not its quotes, its comments or the order of its fields. Each part has
/// a mark or its length before it, so that no two nodes run into the same bytes.
fn hash(yaml: &Yaml<'_>, node: NodeId, hasher: &mut Sha256) {
    if let Some(text) = yaml.text(node) {
        hasher.update(b"=");
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
        return;
    }
    hasher.update(b"(");
    for &item in yaml.items(node) {
        hash(yaml, item, hasher);
    }
    let mut entries: Vec<&Entry> = yaml.entries(node).iter().collect();
    entries.sort_by_key(|entry| yaml.text(entry.key));
    for entry in entries {
        hash(yaml, entry.key, hasher);
        hash(yaml, entry.value, hasher);
    }
    hasher.update(b")");
}

/// See [`ReportFacts::fits_folder`].
fn fits_folder(cx: &ReportContext<'_>) -> bool {
    let stated = cx.report.gateway_api_version;
    let stated = stated.and_then(|text| lenient_version(text.value));
    let folder = cx.submission.release.as_ref();
    folder.is_some_and(|folder| stated.is_some_and(|stated| stated.minor() == folder.minor()))
}

/// True when a profile lists the feature as unsupported.
fn lacks(report: &Report<'_>, feature: &str) -> bool {
    let levels = report.profiles.iter().flat_map(|profile| profile.levels());
    let mut features = levels
        .filter_map(|(_, level)| level.unsupported_features.as_ref())
        .flat_map(|list| &list.items);
    features.any(|item| item.value == feature)
}
