//! Assigns a unique URL slug to each implementation.

use std::collections::{BTreeMap, BTreeSet};

use super::{Implementation, LeftOut};
use crate::report::naming::slug::{distinct, slug};
use crate::rules::configuration::{self, Config};

/// If several implementations request the same slug, the order of precedence is:
///
/// 1. an implementation that the configuration names;
/// 2. a configured alias, even if the implementation has no report;
/// 3. the first name.
///
/// Other implementations get a number. Returns aliases and names that could not be assigned.
pub(super) fn give(implementations: &mut [Implementation<'_>], config: &Config) -> Vec<LeftOut> {
    let places: BTreeMap<(&str, &str), usize> = implementations
        .iter()
        .enumerate()
        .map(|(at, one)| ((one.organization, one.project), at))
        .collect();
    let named: BTreeSet<(&str, &str)> = config.implementation.iter().map(name_of).collect();
    let (configured, others): (Vec<usize>, Vec<usize>) =
        (0..implementations.len()).partition(|&at| {
            named.contains(&(
                implementations[at].organization,
                implementations[at].project,
            ))
        });
    let mut requests = AddressRequests::default();
    for at in configured {
        requests.push(own_slug(&implementations[at]), Some(at));
    }
    // Configured implementations keep their slug even without reports.
    for &(organization, project) in named.iter().filter(|name| !places.contains_key(name)) {
        requests.push(slug(&[organization, project]), None);
    }
    let mut left_out = Vec::new();
    let mut leave_out = |reason: String| {
        left_out.push(LeftOut {
            path: configuration::FILE_NAME.to_owned(),
            document: 0,
            reason,
        });
    };
    let mut aliases = Vec::new();
    for entry in &config.implementation {
        let (organization, project) = entry.pair();
        let whose = format!("{organization}/{project}");
        let place = places.get(&name_of(entry)).copied();
        if place.is_none() {
            leave_out(format!("no report of {whose} in this tree"));
        }
        let own = slug(&<[&str; 2]>::from(entry.pair()));
        for alias in entry.aliases.iter().map(|alias| slug(&[alias.get_ref()])) {
            if !requests.has(&alias) {
                requests.push(alias.clone(), None);
                aliases.extend(place.map(|place| (place, alias)));
            } else if place.is_some() && alias != own {
                leave_out(format!(
                    "alias `{alias}` of {whose} is already the name of another implementation"
                ));
            }
        }
    }
    for at in others {
        requests.push(own_slug(&implementations[at]), Some(at));
    }
    for (at, slug) in requests.assignments() {
        implementations[at].slug = slug;
    }
    for (at, alias) in aliases {
        implementations[at].aliases.push(alias);
    }
    left_out
}

fn name_of(entry: &configuration::Implementation) -> (&str, &str) {
    entry.pair()
}

fn own_slug(one: &Implementation<'_>) -> String {
    slug(&[one.organization, one.project])
}

/// Requested slugs. The place of a reserved slug is `None`.
#[derive(Default)]
struct AddressRequests {
    slugs: Vec<String>,
    places: Vec<Option<usize>>,
    all: BTreeSet<String>,
}

impl AddressRequests {
    fn has(&self, slug: &str) -> bool {
        self.all.contains(slug)
    }

    fn push(&mut self, slug: String, place: Option<usize>) {
        self.all.insert(slug.clone());
        self.slugs.push(slug);
        self.places.push(place);
    }

    fn assignments(&self) -> impl Iterator<Item = (usize, String)> {
        let slugs = self.places.iter().zip(distinct(&self.slugs, &[]));
        slugs.filter_map(|(place, slug)| Some(((*place)?, slug)))
    }
}
