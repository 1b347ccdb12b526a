use std::path::Path;

use super::Progress;
use super::error::RunError;
use super::since::earlier_inputs::Before;
use super::since::{Revision, stricter};
use super::targets::{Base, Targets};
use gwconform_base::files::name_of;
use gwconform_base::release::Registry;
use gwconform_base::text::source::Source;
use gwconform_report::certify::attested::{self, NamedStatement};
use gwconform_report::certify::details::Details;
use gwconform_report::certify::{self, AsOf};
use gwconform_report::review::{self, BaseRevision, Review, ReviewContext, Touched};
use gwconform_report::rules::InputsContext;
use gwconform_report::rules::baseline::Accepted;
use gwconform_report::rules::check::{
    self, CheckReport, Comparison, Coverage, Placement, Settings, Skipped,
};
use gwconform_report::rules::configuration::{Config, ConfigFile, Ignores};
use gwconform_report::tree::load::{Loaded, load_lone};
use gwconform_report::tree::{self, Parts, Submission, Tree};

pub(super) type OnProgress<'a> = Option<&'a (dyn Fn(Progress) + Sync)>;

#[derive(Clone, Copy)]
pub(super) struct Engine<'a> {
    pub(super) base: &'a Base,
    pub(super) settings: &'a Settings,
    pub(super) registry: &'a Registry,
    pub(super) config: Option<&'a ConfigFile>,
    pub(super) config_default: &'a Config,
    pub(super) config_before: &'a Config,
    pub(super) config_after: &'a Config,
    pub(super) config_alone: Option<&'a str>,
    pub(super) details: &'a [Details],
    pub(super) statements: &'a [NamedStatement],
    /// True if the earlier revision has another configuration, baseline or release data.
    pub(super) is_altered: bool,
    pub(super) coverage: Coverage,
    /// Date of the verdicts in a review.
    pub(super) as_of: AsOf,
}

pub(super) struct EngineReport {
    pub(super) report: CheckReport,
    pub(super) change: (Review, BaseRevision),
    /// Earlier reports that the change can affect.
    pub(super) before: CheckReport,
}

impl EngineReport {
    /// Combines the findings with the inputs of the change and with the earlier inputs. The
    /// verdicts before the change have the earlier inputs, and those after it the inputs of the
    /// change.
    pub(super) fn or_stricter(
        self,
        before: Self,
        [engine, engine_before]: [&Engine<'_>; 2],
        has_new_configuration: bool,
    ) -> Self {
        let (mut review, earlier) = before.change;
        let parts = [
            engine_before.parts(&before.before),
            engine.parts(&self.report),
        ];
        review.preview(parts, &earlier, has_new_configuration);
        Self {
            report: stricter(self.report, before.report),
            change: (review, earlier),
            before: before.before,
        }
    }

    /// These warnings cannot be ignored.
    pub(super) fn warn(&mut self, revision: Revision<'_>, before: &Before, base: &Base) {
        let known = review::known_before(&self.report.reports, &self.change.1);
        let context = InputsContext {
            revision: revision.history.name(),
            altered: &before.altered(&known),
            statements: &before.altered_statements,
        };
        check::apply_inputs(&mut self.report, &context, &base.display(revision.root));
    }
}

impl Engine<'_> {
    pub(super) fn check(
        &self,
        targets: &Targets,
        progress: OnProgress<'_>,
    ) -> Result<CheckReport, RunError> {
        let mut all = CheckReport::default();
        for (root, parts) in &targets.trees {
            let tree = discover(root, parts, self.base, self.base.shown_from())?;
            all.merge(check_tree(&tree, self.settings, self.registry, progress));
        }
        for path in &targets.lone {
            all.merge(self.check_lone(path));
        }
        let of_trees = targets.of_trees.iter();
        all.skipped
            .extend(of_trees.map(|path| self.not_of_submission(path)));
        Ok(all)
    }

    fn check_lone(&self, path: &Path) -> CheckReport {
        let submission = Submission::lone(path.to_owned());
        let display = |path: &Path| self.base.display(path);
        let loaded = load_lone(&submission, self.base.files(), &display);
        let (settings, registry) = (self.settings, self.registry);
        let mut report =
            check::check_lone(&submission, Placement::Alone, loaded, settings, registry);
        report.skipped.push(Skipped {
            path: self.base.display(path),
            reason: "rules that need its reports tree".to_owned(),
        });
        report
    }

    pub(super) fn check_text(&self, path: Option<&Path>, bytes: Vec<u8>) -> CheckReport {
        let absolute = path.map(|path| self.base.absolute(path));
        let files = self.base.files();
        if let Some(path) = absolute
            .as_ref()
            .filter(|path| tree::is_of_tree(files, path))
        {
            return CheckReport {
                skipped: vec![self.not_of_submission(path)],
                ..CheckReport::default()
            };
        }
        let (shown, submission) = match &absolute {
            Some(path) => (self.base.display(path), Submission::holding_in(files, path)),
            None => ("<stdin>".to_owned(), Submission::default()),
        };
        let name = path.map(name_of).unwrap_or_default();
        let source = Source::new(shown.clone(), bytes);
        let loaded = if tree::is_readme(&name) {
            Loaded::readme(source)
        } else {
            Loaded::Report { source, name }
        };
        let placement = match submission.release {
            Some(_) => Placement::InTree,
            None => Placement::Alone,
        };
        let (settings, registry) = (self.settings, self.registry);
        let loaded = vec![loaded];
        let mut report = check::check_lone(&submission, placement, loaded, settings, registry);
        report.skipped.push(Skipped {
            path: shown,
            reason: "rules that need the files beside it".to_owned(),
        });
        report
    }

