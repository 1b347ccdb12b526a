//! Finds URLs that a change moves or removes.

use std::collections::{BTreeMap, BTreeSet};

use super::{ReviewContext, parts};
use crate::certify::catalog::{Catalog, Implementation, Report, address as address_of};
use crate::report::facts::ReportFacts;
use crate::report::naming::folded_pair;
use crate::rules::check::CheckReport;
use crate::rules::configuration::Pair as Name;
use crate::rules::readme::version::expected_file_name;
use crate::rules::{MovedAddress, Owner, Pair};
use gwconform_base::text::diagnostic::Place;

/// Lists moved and removed URLs. The previous configuration is used too, so that a new configuration
/// cannot hide a move.
pub(super) fn moved<'f>(
    catalogs: [&Catalog<'f>; 2],
    [before, now]: [&'f CheckReport; 2],
    pairs: &[Pair<'f>],
    changed: &BTreeSet<&str>,
    with: ReviewContext<'f>,
) -> Vec<MovedAddress> {
    let between = |[before, after]: [&Catalog<'f>; 2]| {
        let addresses = Addresses {
            before,
            after,
            pairs,
            changed,
        };
        addresses.moved()
    };
    let is_same = |config| std::ptr::eq(with.config, config);
    if is_same(with.config_before) && is_same(with.config_after) {
        return between(catalogs);
    }
    let configured_before = Catalog::new(parts(before, with.config_before, with));
    let configured_after = Catalog::new(parts(now, with.config_after, with));
    let mut moved = between([&configured_before, &configured_after]);
    if is_same(with.config_before) {
        let known: BTreeSet<String> = moved.iter().map(|one| one.address.clone()).collect();
        let under_former = between(catalogs).into_iter();
        moved.extend(under_former.filter(|one| !known.contains(&one.address)));
    }
    moved
}

struct Addresses<'c, 'f> {
    before: &'c Catalog<'f>,
    after: &'c Catalog<'f>,
    pairs: &'c [Pair<'f>],
    changed: &'c BTreeSet<&'c str>,
}

type Key<'c> = (&'c str, usize);
type Reports<'c> = BTreeMap<Key<'c>, (&'c Implementation<'c>, &'c Report<'c>)>;

impl Addresses<'_, '_> {
    fn moved(&self) -> Vec<MovedAddress> {
        let now = self.after.names();
        let now = |old: &Implementation<'_>| now.get(&folded_pair(name(old))).copied();
        let mut moved = self.of_implementations(&now);
        moved.extend(self.of_reports(&now));
        moved
    }

    fn of_implementations<'c>(
        &'c self,
        now: &dyn Fn(&Implementation<'_>) -> Option<&'c Implementation<'c>>,
    ) -> Vec<MovedAddress> {
        let pairs = self.pairs.iter();
        let later: BTreeMap<Key<'_>, Option<&ReportFacts>> = pairs
            .filter_map(|pair| Some((key(pair.before?), pair.after)))
            .collect();
        let mut moved = Vec::new();
        for (address, old) in self.before.addresses() {
            let still = now(old);
            let is_alias =
                still.is_some_and(|one| one.aliases.iter().any(|alias| alias == address));
            let is_valid = match still {
                Some(still) => still.slug == address || (is_alias && old.slug != address),
                // One finding is sufficient.
                None => old.slug != address,
            };
            let Some(last) = old.reports.last().filter(|_| !is_valid) else {
                continue;
            };
            let last = last.judged.facts;
            let later = later.get(&key(last)).copied().unwrap_or(Some(last));
            let new_name = match still {
                Some(still) => Some(name(still)),
                None => later.and_then(|facts| facts.organization().zip(facts.project())),
            };
            let gone = || {
                let field = later.and_then(|facts| facts.organization.as_ref());
                field.map_or_else(|| Place::path(&last.path), |field| field.place.clone())
            };
            let mut names = old.names();
            let former = names.find(|name| address_of(name.0, name.1) == address);
            moved.push(MovedAddress {
                owner: Owner::Implementation(in_full(name(old))),
                address: address.to_owned(),
                new_address: still.map(|still| still.slug.clone()),
                taken_by: None,
                alias: new_name
                    .zip(former)
                    .map(|(new, former)| [new, former].map(in_full)),
                is_renamed: false,
                is_kept: is_alias,
                place: still.map_or_else(gone, |still| place(still, self.changed)),
                owner_place: None,
            });
        }
        moved
    }

