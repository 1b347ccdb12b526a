//! What decides how a change is checked: configuration, baseline, release facts and what is said
//! beside the tree about implementations. The versions of the revision count, not those of an older
//! commit that the work happens to start from; where the change alters one of these files, the new
//! version counts as well.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::Revision;
use crate::baseline::{self, Accepted};
use crate::cli::baseline::places;
use crate::cli::check::load_config;
use crate::cli::git::{Blobs, Entry, EntryKind};
use crate::cli::registry::{self, RegistryArguments};
use crate::cli::targets::{Base, Targets};
use crate::cli::{Failure, Streams};
use crate::config::{self, Config};
use crate::details::{self, Details};
use crate::rules::{Alteration, AlteredInput};
use crate::source::Source;
use crate::tree::name_of;

/// Most files that are read of one kind.
const MAX_FILES: usize = 10_000;

/// What decides how reports are checked and shown, besides the program and its other arguments.
#[derive(Debug)]
pub struct Inputs {
    /// The configuration.
    pub config: Option<config::ConfigFile>,
    /// The baseline.
    pub accepted: Option<Accepted>,
    /// The facts of the releases.
    pub registry: registry::Loaded,
    /// What stands beside the tree about implementations.
    pub details: Vec<Details>,
}

impl Inputs {
    /// The configuration; `default` where there is none.
    pub fn config<'a>(&'a self, default: &'a Config) -> &'a Config {
        self.config
            .as_ref()
            .map_or(default, |loaded| &loaded.config)
    }
}

/// What of it the command line names.
#[derive(Debug, Clone, Copy)]
pub struct Named<'a> {
    /// `--config`.
    pub config: Option<&'a Path>,
    /// `--baseline`.
    pub baseline: Option<&'a Path>,
    /// `--registry`.
    pub registry: &'a RegistryArguments,
}

/// The inputs of the revision, where they are others than those of the work here.
#[derive(Debug)]
pub struct Before {
    /// All of them: also those that are the same.
    pub inputs: Inputs,
    /// The files that it alters.
    altered: Vec<AlteredInput>,
    /// The files about implementations that it alters, with the implementations they speak of.
    altered_details: Vec<(AlteredInput, BTreeSet<(String, String)>)>,
}

impl Before {
    /// True when the change alters one of them; else the revision has gone on since.
    pub fn is_altered(&self) -> bool {
        !(self.altered.is_empty() && self.altered_details.is_empty())
    }

    /// The altered files that a reviewer is warned of. What comes with the first reports of an
    /// implementation is expected; `known` are those that had reports before.
    pub fn altered(&self, known: &BTreeSet<(&str, &str)>) -> Vec<AlteredInput> {
        let is_known = |names: &BTreeSet<(String, String)>| {
            let mut names = names.iter();
            names.any(|(organization, project)| known.contains(&(organization, project)))
        };
        let details = self.altered_details.iter();
        let details = details.filter(|(_, names)| is_known(names));
        let details = details.map(|(altered, _)| altered.clone());
        self.altered.iter().cloned().chain(details).collect()
    }
}

