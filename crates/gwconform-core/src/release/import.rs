//! Imports a release from its Go sources, as read by [`gwconform_go`], into a file for
//! `schema/registry/`.
//!
//! Unsupported or contradictory code is an error. The notes in the file list what a person must
//! check.

mod difference;
mod features;
mod profiles;
mod report;
pub mod served;
mod tests;

use crate::api::SUBJECT;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::document::Document;
use super::facts::Content;
use super::references::References;
use super::{Commit, Registry, Release, Version};
use gwconform_go::program::{Package, Program};
use gwconform_go::value::Value;
pub use gwconform_go::{EntryKind, Sources, Unread};

const MODULE: &str = SUBJECT.module;
const SUITE: &str = "conformance/utils/suite";
const FEATURES: &str = "pkg/features";
const TESTS: &str = "conformance/tests";

/// Handling of unsupported code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnUnread {
    /// Fail with an error.
    #[default]
    Fail,
    /// Skip the code and add a note to the file.
    Note,
}

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
    /// Handling of unsupported code.
    pub on_unread: OnUnread,
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
        Some(super::Match::Exact(same)) => Some(same),
        _ => Some(newest),
    }
}

/// Imports a release.
///
/// # Errors
/// All unsupported or contradictory code, with file and line.
pub fn import(sources: &dyn Sources, request: &Request<'_>) -> Result<Imported, Vec<Unread>> {
    let base = request.base.map(|base| &*base.content);
    let empty = Content::default();
    let found = read(sources, base.unwrap_or(&empty), request.on_unread)?;
    let mut document = difference::document(base, &found.content);
    document.release = request.release.to_string();
    document.date = request.date.map(|date| date.to_string());
    if let Some(commit) = &request.commit {
        document.commit = Some(commit.id.clone());
        document.commit_date = Some(commit.date.to_string());
    }
    let base_name = request.base.map(|base| base.version.to_string());
    match document.changes_nothing() && base_name.is_some() {
        true => document.same_as = base_name,
        false => document.base = base_name,
    }
    document.notes = found.notes;
    document
        .notes
        .extend(difference::renames(base.unwrap_or(&empty), &found.content));
    let mut warnings = found.warnings;
    if let Some(bundle) = found
        .bundle_version
        .filter(|bundle| *bundle != document.release)
    {
        warnings.push(format!(
            "the sources have the bundle version {bundle}; expected {}",
            document.release
        ));
    }
    Ok(Imported {
        text: document.text(),
        notes: document.notes,
        warnings,
    })
}

/// One sentence per difference between a release's data and its sources.
///
/// # Errors
/// All unsupported or contradictory code, with file and line.
pub fn differences(sources: &dyn Sources, release: &Release) -> Result<Vec<String>, Vec<Unread>> {
    let found = read(sources, &release.content, OnUnread::Fail)?;
    Ok(difference::sentences(&release.content, &found.content))
}

/// One sentence per error in the test sources of a release.
///
/// # Errors
/// If a file cannot be read.
pub fn wrong_references(
    sources: &dyn Sources,
    references: &References,
    release: &Version,
) -> Result<Vec<String>, Vec<Unread>> {
    let (mut found, mut unread) = (Vec::new(), Vec::new());
    for (name, source) in references.tests_of(release) {
        let path = source.path();
        match sources.read(&path) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                if !text.contains(&format!("\"{name}\"")) {
                    found.push(format!(
                        "references.json: {path} does not declare test {name}"
                    ));
                }
            }
            Err(reason) => unread.push(Unread::of_file(&path, reason)),
        }
    }
    match unread.is_empty() {
        true => Ok(found),
        false => Err(unread),
    }
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

struct Found {
    content: Content,
    notes: Vec<String>,
    warnings: Vec<String>,
    bundle_version: Option<String>,
}

