//! What a release means for the implementations of a tree, or for the one of a report.

use super::error::{ErrorKind, RunError};
use super::{PathBase, Progress, Workspace};
use crate::api::Minor;
use crate::certify::AsOf;
use crate::certify::catalog::{Catalog, FindError, Parts};
use crate::outlook::Outlook;
use crate::release::Release;
use crate::report::facts::ReportFacts;
use crate::rules::check::CheckReport;

/// The question of an outlook.
#[derive(Debug, Clone, Copy)]
pub struct OutlookRequest<'q> {
    /// The release.
    pub release: &'q Release,
    /// The minor that is counted as the newest now. Else that of the configuration, else the newest
    /// with a report; for one report the newest release that is known.
    pub latest: Option<Minor>,
    /// The day that verdicts are for.
    pub as_of: AsOf,
    /// One implementation, by a name that [`Catalog::find`] takes.
    pub implementation: Option<&'q str>,
}

/// The reason why there is no outlook.
#[derive(Debug, thiserror::Error)]
pub enum OutlookError {
    /// The tree cannot be judged.
    #[error(transparent)]
    Run(#[from] RunError),
    /// There is no such implementation.
    #[error(transparent)]
    Find(#[from] FindError),
    /// The report has no verdict in any family.
    #[error("the report has no verdict: {0}")]
    LeftOut(String),
}

impl OutlookError {
    /// Who can do something about it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Run(error) => error.kind(),
            Self::Find(_) => ErrorKind::Usage,
            Self::LeftOut(_) => ErrorKind::System,
        }
    }
}

impl Workspace {
    /// What a release means for the implementations of the tree.
    ///
    /// # Errors
    /// When the tree cannot be listed or is not a whole one, or has no such implementation.
    pub fn outlook<'w>(
        &'w self,
        request: OutlookRequest<'w>,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Outlook<'w>, OutlookError> {
        let tree = self.certify(PathBase::WorkingDir, progress)?;
        let catalog = tree.catalog_as_of(request.latest, request.as_of);
        let only = request.implementation.map(|name| catalog.find(name));
        let slug = only.transpose()?.map(|one| one.slug.clone());
        let mut outlook = Outlook::new(&catalog, self.registry(), request.release);
        if let Some(slug) = slug {
            outlook.implementations.retain(|one| one.slug == slug);
        }
        Ok(outlook)
    }

    /// What a release means for the implementation of one report, by that report alone.
    ///
    /// # Errors
    /// When the report does not name its implementation, or has no profiles.
    pub fn outlook_of_report<'w>(
        &'w self,
        report: ReportFacts,
        request: OutlookRequest<'w>,
    ) -> Result<Outlook<'w>, OutlookError> {
        let (config, registry) = (self.config(), self.registry());
        let configured = config.policy.newest_minor.as_ref();
        let configured = configured.and_then(|minor| Minor::parse(minor.get_ref()));
        let newest = registry.newest().map(|release| release.version().minor());
        let outcome = CheckReport {
            reports: vec![report],
            ..CheckReport::default()
        };
        let catalog = Catalog::new(Parts {
            outcome: &outcome,
            registry,
            config,
            latest: request.latest.or(configured).or(newest),
            as_of: request.as_of,
            details: &[],
        });
        let outlook = Outlook::new(&catalog, registry, request.release);
        if outlook.families().next().is_none() {
            let reasons = catalog.left_out.iter();
            let reasons: Vec<_> = reasons.map(|left_out| left_out.reason.as_str()).collect();
            return Err(OutlookError::LeftOut(reasons.join("; ")));
        }
        Ok(outlook)
    }
}
