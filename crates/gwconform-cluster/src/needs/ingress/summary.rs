use std::collections::BTreeMap;

use super::super::Places;

/// Needs of Ingresses, in addition to the features and settings of
/// [`Needs`](crate::needs::Needs).
#[derive(Debug, Default)]
pub struct Ingresses<'a> {
    /// Number of Ingresses.
    pub count: usize,
    /// Number of Ingresses that need only core features.
    pub core: usize,
    /// Number of Ingresses that need extended features.
    pub extended: usize,
    /// Number of Ingresses with settings beyond the API.
    pub beyond: usize,
    /// Number of Ingresses with settings that have no equivalent in the API.
    pub no_equivalent: usize,
    /// Number of Ingresses with annotations that are unknown or of another controller.
    pub unknown: usize,
    /// Annotations without effect, by the annotation that turns them off.
    pub ignored: BTreeMap<(String, &'a str), Places<'a>>,
    /// Places of Ingresses that ingress-nginx serves, by class. An empty name means no class.
    pub nginx: BTreeMap<&'a str, usize>,
}
