//! Reads only the names and dates of reports that a change does not touch, to find out which of
//! them the change can affect.
//!
//! A rule that compares reports, or a verdict, can connect two reports only if they share a
//! [`Key`]. The other submissions need no check, because their findings and verdicts are the same
//! before and after the change.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::{CheckReport, Checked, Comparison};
use crate::api::{Minor, Version};
use crate::release::stated::lenient_version;
use crate::report::facts::ReportFacts;
use crate::report::formats::rfc3339;
use crate::report::naming::{folded, slug::slug};
use crate::report::view::Report;
use crate::rules::ConfiguredNames;
use crate::rules::confusable::looks;
use crate::text::source::{MAX_FILE_BYTES, is_plain_byte};
use crate::tree::{Submission, Tree};
use gwconform_yaml as yaml;

/// Names and date of an unchanged report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Organization, as written.
    pub organization: String,
    /// Project, as written.
    pub project: String,
    /// Release in `gatewayAPIVersion`.
    pub version: Option<Version>,
    /// Time of the run.
    pub ran_at: jiff::Timestamp,
}

/// Unchanged submissions that are not checked yet, by index in [`Comparison`].
#[derive(Debug)]
pub struct Survey {
    headers: BTreeMap<usize, Vec<Header>>,
    keys: BTreeMap<usize, Vec<Key>>,
    by_key: BTreeMap<Key, Vec<usize>>,
    unread: BTreeSet<usize>,
}

/// Property that connects reports: a name without case and punctuation, a look-alike name, a URL, a
/// run, or the name of a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Name(String),
    Look(usize, String),
    Address(String),
    Run(i64),
    Folder(String),
}

impl Survey {
    /// Reads the reports of unchanged submissions. `None` if the change contains links or alters
    /// aliases, which can affect any submission.
    pub fn new(of: &Comparison<'_>) -> Option<Self> {
        let [tree, earlier] = of.trees;
        if tree.aliases != earlier.aliases {
            return None;
        }
        let names = names_that_lead_elsewhere(earlier)?;
        let all = of.submissions.par_iter().map(|&[now, before]| {
            let submission = now.filter(|_| now == before)?;
            headers(submission, earlier, &names)
        });
        let all: Vec<Option<Vec<Header>>> = all.collect();
        let mut survey = Self {
            headers: BTreeMap::new(),
            keys: BTreeMap::new(),
            by_key: BTreeMap::new(),
            unread: BTreeSet::new(),
        };
        for (at, headers) in all.into_iter().enumerate() {
            let Some(headers) = headers else {
                survey.unread.insert(at);
                continue;
            };
            let mut keys = BTreeSet::new();
            for header in &headers {
                let name = [&header.organization, &header.project].map(|name| Some(name.as_str()));
                let ran_at = Some(header.ran_at.as_second());
                let [now, _] = of.submissions[at];
                let folder = now.and_then(|one| one.folder.as_deref());
                add_keys(name, ran_at, folder, of.settings.names(), &mut keys);
            }
            for key in &keys {
                survey.by_key.entry(key.clone()).or_default().push(at);
            }
            survey.keys.insert(at, keys.into_iter().collect());
            survey.headers.insert(at, headers);
        }
        Some(survey)
    }

    /// Submissions that the change touches, or whose names and dates could not be read.
    pub fn take_unread(&mut self) -> BTreeSet<usize> {
        std::mem::take(&mut self.unread)
    }

    /// Removes and returns the submissions that reports of `checked` can affect.
    pub fn take_related<'f>(
        &mut self,
        checked: impl IntoIterator<Item = &'f ReportFacts>,
        names: &ConfiguredNames,
    ) -> BTreeSet<usize> {
        let mut keys = BTreeSet::new();
        for facts in checked {
            let folder = facts.submission.file_name().and_then(OsStr::to_str);
            let name = [facts.organization(), facts.project()];
            add_keys(name, facts.ran_at, folder, names, &mut keys);
        }
        self.take(keys.into_iter().collect())
    }

    /// Removes and returns a submission for a minor, with the submissions that it can affect.
    pub fn take_minor(&mut self, minor: Minor) -> BTreeSet<usize> {
        let is_for = |header: &Header| header.version.as_ref().map(Version::minor) == Some(minor);
        let mut all = self.headers.iter();
        let found = all.find(|(_, headers)| headers.iter().any(is_for));
        let keys = found.and_then(|(at, _)| self.keys.get(at));
        self.take(keys.cloned().unwrap_or_default())
    }

    fn take(&mut self, mut keys: Vec<Key>) -> BTreeSet<usize> {
        let mut taken = BTreeSet::new();
        while let Some(key) = keys.pop() {
            for at in self.by_key.remove(&key).unwrap_or_default() {
                self.headers.remove(&at);
                keys.extend(self.keys.remove(&at).unwrap_or_default());
                taken.insert(at);
            }
        }
        taken
    }

    /// Reports that are not checked.
    pub fn headers(&self) -> impl Iterator<Item = &Header> {
        self.headers.values().flatten()
    }

    /// Counts the submissions that are not checked.
    pub fn count(&self, of: &Comparison<'_>, report: &mut CheckReport) {
        for (&at, headers) in &self.headers {
            let Some(submission) = of.submissions[at][0] else {
                continue;
            };
            report.counts.submissions += usize::from(submission.folder.is_some());
            report.counts.readmes += usize::from(submission.readme.is_some());
            report.counts.reports += headers.len();
            let path = of.trees[0].display(&submission.path);
            report.checked.push(Checked {
                submission: path.clone(),
                path,
            });
        }
    }
}