fn read(sources: &dyn Sources, base: &Content, on_unread: OnUnread) -> Result<Found, Vec<Unread>> {
    let reader = Reader {
        program: Program::new(sources, MODULE, on_unread == OnUnread::Note),
        problems: RefCell::default(),
        notes: RefCell::default(),
        warnings: RefCell::default(),
    };
    let mut content = Content::default();
    let mut bundle_version = None;
    let crds = reader.section("CRDs", || reader.crds());
    content.crds = crds.unwrap_or_else(|| base.crds.clone());
    if let Some(version) = reader.section("the bundle version", || reader.bundle_version()) {
        bundle_version = version;
    }
    let suite = reader.section("the suite", || reader.package(SUITE));
    if let Some(suite) = suite {
        reader.read_suite(&suite, base, &mut content);
    }
    let notes = reader.notes.into_inner();
    let problems = reader.problems.into_inner();
    if !problems.is_empty() {
        return Err(problems.into_iter().collect());
    }
    let unread = reader.program.left_out();
    let unread = unread.iter().map(|one| format!("Not understood: {one}."));
    Ok(Found {
        content,
        notes: notes.into_iter().chain(unread).collect(),
        warnings: reader.warnings.into_inner().into_iter().collect(),
        bundle_version,
    })
}

struct Reader<'s> {
    program: Program<'s>,
    problems: RefCell<BTreeSet<Unread>>,
    notes: RefCell<BTreeSet<String>>,
    warnings: RefCell<BTreeSet<String>>,
}