/// The inputs of the revision; `None` when those of the work here are the same.
pub fn before(
    revision: &Revision<'_>,
    named: Named<'_>,
    now: &Inputs,
    targets: &Targets,
    base: &Base,
    streams: &mut Streams<'_>,
) -> Result<Option<Before>, Failure> {
    let could_not_run = Failure::CouldNotRun;
    let mut reader = Reader::new(revision, base).map_err(could_not_run)?;
    let config = reader.config(named.config, now).map_err(could_not_run)?;
    let accepted = reader.baseline(named.baseline).map_err(could_not_run)?;
    let registry = reader
        .registry(named.registry.folder())
        .map_err(could_not_run)?;
    let details = reader.details(&now.details).map_err(could_not_run)?;
    let is_same = reader.altered.is_empty() && reader.altered_details.is_empty();
    if is_same && !reader.has_moved {
        return Ok(None);
    }
    let inputs = Inputs {
        // What stands outside of the repository is the user's own.
        config: match config {
            InBase::Outside => load_config(named.config, targets, base, streams)?,
            InBase::Inside(config) => config,
        },
        accepted: match (accepted, named.baseline) {
            (InBase::Outside, Some(path)) => Some(crate::cli::baseline::read(path, base, streams)?),
            (InBase::Outside, None) => None,
            (InBase::Inside(accepted), _) => accepted,
        },
        registry: match registry {
            InBase::Outside => named.registry.load()?,
            InBase::Inside(registry) => registry,
        },
        details,
    };
    Ok(Some(Before {
        inputs,
        altered: reader.altered,
        altered_details: reader.altered_details,
    }))
}

/// Where an input stands, and what it was.
enum InBase<T> {
    /// Outside of the repository, or not asked for.
    Outside,
    /// In it, with its version before the change.
    Inside(T),
}

struct Reader<'r> {
    revision: &'r Revision<'r>,
    base: &'r Base,
    blobs: Blobs,
    /// The paths below the top of what the change touches.
    changed: BTreeSet<PathBuf>,
    /// The revision has another version of something than the commit that is compared with.
    has_moved: bool,
    altered: Vec<AlteredInput>,
    altered_details: Vec<(AlteredInput, BTreeSet<(String, String)>)>,
}

impl<'r> Reader<'r> {
    fn new(revision: &'r Revision<'r>, base: &'r Base) -> anyhow::Result<Self> {
        let changed = revision.changed.iter();
        let changed = changed.filter_map(|file| revision.work.below(&file.path));
        Ok(Self {
            blobs: Blobs::start(revision.work.repository())?,
            changed: changed.collect(),
            has_moved: false,
            revision,
            base,
            altered: Vec::new(),
            altered_details: Vec::new(),
        })
    }

    /// What the revision has at a path below the top.
    fn entries(&mut self, path: &Path, is_deep: bool) -> anyhow::Result<Vec<Entry>> {
        let Revision {
            work, tip, commit, ..
        } = self.revision;
        let entries = work.entries(tip, path, is_deep)?;
        if tip != commit && work.entries(commit, path, is_deep)? != entries {
            self.has_moved = true;
        }
        Ok(entries)
    }

    /// The file that the revision has at a path below the top.
    fn entry(&mut self, below: &Path) -> anyhow::Result<Option<Entry>> {
        let entries = self.entries(below, false)?;
        let entry = entries.into_iter().find(|entry| entry.path == below);
        if let Some(entry) = &entry
            && entry.kind == EntryKind::Link
        {
            return Err(anyhow!(
                "{}: a link in {}; with --since a file is expected",
                below.display(),
                self.revision.name
            ));
        }
        Ok(entry.filter(|entry| entry.kind == EntryKind::File))
    }

    fn read(&mut self, entry: &Entry) -> anyhow::Result<Vec<u8>> {
        let shown = entry.path.display();
        let read = self.blobs.read(&entry.id);
        read.with_context(|| format!("--since: {shown} as it was"))?
            .map_err(|reason| anyhow!("--since: {shown} as it was: {reason}"))
    }

    fn shown(&self, below: &Path) -> String {
        self.base.display(&self.revision.work.absolute(below))
    }

    /// Takes note of a file, if the change alters it; `is_used` tells whether its earlier version
    /// could be.
    fn note(
        &mut self,
        below: &Path,
        was_there: bool,
        is_there: bool,
        is_used: bool,
    ) -> anyhow::Result<()> {
        let Revision { work, commit, .. } = self.revision;
        let is_new = || anyhow::Ok(is_there && work.entries(commit, below, false)?.is_empty());
        if self.changed.contains(below) || is_new()? {
            self.altered.push(AlteredInput {
                path: self.shown(below),
                alteration: match (was_there, is_there) {
                    (false, _) => Alteration::Added,
                    (true, false) => Alteration::Deleted,
                    (true, true) if !is_used => Alteration::Repaired,
                    (true, true) => Alteration::Changed,
                },
            });
        }
        Ok(())
    }

