//! Runs the stages on a folder or on files in memory.
//!
//! Paths of files in memory determine the target, as on disk: a single file is a report,
//! `v1.6/acme-operator/…` is a submission, and `conformance/reports/…` is a tree.

pub mod add;
mod engine;
mod error;
mod fix;
mod settings_files;
mod options;
mod outlook;
mod add_reports;
mod since;
mod suggest;
mod targets;
mod tree;
mod verify;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::rules::{self, Scope};
use gwconform_base::release::Registry;
use gwconform_base::text::source::Source;
use gwconform_cluster::resources::{self, ResourceReport, check_resources};
use gwconform_cluster::support::{Against, NeedsFound, check_needs};
use gwconform_report::certify::AsOf;
use gwconform_report::certify::attested;
use gwconform_report::certify::details;
use gwconform_report::document::Document;
use gwconform_report::review::Review;
use gwconform_report::rules::check::{
    self, Applicability, CheckReport, Coverage, Selection, Settings,
};
use gwconform_report::rules::configuration::{self, Config, Ignores};
use gwconform_report::tree::Parts;

use engine::{Engine, EngineReport};
use settings_files::{Inputs, NamedInputs};
use since::Revision;
use targets::Targets;

pub use add_reports::AddPlan;
pub use error::{ErrorKind, OpenError, ReportError, RunError};
pub use fix::FixPlan;
pub use options::{Configuration, Options, PathBase, Progress, Target};
pub use outlook::{OutlookError, OutlookRequest};
pub use settings_files::{LoadedRegistry, places, registry, registry_files};
pub use since::{
    Changed, Depth, EntryKind, History, HistoryError, Point, TouchedReport, TreeEntry,
    need_checked_out, touched_report,
};
pub use targets::Base;
pub use tree::{CertifiedTree, PartlyRead, UnreadError};
pub use verify::VerifyError;

/// Files to check, with configuration, baseline and release data.
#[derive(Debug)]
pub struct Workspace {
    base: Base,
    targets: Targets,
    named: NamedInputs,
    inputs: Inputs,
    default_config: Config,
}

/// Result of [`Workspace::review`].
#[derive(Debug)]
pub struct ReviewedChange {
    /// New findings in touched files.
    pub report: CheckReport,
    /// Effects of the change on reports and verdicts.
    pub review: Review,
    /// Configuration of the earlier revision.
    pub config: Config,
}

/// Absolute paths of the files that a workspace uses.
#[derive(Debug, Default)]
pub struct Used {
    /// First reports tree.
    pub tree: Option<PathBuf>,
    /// Configuration file.
    pub config: Option<PathBuf>,
    /// Baseline.
    pub baseline: Option<PathBuf>,
    /// Folder with additional release data.
    pub registry: Option<PathBuf>,
}

/// Tree outside of the working directory, such as a tree that contains it.
#[derive(Debug, Clone, Copy)]
pub struct TreeAround<'w> {
    /// Absolute path of the tree.
    pub root: &'w Path,
    /// False if only a part of the tree is checked.
    pub is_whole: bool,
}

impl Workspace {
    /// Opens an absolute folder or files in memory, with their configuration, baseline and release
    /// data.
    ///
    /// # Errors
    /// No target is a tree or file, or the configuration, baseline or release data is not valid.
    pub fn open(base: impl Into<Base>, options: Options) -> Result<Self, OpenError> {
        let mut base = base.into();
        let targets = match &options.target {
            Target::Paths(paths) => Targets::try_new(paths, &base)?,
            Target::WorkingDir => Targets::of_working_dir(&base)?,
            Target::Tree(folder) => Targets::whole(folder.as_deref(), &base)?,
            Target::Files(files) => Targets {
                lone: files
                    .iter()
                    .map(|path| base.absolute(path))
                    .take(1)
                    .collect(),
                ..Targets::default()
            },
            Target::Texts => Targets::default(),
        };
        let first = targets.first_folder(base.files()).unwrap_or(base.path());
        let start = base.start_of(options.paths, first, targets.trees.contains_key(first));
        let start = start.to_owned();
        base.show_from(start);
        let named = NamedInputs {
            config: options.config,
            baseline: options.baseline,
            registry: options.registry,
            statements: options.statements,
        };
        let config = settings_files::config(&named, &targets, &base)?;
        let registry = named.registry(config.as_ref());
        let inputs = Inputs {
            config,
            accepted: settings_files::baseline(&named, &base)?,
            registry: settings_files::facts(registry.as_ref(), &base)?,
        };
        Ok(Self {
            base,
            targets,
            named,
            inputs,
            default_config: Config::default(),
        })
    }

