use super::{OpenError, Workspace};
use crate::outlook::{Coming, Outlook};
use gwconform_base::release::Registry;
use gwconform_report::certify::AsOf;
use gwconform_report::certify::catalog::{Catalog, Parts};
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::rules::check::CheckReport;

/// Parameters of the outlook from a single report.
#[derive(Debug, Clone, Copy)]
pub struct OutlookRequest<'q> {
    /// Release whose effects are computed.
    pub coming: Coming<'q>,
    /// Release data for the comparison of suites.
    pub registry: &'q Registry,
    /// Date of current verdicts.
    pub as_of: AsOf,
}

/// Reason why the report has no verdict.
#[derive(Debug, thiserror::Error)]
#[error("the report has no verdict: {0}")]
pub struct OutlookError(String);

impl Workspace {
    /// Release data including that of upstream's main branch, which no verdict may use.
    pub fn registry_with_unreleased(&self) -> Result<Registry, OpenError> {
        self.inputs.registry.with_unreleased()
    }

    /// Computes the outlook from a single report.
    pub fn outlook_of_report<'w>(
        &'w self,
        report: ReportFacts,
        request: OutlookRequest<'w>,
    ) -> Result<Outlook<'w>, OutlookError> {
        let outcome = CheckReport {
            reports: vec![report],
            ..CheckReport::default()
        };
        let catalog = Catalog::new(Parts {
            outcome: &outcome,
            registry: self.registry(),
            config: self.config(),
            as_of: request.as_of,
            details: &[],
        });
        let outlook = Outlook::new(&catalog, request.registry, request.coming);
        if outlook.families().next().is_none() {
            let reasons = catalog.left_out.iter();
            let reasons: Vec<_> = reasons.map(|left_out| left_out.reason.as_str()).collect();
            return Err(OutlookError(reasons.join("; ")));
        }
        Ok(outlook)
    }
}