    fn config(
        &mut self,
        named: Option<&Path>,
        now: &Inputs,
    ) -> anyhow::Result<InBase<Option<config::ConfigFile>>> {
        let work = &self.revision.work;
        let path_now = match (named, &now.config) {
            (Some(named), _) => Some(self.base.absolute(named)),
            (None, Some(loaded)) => Some(loaded.folder.join(config::FILE_NAME)),
            (None, None) => None,
        };
        let now_below = path_now.as_deref().map(|path| work.below(path));
        if let Some(None) = now_below {
            return Ok(InBase::Outside);
        }
        let now_below = now_below.flatten();
        let entry = match (named, &now_below) {
            (Some(_), Some(below)) => self.entry(below)?,
            _ => self.found()?,
        };
        let mut loaded = None;
        if let Some(entry) = &entry {
            let bytes = self.read(entry)?;
            let path = self.revision.work.absolute(&entry.path);
            let folder = path.parent().unwrap_or(&path).to_owned();
            loaded = config::parse(Source::new(self.base.display(&path), bytes), folder).ok();
            let is_there = path.is_file() && !path.is_symlink();
            self.note(&entry.path, true, is_there, loaded.is_some())?;
        }
        // One that is nearer to the tree hides the one above it.
        if let Some(now_below) = now_below
            && entry.is_none_or(|entry| entry.path != now_below)
        {
            let was_there = self.entry(&now_below)?.is_some();
            self.note(&now_below, was_there, true, true)?;
        }
        Ok(InBase::Inside(loaded))
    }

