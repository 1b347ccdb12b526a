//! `gwconform add`

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use super::check::load_config;
use super::fix::{recover, write_changes, write_diff};
use super::registry::RegistryArguments;
use super::targets::{Base, Targets};
use super::{Exit, Failure, Streams};
use crate::add::{self, AddError, Input, Options, Plan, SubmissionTarget};
use crate::check::{Selection, Settings, check_tree};
use crate::config::Config;
use crate::details;
use crate::load::read_in;
use crate::render;
use crate::source::MAX_FILE_BYTES;
use crate::text::shell;
use crate::text::visible;
use crate::tree::{self, Located, Parts, Tree, USUAL_PLACES};

/// File fresh reports into a reports tree: folder, name, row of the README.
///
/// The report is checked and copied byte for byte. An implementation that has reports of the release
/// keeps its folder; a new one gets one that is named for its organization and project, with a README
/// that says how to run the suite. Nothing is overwritten, and doing it twice is doing it once. At the end it says what only a
/// person can do.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Reports as the suite wrote them
    #[arg(value_name = "REPORT", required = true)]
    reports: Vec<PathBuf>,
    /// The reports tree, or the repository that holds it; without it conformance/reports, else reports
    #[arg(long, value_name = "DIR")]
    tree: Option<PathBuf>,
    /// The page of the implementation's release, which the README links
    #[arg(long, value_name = "URL", value_parser = web_address)]
    release_url: Option<String>,
    /// Print what would change, as a diff, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// File reports with errors too
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    registry: RegistryArguments,
}

fn web_address(text: &str) -> Result<String, String> {
    let is_web = ["http://", "https://"]
        .iter()
        .any(|scheme| text.starts_with(scheme));
    match fluent_uri::Uri::parse(text) {
        Ok(_) if is_web => Ok(text.to_owned()),
        _ => Err(
            "expected the address of a web page, such as https://acme.example/v1.2.0".to_owned(),
        ),
    }
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let base = Base::current()?;
    let root = root(arguments.tree.as_deref(), &base)?;
    base.refuse_links_to(&root)?;
    let inputs = read_all(&arguments.reports, &base)?;
    let targets = Targets {
        trees: BTreeMap::from([(root.clone(), Parts::Whole)]),
        ..Targets::default()
    };
    let loaded = load_config(None, &targets, &base, streams)?;
    let default = Config::default();
    let config = loaded.as_ref().map_or(&default, |loaded| &loaded.config);
    let settings = Settings::new(&Selection::default(), false, config);
    let read = arguments.registry.load()?;
    let registry = read.get();
    if !arguments.dry_run {
        recover(&targets, &base, streams)?;
    }
    let tree = tree::discover(&root, base.path(), &Parts::Whole)
        .with_context(|| base.display(&root))
        .map_err(Failure::CouldNotRun)?;
    let reports = check_tree(&tree, &settings, registry, &|_| {}).reports;
    let list = details::folder(&root);
    let ground = SubmissionTarget {
        tree: &tree,
        reports: &reports,
        list: list.map(|list| (list, details::load(&root, &|path| base.display(path)).0)),
        registry,
        settings: &settings,
        read: &|path| read_in(&tree, path).ok(),
    };
    let options = Options {
        release_url: arguments.release_url.clone(),
        is_forced: arguments.force,
    };
    let plan = match add::plan(inputs, &ground, &options) {
        Ok(plan) => plan,
        Err(refusals) => {
            for refusal in &refusals {
                say_refusal(refusal, config, streams)?;
            }
            writeln!(streams.stderr, "nothing was added")?;
            return Ok(Exit::Findings);
        }
    };
    if arguments.dry_run {
        // What stands before a diff is no part of it.
        say_to_do(&plan, &mut streams.stdout)?;
        write_diff(&plan.changes, streams)?;
        return Ok(Exit::Done);
    }
    let mut roots = vec![root];
    roots.extend(ground.list.iter().map(|(list, _)| list.clone()));
    write_changes(&plan.changes, &base, &roots, streams)?;
    say_done(&plan, &tree, streams)?;
    Ok(Exit::Done)
}

