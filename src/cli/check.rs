//! `gwconform check`

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::registry::RegistryArguments;
use super::{Exit, Failure, Streams};
use crate::check::{self, Loaded, Outcome, Settings};
use crate::diagnostic::Severity;
use crate::registry::Registry;
use crate::render;
use crate::source::{Source, display_path};
use crate::tree::{self, Located, Parts, Submission, name_of};

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
    /// The least severity of a finding that makes the exit code 1
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = FailOn::Error)]
    fail_on: FailOn,
    /// Make errors of warnings that a strict reviewer would send back; `explain` says which
    #[arg(long)]
    strict: bool,
    /// Only these rules or groups of rules
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    select: Vec<String>,
    /// Not these rules or groups of rules
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    ignore: Vec<String>,
    /// The path that the text of standard input has or will have
    #[arg(long, value_name = "PATH")]
    stdin_filename: Option<PathBuf>,
    #[command(flatten)]
    registry: RegistryArguments,
    /// When to use colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    color: Color,
    /// Say on standard error how long it took
    #[arg(long, short)]
    verbose: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people: source lines with carets
    Human,
    /// For programs; `gwconform schema findings` describes it
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Error,
    Warning,
    Info,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let start = Instant::now();
    let settings = Settings::new(&arguments.select, &arguments.ignore, arguments.strict)
        .map_err(|error| Failure::Usage(anyhow!("{error}; `gwconform explain` lists the rules")))?;
    let loaded = arguments.registry.load()?;
    let registry = loaded.get();
    let base = std::env::current_dir()
        .context("the working directory is gone")
        .map_err(Failure::CouldNotRun)?;
    let engine = Engine {
        base,
        settings,
        registry,
    };
    let wants_stdin = arguments.paths.iter().any(|path| path.as_os_str() == "-");
    if arguments.stdin_filename.is_some() && !wants_stdin {
        return Err(Failure::Usage(anyhow!(
            "--stdin-filename is the name of what comes from standard input: give - as the path"
        )));
    }
    let outcome = if wants_stdin {
        if arguments.paths.len() > 1 {
            return Err(Failure::Usage(anyhow!(
                "standard input (-) is checked alone, without other paths"
            )));
        }
        engine.check_stdin(arguments.stdin_filename.as_deref(), streams)?
    } else {
        let is_progress_shown = streams.is_terminal && arguments.format == Format::Human;
        engine.check_paths(&arguments.paths, is_progress_shown)?
    };
    match arguments.format {
        Format::Human => {
            let is_styled = match arguments.color {
                Color::Auto => streams.is_styled,
                Color::Always => true,
                Color::Never => false,
            };
            render::human::write(&outcome, is_styled, &mut streams.stdout)?;
        }
        Format::Json => render::json::write(&outcome, &mut streams.stdout)?,
    }
    if arguments.verbose {
        streams.stdout.flush()?;
        writeln!(
            streams.stderr,
            "checked in {:.3} s",
            start.elapsed().as_secs_f64()
        )?;
    }
    Ok(exit(&outcome, arguments.fail_on))
}

fn exit(outcome: &Outcome, fail_on: FailOn) -> Exit {
    let least = match fail_on {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
        FailOn::Info => Severity::Info,
        FailOn::Never => return Exit::Done,
    };
    let is_bad = outcome
        .findings
        .iter()
        .any(|finding| finding.severity >= least);
    if is_bad { Exit::Findings } else { Exit::Done }
}

/// What a check needs besides paths.
struct Engine<'a> {
    base: PathBuf,
    settings: Settings,
    registry: &'a Registry,
}

