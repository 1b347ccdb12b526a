//! Features as pages show them: by the kind that they belong to, with a name that can be read.

use std::collections::{BTreeMap, BTreeSet};

use super::mark::Mark;
use super::page::SiteContext;
use super::view::ReportView;
use crate::catalog::State;
use crate::registry::Registry;

/// Features of one kind in one profile of a report.
struct Group {
    /// `HTTPRoute`; `Other` where the registry does not know.
    resource: String,
    /// Better states first, then by name.
    features: Vec<Entry>,
}

/// A feature in a report.
struct Entry {
    name: String,
    label: String,
    path: Option<String>,
    is_core: bool,
    mark: Mark,
    rank: u8,
}

impl Entry {
    /// True when it is supported, proved or not.
    fn is_supported(&self) -> bool {
        self.rank <= RANK_OF_CLAIMED
    }
}

/// Features of some profiles of a report: a row for each, a column for each profile.
pub(super) struct FeatureTable {
    /// The profiles' names.
    pub(super) profiles: Vec<String>,
    /// By kind: those that a profile supports.
    pub(super) groups: Vec<(String, Vec<FeatureRow>)>,
    /// Those that none supports.
    pub(super) others: Vec<FeatureRow>,
}

/// A feature in each profile.
pub(super) struct FeatureRow {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) path: Option<String>,
    pub(super) is_core: bool,
    pub(super) cells: Vec<Option<Mark>>,
    pub(super) is_supported: bool,
}

/// The features of profiles of a report, given by name and place.
pub(super) fn table(
    site: &SiteContext<'_>,
    seen: &ReportView<'_>,
    profiles: &[(String, usize)],
) -> FeatureTable {
    let mut rows: BTreeMap<(String, String), FeatureRow> = BTreeMap::new();
    for (column, (_, at)) in profiles.iter().enumerate() {
        for group in groups(site, seen, *at) {
            for entry in group.features {
                let is_supported = entry.is_supported();
                let key = (group.resource.clone(), entry.name.clone());
                let row = rows.entry(key).or_insert_with(|| FeatureRow {
                    name: entry.name,
                    label: entry.label,
                    path: entry.path,
                    is_core: entry.is_core,
                    cells: vec![None; profiles.len()],
                    is_supported: false,
                });
                row.is_supported |= is_supported;
                row.cells[column] = Some(entry.mark);
            }
        }
    }
    let mut groups: Vec<(String, Vec<FeatureRow>)> = Vec::new();
    let mut others = Vec::new();
    for ((resource, _), row) in rows {
        if !row.is_supported {
            others.push(row);
            continue;
        }
        match groups.last_mut() {
            Some((last, rows)) if *last == resource => rows.push(row),
            _ => groups.push((resource, vec![row])),
        }
    }
    FeatureTable {
        profiles: profiles.iter().map(|(name, _)| name.clone()).collect(),
        groups,
        others,
    }
}

const RANK_OF_CLAIMED: u8 = 4;

/// The order of states: better ones first.
pub(super) fn rank(state: &State) -> u8 {
    match state {
        State::Proved { .. } => 0,
        State::Skipped { .. } => 1,
        State::NoTest { .. } => 2,
        State::Claimed => 3,
        State::Failed { .. } => 4,
        State::Unsupported => 5,
        State::NotClaimed => 6,
        State::NotStated => 7,
        State::NotInRelease => 8,
    }
}

/// What a report says of the features of one of its profiles, by kind.
fn groups(site: &SiteContext<'_>, seen: &ReportView<'_>, profile: usize) -> Vec<Group> {
    let Some(features) = seen
        .features
        .iter()
        .find(|features| features.profile == profile)
    else {
        return Vec::new();
    };
    let mut groups: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    let mut told = BTreeSet::new();
    for (list, is_core) in [(&features.core, true), (&features.extended, false)] {
        for (feature, _) in list {
            if !told.insert(feature) {
                continue;
            }
            let resource = resource(site.view.registry, feature);
            let state = seen.state(profile, feature, site.view.registry);
            groups.entry(resource.clone()).or_default().push(Entry {
                name: feature.to_string(),
                label: label(feature, &resource),
                path: site.view.feature_path(feature),
                is_core,
                mark: Mark::state(state),
                rank: rank(state),
            });
        }
    }
    let groups = groups.into_iter().map(|(resource, mut features)| {
        features.sort_by(|a, b| (a.rank, &a.name).cmp(&(b.rank, &b.name)));
        Group { resource, features }
    });
    groups.collect()
}

