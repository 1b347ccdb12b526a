//! What the reports with one name show of their implementation.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::api::{Minor, Version};
use crate::report::facts::{ReportFacts, Run};
use crate::report::naming::slug::slug;

/// The sound reports of an implementation. Many reports for one minor count less than a few for several
/// minors, and the release of a report is never its age: an old report can be written today.
#[derive(Debug, Default, Clone)]
pub struct History {
    minors: BTreeSet<Minor>,
    runs: BTreeSet<Run>,
    sound: usize,
    in_own_folder: usize,
    newest: Option<Version>,
}

impl History {
    /// Adds a report whose run no other implementation submitted.
    pub fn add(&mut self, report: &ReportFacts) {
        if self.add_shared(report) && self.runs.insert(report.run()) {
            // One run is of one release.
            let version = report.release.version.as_ref();
            self.minors.extend(version.map(Version::minor));
            self.newest = self.newest.take().max(version.cloned());
        }
    }

    /// Adds a report whose run another implementation submitted as well; false if no verdict can be based on
    /// it.
    pub fn add_shared(&mut self, report: &ReportFacts) -> bool {
        if !is_sound(report) {
            return false;
        }
        self.sound += 1;
        let name = report.organization().zip(report.project());
        let own = name.map(|(organization, project)| format!("{organization}-{project}"));
        let folder = report.submission.file_name();
        let is_own = folder
            .zip(own)
            .is_some_and(|(folder, own)| folder == own.as_str());
        self.in_own_folder += usize::from(is_own);
        true
    }

    /// True for reports for several minors.
    pub fn is_known(&self) -> bool {
        self.minors.len() > 1
    }

    /// True if a verdict can be based on at least one report.
    pub fn is_sound(&self) -> bool {
        self.sound > 0
    }

    /// The better known of two is greater.
    pub fn precedence(&self) -> impl Ord + use<> {
        (self.minors.len(), self.sound, self.newest.clone())
    }

    /// The same for two spellings of one name: then the one that its folders have, then the one that is
    /// an address already, in lower case and with hyphens.
    pub fn spelling<'n>(&self, organization: &'n str, project: &'n str) -> impl Ord + use<'n> {
        let plain = format!("{organization}-{project}");
        (
            self.precedence(),
            self.in_own_folder,
            slug(&[organization, project]) == plain,
            Reverse((organization, project)),
        )
    }
}

/// True for a report that a verdict can be based on, whoever submitted it.
pub fn is_sound(report: &ReportFacts) -> bool {
    let version = report.release.version.as_ref();
    let is_for_release = version.is_some_and(|version| version.pre().is_none());
    let mut profiles = 0..report.profiles.len();
    report.is_report
        && report.fits_folder
        && is_for_release
        && !report.is_cut
        && !report.exceeds_bounds
        && profiles.any(|at| report.blocks_of(at).next().is_none())
}