/// The folder of the tree. One that is named may be empty still.
fn root(named: Option<&Path>, base: &Base) -> Result<PathBuf, Failure> {
    let folder = base.absolute(named.unwrap_or(Path::new(".")));
    let located = tree::locate(&folder)
        .with_context(|| base.display(&folder))
        .map_err(Failure::CouldNotRun)?;
    match located {
        Located::Tree { root, .. } => return Ok(root),
        Located::NoTree => {}
        Located::OfTree(_) | Located::Lone(_) => {
            return Err(Failure::Usage(anyhow!(
                "{} is no folder: give that of the reports tree",
                base.display(&folder)
            )));
        }
    }
    let mut places = USUAL_PLACES.iter().map(|place| folder.join(place));
    match (places.find(|place| place.is_dir()), named) {
        (Some(place), _) => Ok(place),
        (None, Some(_)) => Ok(folder),
        (None, None) => Err(Failure::CouldNotRun(anyhow!(
            "there is no {} below the working directory; give the folder of the reports tree with --tree",
            USUAL_PLACES.join(" and no "),
        ))),
    }
}

fn read_all(paths: &[PathBuf], base: &Base) -> Result<Vec<Input>, Failure> {
    let read = |path: &PathBuf| {
        let path = base.absolute(path);
        let shown = base.display(&path);
        let bytes = base
            .read(&path, MAX_FILE_BYTES)
            .map_err(Failure::CouldNotRun)?;
        Ok(Input { shown, bytes })
    };
    paths.iter().map(read).collect()
}

fn say_refusal(
    refusal: &AddError,
    config: &Config,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    match refusal {
        AddError::Reason { shown, reason } => {
            let line = format!("{shown}: not added: {reason}");
            writeln!(streams.stderr, "{}\n", visible(&line))?;
        }
        AddError::Errors {
            shown,
            findings,
            command,
            can_be_forced,
        } => {
            let (is_styled, out) = (streams.is_styled, &mut streams.stderr);
            render::human::write_findings(findings, config, is_styled, out)?;
            let why = if *can_be_forced {
                "it has errors (--force adds it all the same)"
            } else {
                "it cannot be read, so nothing tells where it belongs"
            };
            let line = format!("{shown}: not added: {why}");
            writeln!(streams.stderr, "{}", visible(&line))?;
            if let Some(command) = command {
                writeln!(
                    streams.stderr,
                    "a report is submitted as the suite wrote it: mend what is wrong, and run the suite again; this one was made by"
                )?;
                for line in command.lines() {
                    writeln!(streams.stderr, "  {}", visible(line))?;
                }
            }
            writeln!(streams.stderr)?;
        }
    }
    Ok(())
}

fn say_done(plan: &Plan, tree: &Tree, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let out = &mut streams.stdout;
    for (path, is_there) in &plan.filed {
        let done = match is_there {
            true => "there already",
            false => "added",
        };
        writeln!(out, "{done}: {}", visible(path))?;
    }
    let reports = plan.filed.iter().map(|(path, _)| path.as_str());
    let reports: Vec<&str> = reports.collect();
    for change in plan.changes.changes() {
        if !reports.contains(&change.path()) {
            let done = match change {
                crate::change::Change::Create { .. } => "written",
                _ => "changed",
            };
            writeln!(out, "{done}: {}", visible(change.path()))?;
        }
    }
    writeln!(out)?;
    say_to_do(plan, out)?;
    let root = tree.display(&tree.root);
    if let Some(root) = shell::word(&root) {
        writeln!(
            out,
            "Then `gwconform check {root}` says whether all is right."
        )?;
    }
    Ok(())
}

fn say_to_do(plan: &Plan, out: &mut dyn Write) -> io::Result<()> {
    if plan.to_do.is_empty() {
        return Ok(());
    }
    writeln!(out, "Left for you:")?;
    for to_do in &plan.to_do {
        writeln!(out, "- {}", visible(to_do))?;
    }
    writeln!(out)
}
