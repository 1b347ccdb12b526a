//! A whole tree, checked and judged: what verdicts, badges and pages are made of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::Workspace;
use crate::api::Minor;
use crate::certify::AsOf;
use crate::certify::catalog::{Catalog, Parts};
use crate::certify::details::Details;
use crate::release::Registry;
use crate::rules::check::{CheckReport, Skipped};
use crate::rules::configuration::Config;
use crate::tree::load;

/// The folder that printed paths are relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathBase {
    /// The working directory, as of findings.
    WorkingDir,
    /// The tree: the same wherever the command is run.
    Tree,
}

/// A whole tree, checked.
#[derive(Debug)]
pub struct CertifiedTree<'w> {
    /// The findings, and the facts of the reports.
    pub report: CheckReport,
    /// The statements of logs that do not count, and why.
    pub unused_statements: Vec<Skipped>,
    pub(super) workspace: &'w Workspace,
    pub(super) details: Vec<Details>,
    pub(super) root: PathBuf,
}

impl CertifiedTree<'_> {
    /// Implementations, their reports and verdicts. Newest minors are counted from `latest`, otherwise
    /// from the one that is configured, otherwise from the newest known one with a verdict whose
    /// release review has taken place.
    pub fn catalog(&self, latest: Option<Minor>) -> Catalog<'_> {
        self.catalog_as_of(latest, AsOf::Reports)
    }

    /// The same for a day.
    pub fn catalog_as_of(&self, latest: Option<Minor>, as_of: AsOf) -> Catalog<'_> {
        Catalog::new(Parts {
            as_of,
            outcome: &self.report,
            registry: self.registry(),
            config: self.config(),
            latest,
            details: &self.details,
        })
    }

    /// Takes names and descriptions of implementations from other files than those beside the tree.
    pub fn set_details(&mut self, details: Vec<Details>) {
        self.details = details;
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        self.workspace.config()
    }

    /// The facts of the releases.
    pub fn registry(&self) -> &Registry {
        self.workspace.registry()
    }

    /// The folder of the tree, absolute.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// How to reproduce the reports of each submission, as its README has it, by its folder.
    pub fn reproduce(&self) -> BTreeMap<PathBuf, String> {
        let reports = self.report.reports.iter();
        let folders: BTreeSet<&PathBuf> = reports.map(|facts| &facts.submission).collect();
        let tree = self.workspace.base.files().folder(&self.root).ok();
        let texts = folders.into_iter().filter_map(|folder| {
            let below = folder.strip_prefix(&self.root).ok()?;
            let text = load::load_reproduce(tree.as_ref()?, below)?;
            Some((folder.clone(), text))
        });
        texts.collect()
    }
}
