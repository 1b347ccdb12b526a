//! Renders `/find/`, which finds implementations by features. `site/find.js` searches
//! `api/v1/support.json`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use super::layout::{self, Head, SiteContext};
use super::mark;
use crate::site::File;
use crate::site::model::{FeatureView, resource};
use crate::site::paths;
use gwconform_base::api::{Channel, Minor};
use gwconform_base::release::Release;
use gwconform_base::text::json;

/// Title, features, and other conditions as a URL query. The page omits examples with unknown
/// features.
const EXAMPLES: &[(&str, &[&str], &str)] = &[
    (
        "CORS and request mirroring in the standard channel",
        &["HTTPRouteCORS", "HTTPRouteRequestMirror"],
        "channel=standard",
    ),
    (
        "gRPC and TLS routes side by side",
        &["GRPCRoute", "TLSRoute"],
        "",
    ),
    (
        "a mesh with request timeouts",
        &["Mesh", "HTTPRouteRequestTimeout"],
        "",
    ),
    ("retries", &["HTTPRouteRetry"], ""),
    (
        "reports for the newest release that passed, of implementations that are also a mesh",
        &[],
        "scope=newest&conformant=yes&mesh=yes",
    ),
];

const TERMS: &[&str] = &["proved", "supported", "not-seen", "channel", "mode"];
/// Group of the features that the newest release does not have anymore.
const REMOVED: &str = "Removed features";

#[derive(Template)]
#[template(path = "find.html")]
struct FindPage<'s> {
    head: Head<'s>,
    marks: String,
    /// Minors that count toward a verdict, such as `v1.6 to v1.4`.
    current: Option<String>,
    count: usize,
    groups: Vec<(&'s str, Vec<Choice<'s>>)>,
    profiles: BTreeSet<&'s str>,
    examples: Vec<Example>,
    matrices: Matrices<'s>,
    /// Core features of each profile as JSON, for links with the profiles of manifests.
    core: String,
    manifests: Option<Manifests<'s>>,
}

struct Manifests<'s> {
    worker: &'s str,
    module: &'s str,
    size: String,
}

struct Choice<'s> {
    name: &'s str,
    label: &'s str,
    page: &'s str,
    words: String,
    note: String,
    word: String,
}

struct Example {
    text: &'static str,
    query: String,
}

pub(super) type Matrices<'s> = Vec<(Minor, Vec<(&'s str, String)>)>;

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let model = site.model;
    let mut by_resource: BTreeMap<&str, Vec<Choice<'_>>> = BTreeMap::new();
    for feature in &model.features {
        let Some(page) = &feature.page else {
            continue;
        };
        let resource = resource(model.registry, feature.name);
        let word = model.adoption(feature.name).word().text();
        let choice = choice(feature, page, word);
        let group = if feature.until.is_some() {
            REMOVED
        } else {
            resource
        };
        by_resource.entry(group).or_default().push(choice);
    }
    let mut groups: Vec<_> = by_resource.into_iter().collect();
    groups.sort_by_key(|(group, choices)| {
        let last = [REMOVED, "Other"].map(|last| *group == last);
        (last, Reverse(choices.len()))
    });
    let known: BTreeSet<&str> = model.features.iter().map(|feature| feature.name).collect();
    let examples = EXAMPLES
        .iter()
        .filter(|(_, features, _)| features.iter().all(|name| known.contains(name)));
    let matrices = matrices(site);
    let profiles = matrices.iter().flat_map(|(_, profiles)| profiles);
    let minors = &model.catalog.minors;
    let newest = model.registry.newest().into_iter();
    let core: BTreeMap<&str, _> = (newest.flat_map(Release::profiles))
        .map(|profile| (profile.name.as_str(), &profile.core))
        .collect();
    let page = FindPage {
        head: head(site),
        marks: mark::for_scripts(),
        current: range(&minors.newest_ones(model.catalog.windows.partial)),
        count: groups.iter().map(|(_, choices)| choices.len()).sum(),
        groups,
        profiles: profiles.map(|(profile, _)| *profile).collect(),
        examples: examples.map(example).collect(),
        core: json::to_string(&core).unwrap_or_default(),
        manifests: manifests(site),
        matrices,
    };
    vec![layout::file(paths::FIND_PAGE, &page)]
}

fn head<'s>(site: &'s SiteContext<'_>) -> Head<'s> {
    let about = "Choose features of the Gateway API, and find implementations that support all of them in one conformance report.";
    let head = site
        .head(paths::FIND_PAGE, "Find by features", about)
        .with_terms(TERMS)
        .with_scripts(&[&site.assets.find]);
    match &site.assets.browser {
        Some(assets) => head
            .with_scripts(&[&assets.module, &assets.manifests])
            .with_module(assets),
        None => head,
    }
}

fn manifests<'s>(site: &'s SiteContext<'_>) -> Option<Manifests<'s>> {
    let assets = site.assets.browser.as_ref()?;
    let module = assets.needs()?;
    Some(Manifests {
        worker: &assets.worker.path,
        module: &module.path,
        size: module.size(),
    })
}

fn choice<'s>(feature: &'s FeatureView<'_>, page: &'s str, word: String) -> Choice<'s> {
    let meaning = feature.meaning().unwrap_or_default();
    let since = feature.lifetime.clone();
    let since = since.unwrap_or_else(|| "not in any release".to_owned());
    Choice {
        name: feature.name,
        page,
        words: [feature.name, &feature.label, meaning]
            .join(" ")
            .to_lowercase(),
        note: match feature.channel() {
            Some(Channel::Experimental) => since + ", experimental",
            _ => since,
        },
        label: &feature.label,
        word,
    }
}

fn example((text, features, conditions): &(&'static str, &[&str], &str)) -> Example {
    let must = (!features.is_empty()).then(|| format!("must={}", features.join(",")));
    let conditions = (!conditions.is_empty()).then(|| (*conditions).to_owned());
    let parts: Vec<String> = must.into_iter().chain(conditions).collect();
    Example {
        text,
        query: format!("?{}", parts.join("&")),
    }
}

fn range(minors: &[Minor]) -> Option<String> {
    match minors {
        [] => None,
        [only] => Some(only.to_string()),
        [newest, .., oldest] => Some(format!("{newest} to {oldest}")),
    }
}

pub(super) fn matrices<'s>(site: &'s SiteContext<'_>) -> Matrices<'s> {
    let minors = site
        .model
        .listed_matrices()
        .chunk_by(|a, b| a.minor == b.minor)
        .filter_map(|matrices| {
            let mut profiles: Vec<_> = matrices
                .iter()
                .map(|matrix| {
                    let page = paths::matrix_page(matrix.minor, matrix.profile);
                    (matrix.profile, page)
                })
                .collect();
            profiles.sort();
            Some((matrices.first()?.minor, profiles))
        });
    minors.collect()
}
