//! Reads only the names and runs of reports that a change does not touch, to find out which of them
//! the change can affect.
//!
//! A rule that compares reports, or a verdict, can connect two reports only if they share a
//! [`Property`]. The other submissions need no check, because their findings and verdicts are the same
//! before and after the change.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::header::{Header, headers_in};
use super::{CheckReport, Checked, Comparison};
use crate::report::facts::{ReportFacts, Run};
use crate::report::naming::folded;
use crate::rules::ConfiguredNames;
use crate::rules::confusable::looks;
use crate::tree::{Submission, Tree, below};
use gwconform_base::text::source::MAX_FILE_BYTES;

const MAX_CANDIDATES: usize = 8;

/// Unchanged submissions that are not checked yet, by index in [`Comparison`].
#[derive(Debug, Default)]
pub struct Survey {
    headers: BTreeMap<usize, Vec<Header>>,
    keys: BTreeMap<usize, Vec<Key>>,
    by_key: BTreeMap<Key, Vec<usize>>,
    unread: BTreeSet<usize>,
}

/// Hash of a [`Property`]. Equal hashes of different properties cost only unneeded checks.
type Key = u64;

/// Property that connects reports: a name without case and punctuation, a look-alike name, a run, or
/// the name of a folder.
#[derive(Hash)]
enum Property<'p> {
    Name(String),
    Look(usize, String),
    Run(Run),
    Folder(&'p str),
}

impl Property<'_> {
    fn key(&self) -> Key {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
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
            headers(submission, of.trees, &names)
        });
        let all: Vec<Option<Vec<Header>>> = all.collect();
        let mut keys_by_name: HashMap<(&str, &str), Vec<Key>> = HashMap::new();
        let mut survey = Self::default();
        for (at, headers) in all.iter().enumerate() {
            let (Some(headers), [Some(submission), _]) = (headers, of.submissions[at]) else {
                survey.unread.insert(at);
                continue;
            };
            let mut keys = BTreeSet::new();
            for header in headers {
                keys.insert(Property::Run(header.run).key());
                let folder = submission.folder.as_deref().map(Property::Folder);
                keys.extend(folder.map(|folder| folder.key()));
                if let Some(name) = header.name() {
                    let of_name = keys_by_name.entry(name);
                    let of_name = of_name.or_insert_with(|| keys_of(name, of.settings.names()));
                    keys.extend(of_name.iter());
                }
            }
            for key in &keys {
                survey.by_key.entry(*key).or_default().push(at);
            }
            survey.keys.insert(at, keys.into_iter().collect());
        }
        drop(keys_by_name);
        let read = all.into_iter().enumerate();
        survey.headers = read
            .filter_map(|(at, headers)| Some((at, headers?)))
            .collect();
        Some(survey)
    }

    /// Submissions that the change touches, and those whose files could not be read.
    pub fn take_unread(&mut self) -> BTreeSet<usize> {
        std::mem::take(&mut self.unread)
    }

    /// Removes and returns the submissions that reports of `checked` can affect.
    pub fn take_related<'f>(
        &mut self,
        checked: impl IntoIterator<Item = &'f ReportFacts>,
        names: &ConfiguredNames,
    ) -> BTreeSet<usize> {
        let mut keys = Vec::new();
        for facts in checked {
            keys.push(Property::Run(facts.run()).key());
            let folder = facts.submission.file_name().and_then(OsStr::to_str);
            keys.extend(folder.map(|folder| Property::Folder(folder).key()));
            if let (Some(organization), Some(project)) = (facts.organization(), facts.project()) {
                keys.extend(keys_of((organization, project), names));
            }
        }
        let related = self.related(keys);
        self.take(related)
    }

    /// Removes and returns a submission with reports, with the submissions that it can affect.
    /// Prefers a submission that affects few others.
    pub fn take_one(&mut self) -> BTreeSet<usize> {
        let all = self.headers.iter();
        let candidates = all.filter(|(_, headers)| !headers.is_empty());
        let keys = candidates
            .take(MAX_CANDIDATES)
            .filter_map(|(at, _)| self.keys.get(at).cloned());
        let related = keys.map(|keys| self.related(keys));
        let fewest = related.min_by_key(BTreeSet::len);
        self.take(fewest.unwrap_or_default())
    }

    /// Submissions that share a key, directly or through others.
    fn related(&self, mut keys: Vec<Key>) -> BTreeSet<usize> {
        let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
        while let Some(key) = keys.pop() {
            if !seen.insert(key) {
                continue;
            }
            for at in self.by_key.get(&key).into_iter().flatten() {
                if self.headers.contains_key(at) && found.insert(*at) {
                    keys.extend(self.keys.get(at).into_iter().flatten());
                }
            }
        }
        found
    }

    fn take(&mut self, which: BTreeSet<usize>) -> BTreeSet<usize> {
        self.headers.retain(|at, _| !which.contains(at));
        which
    }

    /// True if all reports are checked.
    pub fn is_empty(&self) -> bool {
        self.headers.values().all(Vec::is_empty)
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

fn keys_of(written: (&str, &str), names: &ConfiguredNames) -> Vec<Key> {
    let mut keys = Vec::new();
    let usual = names.usual(written);
    let other = (usual != written).then_some(usual);
    for (organization, _) in [written].into_iter().chain(other) {
        keys.push(Property::Name(folded(organization)).key());
        let looks = looks(organization).into_iter().enumerate();
        keys.extend(looks.map(|(at, look)| Property::Look(at, look).key()));
    }
    keys
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
    [tree, earlier]: [&Tree; 2],
    names: &BTreeSet<PathBuf>,
) -> Option<Vec<Header>> {
    submission.folder.as_ref()?;
    if (earlier.folder.as_ref()?.files()).are_changed_below(&submission.path) {
        return None;
    }
    let folder = tree.folder.as_ref()?;
    let folder = folder.folder(below(&submission.path, &tree.root)?).ok()?;
    let read = |path: &Path| {
        folder
            .read(below(path, &submission.path)?, MAX_FILE_BYTES)
            .ok()
    };
    if let Some(readme) = submission.readme.as_ref().filter(|_| !names.is_empty())
        && may_contain(&read(readme)?, names)
    {
        return None;
    }
    let mut headers = Vec::new();
    for path in &submission.reports {
        headers.extend(headers_in(read(path)?));
    }
    Some(headers)
}

/// Whether a README may contain a link with one of the names.
fn may_contain(readme: &[u8], names: &BTreeSet<PathBuf>) -> bool {
    let entity = memchr::memchr(b'&', readme).map(|at| &readme[at..]);
    if entity.is_some_and(|rest| rest.contains(&b';')) {
        return true;
    }
    let mut text: Vec<u8> = percent_encoding::percent_decode(readme).collect();
    text.retain(|&byte| byte != b'\\');
    let mut names = names.iter().map(|name| name.as_os_str().as_encoded_bytes());
    names.any(|name| memchr::memmem::find(&text, name).is_some())
}
