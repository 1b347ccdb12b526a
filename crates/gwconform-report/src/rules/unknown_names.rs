//! Finds feature and test names that no known release defines.

use std::collections::BTreeMap;

use crate::report::model::LevelData;
use crate::report::view::{List, Report, Text};
use crate::rules::MAX_FINDINGS;
use gwconform_base::api::NameKind;
use gwconform_base::release::Registry;
use gwconform_base::text::suggest::Similar;

/// Feature or test name in a report that no known release defines.
#[derive(Debug, Clone)]
pub struct UnknownName<'a> {
    /// `Feature` or `Test`.
    pub kind: NameKind,
    /// List and name of each occurrence. Never empty.
    pub places: Vec<(&'static str, Text<'a>)>,
    /// False for names after as many as a rule can report.
    pub is_compared: bool,
    /// Known name with the smallest edit distance.
    pub similar: Option<Similar<'a>>,
}

impl<'a> UnknownName<'a> {
    /// Known name, if a single typo explains the difference.
    pub fn meant(&self) -> Option<&'a str> {
        self.similar
            .filter(|similar| similar.typo)
            .map(|similar| similar.name)
    }
}

/// All lists of feature and test names, with their kind and field.
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

/// Collects unknown names by kind and in text order.
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
                let is_compared = unknown.len() < MAX_FINDINGS;
                index.insert(key, unknown.len());
                unknown.push(UnknownName {
                    kind,
                    places: vec![(field, name)],
                    is_compared,
                    similar: is_compared
                        .then(|| registry.similar(kind, name.value))
                        .flatten(),
                });
            }
        }
    }
    unknown
}
