//! Computes report URLs that use a former name of the implementation.

use std::collections::BTreeMap;

use super::{Implementation, judged_reports, name_of};
use crate::report::naming::address::address;

/// Maximum number of aliases that redirect all reports. Further aliases redirect only reports with
/// that name.
const MAX_RENAMES: usize = 10;

impl Implementation<'_> {
    /// Reports by URL below an alias, such as `acmeinc/operator/v1.5.1/standard-default`. Reports
    /// with the former name keep their old URLs. Others get their current URLs, if free, because
    /// implementations can be renamed twice.
    pub fn former_addresses(&self, alias: &str) -> BTreeMap<String, usize> {
        let is_own = |at: &usize| {
            let name = name_of(self.reports[*at].judged.facts);
            name.is_ok_and(|(organization, project)| address(organization, project) == alias)
        };
        let own: Vec<usize> = (0..self.reports.len()).filter(is_own).collect();
        let judged = own.iter().map(|&at| &self.reports[at].judged);
        let alone = judged_reports::addresses(&judged.collect::<Vec<_>>()).into_iter();
        let alone = alone.map(|(release, slug)| format!("{alias}/{release}/{slug}"));
        let mut former: BTreeMap<String, usize> = alone.zip(own).collect();
        let is_renamed = |one: &String| one == alias;
        let is_kept = self.aliases.iter().take(MAX_RENAMES).any(is_renamed);
        let others = self.reports.iter().enumerate().filter(|_| is_kept);
        for (at, report) in others {
            let address = format!("{alias}/{}", report.address());
            former.entry(address).or_insert(at);
        }
        former
    }
}
