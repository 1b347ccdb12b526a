use std::fmt;

use super::report::{ReportView, text};
use gwconform_base::api::Minor;

/// Range of minors, newest first, such as `v1.6 to v1.4`. Empty without minors.
pub struct Minors<'m>(pub &'m [Minor]);

impl fmt::Display for Minors<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            [only] => write!(f, "{only}"),
            [newest, .., oldest] => write!(f, "{newest} to {oldest}"),
        }
    }
}

pub fn report_name(report: &ReportView<'_>) -> String {
    let name = submission_name(report);
    match report.run().as_str() {
        "" => name,
        run => name + " (" + run + ")",
    }
}

/// Name of a submission, such as `Acme v2.14.0 for v1.5.1`. All channels and modes of the
/// submission have the same name.
pub fn submission_name(report: &ReportView<'_>) -> String {
    let facts = report.facts();
    let mut name = report.implementation.name.clone();
    if let Some(version) = text(&facts.version) {
        name = name + " " + version;
    }
    match report.release() {
        Some(release) => name + " for " + &release,
        None => name + ", release unknown",
    }
}
