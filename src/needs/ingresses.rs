//! Ingresses in manifests: their counts, unknown annotations, and commands that convert them.

use serde::Serialize;

use super::resolved::{ResolvedPlaces, resolved};
use crate::cluster::Cluster;
use crate::cluster::needs::Ingresses;
use crate::text::shell;

const MAX_COMMANDS: usize = 5;
const STDIN: &str = "<stdin>";
const DEFAULT_CLASS: &str = "nginx";

/// What the Ingresses need. An Ingress may belong to several numbers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IngressNeeds {
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
    /// Annotations whose equivalent in the API has a different effect.
    pub approximate: Vec<Approximate>,
    /// Annotations of ingress-nginx that the table does not have, sorted by name.
    pub unknown_annotations: Vec<UnknownAnnotation>,
    /// Number of entries omitted from `unknown_annotations`.
    pub annotations_left_out: usize,
    /// Controllers whose annotations are not read.
    pub others: Vec<OtherController>,
    /// Commands that convert the Ingresses.
    pub convert: Vec<String>,
}

/// Annotation whose equivalent in the API has a different effect.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Approximate {
    /// Annotation, or field of the Ingress.
    pub annotation: String,
    /// Difference between the annotation and its equivalent.
    pub difference: String,
    /// Places that use the annotation.
    #[serde(flatten)]
    pub places: ResolvedPlaces,
}

/// Annotation that the table does not have.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnknownAnnotation {
    /// Name of the annotation.
    pub annotation: String,
    /// Similar known annotation, without the domain. Null if none is similar.
    pub similar: Option<String>,
    /// Places that use the annotation.
    #[serde(flatten)]
    pub places: ResolvedPlaces,
}

/// Controller whose annotations are not read.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OtherController {
    /// Name of the controller, such as `Traefik`.
    pub controller: String,
    /// Provider of ingress2gateway that converts its Ingresses. Null if no provider converts them.
    pub provider: Option<String>,
    /// Its Ingresses and annotations.
    #[serde(flatten)]
    pub places: ResolvedPlaces,
}

impl IngressNeeds {
    /// `None` without Ingresses.
    pub(super) fn new(found: &Ingresses<'_>, cluster: &Cluster<'_>) -> Option<Self> {
        if found.count == 0 {
            return None;
        }
        let approximate = found.approximate.iter();
        let approximate = approximate.map(|((annotation, difference), places)| Approximate {
            annotation: (*annotation).to_owned(),
            difference: difference.clone(),
            places: resolved(places, cluster),
        });
        let unknown = found.unknown_annotations.iter();
        let unknown = unknown.map(|(name, (similar, places))| UnknownAnnotation {
            annotation: (*name).to_owned(),
            similar: similar.clone(),
            places: resolved(places, cluster),
        });
        let others = found.others.iter();
        let others = others.map(|(name, (provider, places))| OtherController {
            controller: name.clone(),
            provider: provider.clone(),
            places: resolved(places, cluster),
        });
        Some(Self {
            count: found.count,
            core: found.core,
            extended: found.extended,
            beyond: found.beyond,
            no_equivalent: found.no_equivalent,
            unknown: found.unknown,
            approximate: approximate.collect(),
            unknown_annotations: unknown.collect(),
            annotations_left_out: found.left_out,
            others: others.collect(),
            convert: commands(found, cluster),
        })
    }
}

/// One command for each class. Input that is not a single file is read from the cluster.
fn commands(found: &Ingresses<'_>, cluster: &Cluster<'_>) -> Vec<String> {
    let input = match cluster.files {
        [one] if one.source.path() != STDIN => {
            shell::word(one.source.path()).map(|path| format!("--input-file {path}"))
        }
        _ => None,
    };
    let input = input.unwrap_or_else(|| "--all-namespaces".to_owned());
    let classes = found.nginx.keys().map(|class| match *class {
        "" => DEFAULT_CLASS,
        class => class,
    });
    let mut commands: Vec<String> = classes
        .filter_map(|class| {
            let class = match class {
                DEFAULT_CLASS => String::new(),
                class => format!(" --ingress-nginx-ingress-class={}", shell::word(class)?),
            };
            Some(format!(
                "ingress2gateway print --providers ingress-nginx{class} {input}"
            ))
        })
        .collect();
    commands.sort();
    commands.dedup();
    commands.truncate(MAX_COMMANDS);
    commands
}