    /// Folder for relative and printed paths.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// The files that are read besides reports.
    pub fn used(&self) -> Used {
        let config = self.inputs.config.as_ref();
        let registry = self.named.registry(config);
        let absolute = |path: &Path| self.base.absolute(path);
        let named = self.named.config.file().map(absolute);
        Used {
            tree: self.targets.trees.keys().next().cloned(),
            config: named.or_else(|| Some(config?.folder.join(configuration::FILE_NAME))),
            baseline: self.named.baseline.as_deref().map(absolute),
            registry: registry.map(|folder| absolute(folder.path())),
        }
    }

    /// Printed folder of the tree; `None` without a tree.
    pub fn printed_tree(&self) -> Option<String> {
        let (root, _) = self.targets.trees.first_key_value()?;
        Some(self.base.display(root))
    }

    /// JSON document with content from this workspace.
    pub fn document<T>(&self, content: T) -> Document<'_, T> {
        Document::new(self.registry(), self.printed_tree(), content)
    }

    /// Target tree that is not below the working directory. `None` for several targets or other
    /// places.
    pub fn tree_around(&self) -> Option<TreeAround<'_>> {
        let (root, parts) = self.targets.trees.first_key_value()?;
        let is_one = self.targets.trees.len() == 1 && self.targets.lone.is_empty();
        (is_one && !root.starts_with(self.base.path())).then_some(TreeAround {
            root,
            is_whole: *parts == Parts::Whole,
        })
    }

    /// Configuration or default values.
    pub fn config(&self) -> &Config {
        self.inputs.config(&self.default_config)
    }

    /// Built-in release data and additional files.
    pub fn registry(&self) -> &Registry {
        self.inputs.registry.get()
    }

    /// Release data files that are ignored, because the data is built in.
    pub fn unused_facts(&self) -> &[String] {
        self.inputs.registry.unused()
    }

    /// The only target, which must be a whole tree or a folder with loose reports.
    pub fn whole_tree(&self) -> Result<&Path, RunError> {
        let is_one = self.targets.are_whole() && self.targets.trees.len() == 1;
        let root = self.targets.trees.keys().next().filter(|_| is_one);
        root.map(PathBuf::as_path).ok_or(RunError::NotOneWholeTree)
    }

    fn revision<'a>(&'a self, history: &'a dyn History) -> Result<Revision<'a>, RunError> {
        let root = self.whole_tree()?;
        Ok(Revision {
            history,
            root,
            is_loose: self.targets.trees.get(root) == Some(&Parts::Loose),
        })
    }

    /// Runs the selected rules. Findings that are ignored or in the baseline are removed.
    pub fn check(&self, selection: &Selection) -> Result<CheckReport, RunError> {
        self.check_with_progress(selection, &|_| {})
    }

    /// Like [`Workspace::check`]. `progress` can be called from any thread.
    pub fn check_with_progress(
        &self,
        selection: &Selection,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<CheckReport, RunError> {
        let settings = self.settings_without_change(selection)?;
        let engine = self.engine(&settings);
        let mut report = engine.check(&self.targets, Some(progress))?;
        engine.judge(&mut report, self.inputs.accepted.clone());
        Ok(report)
    }

    /// Checks a README or report. `path` determines the type, and the file does not have to exist.
    ///
    /// # Errors
    /// If no selected rule checks reports.
    pub fn check_text(
        &self,
        path: Option<&Path>,
        text: Vec<u8>,
        selection: &Selection,
    ) -> Result<CheckReport, RunError> {
        let settings = self.settings_without_change(selection)?;
        let engine = Engine {
            coverage: Coverage::Part,
            ..self.engine(&settings)
        };
        let mut report = engine.check_text(path, text);
        engine.judge(&mut report, self.inputs.accepted.clone());
        Ok(report)
    }

    /// Computes fixes without changing files.
    pub fn fix(&self, selection: &Selection, level: Applicability) -> Result<FixPlan, RunError> {
        let settings = self.settings(selection)?;
        let engine = self.engine(&settings);
        let mut report = engine.check(&self.targets, None)?;
        engine.ignore(&mut report);
        Ok(FixPlan {
            nothing_read: report.nothing_checked(),
            unread: std::mem::take(&mut report.unread),
            ..fix::Fixer { engine, level }.plan(&self.targets, &report.findings)?
        })
    }

    /// Checks a tree with the configuration, baseline and release data of the earlier revision. If
    /// the change alters these inputs, the stricter result applies. `as_of` is the date of the
    /// verdicts before and after the change.
    pub fn review(
        &self,
        selection: &Selection,
        history: &dyn History,
        as_of: AsOf,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<ReviewedChange, RunError> {
        let revision = self.revision(history)?;
        let root = revision.root;
        let details =
            details::load(self.base.files(), root, &|path| self.base.display(path)).details;
        let (mut statements, _) = self.statements_of_work()?;
        let mut before = since::earlier_inputs::before(
            revision,
            &self.named,
            &self.inputs,
            &details,
            &self.targets,
            &self.base,
        )?;
        // A change cannot take back a statement in its own review.
        let earlier = before.iter().flat_map(|before| &before.statements);
        let removed: Vec<_> = earlier
            .filter(|one| !statements.contains(one))
            .cloned()
            .collect();
        statements.extend(removed);
        let accepted_before = before
            .as_mut()
            .and_then(|before| before.inputs.accepted.take());
        let trusted = before
            .as_ref()
            .map_or(&self.inputs, |before| &before.inputs);
        let config_before = trusted.config(&self.default_config);
        let settings = self.settings(selection)?;
        let engine = Engine {
            config_before,
            config_alone: revision.config_alone(self.inputs.config.as_ref(), &self.base),
            details: &details,
            statements: &statements,
            is_altered: before.is_some(),
            as_of,
            ..self.engine(&settings)
        };
        let accepted = self.inputs.accepted.clone();
        let mut engine_report = engine.review(&self.targets, accepted, revision, Some(progress))?;
        if let Some(before) = &before {
            let settings = Settings::new(selection, config_before);
            let engine_before = Engine {
                settings: &settings,
                registry: before.inputs.registry.get(),
                config: before.inputs.config.as_ref(),
                // If the branch is only outdated, its configuration moves no URL.
                config_after: if before.is_altered() {
                    engine.config_after
                } else {
                    config_before
                },
                details: &before.details,
                statements: &before.statements,
                ..engine
            };
            let report_before =
                engine_before.review(&self.targets, accepted_before, revision, None)?;
            engine_report = if before.is_altered() {
                let has_new = before.has_new_configuration();
                engine_report.or_stricter(report_before, [&engine, &engine_before], has_new)
            } else {
                report_before
            };
            engine_report.warn(revision, before, &self.base);
        }
        let EngineReport {
            mut report, change, ..
        } = engine_report;
        let (review, earlier) = change;
        review.restrict_to_touched(&mut report, &earlier);
        Ok(ReviewedChange {
            report,
            review,
            config: config_before.clone(),
        })
    }

    /// Checks a whole tree for verdicts. The paths of reports start at `paths`.
    pub fn certify(
        &self,
        paths: PathBase,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<PartlyRead<CertifiedTree<'_>>, RunError> {
        let Some((root, Parts::Whole)) = self.targets.trees.first_key_value() else {
            return Err(RunError::NotAWholeTree);
        };
        let start = self.base.start_of(paths, root, true);
        let settings = Settings::new(&Selection::default(), self.config());
        let tree = engine::discover(root, &Parts::Whole, &self.base, start)?;
        let mut report = engine::check_tree(&tree, &settings, self.registry(), Some(progress));
        if let Some(file) = &self.inputs.config {
            let mut ignores = Ignores::new(file, start);
            check::apply_ignores(&mut report, &mut ignores, &settings, Coverage::Whole);
        }
        // Verdicts do not say which files were checked, and a tree has many.
        report.checked = Vec::new();
        let folder = self.named.statements(self.inputs.config.as_ref());
        let (statements, mut unused_statements) =
            settings_files::statements(folder.as_deref(), &self.base)?;
        let left_out = attested::apply(&mut report.reports, &statements, self.registry());
        unused_statements.extend(left_out);
        let loaded = details::load(self.base.files(), root, &|path| tree.display(path));
        report.unreadable.extend(loaded.unused);
        report.unread.extend(loaded.unread);
        let unread = report.unread.clone();
        let certified = CertifiedTree {
            report,
            unused_statements,
            workspace: self,
            details: loaded.details,
            root: root.clone(),
        };
        Ok(PartlyRead::new(certified, unread))
    }

    /// Checks cluster objects in file order.
    ///
    /// # Errors
    /// If no selected rule checks objects.
    pub fn resources(
        &self,
        dump: &[Source],
        against: resources::Against<'_>,
        selection: &Selection,
    ) -> Result<ResourceReport, RunError> {
        let settings = Settings::new(selection, self.config());
        error::need_rules(
            &settings,
            match against.upgrade {
                Some(_) => Scope::Manifests,
                None => Scope::Resources,
            },
        )?;
        let mut found = check_resources(dump, against, &settings, self.registry());
        if let Some(file) = &self.inputs.config {
            let mut ignores = Ignores::new(file, self.base.shown_from());
            check::apply_ignores(&mut found.report, &mut ignores, &settings, Coverage::Part);
        }
        Ok(found)
    }

    /// Lists needs and suitable implementations, and runs the rules of the group `needs`.
    pub fn needs(
        &self,
        sources: &[Source],
        against: &Against<'_>,
        selection: &Selection,
    ) -> Result<NeedsFound, RunError> {
        let settings = Settings::new(selection, self.config());
        if against.has_target() {
            error::need_rules(&settings, Scope::Manifests)?;
        }
        let mut found = check_needs(sources, against, &settings, self.registry())?;
        if let Some(file) = &self.inputs.config {
            let mut ignores = Ignores::new(file, self.base.shown_from());
            let findings = &mut found.findings;
            check::apply_ignores(findings, &mut ignores, &settings, Coverage::Part);
        }
        Ok(found)
    }

    fn settings(&self, selection: &Selection) -> Result<Settings, RunError> {
        let settings = Settings::new(selection, self.config());
        let scopes = selected_scopes(&settings);
        if let Some(only) = scopes.first().filter(|_| scopes.len() == 1)
            && let Some([about, command, _]) = error::other_command(*only)
        {
            return Err(RunError::OnlyRules { about, command });
        }
        Ok(settings)
    }

    fn settings_without_change(&self, selection: &Selection) -> Result<Settings, RunError> {
        let settings = self.settings(selection)?;
        if selected_scopes(&settings) == BTreeSet::from([Scope::Change]) {
            return Err(RunError::OnlyRules {
                about: "changes",
                command: "check --since",
            });
        }
        Ok(settings)
    }

    /// Reads the statements. A missing folder is valid, because a workflow may create it later.
    fn statements_of_work(&self) -> Result<settings_files::Statements, OpenError> {
        let folder = self.named.statements(self.inputs.config.as_ref());
        let files = self.base.files();
        let is_there = |path: &PathBuf| files.kind_behind(&self.base.absolute(path)).is_ok();
        settings_files::statements(folder.filter(is_there).as_deref(), &self.base)
    }

    fn engine<'a>(&'a self, settings: &'a Settings) -> Engine<'a> {
        Engine {
            base: &self.base,
            settings,
            registry: self.registry(),
            config: self.inputs.config.as_ref(),
            config_default: &self.default_config,
            config_before: self.config(),
            config_after: self.config(),
            config_alone: None,
            details: &[],
            statements: &[],
            is_altered: false,
            coverage: if self.targets.are_whole() {
                Coverage::Whole
            } else {
                Coverage::Part
            },
            as_of: AsOf::default(),
        }
    }
}

fn selected_scopes(settings: &Settings) -> BTreeSet<Scope> {
    let selected = rules::ALL.iter().filter(|rule| settings.is_selected(rule));
    selected.map(|rule| rule.scope).collect()
}
