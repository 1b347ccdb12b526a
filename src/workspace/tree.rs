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

/// Base of printed paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathBase {
    /// Working directory, as in findings.
    WorkingDir,
    /// Folder of the tree, so that output does not depend on the working directory.
    Tree,
}

/// Tree that was checked for verdicts.
#[derive(Debug)]
pub struct CertifiedTree<'w> {
    /// Findings, and facts of the reports.
    pub report: CheckReport,
    /// Unused statements with reasons.
    pub unused_statements: Vec<Skipped>,
    pub(super) workspace: &'w Workspace,
    pub(super) details: Vec<Details>,
    pub(super) root: PathBuf,
}

impl CertifiedTree<'_> {
    /// All known releases count as reviewed. `latest` overrides the newest minor (see
    /// [`crate::certify`]).
    pub fn catalog(&self, latest: Option<Minor>) -> Catalog<'_> {
        self.catalog_as_of(latest, AsOf::default())
    }

    /// Builds the catalog for the given date.
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

    /// Replaces the implementation list.
    pub fn set_details(&mut self, details: Vec<Details>) {
        self.details = details;
    }

    /// Configuration of the workspace.
    pub fn config(&self) -> &Config {
        self.workspace.config()
    }

    /// Release data of the workspace.
    pub fn registry(&self) -> &Registry {
        self.workspace.registry()
    }

    /// Absolute path of the tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reproduce sections, by submission folder.
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
