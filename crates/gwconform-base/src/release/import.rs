//! Imports a release into a file for `schema/registry/`, from the facts that `tools/facts` reads
//! from its sources.
//!
//! The notes in the file list what a person must check.

mod release_file;
mod source_facts;
pub mod served;

use super::content::Content;
use super::document::Document;
use super::references::{self, References};
use super::{Commit, Match, Registry, Release, Version, load};
pub use source_facts::SourceFacts;

/// Parameters of an import.
#[derive(Clone, Debug)]
pub struct Request<'r> {
    /// Release to import.
    pub release: Version,
    /// Date of the tag; `None` for an unpublished release.
    pub date: Option<jiff::civil::Date>,
    /// Commit of the sources of an unpublished release, if known.
    pub commit: Option<Commit>,
    /// Release to list changes against; `None` to write all data.
    pub base: Option<&'r Release>,
}

/// Result of an import.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Text for a file in `schema/registry/`.
    pub text: String,
    /// Notes in the file that a person must check.
    pub notes: Vec<String>,
    /// Irregularities that do not affect the data.
    pub warnings: Vec<String>,
}

/// The newest older release or, if its data repeats another release, that release.
pub fn default_base<'r>(registry: &'r Registry, release: &Version) -> Option<&'r Release> {
    let mut older = registry.releases().iter().rev();
    let newest = older.find(|known| known.version < *release)?;
    match newest.same_as().map(|same| registry.release(same)) {
        Some(Match::Exact(same)) => Some(same),
        _ => Some(newest),
    }
}

/// Imports a release.
pub fn import(facts: &SourceFacts, request: &Request<'_>) -> Imported {
    let empty = Content::default();
    let base = request.base.map_or(&empty, |base| &*base.content);
    let (content, mut notes) = facts.content(base);
    notes.extend(release_file::renames(base, &content));
    let mut document = release_file::document(base, &content);
    document.release = request.release.to_string();
    document.date = request.date.map(|date| date.to_string());
    if let Some(commit) = &request.commit {
        document.commit = Some(commit.id.clone());
        document.commit_date = Some(commit.date.to_string());
    }
    let base_name = request.base.map(|base| base.version.to_string());
    if document.changes_nothing() && base_name.is_some() {
        document.same_as = base_name;
    } else {
        document.base = base_name;
    }
    document.notes = notes;
    Imported {
        text: document.text(),
        notes: document.notes,
        warnings: facts.warnings(&request.release),
    }
}

/// One sentence per difference between a release's data and its sources.
pub fn differences(facts: &SourceFacts, release: &Release, references: &References) -> Vec<String> {
    let (content, _) = facts.content(&release.content);
    let mut all = release_file::sentences(&release.content, &content);
    for (name, ours) in references.tests_of(&release.version) {
        let source = facts.source_of(name).unwrap_or("no such test");
        if source != ours.file {
            all.push(format!(
                "references.json: the source of test {name} is {}; {source} in the sources",
                ours.file
            ));
        }
    }
    all
}

/// Text of `references.json` with the test sources and proposals of a release.
///
/// Proposals and tests that the release no longer has are kept.
///
/// # Errors
/// If the file describes a newer release.
pub fn references(
    facts: &SourceFacts,
    registry: &Registry,
    release: &Version,
) -> Result<String, Version> {
    let mut all = registry.references().clone();
    if let Some(newer) = all.newest().filter(|newest| *newest > release) {
        return Err(newer.clone());
    }
    facts.refer(&mut all, registry.needs(), release);
    Ok(references::text(&all, facts.kinds()))
}

/// Whether the file has the layout of an import. True for invalid files, because the registry
/// reports their errors.
pub fn is_laid_out(text: &str) -> bool {
    serde_json::from_str::<Document>(text).map_or(true, |document| document.text() == text)
}

/// Release that a file describes. `None` if the file is invalid.
pub(super) fn release_of(text: &str) -> Option<Version> {
    let document: Document = serde_json::from_str(text).ok()?;
    Version::parse(&document.release)
}

/// Text of an imported file, with the texts that a person wrote into an earlier file of the same
/// branch: meanings and former names of features.
pub fn with_texts_of(imported: &str, earlier: &str) -> String {
    let read = |text| serde_json::from_str::<Document>(text).ok();
    let (Some(mut document), Some(mut earlier)) = (read(imported), read(earlier)) else {
        return imported.to_owned();
    };
    for (name, feature) in &mut document.features {
        let (Some(feature), Some(Some(written))) = (feature, earlier.features.remove(name)) else {
            continue;
        };
        if written.meaning_from.is_none() && written.meaning.is_some() {
            (feature.meaning, feature.meaning_from) = (written.meaning, None);
        }
        feature.renamed_from = feature.renamed_from.take().or(written.renamed_from);
    }
    document.text()
}

/// True if the text is a valid release file.
pub fn is_release_file(text: &str) -> bool {
    serde_json::from_str::<Document>(text).is_ok()
}

/// True if the text is a valid `references.json`.
pub fn is_references_file(text: &str) -> bool {
    load::is_references_file(text)
}