impl Reader<'_> {
    fn problem(&self, error: Rc<Unread>) {
        if let Err(error) = self.program.leave_out(error) {
            self.problems.borrow_mut().insert((*error).clone());
        }
    }

    fn note(&self, note: String) {
        self.notes.borrow_mut().insert(note);
    }

    fn warn(&self, warning: String) {
        self.warnings.borrow_mut().insert(warning);
    }

    fn section<T>(&self, what: &str, read: impl FnOnce() -> gwconform_go::Result<T>) -> Option<T> {
        match read() {
            Ok(found) => Some(found),
            Err(mut error) => {
                if error.file.is_empty() {
                    let mut named = (*error).clone();
                    named.file = what.to_owned();
                    error = Rc::new(named);
                }
                self.problem(error);
                None
            }
        }
    }

    fn package(&self, folder: &str) -> gwconform_go::Result<Rc<Package>> {
        let package = self.program.package(folder)?;
        match package.files.is_empty() {
            true => {
                let reason = "the build excludes all Go files of this folder";
                Err(Rc::new(Unread::of_file(folder, reason)))
            }
            false => Ok(package),
        }
    }

    fn read_suite(&self, suite: &Rc<Package>, base: &Content, content: &mut Content) {
        let features_of = || match self.program.has_folder(FEATURES)? {
            true => self.package(FEATURES),
            false => Ok(Rc::clone(suite)),
        };
        let Some(package) = self.section("features", features_of) else {
            content.features = base.features.clone();
            return;
        };
        // Suites of v0.7.x had no profiles.
        if suite.find("ConformanceProfile").is_some() {
            let profiles = self.section("profiles", || self.profiles(suite));
            content.profiles = profiles.unwrap_or_else(|| base.profiles.clone());
            content.extended_when = self
                .section("isTestExtended", || self.extended_when(suite))
                .or(base.extended_when);
            content.report_api_version = self
                .section("the apiVersion of reports", || {
                    self.report_api_version(suite)
                })
                .or_else(|| base.report_api_version.clone());
        }
        let features = self.section("features", || self.features(&package, content));
        content.features = features.unwrap_or_else(|| base.features.clone());
        let tests = self.section("tests", || self.tests(suite, &content.features));
        content.tests = tests.unwrap_or_else(|| base.tests.clone());
        self.check(base, content);
        self.section("fields of reports", || self.report_fields());
        for package in [suite, &package] {
            self.warn_of_left_out(package);
        }
    }

    /// Files that build constraints exclude may contain data.
    fn warn_of_left_out(&self, package: &Package) {
        for (path, reason) in &package.left_out {
            self.warn(format!("{path} is omitted: {reason}"));
        }
    }

    fn check(&self, base: &Content, content: &Content) {
        let known = |feature: &String| content.features.contains_key(feature);
        for (name, profile) in &content.profiles {
            let mut features = profile.core.iter().chain(&profile.extended);
            if let Some(feature) = features.find(|feature| !known(feature) && !self.has_problems())
            {
                let reason =
                    format!("feature `{feature}` of profile {name} is not declared as a feature");
                self.problem(Rc::new(Unread::of_file(SUITE, reason)));
            }
            let both = |profile: &super::Profile| -> Vec<String> {
                let core = profile.core.iter();
                core.filter(|feature| profile.is_extended(feature))
                    .cloned()
                    .collect()
            };
            let before = base
                .profiles
                .get(name)
                .map(|profile| both(profile))
                .unwrap_or_default();
            for feature in both(profile) {
                if !before.contains(&feature) {
                    self.note(format!("{feature} is both core and extended in {name}."));
                }
            }
            let named_before = base.profiles.get(name).map(|profile| &profile.report_name);
            if profile.report_name != *name && named_before != Some(&profile.report_name) {
                self.note(format!(
                    "Reports use the name {} for {name}: the name of the profile differs from its key.",
                    profile.report_name
                ));
            }
        }
    }

    /// After a problem, later checks would report misleading errors.
    fn has_problems(&self) -> bool {
        !self.problems.borrow().is_empty()
    }

    fn names(&self, value: &Value, what: &str) -> Vec<String> {
        let mut names = Vec::new();
        for (key, value) in self.entries(value, what) {
            let one = if matches!(value, Value::Struct(_)) {
                value
            } else {
                key
            };
            if let Some(name) = self.name_of(one, what) {
                names.push(name);
            }
        }
        names
    }

    fn entries(&self, value: &Value, what: &str) -> Vec<(Value, Value)> {
        let heap = self.program.heap.borrow();
        let (entries, unread) = match value {
            Value::Nil => return Vec::new(),
            Value::List(at) => {
                let list = heap.lists[*at].clone();
                (
                    list.into_iter().map(|one| (one, Value::Nil)).collect(),
                    Vec::new(),
                )
            }
            Value::Map(at) => {
                let map = heap.maps[*at].clone();
                (map.entries.into_values().collect::<Vec<_>>(), map.unread)
            }
            other => {
                let reason = format!("{what}: {}; expected a list or a set", other.described());
                drop(heap);
                self.problem(Rc::new(Unread::of_file(SUITE, reason)));
                return Vec::new();
            }
        };
        drop(heap);
        for error in unread {
            self.problem(error);
        }
        let understood = entries.into_iter().filter(|(key, value)| {
            let unread = [key, value].into_iter().find_map(|one| match one {
                Value::Unread(error) => Some(Rc::clone(error)),
                _ => None,
            });
            let is_understood = unread.is_none();
            if let Some(error) = unread {
                self.problem(error);
            }
            is_understood
        });
        understood.collect()
    }

    fn name_of(&self, value: Value, what: &str) -> Option<String> {
        let name = match value {
            Value::Struct(_) => self.field(&value, "Name"),
            value => Some(value),
        };
        match name {
            Some(Value::Text(text)) => Some(text.to_string()),
            Some(Value::Unread(error)) => {
                self.problem(error);
                None
            }
            _ => {
                let reason = format!("{what}: expected the name of a feature");
                self.problem(Rc::new(Unread::of_file(SUITE, reason)));
                None
            }
        }
    }

    fn field(&self, value: &Value, name: &str) -> Option<Value> {
        let heap = self.program.heap.borrow();
        let at = match value {
            Value::Struct(at) => *at,
            Value::Pointer(slot) => match heap.slots[*slot].value {
                Value::Struct(at) => at,
                _ => return None,
            },
            _ => return None,
        };
        heap.structs[at].fields.get(name).cloned()
    }

    fn error_at(&self, value: &Value, reason: String) -> Rc<Unread> {
        let heap = self.program.heap.borrow();
        let at = match value {
            Value::Struct(at) => Some(*at),
            Value::Pointer(slot) => match heap.slots[*slot].value {
                Value::Struct(at) => Some(at),
                _ => None,
            },
            _ => None,
        };
        let mut error = Unread::of_file(TESTS, reason);
        if let Some(one) = at.map(|at| &heap.structs[at]) {
            error.file.clone_from(&one.file.path);
            error.line = one.line;
        }
        Rc::new(error)
    }
}

/// Maximum length in GEP-2162.
const MAX_NAME: usize = 128;

/// Names follow GEP-2162, because they are inserted into pull requests.
fn is_name(text: &str) -> bool {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_plain && (1..=MAX_NAME).contains(&text.len())
}
