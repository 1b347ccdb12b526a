//! `gwconform certify`

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::ValueEnum;

use super::check::{FailOn, exit, load_config, progress};
use super::registry::RegistryArguments;
use super::targets::{Base, Targets};
use super::{Exit, Failure, Streams};
use crate::catalog::{Catalog, Parts};
use crate::check::{self, Selection, Settings};
use crate::config::{Config, Ignores};
use crate::details;
use crate::registry::Minor;
use crate::render::certify::{self, Addresses};
use crate::rules::report::url::is_web_address;
use crate::tree;

/// Tell which implementations of a reports tree are conformant, and why.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The reports tree; without it conformance/reports, else reports
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// The minor to count the newest ones from; else the configuration's, else the newest with a
    /// report
    #[arg(long, value_name = "MINOR")]
    latest: Option<String>,
    /// List those that are not current as well; JSON always has them
    #[arg(long)]
    all: bool,
    /// Where the site is, for links of Markdown; without it and `site-url` they are relative
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The least severity of a finding that makes the exit code 1; without it findings do not count
    #[arg(long, value_enum, value_name = "SEVERITY")]
    fail_on: Option<FailOn>,
    /// The configuration; without it the gwconform.toml of the tree or of a folder above it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    registry: RegistryArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// For programs; `gwconform schema certify` describes it
    Json,
    /// A page that lists them, with badges
    Markdown,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let latest = arguments.latest.as_deref().map(minor).transpose()?;
    if let Some(url) = arguments
        .base_url
        .as_deref()
        .filter(|url| !is_web_address(url))
    {
        let error = anyhow!("--base-url: `{url}` is not the address of a website");
        return Err(Failure::Usage(error));
    }
    let base = Base::current()?;
    let paths: Vec<PathBuf> = arguments.path.iter().cloned().collect();
    let targets = Targets::of(&paths, &base)?;
    let root = match targets.trees.first_key_value() {
        Some((root, tree::Parts::Whole)) => root.clone(),
        _ => {
            return Err(Failure::Usage(anyhow!(
                "a verdict needs the whole tree: give the path of a reports tree, such as conformance/reports"
            )));
        }
    };
    let loaded = load_config(arguments.config.as_deref(), &targets, &base, streams)?;
    let default = Config::default();
    let config = loaded.as_ref().map_or(&default, |loaded| &loaded.config);
    let settings = Settings::new(&Selection::default(), false, config);
    let read = arguments.registry.load()?;
    let registry = read.get();
    let tree = tree::discover(&root, base.path(), &tree::Parts::Whole)
        .with_context(|| base.display(&root))
        .map_err(Failure::CouldNotRun)?;
    let is_progress_shown = streams.is_terminal && arguments.format == Format::Human;
    let progress = progress(tree.submissions.len(), is_progress_shown);
    let done = |done| progress.set_position(done as u64);
    let mut outcome = check::check_tree(&tree, &settings, registry, &done);
    progress.finish_and_clear();
    if let Some(loaded) = &loaded {
        let mut ignores = Ignores::new(loaded, base.path());
        check::apply_ignores(&mut outcome, &mut ignores, &settings, true);
    }
    let (details, unused) = details::load(&root, &|path| base.display(path));
    outcome.without_facts.extend(unused);
    let catalog = Catalog::of(Parts {
        outcome: &outcome,
        registry,
        config,
        latest,
        details: &details,
    });
    let out = &mut streams.stdout;
    match arguments.format {
        Format::Human => certify::write_human(&catalog, arguments.all, out)?,
        Format::Json => certify::write_json(&catalog, config, out)?,
        Format::Markdown => {
            let configured = config.site_url.as_ref().map(|url| url.get_ref().as_str());
            let addresses = Addresses::below(arguments.base_url.as_deref().or(configured));
            certify::write_markdown(&catalog, &addresses, arguments.all, out)?;
        }
    }
    Ok(exit(&outcome, arguments.fail_on.unwrap_or(FailOn::Never)))
}

fn minor(text: &str) -> Result<Minor, Failure> {
    let minor = Minor::parse(text).or_else(|| Minor::parse(&format!("v{text}")));
    minor.ok_or_else(|| {
        Failure::Usage(anyhow!(
            "--latest: `{text}` is not a minor, expected one like v1.6"
        ))
    })
}
