use std::collections::BTreeMap;

use super::super::{Place, Places, short};

/// Needs of Ingresses, in addition to the features and settings of
/// [`Needs`](crate::cluster::needs::Needs).
#[derive(Debug, Default)]
pub struct Ingresses<'a> {
    /// Number of Ingresses.
    pub count: usize,
    /// Number of Ingresses that need only core features.
    pub core: usize,
    /// Number of Ingresses that need or possibly need extended features.
    pub extended: usize,
    /// Number of Ingresses with settings beyond the API.
    pub beyond: usize,
    /// Number of Ingresses with settings that have no equivalent in the API.
    pub no_equivalent: usize,
    /// Number of Ingresses with annotations that are unknown or of another controller.
    pub unknown: usize,
    /// Annotations whose equivalent in the API differs, with the difference.
    pub approximate: BTreeMap<(&'a str, String), Places<'a>>,
    /// Unknown annotations, with a similar known one.
    pub unknown_annotations: BTreeMap<&'a str, (Option<String>, Places<'a>)>,
    /// Number of annotations that are omitted from `unknown_annotations`.
    pub left_out: usize,
    /// Places of Ingresses that ingress-nginx serves, by class. An empty name means no class.
    pub nginx: BTreeMap<&'a str, usize>,
    /// Ingresses and annotations of other controllers, by name, with the provider of
    /// ingress2gateway that converts them.
    pub others: BTreeMap<String, (Option<String>, Places<'a>)>,
}

impl<'a> Ingresses<'a> {
    pub(super) fn other(&mut self, name: &str, provider: Option<&str>, place: Place<'a>) {
        let entry = self.others.entry(short(name).to_owned());
        let (_, places) = entry.or_insert_with(|| (provider.map(str::to_owned), Places::default()));
        places.add(|| place);
    }
}