impl Engine<'_> {
    fn check_paths(&self, paths: &[PathBuf], is_progress_shown: bool) -> Result<Outcome, Failure> {
        let mut trees: BTreeMap<PathBuf, Parts> = BTreeMap::new();
        let mut lone: BTreeSet<PathBuf> = BTreeSet::new();
        for path in self.paths_or_default(paths)? {
            match tree::locate(&path)
                .with_context(|| self.display(&path))
                .map_err(Failure::CouldNotRun)?
            {
                Located::Tree { root, parts } => match trees.entry(root) {
                    std::collections::btree_map::Entry::Vacant(vacant) => {
                        drop(vacant.insert(parts))
                    }
                    std::collections::btree_map::Entry::Occupied(mut occupied) => {
                        occupied.get_mut().add(parts)
                    }
                },
                Located::Lone(path) => drop(lone.insert(path)),
                Located::NoTree => {
                    return Err(Failure::CouldNotRun(anyhow!(
                        "{}: no reports tree is here: expected folders named for releases, such as v1.5, in it, in its conformance/reports or in its reports",
                        self.display(&path),
                    )));
                }
            }
        }
        let mut all = Outcome::default();
        for (root, parts) in trees {
            let shown = self.display(&root);
            let tree = tree::discover(&root, &self.base, &parts)
                .with_context(|| shown.clone())
                .map_err(Failure::CouldNotRun)?;
            let progress = progress(tree.submissions.len(), is_progress_shown);
            all.merge(check::check_tree(
                &tree,
                &self.settings,
                self.registry,
                &|done| progress.set_position(done as u64),
            ));
            progress.finish_and_clear();
        }
        for path in lone {
            let submission = Submission::lone(path.clone());
            let shown = self.display(&path);
            let loaded = check::load_submission(&submission, &|path| self.display(path));
            let mut outcome =
                check::check_lone(&submission, false, loaded, &self.settings, self.registry);
            outcome.not_checked.push(check::NotChecked {
                path: shown,
                reason: "its place in a reports tree: only the rules for a single file were run"
                    .to_owned(),
            });
            all.merge(outcome);
        }
        Ok(all)
    }

    fn check_stdin(
        &self,
        name: Option<&Path>,
        streams: &mut Streams<'_>,
    ) -> Result<Outcome, Failure> {
        let shown = name.map_or_else(
            || "<stdin>".to_owned(),
            |name| self.display(&self.absolute(name)),
        );
        let bytes = check::read_bounded(&mut streams.stdin).map_err(|reason| {
            Failure::CouldNotRun(anyhow!("standard input was not read: {reason}"))
        })?;
        let source = Source::new(shown.clone(), bytes);
        let submission = name
            .map(|name| Submission::holding(&self.absolute(name)))
            .unwrap_or_default();
        let is_readme = name.is_some_and(|name| name_of(name).eq_ignore_ascii_case("readme.md"));
        let loaded = if is_readme {
            Loaded::Readme { source }
        } else {
            Loaded::Report {
                source,
                name: name.map(name_of).unwrap_or_default(),
            }
        };
        let mut outcome = check::check_lone(
            &submission,
            submission.release.is_some(),
            vec![loaded],
            &self.settings,
            self.registry,
        );
        outcome.not_checked.push(check::NotChecked {
            path: shown,
            reason: "the files beside it: only the rules for a single file were run".to_owned(),
        });
        Ok(outcome)
    }

    fn paths_or_default(&self, paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        if !paths.is_empty() {
            return Ok(paths.iter().map(|path| self.absolute(path)).collect());
        }
        let places = tree::USUAL_PLACES.iter().map(|place| self.base.join(place));
        match places.into_iter().find(|place| place.is_dir()) {
            Some(place) => Ok(vec![place]),
            None => Err(Failure::CouldNotRun(anyhow!(
                "there is no {} below the working directory; give the path of a reports tree, a submission or a report",
                tree::USUAL_PLACES.join(" and no "),
            ))),
        }
    }

    /// The path made absolute by its names alone: `..` steps back, links stay what they are.
    fn absolute(&self, path: &Path) -> PathBuf {
        let mut absolute = PathBuf::new();
        for part in self.base.join(path).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => drop(absolute.pop()),
                part => absolute.push(part),
            }
        }
        absolute
    }

    fn display(&self, path: &Path) -> String {
        display_path(path, &self.base)
    }
}

/// A bar that is drawn only when the work takes longer than a second.
fn progress(submissions: usize, is_shown: bool) -> ProgressBar {
    if !is_shown {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(submissions as u64), ProgressDrawTarget::hidden());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} submissions") {
        bar.set_style(style);
    }
    let waiting = bar.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        if !waiting.is_finished() {
            waiting.set_draw_target(ProgressDrawTarget::stderr());
        }
    });
    bar
}