fn add_keys(
    [organization, project]: [Option<&str>; 2],
    ran_at: Option<i64>,
    folder: Option<&str>,
    names: &ConfiguredNames,
    keys: &mut BTreeSet<Key>,
) {
    keys.extend(ran_at.map(Key::Run));
    keys.extend(folder.map(|folder| Key::Folder(folder.to_owned())));
    let (Some(organization), Some(project)) = (organization, project) else {
        return;
    };
    let written = (organization, project);
    for (organization, project) in [written, names.usual(written)] {
        keys.insert(Key::Name(folded(organization)));
        let looks = looks(organization).into_iter().enumerate();
        keys.extend(looks.map(|(at, look)| Key::Look(at, look)));
        let address = slug(&[organization, project]);
        keys.insert(Key::Address(without_number(&address).to_owned()));
    }
}

/// An implementation whose URL is taken gets a number.
fn without_number(address: &str) -> &str {
    address.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-')
}

/// Names that a link must contain to lead to a path that only one state of the tree has. From
/// another submission, a link to a file contains the name of the file's submission. `None` for
/// names with `%`, which links can contain with or without decoding.
fn names_that_lead_elsewhere(earlier: &Tree) -> Option<BTreeSet<PathBuf>> {
    let files = earlier.folder.as_ref()?.files();
    let mut names = BTreeSet::new();
    for path in files.changed()? {
        let was_there = |path: &Path| files.kind_of(path).ok();
        let is_there = |path: &Path| files.now().kind_of(path).ok();
        let changed = path.ancestors();
        for path in changed.take_while(|path| was_there(path) != is_there(path)) {
            let below = path.strip_prefix(&earlier.root).ok();
            let submission = below.and_then(|below| below.iter().take(2).last());
            let name = submission.or(path.file_name());
            names.extend(name.map(PathBuf::from));
        }
    }
    let has_percent = |name: &PathBuf| name.as_os_str().as_encoded_bytes().contains(&b'%');
    (!names.iter().any(has_percent)).then_some(names)
}

/// `None` if the submission must be checked.
fn headers(
    submission: &Submission,
    earlier: &Tree,
    names: &BTreeSet<PathBuf>,
) -> Option<Vec<Header>> {
    submission.folder.as_ref()?;
    let root = earlier.folder.as_ref()?;
    let files = root.files();
    if files.are_changed_below(&submission.path) {
        return None;
    }
    let below = submission.path.strip_prefix(&earlier.root).ok()?;
    let folder = root.folder(below).ok()?;
    let read = |path: &Path| {
        let below = path.strip_prefix(folder.path()).ok()?;
        folder.read(below, MAX_FILE_BYTES).ok()
    };
    if let Some(readme) = submission.readme.as_ref().filter(|_| !names.is_empty())
        && may_contain(&read(readme)?, names)
    {
        return None;
    }
    let reports = submission.reports.iter();
    reports.map(|path| header(&read(path)?)).collect()
}

/// Whether a README may contain a link with one of the names.
fn may_contain(readme: &[u8], names: &BTreeSet<PathBuf>) -> bool {
    let mut ampersands = memchr::memchr_iter(b'&', readme);
    if ampersands.any(|at| {
        readme[at..]
            .iter()
            .take(MAX_ENTITY)
            .any(|&byte| byte == b';')
    }) {
        return true;
    }
    let mut text: Vec<u8> = percent_encoding::percent_decode(readme).collect();
    text.retain(|&byte| byte != b'\\');
    let mut names = names.iter().map(|name| name.as_os_str().as_encoded_bytes());
    names.any(|name| memchr::memmem::find(&text, name).is_some())
}

/// In bytes. The longest HTML entity has 33.
const MAX_ENTITY: usize = 40;

const PROFILES: &[u8] = b"\nprofiles:";

/// Top-level field that the suite writes after the profiles.
const LAST: &[u8] = b"succeededProvisionalTests:";

/// Reads the fields before the profiles. `None` if the other fields could change their meaning, as
/// in files that the suite did not write.
fn header(bytes: &[u8]) -> Option<Header> {
    if !bytes
        .iter()
        .all(|&byte| is_plain_byte(byte) || byte == b'\n')
    {
        return None;
    }
    let end = memchr::memmem::find(bytes, PROFILES)? + 1;
    let (head, rest) = bytes.split_at(end);
    let mut lines = rest.split(|&byte| byte == b'\n').skip(1);
    let is_inner =
        |line: &[u8]| matches!(line, [] | [b' ', ..] | [b'-', b' ', ..]) || line.starts_with(LAST);
    if !lines.all(is_inner) {
        return None;
    }
    let yaml = yaml::load(std::str::from_utf8(head).ok()?);
    let [document] = yaml.documents[..] else {
        return None;
    };
    let root = document.root?;
    let start = yaml.span(root).start as usize;
    let is_block = start == 0 || head.get(start - 1) == Some(&b'\n');
    if !yaml.is_plain_json() || !is_block || head.get(start) == Some(&b'{') {
        return None;
    }
    let report = Report::read(&yaml, root);
    if report.other_project.is_some() {
        return None;
    }
    Some(Header {
        organization: report.implementation.organization?.value.to_owned(),
        project: report.implementation.project?.value.to_owned(),
        version: (report.stated_release).and_then(|text| lenient_version(text.value)),
        ran_at: rfc3339(report.date?.value)?,
    })
}
