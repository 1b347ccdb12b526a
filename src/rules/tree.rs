//! Rules about names in the tree, and about reports side by side.

rules! {
    copied_elsewhere,
    copied_report,
    extended_lost,
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
    several_implementations,
    shared_run,
    stray_file,
    unreadable,
}

mod renames;

use std::collections::BTreeMap;

use super::{ConfiguredNames, Findings};
use crate::diagnostic::{Anchor, Place};
use crate::facts::{Identity, ReportFacts};
use crate::message::{Message, texts};
use crate::naming::{folded, is_named_by};
use crate::tree::name_of;

/// An identity in a message: its parts but for the release.
pub(super) fn identity_in_words(identity: &Identity<'_>) -> Message {
    let implementation = format!("{}/{}", identity.organization, identity.project);
    let mut message = Message::code(implementation);
    let others = [
        (" version ", identity.version),
        (", channel ", identity.channel),
        (", mode ", identity.mode),
    ];
    for (words, value) in others.into_iter().filter(|(_, value)| !value.is_empty()) {
        message.push_words(words.into());
        message.push_code(value);
    }
    message
}

/// The reports that are copies, each with its original: the same text, or the same run of one
/// implementation under two names. The original is one that nothing leaves without a verdict, so that a
/// broken copy takes none away; then the one in the folder of its release, then the one in a folder with
/// the name of its implementation; of several, the one highest up in the tree, then the first by path.
fn copies<'r>(
    reports: impl IntoIterator<Item = &'r ReportFacts>,
    names: &ConfiguredNames,
) -> Vec<(&'r ReportFacts, &'r ReportFacts)> {
    let mut runs: BTreeMap<_, Vec<&ReportFacts>> = BTreeMap::new();
    for report in reports {
        if report.document == 0 {
            let name = folded_name(report, names);
            runs.entry((report.run(), name)).or_default().push(report);
        }
    }
    let mut found = Vec::new();
    for reports in runs.into_values() {
        let rank = |report: &&&ReportFacts| {
            let depth = report.path.matches(['/', '\\']).count();
            let folder = name_of(&report.submission);
            let is_blocked = !report.blocks.is_empty();
            let is_named = is_named_by(&folder, report);
            (is_blocked, !report.fits_folder, !is_named, depth)
        };
        let Some(&original) = reports.iter().min_by_key(rank) else {
            continue;
        };
        let is_copy = |report: &&ReportFacts| report.path != original.path;
        let copies = reports.into_iter().filter(is_copy);
        found.extend(copies.map(|copy| (copy, original)));
    }
    found
}

/// Organization and project of a report, equal for names that differ in spelling only and for those
/// that the configuration joins.
fn folded_name(report: &ReportFacts, names: &ConfiguredNames) -> Option<(String, String)> {
    let (organization, project) = names.of(report)?;
    Some((folded(organization), folded(project)))
}

/// Organization and project as messages name an implementation.
fn implementation(report: &ReportFacts) -> String {
    let [organization, project] =
        [report.organization(), report.project()].map(Option::unwrap_or_default);
    format!("{organization}/{project}")
}

texts! {
    /// Texts about two reports that are the same.
    enum Copy<'a> {
        SameText { other: &'a str } => "byte-for-byte copy of {other}",
        SameRun { other: &'a str } => "same run as {other}: date and results are identical",
        Original => "original report",
    }
}

impl<'a> Copy<'a> {
    /// What a copy is a copy of; `other` names the original.
    fn of(copy: &ReportFacts, original: &ReportFacts, other: &'a str) -> Self {
        match copy.digest == original.digest {
            true => Self::SameText { other },
            false => Self::SameRun { other },
        }
    }
}

texts! {
    /// Texts about two reports that have one identity.
    enum SameIdentity {
        Other => "other report with this identity",
        KeepOne { remedy: Message } => "remove one of the two reports; if they are of two setups, {remedy}",
    }
}

/// Where to point at for a report's identity: the field that is changed most easily.
fn identity_anchor(report: &ReportFacts) -> Anchor {
    let anchor = match (&report.mode, &report.version) {
        (Some(mode), _) => mode.about("/mode"),
        (None, Some(version)) => version.about("/implementation/version"),
        (None, None) => Anchor::path(&report.path),
    };
    let parts = [
        report.organization(),
        report.project(),
        report.version(),
        report.channel(),
    ];
    anchor.and(parts.map(Option::unwrap_or_default).join("/"))
}

texts! {
    /// Texts about a file that was not read.
    enum NotRead {
        Reason { reason: Message } => "cannot be checked: {reason}",
        RegularFiles => "keep only README.md, reports and shell scripts in a submission, as regular files of a few kilobytes",
    }
}

/// Reports a file that could not be read; `reason` is a clause of the program.
pub(crate) fn not_read(place: Place, reason: &str, out: &mut Findings) {
    let message = NotRead::Reason {
        reason: Message::words(reason.to_owned()),
    };
    out.at(Anchor::path(place.path), message)
        .help(NotRead::RegularFiles);
}
