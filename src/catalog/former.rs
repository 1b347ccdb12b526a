//! The addresses that reports had below former names of their implementation.

use std::collections::BTreeMap;

use super::{Implementation, lines, name_of, slug};

impl Implementation<'_> {
    /// The addresses of its reports below an alias (`acmeinc-operator/v1.5.1/standard-default`), with
    /// the place of the report in `reports`.
    ///
    /// The reports with the name of the alias have the addresses that they had alone. The others
    /// have their current ones, if these are free: an implementation can be renamed twice.
    pub fn former_addresses(&self, alias: &str) -> BTreeMap<String, usize> {
        let is_own = |at: &usize| {
            let name = name_of(self.reports[*at].judged.facts);
            name.is_ok_and(|(organization, project)| slug(&[organization, project]) == alias)
        };
        let own: Vec<usize> = (0..self.reports.len()).filter(is_own).collect();
        let facts = own.iter().map(|&at| self.reports[at].judged.facts);
        let alone = lines::addresses(&facts.collect::<Vec<_>>()).into_iter();
        let alone = alone.map(|(release, slug)| format!("{alias}/{release}/{slug}"));
        let mut former: BTreeMap<String, usize> = alone.zip(own).collect();
        for (at, report) in self.reports.iter().enumerate() {
            let address = format!("{alias}/{}", report.address());
            former.entry(address).or_insert(at);
        }
        former
    }
}
