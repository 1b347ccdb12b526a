//! Inputs that affect how a change is checked, from the tip of the revision and not from the merge
//! base. Inputs that the change alters are used in addition.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{Depth, EntryKind, HistoryError, MAX_EARLIER, Point, Revision, TreeEntry};
use crate::rules;
use crate::workspace::error::RunError;
use crate::workspace::settings_files::{self, FactsFolder, Inputs, LoadedRegistry, NamedInputs};
use crate::workspace::targets::{Base, Targets};
use gwconform_base::files::FileKind;
use gwconform_base::files::name_of;
use gwconform_base::text::source::Source;
use gwconform_report::certify::attested::NamedStatement;
use gwconform_report::certify::details::{self, Details};
use gwconform_report::rules::baseline::{self, Accepted};
use gwconform_report::rules::configuration::{self, ConfigFile};
use gwconform_report::rules::{Alteration, AlteredInput};
use gwconform_report::statement::Statement;

#[derive(Debug)]
pub(in crate::workspace) struct Before {
    pub(in crate::workspace) inputs: Inputs,
    pub(in crate::workspace) details: Vec<Details>,
    pub(in crate::workspace) statements: Vec<NamedStatement>,
    pub(in crate::workspace) altered_statements: Vec<AlteredInput>,
    altered: Vec<AlteredInput>,
    altered_details: Vec<(AlteredInput, BTreeSet<(String, String)>)>,
}

impl Before {
    /// False if only the revision has newer commits.
    pub(in crate::workspace) fn is_altered(&self) -> bool {
        !(self.altered.is_empty()
            && self.altered_details.is_empty()
            && self.altered_statements.is_empty())
    }

    /// True if the change alters more than statements.
    pub(in crate::workspace) fn has_new_configuration(&self) -> bool {
        !(self.altered.is_empty() && self.altered_details.is_empty())
    }

    /// Lists changed inputs. Omits details of new implementations, which are expected. `known`
    /// contains implementations with earlier reports.
    pub(in crate::workspace) fn altered(
        &self,
        known: &BTreeSet<(&str, &str)>,
    ) -> Vec<AlteredInput> {
        let is_known = |names: &BTreeSet<(String, String)>| {
            names
                .iter()
                .any(|(organization, project)| known.contains(&(organization, project)))
        };
        let details = self
            .altered_details
            .iter()
            .filter(|(_, names)| is_known(names))
            .map(|(altered, _)| altered.clone());
        self.altered.iter().cloned().chain(details).collect()
    }
}

/// Inputs of the earlier revision. `None` if unchanged.
pub(in crate::workspace) fn before(
    revision: Revision<'_>,
    named: &NamedInputs,
    now: &Inputs,
    details: &[Details],
    targets: &Targets,
    base: &Base,
) -> Result<Option<Before>, RunError> {
    let mut reader = Reader::new(revision, base);
    let config = reader.config(named.config.file(), now)?;
    let accepted = reader.baseline(named.baseline.as_deref())?;
    let folder = match &config {
        InBase::Outside => named.registry(now.config.as_ref()),
        InBase::Inside(config) => named.registry(config.as_ref()),
    };
    let registry = reader.registry(folder.as_ref())?;
    let details = reader.details(details)?;
    let statements_folder = match &config {
        InBase::Outside => named.statements(now.config.as_ref()),
        InBase::Inside(config) => named.statements(config.as_ref()),
    };
    let statements = reader.statements(statements_folder.as_deref())?;
    let is_same = reader.altered.is_empty()
        && reader.altered_details.is_empty()
        && reader.altered_statements.is_empty();
    if is_same && !reader.has_moved {
        return Ok(None);
    }
    let inputs = Inputs {
        // Files outside of the repository belong to the user.
        config: match config {
            InBase::Outside => settings_files::config(named, targets, base)?,
            InBase::Inside(config) => config,
        },
        accepted: match accepted {
            InBase::Outside => settings_files::baseline(named, base)?,
            InBase::Inside(accepted) => accepted,
        },
        registry: match registry {
            InBase::Outside => settings_files::facts(folder.as_ref(), base)?,
            InBase::Inside(registry) => registry,
        },
    };
    let statements = match statements {
        InBase::Outside => settings_files::statements(statements_folder.as_deref(), base)?.0,
        InBase::Inside(statements) => statements,
    };
    Ok(Some(Before {
        inputs,
        details,
        statements,
        altered_statements: reader.altered_statements,
        altered: reader.altered,
        altered_details: reader.altered_details,
    }))
}

enum InBase<T> {
    /// The input is outside of the repository, or not requested.
    Outside,
    Inside(T),
}

struct Reader<'r> {
    revision: Revision<'r>,
    base: &'r Base,
    changed: BTreeSet<PathBuf>,
    has_moved: bool,
    altered: Vec<AlteredInput>,
    altered_details: Vec<(AlteredInput, BTreeSet<(String, String)>)>,
    altered_statements: Vec<AlteredInput>,
}

