//! Names of features and tests that no release knows.

use std::collections::BTreeMap;

use crate::api::NameKind;
use crate::release::Registry;
use crate::report::model::LevelData;
use crate::report::view::{List, Report, Text};
use crate::text::suggest::Similar;

/// A name that no release of the registry knows.
#[derive(Debug, Clone)]
pub struct UnknownName<'a> {
    /// A feature or a test.
    pub kind: NameKind,
    /// Where it is: the list, and the name in it. Never empty.
    pub places: Vec<(&'static str, Text<'a>)>,
    /// The known name that is nearest to it, if one is near.
    pub similar: Option<Similar<'a>>,
}

impl<'a> UnknownName<'a> {
    /// The name that is meant, when one slip of the hand explains the difference.
    pub fn meant(&self) -> Option<&'a str> {
        self.similar
            .filter(|similar| similar.typo)
            .map(|similar| similar.name)
    }
}

/// Most unknown names for which near ones are looked for: each costs a walk over all known names.
/// A real report has none, or a few.
const MAX_SEARCHES: usize = 200;

/// The lists of names in a report, with the kind of their names and their field.
pub fn lists<'r, 'a>(
    report: &'r Report<'a>,
) -> impl Iterator<Item = (NameKind, &'static str, &'r List<'a>)> {
    let provisional = report.succeeded_provisional_tests.as_ref();
    report
        .levels()
        .flat_map(LevelData::lists)
        .chain([(NameKind::Test, "succeededProvisionalTests", provisional)])
        .filter_map(|(kind, field, list)| Some((kind, field, list?)))
}

/// The names of a report that no release knows, by kind and in the order of the file.
pub fn unknown<'a>(report: &Report<'a>, registry: &'a Registry) -> Vec<UnknownName<'a>> {
    let mut unknown: Vec<UnknownName<'a>> = Vec::new();
    let mut index: BTreeMap<(NameKind, &str), usize> = BTreeMap::new();
    for (kind, field, list) in lists(report) {
        for &name in list.items.iter().filter(|name| !name.value.is_empty()) {
            if registry.since(kind, name.value).is_some() {
                continue;
            }
            let key = (kind, name.value);
            if let Some(&at) = index.get(&key) {
                unknown[at].places.push((field, name));
            } else {
                let is_searched = unknown.len() < MAX_SEARCHES;
                index.insert(key, unknown.len());
                unknown.push(UnknownName {
                    kind,
                    places: vec![(field, name)],
                    similar: is_searched
                        .then(|| registry.similar(kind, name.value))
                        .flatten(),
                });
            }
        }
    }
    unknown
}
