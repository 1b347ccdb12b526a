//! Ingresses in manifests: their counts, unknown annotations, and commands that convert them.

use serde::Serialize;

use super::resolved_places::{ResolvedPlaces, resolved};
use crate::Cluster;
use crate::needs::{IngressCounts, Ingresses, Loss, Lost};
use gwconform_base::text::shell;

const STDIN: &str = "<stdin>";
const DEFAULT_CLASS: &str = "nginx";

/// What the Ingresses need.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct IngressNeeds {
    /// Numbers of Ingresses. An Ingress may belong to several numbers.
    pub counts: IngressCounts,
    /// Annotations whose equivalent in the API has a different effect.
    pub approximate: Vec<Approximate>,
    /// Annotations of ingress-nginx without effect.
    pub ignored: Vec<IgnoredAnnotation>,
    /// Annotations of ingress-nginx that the table does not have, sorted by name.
    pub unknown_annotations: Vec<UnknownAnnotation>,
    /// Controllers whose annotations are not read.
    pub other_controllers: Vec<OtherController>,
    /// Commands that convert the Ingresses. Their paths are those of the places.
    pub convert: Vec<String>,
}

/// Annotation whose equivalent in the API has a different effect.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Approximate {
    /// Annotation, or field of the Ingress.
    pub annotation: String,
    /// Difference between the annotation and its equivalent.
    pub difference: String,
    /// Places that use the annotation.
    #[serde(flatten)]
    pub places: ResolvedPlaces,
}

/// Annotation without effect.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct IgnoredAnnotation {
    /// Name of the annotation.
    pub annotation: String,
    /// Reason, such as `turned off by canary`.
    pub reason: String,
    /// Places that use the annotation.
    #[serde(flatten)]
    pub places: ResolvedPlaces,
}

/// Annotation that the table does not have.
#[derive(Debug, Serialize, schemars::JsonSchema)]
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
#[derive(Debug, Serialize, schemars::JsonSchema)]
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
    /// Without losses. `None` without Ingresses.
    pub(super) fn new(found: &Ingresses<'_>, cluster: &Cluster<'_>) -> Option<Self> {
        if found.counts.ingresses == 0 {
            return None;
        }
        let ignored = found.ignored.iter();
        let ignored = ignored.map(|((reason, annotation), places)| IgnoredAnnotation {
            annotation: (*annotation).to_owned(),
            reason: reason.clone(),
            places: resolved(places, cluster),
        });
        Some(Self {
            counts: found.counts,
            approximate: Vec::new(),
            ignored: ignored.collect(),
            unknown_annotations: Vec::new(),
            other_controllers: Vec::new(),
            convert: commands(found, cluster),
        })
    }

    /// Adds a loss of an Ingress to the list of its category.
    pub(super) fn add(&mut self, loss: &Loss<'_>, places: ResolvedPlaces) {
        let (name, rest) = (loss.name.clone(), loss.rest.clone());
        match loss.lost {
            Lost::Difference => self.approximate.push(Approximate {
                annotation: name,
                difference: rest,
                places,
            }),
            Lost::Annotation => self.unknown_annotations.push(UnknownAnnotation {
                annotation: name,
                similar: Some(rest).filter(|similar| !similar.is_empty()),
                places,
            }),
            Lost::Controller => self.other_controllers.push(OtherController {
                controller: name,
                provider: Some(rest).filter(|provider| !provider.is_empty()),
                places,
            }),
            _ => {}
        }
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
    commands
}
