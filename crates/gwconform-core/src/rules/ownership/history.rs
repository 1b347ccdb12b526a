use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::api::{Minor, Version};
use crate::report::facts::{ReportFacts, Run};
use crate::report::naming::slug::slug;

/// Reports that can receive a verdict. Reports for several minors outweigh many for one. The
/// release of a report does not prove its age, because old releases can be tested at any time.
#[derive(Debug, Default, Clone)]
pub struct History {
    minors: BTreeSet<Minor>,
    runs: BTreeSet<Run>,
    sound: usize,
    in_own_folder: usize,
    newest: Option<Version>,
}

impl History {
    /// Adds a report of a run that no other implementation submitted.
    pub fn add(&mut self, report: &ReportFacts) {
        if self.add_shared(report) && self.runs.insert(report.run()) {
            // Count each run once, because a run tests only one release.
            let version = report.release.version.as_ref();
            self.minors.extend(version.map(Version::minor));
            self.newest = self.newest.take().max(version.cloned());
        }
    }

    /// Adds a report of a shared run. Returns false if it cannot receive a verdict.
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

    /// True if the implementation has reports for several minors.
    pub fn is_known(&self) -> bool {
        self.minors.len() > 1
    }

    /// True if at least one report can receive a verdict.
    pub fn is_sound(&self) -> bool {
        self.sound > 0
    }

    /// Sort key, greater for the better known implementation.
    pub fn precedence(&self) -> impl Ord + use<> {
        (self.minors.len(), self.sound, self.newest.clone())
    }

    /// Extends [`Self::precedence`] to prefer names that match report folders, and then names that
    /// are valid slugs.
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

/// Whether the report can receive a verdict, ignoring ownership.
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
