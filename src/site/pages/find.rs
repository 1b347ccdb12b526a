//! `/find/`: which implementations have the features that one needs, in one report. The script
//! `site/find.js` answers from `api/v1/support.json`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use crate::registry::{Kind, Minor};
use crate::site::File;
use crate::site::api::support;
use crate::site::features::{label, resource};
use crate::site::mark;
use crate::site::page::{self, Head, Page, SiteContext};
use crate::site::paths;

/// Questions that people come with. One whose features are not known is not offered.
const EXAMPLES: &[(&str, &[&str], &str)] = &[
    (
        "CORS and request mirroring in the standard channel",
        &["HTTPRouteCORS", "HTTPRouteRequestMirror"],
        "standard",
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
];

#[derive(Template)]
#[template(path = "find.html")]
struct Find<'s> {
    head: Head<'s>,
    marks: String,
    /// The minors whose reports still count, newest first.
    current: Vec<Minor>,
    count: usize,
    groups: Vec<(String, Vec<Choice<'s>>)>,
    profiles: BTreeSet<&'s str>,
    examples: Vec<Example>,
    matrices: Matrices<'s>,
}

/// A feature to choose.
struct Choice<'s> {
    name: &'s str,
    label: String,
    path: String,
    /// What the filter looks through.
    words: String,
    /// `since v1.2.0, experimental channel`
    note: String,
}

struct Example {
    text: &'static str,
    query: String,
}

/// The matrices of each minor, newest first: profile and address.
pub(super) type Matrices<'s> = Vec<(Minor, Vec<(&'s str, String)>)>;

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let view = site.view;
    let names = support::names(view);
    let mut groups: BTreeMap<String, Vec<Choice<'_>>> = BTreeMap::new();
    for name in &names {
        let Some(path) = view.feature_path(name) else {
            continue;
        };
        let resource = resource(view.registry, name);
        let choice = choice(site, name, &resource, path);
        groups.entry(resource).or_default().push(choice);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(resource, choices)| (resource == "Other", Reverse(choices.len())));
    let examples = EXAMPLES.iter();
    let examples = examples.filter(|(_, features, _)| {
        let mut features = features.iter();
        features.all(|feature| names.contains(feature))
    });
    let matrices = matrices(site);
    let profiles = matrices.iter().flat_map(|(_, profiles)| profiles);
    let page = Find {
        head: site.head(
            &Page {
                path: paths::FIND_PAGE,
                title: "Find by features",
                description: "Choose features of the Gateway API and see which implementations support all of them, by one conformance report.",
            },
            &[&site.assets.find],
        ),
        marks: mark::for_scripts(),
        current: view.catalog.minors.newest_ones(view.catalog.windows.partial),
        count: groups.iter().map(|(_, choices)| choices.len()).sum(),
        groups,
        profiles: profiles.map(|(profile, _)| *profile).collect(),
        examples: examples.map(example).collect(),
        matrices,
    };
    vec![page::file(paths::FIND_PAGE, &page)]
}

fn choice<'s>(
    site: &'s SiteContext<'_>,
    name: &'s str,
    resource: &str,
    path: String,
) -> Choice<'s> {
    let registry = site.view.registry;
    let label = label(name, resource);
    let known = registry.feature(name);
    let meaning = known.and_then(|feature| feature.meaning.as_deref());
    let since = registry.since(Kind::Feature, name);
    let note = since.map_or_else(
        || "no release has it".to_owned(),
        |release| format!("since {}", release.version()),
    );
    let channel = known.map(|feature| feature.channel.as_str());
    Choice {
        words: [name, &label, meaning.unwrap_or_default()]
            .join(" ")
            .to_lowercase(),
        note: match channel {
            Some("experimental") => note + ", experimental",
            _ => note,
        },
        name,
        label,
        path,
    }
}

fn example((text, features, channel): &(&'static str, &[&str], &str)) -> Example {
    let channel = match *channel {
        "" => String::new(),
        channel => format!("&channel={channel}"),
    };
    Example {
        text,
        query: format!("?must={}{channel}", features.join(",")),
    }
}

/// All matrices that there are pages for.
pub(super) fn matrices<'s>(site: &SiteContext<'s>) -> Matrices<'s> {
    let mut matrices: BTreeMap<Minor, BTreeSet<&str>> = BTreeMap::new();
    for seen in &site.view.reports {
        let Some(minor) = seen.minor() else { continue };
        for verdict in &seen.report.judged.verdicts {
            if verdict.family.is_some() && site.view.has_file(&verdict.profile) {
                matrices.entry(minor).or_default().insert(&verdict.profile);
            }
        }
    }
    let matrices = matrices.into_iter().rev();
    let matrices = matrices.map(|(minor, profiles)| {
        let profiles = profiles.into_iter();
        let profiles = profiles.map(|profile| (profile, paths::matrix_page(minor, profile)));
        (minor, profiles.collect())
    });
    matrices.collect()
}
