use std::collections::BTreeMap;

use serde::Serialize;

use super::super::{Place, Places};

/// Needs of Ingresses, in addition to the features and settings of
/// [`Needs`](crate::needs::Needs).
#[derive(Debug, Default)]
pub struct Ingresses<'a> {
    /// Numbers of Ingresses.
    pub counts: IngressCounts,
    /// Annotations without effect, by the reason.
    pub ignored: BTreeMap<(String, &'a str), Places<'a>>,
    /// Places of Ingresses that ingress-nginx serves, by class. An empty name means no class.
    pub nginx: BTreeMap<&'a str, usize>,
}

impl<'a> Ingresses<'a> {
    pub(super) fn ignore(&mut self, why: String, place: &Place<'a>) {
        let places = self.ignored.entry((why, place.annotation));
        places.or_default().add(|| place.unvalued());
    }
}

/// Numbers of Ingresses. An Ingress may belong to several numbers.
#[derive(Debug, Clone, Copy, Default, Serialize, schemars::JsonSchema)]
pub struct IngressCounts {
    /// Ingresses.
    pub ingresses: usize,
    /// Ingresses that need only core features.
    pub core: usize,
    /// Ingresses that need extended features.
    pub extended: usize,
    /// Ingresses with settings beyond the API.
    pub beyond: usize,
    /// Ingresses with settings that have no equivalent in the API.
    pub no_equivalent: usize,
    /// Ingresses with annotations that are unknown or of another controller.
    pub unknown: usize,
    /// Ingresses of an unknown controller.
    pub unknown_controller: usize,
    /// Ingresses of a controller whose annotations are not read.
    pub other_controller: usize,
}
