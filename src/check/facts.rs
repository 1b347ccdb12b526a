//! What is kept of a report when its text is dropped.

use crate::facts::{Digest, Fact, LISTENER_ISOLATION, ReportFacts, names, profiles, texts};
use crate::formats::is_rfc3339;
use crate::release::lenient_version;
use crate::report::view::{Report, Text};
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
            place: cx.value(text.node).place,
        })
    };
    let report = cx.report;
    let (profiles, exceeds_bounds) = profiles(cx.report, cx.registry);
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
        profiles,
        succeeded_provisional: names(cx.registry, report.succeeded_provisional_tests.as_ref()),
        blocks: rules::blocking::blocks(cx),
        is_report: report.is_recognizable(),
        is_cut: cx.is_cut,
        exceeds_bounds,
    }
}

/// See [`ReportFacts::results`].
fn results(cx: &ReportContext<'_>) -> Option<Digest> {
    // An invalid date does not distinguish runs: `-` occurs in accepted reports.
    let date = cx.report.date.filter(|date| is_rfc3339(date.value));
    if date.is_none() || cx.report.profiles.is_empty() {
        return None;
    }
    let mut bytes = Vec::new();
    for profile in &cx.report.profiles {
        write_node(cx.yaml, profile.node, &mut bytes);
    }
    if let Some(list) = &cx.report.succeeded_provisional_tests {
        write_node(cx.yaml, list.node, &mut bytes);
    }
    Some(Digest::of(&bytes))
}

/// Writes the value of a node without its quotes, its comments and the order of its fields. Each
/// part has a mark or its length before it, so that two different nodes never write the same bytes.
fn write_node(yaml: &Yaml<'_>, node: NodeId, bytes: &mut Vec<u8>) {
    if let Some(text) = yaml.text(node) {
        bytes.extend(b"=");
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
        return;
    }
    bytes.extend(b"(");
    for &item in yaml.items(node) {
        write_node(yaml, item, bytes);
    }
    let mut entries: Vec<&Entry> = yaml.entries(node).iter().collect();
    entries.sort_by_key(|entry| yaml.text(entry.key));
    for entry in entries {
        write_node(yaml, entry.key, bytes);
        write_node(yaml, entry.value, bytes);
    }
    bytes.extend(b")");
}

/// See [`ReportFacts::fits_folder`].
fn fits_folder(cx: &ReportContext<'_>) -> bool {
    let stated = cx
        .report
        .gateway_api_version
        .and_then(|text| lenient_version(text.value));
    let folder = cx.submission.release.as_ref();
    folder.is_some_and(|folder| stated.is_some_and(|stated| stated.minor() == folder.minor()))
}

/// True when a profile lists the feature as unsupported.
fn lacks(report: &Report<'_>, feature: &str) -> bool {
    let mut features = report
        .levels()
        .flat_map(|level| &level.unsupported_features)
        .flatten();
    features.any(|unsupported| *unsupported == feature)
}
