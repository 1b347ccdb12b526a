//! Rules about names in the tree, and about reports side by side.

pub mod copied_elsewhere;
pub mod copied_report;
pub mod file_name;
pub mod file_name_channel;
pub mod folder_name;
pub mod link;
pub mod misplaced_report;
pub mod no_reports;
pub mod project_spelling;
pub mod readme_missing;
pub mod release_folder;
pub mod report_extension;
pub mod same_identity;
pub mod same_identity_elsewhere;
pub mod stray_file;
pub mod unreadable;

use crate::diagnostic::Place;
use crate::facts::{Identity, ReportFacts};

/// A name without what people spell differently: case, spaces, hyphens, dots and underscores.
pub fn folded(name: &str) -> String {
    let kept = name
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_' | '.'));
    kept.flat_map(char::to_lowercase).collect()
}

/// An identity in a message: its parts but for the release.
fn identity_in_words(identity: &Identity<'_>) -> String {
    let mut words = format!(
        "{}/{} {}",
        identity.organization, identity.project, identity.version
    );
    if !identity.channel.is_empty() {
        words.push_str(&format!(" on the {} channel", identity.channel));
    }
    if !identity.mode.is_empty() {
        words.push_str(&format!(" in mode `{}`", identity.mode));
    }
    words
}

/// Where to point at for a report's identity: the field that is changed most easily.
fn identity_place(report: &ReportFacts) -> Place {
    let field = report.mode.as_ref().or(report.version.as_ref());
    field.map_or_else(|| Place::path(&report.path), |field| field.place.clone())
}
