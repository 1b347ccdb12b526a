//! Tables for Ingresses: `schema/registry/ingress-nginx.json` and `schema/registry/controllers.json`.

use std::collections::BTreeMap;

/// Condition on the value of an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueMatch {
    /// Any value, including an empty one.
    Present,
    /// A value that is not empty.
    Filled,
    /// A boolean, as Go's `strconv.ParseBool` reads it.
    Boolean(bool),
    /// An integer above zero.
    Positive,
    /// A path that starts with a slash.
    Path,
    /// A value that contains this text.
    Contains(String),
    /// One of these texts, ignoring ASCII case.
    OneOf(Vec<String>),
}

impl ValueMatch {
    /// Parses a condition as written in the table. `None` if the text is not a condition.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "present" => Self::Present,
            "*" => Self::Filled,
            "true" => Self::Boolean(true),
            "false" => Self::Boolean(false),
            ">0" => Self::Positive,
            "path" => Self::Path,
            text if text.starts_with("has ") => Self::Contains(text[4..].to_owned()),
            text => {
                let texts = text.strip_prefix('=')?.split('|').map(str::to_owned);
                Self::OneOf(texts.collect())
            }
        })
    }

    /// Whether a value meets the condition. Surrounding spaces are ignored.
    pub fn matches(&self, value: &str) -> bool {
        let value = value.trim();
        match self {
            Self::Present => true,
            Self::Filled => !value.is_empty(),
            Self::Boolean(wanted) => boolean(value) == Some(*wanted),
            Self::Positive => value.parse().is_ok_and(|number: u64| number > 0),
            Self::Path => value.starts_with('/'),
            Self::Contains(text) => value.contains(text.as_str()),
            Self::OneOf(texts) => texts.iter().any(|text| text.eq_ignore_ascii_case(value)),
        }
    }
}

fn boolean(value: &str) -> Option<bool> {
    match value {
        "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
        "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
        _ => None,
    }
}

crate::api::closed_set! {
    /// Condition over an annotation and the paths of its Ingress, implemented in code.
    pub enum IngressShape {
        /// URL to redirect to.
        Redirect = "redirect",
        /// Path to rewrite to, which may refer to capture groups.
        Rewrite = "rewrite",
    }
}

/// Equivalent of an annotation in the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Core fields of the API. The text names them.
    Core(String),
    /// Extended features, sorted by name. May be empty if features are only possibly required.
    Extended(Vec<String>),
    /// Behavior that the API leaves to each implementation.
    Beyond(String),
    /// Behavior that the API does not have.
    NoEquivalent(String),
    /// Depends on the paths of the Ingress.
    Shape(IngressShape),
}

/// Conditions on an annotation, and their equivalent in the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IngressCase {
    /// Condition on the value.
    pub value: ValueMatch,
    /// Other annotations that the case requires.
    pub with: Vec<(String, ValueMatch)>,
    /// Other annotations that exclude the case.
    pub without: Vec<(String, ValueMatch)>,
    /// Whether the case requires TLS for a host of the Ingress.
    pub needs_tls: bool,
    /// Equivalent in the API.
    pub outcome: Outcome,
    /// Features that the user did not request, with the alternative to each.
    pub defaults: BTreeMap<String, String>,
    /// Features that are possibly required, and the reason.
    pub perhaps: Option<(Vec<String>, String)>,
    /// Route kind that replaces the HTTPRoute.
    pub route: Option<String>,
    /// Difference between the annotation and its equivalent; `None` if both have the same effect.
    pub approximate: Option<String>,
    /// Whether ingress-nginx enforces the setting for security or correctness.
    pub is_enforced: bool,
}

impl IngressCase {
    /// Whether the value is the default, so that the annotation has no effect.
    pub fn is_default(&self) -> bool {
        matches!(&self.outcome, Outcome::Core(what) if what.starts_with("default"))
    }
}