impl<'r> Reader<'r> {
    fn new(revision: Revision<'r>, base: &'r Base) -> Self {
        let changed = revision
            .history
            .changed()
            .iter()
            .filter_map(|file| revision.history.below(&file.path));
        Self {
            changed: changed.collect(),
            has_moved: false,
            revision,
            base,
            altered: Vec::new(),
            altered_details: Vec::new(),
            altered_statements: Vec::new(),
        }
    }

    fn entries(&mut self, path: &Path, depth: Depth) -> Result<Vec<TreeEntry>, HistoryError> {
        let history = self.revision.history;
        let entries = history.entries(Point::Revision, path, depth)?;
        if history.has_moved_on() && history.entries(Point::Commit, path, depth)? != entries {
            self.has_moved = true;
        }
        Ok(entries)
    }

    fn entry(&mut self, below: &Path) -> Result<Option<TreeEntry>, HistoryError> {
        let entries = self.entries(below, Depth::Named)?;
        let entry = entries.into_iter().find(|entry| entry.path == below);
        if let Some(entry) = &entry
            && entry.kind == EntryKind::Link
        {
            return Err(HistoryError(format!(
                "{}: a link in {}; --since expects a file",
                below.display(),
                self.revision.history.name()
            )));
        }
        Ok(entry.filter(|entry| entry.kind == EntryKind::File))
    }

    fn read(&mut self, entry: &TreeEntry) -> Result<Vec<u8>, HistoryError> {
        let shown = entry.path.display().to_string();
        let read = self.revision.read(&entry.id, &shown)?;
        read.map_err(|reason| HistoryError(format!("--since: {shown} as it was: {reason}")))
    }

    fn shown(&self, below: &Path) -> String {
        self.base.display(&self.revision.history.absolute(below))
    }

    /// Records a changed input, if the earlier version can affect the check.
    fn note(&mut self, below: &Path, alteration: Alteration) -> Result<(), HistoryError> {
        let history = self.revision.history;
        let is_new = || -> Result<bool, HistoryError> {
            Ok(alteration != Alteration::Deleted
                && history
                    .entries(Point::Commit, below, Depth::Named)?
                    .is_empty())
        };
        if self.changed.contains(below) || is_new()? {
            self.altered.push(AlteredInput {
                path: self.shown(below),
                alteration,
            });
        }
        Ok(())
    }

    fn config(
        &mut self,
        named: Option<&Path>,
        now: &Inputs,
    ) -> Result<InBase<Option<ConfigFile>>, HistoryError> {
        let history = self.revision.history;
        let path_now = match (named, &now.config) {
            (Some(named), _) => Some(self.base.absolute(named)),
            (None, Some(loaded)) => Some(loaded.folder.join(configuration::FILE_NAME)),
            (None, None) => None,
        };
        let place_now = path_now.as_deref().map(|path| history.below(path));
        if let Some(None) = place_now {
            return Ok(InBase::Outside);
        }
        let now_below = place_now.flatten();
        let entry = match (named, &now_below) {
            (Some(_), Some(below)) => self.entry(below)?,
            _ => self.found()?,
        };
        let mut loaded = None;
        if let Some(entry) = &entry {
            let bytes = self.read(entry)?;
            let path = self.revision.history.absolute(&entry.path);
            let folder = path.parent().unwrap_or(&path).to_owned();
            loaded = configuration::parse(
                Source::new(self.base.display(&path), bytes),
                folder,
                &rules::ALL,
            )
            .ok();
            let is_there = matches!(self.base.files().kind_of(&path), Ok(FileKind::File));
            let alteration = match (is_there, &loaded) {
                (false, _) => Alteration::Deleted,
                (true, None) => Alteration::Repaired,
                (true, Some(_)) => Alteration::Changed,
            };
            self.note(&entry.path, alteration)?;
        }
        // A nearer configuration hides the configurations in parent folders.
        if let Some(now_below) = now_below
            && entry.is_none_or(|entry| entry.path != now_below)
        {
            let alteration = match self.entry(&now_below)? {
                Some(_) => Alteration::Changed,
                None => Alteration::Added,
            };
            self.note(&now_below, alteration)?;
        }
        Ok(InBase::Inside(loaded))
    }

