//! Rules about names in the tree, and about reports side by side.

rules! {
    copied_elsewhere,
    copied_report,
    file_name,
    file_name_channel,
    folder_name,
    link,
    look_alike_name,
    misplaced_report,
    no_reports,
    project_spelling,
    readme_missing,
    release_folder,
    report_extension,
    repository,
    same_identity,
    same_identity_elsewhere,
    stray_file,
    unreadable,
}

mod renames;

use std::collections::BTreeMap;

use super::Findings;
use crate::diagnostic::{Place, in_code};
use crate::facts::{Identity, ReportFacts};

/// An identity in a message: its parts but for the release.
pub(super) fn identity_in_words(identity: &Identity<'_>) -> String {
    let mut words = format!(
        "{}/{} {}",
        identity.organization, identity.project, identity.version
    );
    if !identity.channel.is_empty() {
        words.push_str(&format!(" on the {} channel", identity.channel));
    }
    if !identity.mode.is_empty() {
        words.push_str(&format!(" in mode `{}`", in_code(&identity.mode)));
    }
    words
}

/// The reports that are copies, each with its original: the same text, or the same run of the same
/// version, sold twice. The original is the one that is filed where it belongs; of several, the
/// one highest up in the tree, then the first by path.
fn copies<'r>(
    reports: impl IntoIterator<Item = &'r ReportFacts>,
) -> Vec<(&'r ReportFacts, &'r ReportFacts)> {
    let mut runs: BTreeMap<_, Vec<&ReportFacts>> = BTreeMap::new();
    for report in reports {
        if report.document == 0 {
            runs.entry(report.run()).or_default().push(report);
        }
    }
    let mut found = Vec::new();
    for reports in runs.into_values() {
        let rank = |report: &&&ReportFacts| {
            let depth = report.path.matches(['/', '\\']).count();
            (!report.fits_folder, depth)
        };
        let Some(&original) = reports.iter().min_by_key(rank) else {
            continue;
        };
        let copies = reports.into_iter();
        let copies = copies.filter(|report| report.path != original.path);
        found.extend(copies.map(|copy| (copy, original)));
    }
    found
}

/// What a copy is a copy of, as a message.
fn copy_in_words(copy: &ReportFacts, original: &ReportFacts, name: &str) -> String {
    if copy.digest == original.digest {
        format!(
            "the report is a copy of `{name}`, to the letter",
            name = in_code(&name)
        )
    } else {
        format!(
            "the report is of the same run as `{name}`: date and results are the same",
            name = in_code(&name)
        )
    }
}

/// Where to point at for a report's identity: the field that is changed most easily.
fn identity_place(report: &ReportFacts) -> Place {
    let field = report.mode.as_ref().or(report.version.as_ref());
    field.map_or_else(|| Place::path(&report.path), |field| field.place.clone())
}

/// Reports a file that could not be read; `reason` is a clause.
pub(crate) fn not_read(place: Place, reason: &str, out: &mut Findings) {
    out.at(place, format!("not read: {reason}"))
        .help("a submission holds README.md and reports, as regular files of some kilobytes");
}
