//! How commands that show a whole tree come to know it.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::check::{load_config, progress};
use super::registry::RegistryArguments;
use super::targets::{Base, Targets};
use super::{Exit, Failure, Streams};
use crate::catalog::{Catalog, Parts};
use crate::check::{self, CheckReport, Selection, Settings};
use crate::config::{Config, Ignores};
use crate::details;
use crate::formats::is_web_address;
use crate::registry::{Minor, Registry};
use crate::render::certify::Addresses;
use crate::source::display_path;
use crate::tree;

/// What a tree is judged by and where it will be shown.
#[derive(Debug, clap::Args)]
pub struct CatalogArguments {
    /// The minor to count the newest ones from; else the configuration's, else the newest with a
    /// report
    #[arg(long, value_name = "MINOR")]
    latest: Option<String>,
    /// Where the site is, for links; without it and `site-url` they are relative to it
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The configuration; without it the gwconform.toml of the tree or of a folder above it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// What the paths of files that are shown start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathBase {
    /// The working directory, as of findings.
    WorkingDir,
    /// The tree: the same wherever the command is run.
    FromTree,
}

/// A tree, read and judged.
pub struct LoadedTree<'a> {
    /// All about it.
    pub catalog: Catalog<'a>,
    /// What was found in it.
    pub outcome: &'a CheckReport,
    /// What is configured.
    pub config: &'a Config,
    /// The facts that it was held against.
    pub registry: &'a Registry,
    /// The working directory.
    pub base: &'a Base,
    /// Its folder, absolute.
    pub root: &'a Path,
    /// Where it will be shown, as it was given.
    pub base_url: Option<String>,
    /// Where it will be shown.
    pub addresses: Addresses,
}

impl CatalogArguments {
    /// Reads the tree at `path`, or in the usual place, and has `show` show it.
    pub fn with_catalog(
        &self,
        path: Option<&Path>,
        paths: PathBase,
        is_progress_shown: bool,
        streams: &mut Streams<'_>,
        show: impl FnOnce(&LoadedTree<'_>, &mut Streams<'_>) -> Result<Exit, Failure>,
    ) -> Result<Exit, Failure> {
        let latest = self.latest.as_deref();
        let latest = latest.map(|text| minor("--latest", text)).transpose()?;
        self.check_base_url()?;
        let base = Base::current()?;
        let targets: Vec<PathBuf> = path.into_iter().map(Path::to_owned).collect();
        let targets = Targets::of(&targets, &base)?;
        let root = whole_tree(&targets)?;
        let loaded = load_config(self.config.as_deref(), &targets, &base, streams)?;
        let default = Config::default();
        let config = loaded.as_ref().map_or(&default, |loaded| &loaded.config);
        let settings = Settings::new(&Selection::default(), false, config);
        let read = self.registry.load()?;
        let registry = read.get();
        let start = match paths {
            PathBase::WorkingDir => base.path(),
            PathBase::FromTree => root,
        };
        let tree = tree::discover(root, start, &tree::Parts::Whole)
            .with_context(|| base.display(root))
            .map_err(Failure::CouldNotRun)?;
        let progress = progress(
            tree.submissions.len(),
            is_progress_shown && streams.is_terminal,
        );
        let done = |done| progress.set_position(done as u64);
        let mut outcome = check::check_tree(&tree, &settings, registry, &done);
        progress.finish_and_clear();
        if let Some(loaded) = &loaded {
            let mut ignores = Ignores::new(loaded, start);
            check::apply_ignores(&mut outcome, &mut ignores, &settings, true);
        }
        let (details, unused) = details::load(root, &|path| display_path(path, start));
        outcome.unreadable.extend(unused);
        let configured = config.site_url.as_ref().map(|url| url.get_ref().as_str());
        let base_url = self.base_url.as_deref().or(configured);
        let known = LoadedTree {
            catalog: Catalog::of(Parts {
                outcome: &outcome,
                registry,
                config,
                latest,
                details: &details,
            }),
            outcome: &outcome,
            config,
            registry,
            base: &base,
            root,
            base_url: base_url.map(str::to_owned),
            addresses: Addresses::below(base_url),
        };
        show(&known, streams)
    }

    fn check_base_url(&self) -> Result<(), Failure> {
        match self.base_url.as_deref() {
            Some(url) if !is_web_address(url) => Err(Failure::Usage(anyhow!(
                "--base-url: `{url}` is not the address of a website"
            ))),
            Some(url) if url.contains(['?', '#']) => Err(Failure::Usage(anyhow!(
                "--base-url: nothing can stand below `{url}`, expected an address without `?` and `#`"
            ))),
            _ => Ok(()),
        }
    }
}

fn whole_tree(targets: &Targets) -> Result<&Path, Failure> {
    match targets.trees.first_key_value() {
        Some((root, tree::Parts::Whole)) => Ok(root),
        _ => Err(Failure::Usage(anyhow!(
            "a verdict needs the whole tree: give the path of a reports tree, such as conformance/reports"
        ))),
    }
}

/// A minor, with or without its `v`.
pub fn minor(option: &str, text: &str) -> Result<Minor, Failure> {
    let minor = Minor::parse(text).or_else(|| Minor::parse(&format!("v{text}")));
    minor.ok_or_else(|| {
        Failure::Usage(anyhow!(
            "{option}: `{text}` is not a minor, expected one like v1.6"
        ))
    })
}