/// Cases of an annotation. The first case that matches applies; without one, the annotation has no
/// effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IngressRow {
    /// URL of the documentation or code that the row is from.
    pub source: String,
    /// Whether the annotation is a setting of the host: only the first Ingress of a host sets it.
    pub is_of_host: bool,
    /// Whether the ConfigMap of ingress-nginx has an option of this name, the default of the
    /// annotation.
    pub is_option: bool,
    /// When ingress-nginx removed the annotation, such as `in 0.24.0`. Without cases, it has no
    /// effect in any version that is still in use.
    pub removed: Option<String>,
    /// Cases in order of precedence.
    pub cases: Vec<IngressCase>,
}

/// Annotation that turns off most of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alone {
    /// Name without prefix.
    pub annotation: String,
    /// Value that has the effect.
    pub value: ValueMatch,
    /// Annotations that still have an effect.
    pub keeps: Vec<String>,
}

/// Content of `ingress-nginx.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IngressTable {
    /// Prefix of all annotations, with its slash.
    pub prefix: String,
    /// Prefix that ingress-nginx read before version 0.9, with its slash.
    pub former_prefix: String,
    /// Uses of ConfigMaps, by the end of their name: `settings` of the controller, or the kind of the
    /// Routes that the entries become.
    pub config_maps: BTreeMap<String, String>,
    /// Features that replace a default status code, by the value of `http-redirect-code` in the
    /// ConfigMap. Core status codes have no feature.
    pub redirect_codes: BTreeMap<String, String>,
    /// Annotations that turn off others, in order of precedence.
    pub alone: Vec<Alone>,
    /// Cases for Ingresses with TLS.
    pub tls: Option<IngressRow>,
    /// Rows by annotation, without prefix.
    pub rows: BTreeMap<String, IngressRow>,
}

/// Controller that serves Ingresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IngressController {
    /// Display name.
    pub name: String,
    /// Domains of its annotations.
    pub annotations: Vec<String>,
    /// Its annotations in the domain of Kubernetes.
    pub keys: Vec<String>,
    /// Values of `spec.controller` of an IngressClass.
    pub controllers: Vec<String>,
    /// Well-known names of its IngressClass.
    pub classes: Vec<String>,
    /// API groups of its kinds, besides the domains of its annotations.
    pub groups: Vec<String>,
    /// Provider of ingress2gateway that converts its Ingresses.
    pub provider: Option<String>,
}

/// Content of `controllers.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Controllers {
    /// Names of tools by the domain of their annotations, which any gateway leaves alone.
    pub kept: BTreeMap<String, String>,
    /// Controllers of Ingresses.
    pub ingress: Vec<IngressController>,
    /// Other routing kinds, with the provider of ingress2gateway that converts them.
    pub kinds: BTreeMap<String, Option<String>>,
}

impl Controllers {
    /// Controller of Ingresses that reads an annotation.
    pub fn controller_with(&self, annotation: &str) -> Option<&IngressController> {
        let (domain, _) = annotation.split_once('/')?;
        self.ingress.iter().find(|one| {
            one.annotations.iter().any(|own| own == domain)
                || one.keys.iter().any(|own| own == annotation)
        })
    }

    /// Controller of Ingresses that has kinds of an API group.
    pub fn controller_of_group(&self, group: &str) -> Option<&IngressController> {
        let all = |one: &IngressController| {
            let mut groups = one.groups.iter().chain(&one.annotations);
            groups.any(|own| own == group)
        };
        self.ingress.iter().find(|one| all(one))
    }

    /// Tool that reads an annotation, or whose annotations have its domain or one above it.
    pub fn kept_by(&self, annotation: &str) -> Option<&str> {
        if let Some(tool) = self.kept.get(annotation) {
            return Some(tool);
        }
        let (domain, _) = annotation.split_once('/')?;
        let mut ends = std::iter::once(0).chain(domain.match_indices('.').map(|(at, _)| at + 1));
        ends.find_map(|at| self.kept.get(domain.get(at..)?))
            .map(String::as_str)
    }
}