    pub(super) fn judge(&self, report: &mut CheckReport, accepted: Option<Accepted>) {
        self.ignore(report);
        if let Some(mut accepted) = accepted {
            check::apply_baseline(report, &mut accepted, self.settings, self.coverage);
        }
    }

    pub(super) fn review(
        &self,
        targets: &Targets,
        accepted: Option<Accepted>,
        revision: Revision<'_>,
        progress: OnProgress<'_>,
    ) -> Result<EngineReport, RunError> {
        let (root, files) = (revision.root, revision.earlier(self.base)?);
        // If the earlier revision has no tree, it has no findings.
        let was_there = files.base.files().kind_of(root).is_ok();
        let [mut report, mut before] = if was_there {
            let start = self.base.shown_from();
            let parts = if revision.is_loose {
                Parts::Loose
            } else {
                Parts::Whole
            };
            let tree = discover(root, &parts, self.base, start)?;
            let earlier = tree::discover_earlier(files.base.files(), &tree);
            let earlier = earlier.map_err(|error| not_listed(root, self.base, error))?;
            let trees = Comparison::new([&tree, &earlier], self.settings, self.registry);
            let done = on_checked(&tree, progress);
            let affected = if accepted.is_none() && !revision.is_loose {
                self.check_affected(&trees, &done)
            } else {
                None
            };
            affected.unwrap_or_else(|| trees.finish(trees.check_all(&done)))
        } else {
            [self.check(targets, progress)?, CheckReport::default()]
        };
        for report in [&mut report, &mut before] {
            attested::apply(&mut report.reports, self.statements, self.registry);
        }
        let all_before = std::mem::take(&mut before.reports);
        let earlier = files.with_reports(all_before.clone());
        let context = ReviewContext {
            root: revision.root,
            display: &|path: &Path| self.base.display(path),
            settings: self.settings,
            registry: self.registry,
            config: self.config(),
            config_before: self.config_before,
            config_after: self.config_after,
            config_alone: self.config_alone,
            details: self.details,
            as_of: self.as_of,
            is_loose: revision.is_loose,
        };
        let all_before = CheckReport {
            reports: all_before,
            ..CheckReport::default()
        };
        let (mut review, moves) = review::review(&mut report, &earlier, &all_before, context);
        self.judge_touched(
            &mut report,
            accepted.clone(),
            &Touched::new(&review, &earlier),
        );
        self.judge(&mut before, accepted);
        review.take_known(&mut report, &before, &earlier, &moves);
        Ok(EngineReport {
            report,
            change: (review, earlier),
            before: all_before,
        })
    }

    fn parts<'o>(&'o self, outcome: &'o CheckReport) -> certify::catalog::Parts<'o> {
        certify::catalog::Parts {
            outcome,
            registry: self.registry,
            config: self.config(),
            as_of: self.as_of,
            details: self.details,
        }
    }

    pub(super) fn config(&self) -> &Config {
        self.config.map_or(self.config_default, |file| &file.config)
    }

    /// Counts only ignored findings in touched files.
    fn judge_touched(
        &self,
        report: &mut CheckReport,
        accepted: Option<Accepted>,
        touched: &Touched<'_>,
    ) {
        let config = self.config.map(|file| file.source.path());
        let elsewhere = |report: &CheckReport| {
            let paths = report.findings.iter().map(|finding| &*finding.place.path);
            let paths = paths.filter(|path| !touched.has(path) && Some(*path) != config);
            paths.count()
        };
        let all = elsewhere(report);
        self.ignore(report);
        report.ignored -= all - elsewhere(report);
        if let Some(mut accepted) = accepted {
            check::apply_baseline(report, &mut accepted, self.settings, self.coverage);
        }
    }

    pub(super) fn ignore(&self, report: &mut CheckReport) {
        if let Some(file) = self.config {
            let mut ignores = Ignores::new(file, self.base.shown_from());
            check::apply_ignores(report, &mut ignores, self.settings, self.coverage);
        }
    }

    fn not_of_submission(&self, path: &Path) -> Skipped {
        Skipped {
            path: self.base.display(path),
            reason: "not part of a submission; no rules apply".to_owned(),
        }
    }
}

pub(super) fn discover(
    root: &Path,
    parts: &Parts,
    base: &Base,
    start: &Path,
) -> Result<Tree, RunError> {
    let tree = tree::discover_in(base.files(), root, start, parts);
    tree.map_err(|error| not_listed(root, base, error))
}

fn not_listed(root: &Path, base: &Base, error: std::io::Error) -> RunError {
    RunError::NotListed {
        path: base.display(root),
        error,
    }
}

pub(super) fn check_tree(
    tree: &Tree,
    settings: &Settings,
    registry: &Registry,
    progress: OnProgress<'_>,
) -> CheckReport {
    check::check_tree(tree, settings, registry, &on_checked(tree, progress))
}

fn on_checked<'a>(tree: &Tree, progress: OnProgress<'a>) -> impl Fn(usize) + Sync + use<'a> {
    let submissions = tree.submissions.len();
    move |checked| {
        if let Some(progress) = progress {
            progress(Progress {
                checked,
                submissions,
            });
        }
    }
}
