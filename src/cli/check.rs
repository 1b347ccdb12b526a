//! `gwconform check`

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::fix::{self, FixArguments, Fixer};
use super::registry::RegistryArguments;
use super::severity::SeverityArgs;
use super::since::inputs::{self, Before, Inputs, Named};
use super::since::{self, Revision};
use super::targets::{Base, Targets};
use super::{Exit, Failure, Streams, baseline};
use crate::baseline::Accepted;
use crate::check::{self, CheckReport, Settings, Skipped};
use crate::config::{self, Config, Ignores};
use crate::details::{self, Details};
use crate::diagnostic::Severity;
use crate::load::{Loaded, load_submission};
use crate::registry::Registry;
use crate::render::{self, Format, RenderInput};
use crate::review::{self, BaseRevision, Review, ReviewContext};
use crate::rules::InputsContext;
use crate::source::{MAX_FILE_BYTES, Source};
use crate::tree::{self, Submission, name_of};

/// Check a reports tree, a release, a submission or single reports.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What to check: a reports tree, a release or submission in one, files, or - for standard
    /// input; without it conformance/reports, else reports
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How to print findings
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Compare with an earlier revision, such as origin/main: findings count in the submissions that
    /// were touched since, and what the site will show is told
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    since: Option<String>,
    /// Leave out the findings that this file lists as accepted
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all findings into this file, to be accepted by --baseline; the exit code is then 0
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "since"])]
    write_baseline: Option<PathBuf>,
    #[command(flatten)]
    severity: SeverityArgs,
    /// The configuration; without it the gwconform.toml of the tree or of a folder above it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    fix: FixArguments,
    #[command(flatten)]
    registry: RegistryArguments,
    /// The path that the text of standard input has or will have
    #[arg(long, value_name = "PATH")]
    stdin_filename: Option<PathBuf>,
    /// When to use colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    color: Color,
    /// Say on standard error how long it took
    #[arg(long, short)]
    verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let start = Instant::now();
    let selection = arguments.severity.selection()?;
    let base = Base::current()?;
    let wants_stdin = wants_stdin(arguments)?;
    let targets = if wants_stdin {
        Targets::default()
    } else {
        Targets::of(&arguments.paths, &base)?
    };
    let loaded = load_config(arguments.config.as_deref(), &targets, &base, streams)?;
    let revision = arguments.since.as_deref();
    let revision = revision.map(|name| Revision::open(name, &targets));
    let revision = revision.transpose()?;
    let mut inputs = Inputs {
        config: loaded,
        accepted: match &arguments.baseline {
            Some(path) => Some(baseline::read(path, &base, streams)?),
            None => None,
        },
        registry: arguments.registry.load()?,
        details: revision.as_ref().map_or_else(Vec::new, |revision| {
            details::load(revision.root, &|path| base.display(path)).0
        }),
    };
    let mut before = match &revision {
        Some(revision) => {
            let named = Named {
                config: arguments.config.as_deref(),
                baseline: arguments.baseline.as_deref(),
                registry: &arguments.registry,
            };
            inputs::before(revision, named, &inputs, &targets, &base, streams)?
        }
        None => None,
    };
    let accepted = inputs.accepted.take();
    let accepted_before = before
        .as_mut()
        .and_then(|before| before.inputs.accepted.take());
    let default = Config::default();
    let trusted = before.as_ref().map_or(&inputs, |before| &before.inputs);
    let settings = arguments
        .severity
        .settings(&selection, inputs.config(&default));
    let selected = settings.selected();
    if !selected.is_empty() && selected.iter().all(|rule| rule.is_about_resources()) {
        return Err(Failure::Usage(anyhow!(
            "what is selected is about resources of a cluster: `gwconform resources` checks those"
        )));
    }
    let engine = Engine {
        base: &base,
        settings: &settings,
        registry: inputs.registry.get(),
        config: inputs.config.as_ref(),
        config_before: trusted.config(&default),
        details: &inputs.details,
        is_whole: targets.are_whole() && !wants_stdin,
    };
    if wants_stdin && arguments.fix.level().is_some() {
        return Err(Failure::Usage(anyhow!(
            "standard input cannot be fixed: give the path of a file or folder"
        )));
    }
    if arguments.fix.level().is_some() && !arguments.fix.is_diff() {
        fix::recover(&targets, &base, streams)?;
    }
    let mut outcome = if wants_stdin {
        engine.check_stdin(arguments.stdin_filename.as_deref(), streams)?
    } else {
        let is_progress_shown = streams.is_terminal && arguments.format == Format::Human;
        engine.check(&targets, is_progress_shown)?
    };
    let mut written = Ok(());
    if let Some(level) = arguments.fix.level() {
        engine.ignore(&mut outcome);
        let fixer = Fixer {
            base: &base,
            settings: &settings,
            registry: engine.registry,
            config: engine.config,
            level,
        };
        let plan = fixer.plan(&targets, &outcome.findings)?;
        if arguments.fix.is_diff() {
            return plan.print(streams);
        }
        // What is left is printed, whatever could not be written.
        written = plan.apply(&base, streams);
        outcome = engine.check(&targets, false)?;
    }
    let mut judged = engine.judge(outcome, accepted, revision.as_ref())?;
    if let (Some(before), Some(revision)) = (&before, &revision) {
        let config = before.inputs.config(&default);
        let engine = Engine {
            settings: &arguments.severity.settings(&selection, config),
            registry: before.inputs.registry.get(),
            config: before.inputs.config.as_ref(),
            details: &before.inputs.details,
            ..engine
        };
        let outcome = engine.check(&targets, false)?;
        let judged_before = engine.judge(outcome, accepted_before, Some(revision))?;
        judged = if before.is_altered() {
            judged.or_stricter(judged_before)
        } else {
            judged_before
        };
        judged.warn(revision, before, &base);
    }
    let Judged {
        mut outcome,
        mut change,
    } = judged;
    if let Some(path) = &arguments.write_baseline {
        baseline::write(path, &outcome, &base)?;
    }
    if let Some((review, earlier)) = &mut change {
        review.restrict_to_touched(&mut outcome, earlier);
    }
    let shown = RenderInput {
        outcome: &outcome,
        // Among others it says where the pages of rules are.
        config: trusted.config(&default),
        fail_on: arguments
            .severity
            .fail_on()
            .least()
            .unwrap_or(Severity::Error),
        review: change.as_ref().map(|(review, _)| review),
    };
    print(shown, arguments.format, arguments.color, streams)?;
    if arguments.verbose {
        streams.stdout.flush()?;
        writeln!(
            streams.stderr,
            "checked in {:.3} s",
            start.elapsed().as_secs_f64()
        )?;
    }
    if arguments.write_baseline.is_some() {
        return written.map(|()| Exit::Done);
    }
    written.map(|()| arguments.severity.fail_on().exit(&outcome))
}