    /// The gwconform.toml that the tree had: in it or in a folder above it.
    fn found(&mut self) -> anyhow::Result<Option<Entry>> {
        let root = self.revision.work.below(self.revision.root);
        for folder in root.unwrap_or_default().ancestors() {
            let below = folder.join(config::FILE_NAME);
            let entries = self.entries(&below, false)?;
            let mut entries = entries.into_iter();
            let is_file = |entry: &Entry| entry.path == below && entry.kind == EntryKind::File;
            if let Some(entry) = entries.find(is_file) {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    fn baseline(&mut self, named: Option<&Path>) -> anyhow::Result<InBase<Option<Accepted>>> {
        let path = named.map(|named| self.base.absolute(named));
        let below = path.as_deref().map(|path| self.revision.work.below(path));
        let (Some(path), Some(Some(below))) = (path, below) else {
            return Ok(InBase::Outside);
        };
        let entry = self.entry(&below)?;
        let mut accepted = None;
        if let Some(entry) = &entry {
            let source = Source::new(self.base.display(&path), self.read(entry)?);
            accepted = baseline::parse(source, places(&path, self.base)).ok();
        }
        let is_used = entry.is_none() || accepted.is_some();
        self.note(&below, entry.is_some(), true, is_used)?;
        Ok(InBase::Inside(accepted))
    }

    fn registry(&mut self, named: Option<&Path>) -> anyhow::Result<InBase<registry::Loaded>> {
        let path = named.map(|named| self.base.absolute(named));
        let below = path.as_deref().map(|path| self.revision.work.below(path));
        let (Some(path), Some(Some(below))) = (path, below) else {
            return Ok(InBase::Outside);
        };
        let is_facts = |path: &Path| path.extension().is_some_and(|end| end == "json");
        // A slash at the end names what is in the folder; the top has no name.
        let mut folder = below.clone();
        folder.push("");
        let mut entries = self.entries(&folder, false)?;
        entries.retain(|entry| is_facts(&entry.path) && entry.kind == EntryKind::File);
        let mut files = Vec::new();
        for entry in at_most(&entries)? {
            let text = String::from_utf8_lossy(&self.read(entry)?).into_owned();
            files.push((name_of(&entry.path), text));
        }
        files.sort();
        let loaded = registry::Loaded::with_files(&files);
        for entry in &entries {
            let is_there = self.revision.work.absolute(&entry.path).exists();
            self.note(&entry.path, true, is_there, loaded.is_some())?;
        }
        let names = std::fs::read_dir(&path).into_iter().flatten().flatten();
        let names = names.map(|entry| below.join(entry.file_name()));
        let mut added: Vec<PathBuf> = names.filter(|path| is_facts(path)).collect();
        added.sort();
        for path in added {
            if !entries.iter().any(|entry| entry.path == path) {
                self.note(&path, false, true, true)?;
            }
        }
        Ok(InBase::Inside(loaded.unwrap_or_default()))
    }

    /// What stood beside the tree, in the order of the paths. Read only when the change touches it.
    fn details(&mut self, now: &[Details]) -> anyhow::Result<Vec<Details>> {
        let list = self
            .revision
            .root
            .parent()
            .map(|beside| beside.join(details::FOLDER));
        let list = list.and_then(|list| self.revision.work.below(&list));
        let Some(list) = list else {
            return Ok(now.to_vec());
        };
        let is_details = |path: &Path| {
            let folder = path.parent().and_then(Path::parent);
            folder == Some(&list) && name_of(path) == details::FILE_NAME
        };
        let touched = self.changed.iter().filter(|path| {
            is_details(path) || list.starts_with(path) || path.parent() == Some(&list)
        });
        let is_touched = touched.count() > 0;
        let had_moved = std::mem::take(&mut self.has_moved);
        let mut entries = self.entries(&list, true)?;
        let is_same = !is_touched && !self.has_moved;
        self.has_moved |= had_moved;
        if is_same {
            return Ok(now.to_vec());
        }
        entries.retain(|entry| is_details(&entry.path) && entry.kind == EntryKind::File);
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        let mut before = Vec::new();
        for entry in at_most(&entries)? {
            let source = Source::new(self.shown(&entry.path), self.read(entry)?);
            before.extend(details::parse(&source).ok());
        }
        if is_touched {
            self.note_details(&before, now, &entries);
        }
        Ok(before)
    }

    fn note_details(&mut self, before: &[Details], now: &[Details], entries: &[Entry]) {
        let by_path = |all: &[Details]| -> BTreeMap<String, Details> {
            let all = all.iter();
            all.map(|one| (one.path.clone(), one.clone())).collect()
        };
        let was_there: BTreeSet<String> = entries
            .iter()
            .map(|entry| self.shown(&entry.path))
            .collect();
        let (before, now) = (by_path(before), by_path(now));
        let paths: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
        let changed = self.changed.iter().map(|below| self.shown(below));
        let changed: BTreeSet<String> = changed.collect();
        for path in paths.intersection(&changed.iter().collect()).copied() {
            let (old, new) = (before.get(path), now.get(path));
            if old == new {
                continue;
            }
            let names = old.into_iter().chain(new);
            let names = names.map(|one| (one.organization.clone(), one.project.clone()));
            let alteration = match (was_there.contains(path), new) {
                (false, _) => Alteration::Added,
                (true, None) => Alteration::Deleted,
                (true, Some(_)) => Alteration::Changed,
            };
            let altered = AlteredInput {
                path: path.clone(),
                alteration,
            };
            self.altered_details.push((altered, names.collect()));
        }
    }
}

fn at_most(entries: &[Entry]) -> anyhow::Result<&[Entry]> {
    if entries.len() > MAX_FILES {
        return Err(anyhow!(
            "--since: {} files to read, expected at most {MAX_FILES}",
            entries.len()
        ));
    }
    Ok(entries)
}