/// The kind that a feature belongs to; `Other` where nobody knows.
pub(super) fn resource(registry: &Registry, feature: &str) -> String {
    let declared = registry.feature(feature);
    let resource = declared.and_then(|feature| feature.resource.clone());
    resource.unwrap_or_else(|| "Other".to_owned())
}

/// The name of a feature in words, below the kind that it belongs to:
/// `HTTPRoute303RedirectStatusCode` below `HTTPRoute` is `303 Redirect Status Code`, the feature of
/// the kind itself keeps its name.
pub(super) fn label(feature: &str, resource: &str) -> String {
    match feature.strip_prefix(resource) {
        Some("") => feature.to_owned(),
        Some(rest) => words(rest),
        None => words(feature),
    }
}

/// Words that are written as one.
const WHOLE: &[&str] = &[
    "WebSocket",
    "HTTPRoute",
    "GRPCRoute",
    "TLSRoute",
    "TCPRoute",
    "UDPRoute",
    "ListenerSet",
    "GatewayClass",
    "ReferenceGrant",
    "ClusterIP",
];

/// A name in CamelCase as words. Abbreviations stay together, and so do letters around one digit
/// (`H2C`).
fn words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 8);
    let mut rest = name;
    while !rest.is_empty() {
        let whole = WHOLE.iter().find(|whole| rest.starts_with(**whole));
        let length = whole.map_or_else(|| word(rest), |whole| whole.len());
        let (word, after) = rest.split_at(length);
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        rest = after;
    }
    words
}

/// The length of the first word, in bytes; 1 character at least.
fn word(text: &str) -> usize {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let at = |nth: usize| chars.get(nth).map(|(_, c)| *c);
    let digits = |from: usize| {
        chars[from..]
            .iter()
            .take_while(|(_, c)| c.is_ascii_digit())
            .count()
    };
    for nth in 1..chars.len() {
        let (Some(before), Some(here)) = (at(nth - 1), at(nth)) else {
            break;
        };
        let is_new = if here.is_ascii_digit() {
            !before.is_ascii_digit() && digits(nth) > 1
        } else if before.is_ascii_digit() {
            let run = chars[..nth]
                .iter()
                .rev()
                .take_while(|(_, c)| c.is_ascii_digit())
                .count();
            run > 1
        } else if here.is_uppercase() {
            before.is_lowercase() || at(nth + 1).is_some_and(char::is_lowercase)
        } else {
            false
        };
        if is_new {
            return chars[nth].0;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn names_are_read_as_words() {
        for (feature, resource, read) in [
            (
                "HTTPRoute303RedirectStatusCode",
                "HTTPRoute",
                "303 Redirect Status Code",
            ),
            (
                "HTTPRouteBackendProtocolH2C",
                "HTTPRoute",
                "Backend Protocol H2C",
            ),
            (
                "HTTPRouteBackendProtocolWebSocket",
                "HTTPRoute",
                "Backend Protocol WebSocket",
            ),
            ("HTTPRouteCORS", "HTTPRoute", "CORS"),
            ("HTTPRoute", "HTTPRoute", "HTTPRoute"),
            ("BackendTLSPolicy", "BackendTLSPolicy", "BackendTLSPolicy"),
            ("GatewayPort8080", "Gateway", "Port 8080"),
            (
                "GatewayHTTPSListenerDetectMisdirectedRequests",
                "Gateway",
                "HTTPS Listener Detect Misdirected Requests",
            ),
            (
                "MeshHTTPRouteQueryParamMatching",
                "Mesh",
                "HTTPRoute Query Param Matching",
            ),
            ("MeshClusterIPMatching", "Mesh", "ClusterIP Matching"),
            (
                "BackendTLSPolicySANValidation",
                "BackendTLSPolicy",
                "SAN Validation",
            ),
            ("é", "Other", "é"),
        ] {
            assert_eq!(label(feature, resource), read);
        }
    }
}