/// Writes what was found, in any of the formats.
pub(super) fn print(
    shown: RenderInput<'_>,
    format: Format,
    color: Color,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let out = &mut streams.stdout;
    match format {
        Format::Human => {
            let is_styled = match color {
                Color::Auto => streams.is_styled,
                Color::Always => true,
                Color::Never => false,
            };
            render::human::write(shown, is_styled, out)?;
        }
        format => format.write(shown, out)?,
    }
    Ok(())
}

fn wants_stdin(arguments: &Arguments) -> Result<bool, Failure> {
    let wants_stdin = arguments.paths.iter().any(|path| path.as_os_str() == "-");
    if wants_stdin && arguments.paths.len() > 1 {
        return Err(Failure::Usage(anyhow!(
            "standard input (-) is checked alone, without other paths"
        )));
    }
    if arguments.stdin_filename.is_some() && !wants_stdin {
        return Err(Failure::Usage(anyhow!(
            "--stdin-filename is the name of what comes from standard input: give - as the path"
        )));
    }
    Ok(wants_stdin)
}

/// The configuration that is named, else the one that is found from the first target.
pub(super) fn load_config(
    named: Option<&Path>,
    targets: &Targets,
    base: &Base,
    streams: &mut Streams<'_>,
) -> Result<Option<config::ConfigFile>, Failure> {
    let path = match named {
        Some(path) => base.absolute(path),
        None => match config::find(targets.first_folder().unwrap_or(base.path())) {
            Some(path) => path,
            None => return Ok(None),
        },
    };
    let shown = base.display(&path);
    let bytes = base.read(&path, MAX_FILE_BYTES).map_err(Failure::Usage)?;
    let folder = path.parent().unwrap_or(base.path()).to_owned();
    match config::parse(Source::new(shown.clone(), bytes), folder) {
        Ok(loaded) => Ok(Some(loaded)),
        Err(faults) => {
            let is_styled = streams.is_styled;
            render::human::write_findings(
                &faults,
                &Config::default(),
                is_styled,
                &mut streams.stderr,
            )?;
            Err(Failure::Usage(anyhow!(
                "{shown} cannot be used; `gwconform schema config` says what it may hold"
            )))
        }
    }
}

/// What a check needs besides targets.
#[derive(Clone, Copy)]
struct Engine<'a> {
    base: &'a Base,
    settings: &'a Settings,
    registry: &'a Registry,
    config: Option<&'a config::ConfigFile>,
    /// The configuration before a change, which gave implementations their addresses.
    config_before: &'a Config,
    details: &'a [Details],
    is_whole: bool,
}

/// What was found and is not left out, and what a change does.
struct Judged {
    outcome: CheckReport,
    change: Option<(Review, BaseRevision)>,
}

impl Judged {
    /// The stricter of this and what was found with the inputs before the change.
    fn or_stricter(self, before: Self) -> Self {
        let change = match (self.change, before.change) {
            (Some((now, _)), Some((before, earlier))) => Some((before.or_worse(now), earlier)),
            (now, before) => now.or(before),
        };
        Self {
            outcome: since::stricter(self.outcome, before.outcome),
            change,
        }
    }