    fn of_reports<'c>(
        &'c self,
        now: &dyn Fn(&Implementation<'_>) -> Option<&'c Implementation<'c>>,
    ) -> Vec<MovedAddress> {
        let (olds, news) = (reports(self.before), reports(self.after));
        let takers: BTreeMap<(&str, String), &Report<'_>> = news
            .values()
            .map(|(one, report)| ((one.slug.as_str(), report.address()), *report))
            .collect();
        let former = self.former();
        let renamed: BTreeMap<Key<'_>, Key<'_>> = self
            .pairs
            .iter()
            .filter(|pair| !pair.is_replacement())
            .filter_map(|pair| Some((key(pair.before?), key(pair.after?))))
            .collect();
        let mut moved = Vec::new();
        for (old_key, (old_one, old)) in &olds {
            let new_key = renamed.get(old_key).unwrap_or(old_key);
            let Some((one, new)) = news.get(new_key) else {
                continue;
            };
            if now(old_one).is_none_or(|still| still.slug != one.slug) {
                continue;
            }
            let is_alias = one.aliases.contains(&old_one.slug);
            let taker = match former.get(old_one.slug.as_str()).filter(|_| is_alias) {
                // The site redirects URLs below an alias.
                Some(reports) => reports.get(&old_one.key_of(old)),
                None if old.address() == new.address() => continue,
                None => takers.get(&(one.slug.as_str(), old.address())),
            };
            if taker.is_some_and(|taker| key(taker.judged.facts) == *new_key) {
                continue;
            }
            let (facts, old_facts) = (new.judged.facts, old.judged.facts);
            if taker.is_none() && is_corrected_name(old_facts, facts) {
                continue;
            }
            let owner_place = Place::path(&facts.path);
            let taken_by = taker.map(|taker| taker.judged.facts.path.as_str());
            let (place, owner_place) = match taken_by {
                Some(path) => (Place::path(path), Some(owner_place)),
                None => (owner_place, None),
            };
            moved.push(MovedAddress {
                owner: Owner::Report(old_facts.path.clone()),
                address: old_one.key_of(old),
                new_address: Some(one.key_of(new)),
                taken_by: taken_by.map(str::to_owned),
                alias: None,
                is_kept: false,
                is_renamed: facts.file_name != old_facts.file_name || new.release != old.release,
                place,
                owner_place,
            });
        }
        moved
    }

    fn former(&self) -> BTreeMap<&str, BTreeMap<String, &Report<'_>>> {
        let slugs: BTreeSet<&str> = (self.before.implementations.iter())
            .map(|one| one.slug.as_str())
            .collect();
        let all = self.after.implementations.iter();
        let aliases =
            all.flat_map(|one| one.aliases.iter().map(move |alias| (one, alias.as_str())));
        aliases
            .filter(|(_, alias)| slugs.contains(alias))
            .map(|(one, alias)| {
                let former = one.former_addresses(alias).into_iter();
                let reports = former.map(|(address, at)| (address, &one.reports[at]));
                (alias, reports.collect())
            })
            .collect()
    }
}

/// Whether the change gives the report the name that `tree/file-name` asks for, in its folder.
fn is_corrected_name(old: &ReportFacts, new: &ReportFacts) -> bool {
    let is_named_right = |facts: &ReportFacts| {
        let expected = expected_file_name(facts);
        expected.is_some_and(|expected| expected == facts.file_name)
    };
    old.submission == new.submission && !is_named_right(old) && is_named_right(new)
}

fn name<'c>(one: &Implementation<'c>) -> Name<'c> {
    (one.organization, one.project)
}

fn in_full((organization, project): Name<'_>) -> String {
    format!("{organization}/{project}")
}

fn key(facts: &ReportFacts) -> Key<'_> {
    (&facts.path, facts.document)
}

fn place(one: &Implementation<'_>, changed: &BTreeSet<&str>) -> Place {
    let facts = || one.reports.iter().map(|report| report.judged.facts);
    let touched = facts().find(|facts| changed.contains(facts.path.as_str()));
    let named = touched.or_else(|| facts().next());
    let field = named.and_then(|facts| facts.organization.as_ref());
    field.map_or_else(|| Place::path(""), |field| field.place.clone())
}

fn reports<'c>(catalog: &'c Catalog<'_>) -> Reports<'c> {
    let all = catalog.reports();
    all.map(|(one, report)| (key(report.judged.facts), (one, report)))
        .collect()
}
