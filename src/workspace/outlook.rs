use super::error::{ErrorKind, RunError};
use super::{PathBase, Progress, Workspace};
use crate::api::Minor;
use crate::certify::AsOf;
use crate::certify::catalog::{Catalog, FindError, Parts};
use crate::outlook::Outlook;
use crate::release::Release;
use crate::report::facts::ReportFacts;
use crate::rules::check::CheckReport;

/// Parameters of an outlook.
#[derive(Debug, Clone, Copy)]
pub struct OutlookRequest<'q> {
    /// Release whose effects are computed.
    pub release: &'q Release,
    /// Newest minor for current verdicts. By default, the configuration and then the reports
    /// determine it. For a single report, the default is the newest known release.
    pub latest: Option<Minor>,
    /// Date of current verdicts.
    pub as_of: AsOf,
    /// Name accepted by [`Catalog::find`].
    pub implementation: Option<&'q str>,
}

/// Reason why an outlook cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum OutlookError {
    /// The tree cannot be certified.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The implementation does not exist.
    #[error(transparent)]
    Find(#[from] FindError),
    /// Reason why the report has no verdict.
    #[error("the report has no verdict: {0}")]
    LeftOut(String),
}

impl OutlookError {
    /// Category of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Run(error) => error.kind(),
            Self::Find(_) => ErrorKind::Usage,
            Self::LeftOut(_) => ErrorKind::System,
        }
    }
}

impl Workspace {
    /// Computes the outlook for a tree.
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

    /// Computes the outlook from a single report.
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
