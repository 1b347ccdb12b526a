use std::path::{Path, PathBuf};

use super::Workspace;
use gwconform_base::release::Registry;
use gwconform_base::text::listed_briefly;
use gwconform_report::certify::AsOf;
use gwconform_report::certify::catalog::{Catalog, Parts};
use gwconform_report::certify::details::Details;
use gwconform_report::rules::check::{CheckReport, Skipped};
use gwconform_report::rules::configuration::Config;
use gwconform_report::tree::load::Sections;

/// An answer about a tree that may have parts that could not be read.
#[derive(Debug)]
#[must_use]
pub struct PartlyRead<T> {
    answer: T,
    unread: Vec<Skipped>,
}

/// Parts of a tree that could not be read.
#[derive(Debug, thiserror::Error)]
#[error("could not be read: {}", self.listed())]
pub struct UnreadError(Vec<Skipped>);

impl<T> PartlyRead<T> {
    /// Combines an answer with the parts that could not be read, with the reason as a clause.
    pub fn new(answer: T, unread: Vec<Skipped>) -> Self {
        Self { answer, unread }
    }

    /// The answer.
    ///
    /// # Errors
    /// If a part of the tree could not be read.
    pub fn whole(self) -> Result<T, UnreadError> {
        self.stating(Err)
    }

    /// The answer, after `state` named what could not be read.
    ///
    /// # Errors
    /// If `state` fails, which is called only if a part could not be read.
    pub fn stating<E>(self, state: impl FnOnce(UnreadError) -> Result<(), E>) -> Result<T, E> {
        if !self.unread.is_empty() {
            state(UnreadError(self.unread))?;
        }
        Ok(self.answer)
    }
}

impl UnreadError {
    fn listed(&self) -> String {
        let parts = self.0.iter();
        let parts = parts.map(|part| format!("{} ({})", part.path, part.reason));
        listed_briefly(&parts.collect::<Vec<_>>())
    }
}

/// Tree that was checked for verdicts.
#[derive(Debug)]
pub struct CertifiedTree<'w> {
    /// Findings, and facts of the reports. `checked` is empty.
    pub report: CheckReport,
    /// Unused statements with reasons.
    pub unused_statements: Vec<Skipped>,
    pub(super) workspace: &'w Workspace,
    pub(super) details: Vec<Details>,
    pub(super) root: PathBuf,
}

impl CertifiedTree<'_> {
    /// All known releases count as reviewed.
    pub fn catalog(&self) -> Catalog<'_> {
        self.catalog_as_of(AsOf::default())
    }

    /// Builds the catalog for the given date.
    pub fn catalog_as_of(&self, as_of: AsOf) -> Catalog<'_> {
        Catalog::new(Parts {
            as_of,
            outcome: &self.report,
            registry: self.registry(),
            config: self.config(),
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

    /// Reads sections of its READMEs. `None` if the tree can no longer be read.
    pub fn sections(&self) -> Option<Sections> {
        let tree = self.workspace.base.files().folder(&self.root).ok()?;
        Some(Sections::new(tree, self.root.clone()))
    }
}