    fn found(&mut self) -> Result<Option<TreeEntry>, HistoryError> {
        let root = self.revision.history.below(self.revision.root);
        for folder in root.unwrap_or_default().ancestors() {
            let below = folder.join(configuration::FILE_NAME);
            let mut entries = self.entries(&below, Depth::Named)?.into_iter();
            let is_file = |entry: &TreeEntry| entry.path == below && entry.kind == EntryKind::File;
            if let Some(entry) = entries.find(is_file) {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    fn baseline(&mut self, named: Option<&Path>) -> Result<InBase<Option<Accepted>>, HistoryError> {
        let path = named.map(|named| self.base.absolute(named));
        let below = path
            .as_deref()
            .map(|path| self.revision.history.below(path));
        let (Some(path), Some(Some(below))) = (path, below) else {
            return Ok(InBase::Outside);
        };
        let entry = self.entry(&below)?;
        let mut accepted = None;
        if let Some(entry) = &entry {
            let source = Source::new(self.base.display(&path), self.read(entry)?);
            accepted = baseline::parse(
                source,
                settings_files::places(&path, self.base),
                &rules::ALL,
            )
            .ok();
        }
        let alteration = match (entry, &accepted) {
            (None, _) => Alteration::Added,
            (Some(_), None) => Alteration::Repaired,
            (Some(_), Some(_)) => Alteration::Changed,
        };
        self.note(&below, alteration)?;
        Ok(InBase::Inside(accepted))
    }

    fn registry(
        &mut self,
        named: Option<&FactsFolder>,
    ) -> Result<InBase<LoadedRegistry>, HistoryError> {
        let path = named.map(|named| self.base.absolute(named.path()));
        let below = path
            .as_deref()
            .map(|path| self.revision.history.below(path));
        let (Some(path), Some(Some(below)), Some(named)) = (path, below, named) else {
            return Ok(InBase::Outside);
        };
        let is_facts = |path: &Path| path.extension().is_some_and(|end| end == "json");
        // The top folder has an empty path.
        let mut folder = below.clone();
        folder.push("");
        let mut entries = self.entries(&folder, Depth::Named)?;
        entries.retain(|entry| is_facts(&entry.path) && entry.kind == EntryKind::File);
        let mut files = Vec::new();
        for entry in at_most(&entries)? {
            let text = String::from_utf8_lossy(&self.read(entry)?).into_owned();
            files.push((name_of(&entry.path), text));
        }
        files.sort();
        let loaded = LoadedRegistry::with_files(files, named, self.base).ok();
        for entry in &entries {
            let path = self.revision.history.absolute(&entry.path);
            let is_there = self.base.files().kind_behind(&path).is_ok();
            let alteration = match (is_there, &loaded) {
                (false, _) => Alteration::Deleted,
                (true, None) => Alteration::Repaired,
                (true, Some(_)) => Alteration::Changed,
            };
            self.note(&entry.path, alteration)?;
        }
        let names = self
            .base
            .files()
            .entries(&path)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(below.join(entry.path().file_name()?)));
        let mut added: Vec<PathBuf> = names.filter(|path| is_facts(path)).collect();
        added.sort();
        for path in added {
            if !entries.iter().any(|entry| entry.path == path) {
                self.note(&path, Alteration::Added)?;
            }
        }
        Ok(InBase::Inside(loaded.unwrap_or_default()))
    }

    fn statements(
        &mut self,
        named: Option<&Path>,
    ) -> Result<InBase<Vec<NamedStatement>>, HistoryError> {
        let history = self.revision.history;
        let folder = named.and_then(|named| history.below(&self.base.absolute(named)));
        let Some(folder) = folder else {
            return Ok(InBase::Outside);
        };
        let is_one =
            |path: &Path| path.parent() == Some(&folder) && settings_files::is_statement(path);
        for file in history.changed() {
            let below = history.below(&file.path);
            if below.is_some_and(|below| is_one(&below) || folder.starts_with(&below)) {
                self.altered_statements.push(AlteredInput {
                    path: self.base.display(&file.path),
                    alteration: match (file.before.is_some(), file.is_there) {
                        (false, _) => Alteration::Added,
                        (true, false) => Alteration::Deleted,
                        (true, true) => Alteration::Changed,
                    },
                });
            }
        }
        let had_moved = std::mem::take(&mut self.has_moved);
        let mut contents = folder.clone();
        contents.push("");
        let mut entries = self.entries(&contents, Depth::Named)?;
        let is_same = self.altered_statements.is_empty() && !self.has_moved;
        self.has_moved |= had_moved;
        if is_same {
            return Ok(InBase::Outside);
        }
        entries.retain(|entry| is_one(&entry.path) && entry.kind == EntryKind::File);
        let mut statements = Vec::new();
        for entry in at_most(&entries)? {
            let read = self.revision.read(&entry.id, &self.shown(&entry.path))?;
            let statement = read.ok().and_then(|bytes| Statement::parse(&bytes).ok());
            statements.extend(statement.map(|one| (self.shown(&entry.path), one)));
        }
        statements.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(InBase::Inside(statements))
    }

    fn details(&mut self, now: &[Details]) -> Result<Vec<Details>, HistoryError> {
        let list = self
            .revision
            .root
            .parent()
            .map(|folder| folder.join(details::FOLDER))
            .and_then(|list| self.revision.history.below(&list));
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
        let mut entries = self.entries(&list, Depth::Files)?;
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

    fn note_details(&mut self, before: &[Details], now: &[Details], entries: &[TreeEntry]) {
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
        let changed: BTreeSet<String> =
            self.changed.iter().map(|below| self.shown(below)).collect();
        for path in paths.intersection(&changed.iter().collect()).copied() {
            let (old, new) = (before.get(path), now.get(path));
            if old == new {
                continue;
            }
            let names = old
                .into_iter()
                .chain(new)
                .map(|one| (one.organization.clone(), one.project.clone()));
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

fn at_most(entries: &[TreeEntry]) -> Result<&[TreeEntry], HistoryError> {
    if entries.len() > MAX_EARLIER {
        return Err(HistoryError(format!(
            "--since: {} files to read; expected at most {MAX_EARLIER}",
            entries.len()
        )));
    }
    Ok(entries)
}