    /// Names the files that decide how the change is checked and that it alters. Nothing is left
    /// out afterwards.
    fn warn(&mut self, revision: &Revision<'_>, before: &Before, base: &Base) {
        let known = match &self.change {
            Some((_, earlier)) => review::known_before(&self.outcome.reports, earlier),
            None => BTreeSet::new(),
        };
        let cx = InputsContext {
            revision: revision.name,
            altered: &before.altered(&known),
        };
        check::apply_inputs(&mut self.outcome, &cx, &base.display(revision.root));
    }
}

impl Engine<'_> {
    fn check(&self, targets: &Targets, is_progress_shown: bool) -> Result<CheckReport, Failure> {
        let mut all = CheckReport::default();
        for (root, parts) in &targets.trees {
            let tree = tree::discover(root, self.base.path(), parts)
                .with_context(|| self.base.display(root))
                .map_err(Failure::CouldNotRun)?;
            let progress = progress(tree.submissions.len(), is_progress_shown);
            let done = |done| progress.set_position(done as u64);
            all.merge(check::check_tree(
                &tree,
                self.settings,
                self.registry,
                &done,
            ));
            progress.finish_and_clear();
        }
        for path in &targets.lone {
            let submission = Submission::lone(path.clone());
            let loaded = load_submission(&submission, None, &|path| self.base.display(path));
            let mut outcome =
                check::check_lone(&submission, false, loaded, self.settings, self.registry);
            outcome.skipped.push(Skipped {
                path: self.base.display(path),
                reason: "its place in a reports tree: only the rules for a single file were run"
                    .to_owned(),
            });
            all.merge(outcome);
        }
        let of_trees = targets
            .of_trees
            .iter()
            .map(|path| self.not_of_submission(path));
        all.skipped.extend(of_trees);
        Ok(all)
    }

    /// Takes out what the configuration and a baseline leave out, and holds a checked tree against
    /// an earlier revision.
    fn judge(
        &self,
        mut outcome: CheckReport,
        accepted: Option<Accepted>,
        revision: Option<&Revision<'_>>,
    ) -> Result<Judged, Failure> {
        let mut change = None;
        if let Some(revision) = revision {
            let default = Config::default();
            let earlier = revision.earlier(self.base, self.registry)?;
            let with = ReviewContext {
                root: revision.root,
                display: &|path: &Path| self.base.display(path),
                settings: self.settings,
                registry: self.registry,
                config: self.config.map_or(&default, |loaded| &loaded.config),
                config_before: self.config_before,
                details: self.details,
            };
            change = Some((review::review(&mut outcome, &earlier, with), earlier));
        }
        self.ignore(&mut outcome);
        if let Some(mut accepted) = accepted {
            check::apply_baseline(&mut outcome, &mut accepted, self.settings, self.is_whole);
        }
        Ok(Judged { outcome, change })
    }

    fn ignore(&self, outcome: &mut CheckReport) {
        if let Some(loaded) = self.config {
            let mut ignores = Ignores::new(loaded, self.base.path());
            check::apply_ignores(outcome, &mut ignores, self.settings, self.is_whole);
        }
    }

    fn not_of_submission(&self, path: &Path) -> Skipped {
        Skipped {
            path: self.base.display(path),
            reason:
                "it belongs to the reports tree itself and to no submission: no rule is about it"
                    .to_owned(),
        }
    }

    fn check_stdin(
        &self,
        name: Option<&Path>,
        streams: &mut Streams<'_>,
    ) -> Result<CheckReport, Failure> {
        let bytes = check::read_bounded(&mut streams.stdin).map_err(|reason| {
            Failure::CouldNotRun(anyhow!("standard input was not read: {reason}"))
        })?;
        let path = name.map(|name| self.base.absolute(name));
        if let Some(path) = path.as_ref().filter(|path| tree::is_of_tree(path)) {
            return Ok(CheckReport {
                skipped: vec![self.not_of_submission(path)],
                ..CheckReport::default()
            });
        }
        let shown = path
            .as_ref()
            .map_or_else(|| "<stdin>".to_owned(), |path| self.base.display(path));
        let submission = path
            .as_ref()
            .map(|path| Submission::holding(path))
            .unwrap_or_default();
        let name = name.map(name_of).unwrap_or_default();
        let source = Source::new(shown.clone(), bytes);
        let loaded = if tree::is_readme(&name) {
            Loaded::readme(source)
        } else {
            Loaded::Report { source, name }
        };
        let is_in_tree = submission.release.is_some();
        let mut outcome = check::check_lone(
            &submission,
            is_in_tree,
            vec![loaded],
            self.settings,
            self.registry,
        );
        outcome.skipped.push(Skipped {
            path: shown,
            reason: "the files beside it: only the rules for a single file were run".to_owned(),
        });
        Ok(outcome)
    }
}

/// A bar that is drawn only when the work takes longer than a second.
pub(super) fn progress(submissions: usize, is_shown: bool) -> ProgressBar {
    if !is_shown {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(submissions as u64), ProgressDrawTarget::hidden());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} submissions") {
        bar.set_style(style);
    }
    let waiting = bar.clone();
    // Where no thread can be had, there is no bar.
    let _ = std::thread::Builder::new().spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        if !waiting.is_finished() {
            waiting.set_draw_target(ProgressDrawTarget::stderr());
        }
    });
    bar
}
