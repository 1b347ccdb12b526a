//! Features as pages show them: by the kind that they belong to, with a name that can be read.

use std::collections::BTreeMap;

use super::mark::Mark;
use super::page::{Site, feature_path};
use super::view::Seen;
use crate::catalog::State;
use crate::registry::Registry;

/// Features of one kind in one profile of a report.
pub(super) struct Group {
    /// `HTTPRoute`; `Other` where the registry does not know.
    pub(super) resource: String,
    /// Better states first, then by name.
    pub(super) features: Vec<Entry>,
}

/// A feature in a report.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) path: Option<String>,
    pub(super) is_core: bool,
    pub(super) mark: Mark,
    rank: u8,
}

impl Entry {
    /// True when it is supported, proved or not.
    pub(super) fn is_supported(&self) -> bool {
        self.rank <= RANK_OF_CLAIMED
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
pub(super) fn groups(site: &Site<'_>, seen: &Seen<'_>, profile: usize) -> Vec<Group> {
    let Some(features) = seen
        .features
        .iter()
        .find(|features| features.profile == profile)
    else {
        return Vec::new();
    };
    let mut groups: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for (list, is_core) in [(&features.core, true), (&features.extended, false)] {
        for (feature, _) in list {
            let resource = resource(site.view.registry, feature);
            let state = seen.state(profile, feature, site.view.registry);
            let entries = groups.entry(resource.clone()).or_default();
            if entries.iter().any(|entry| *entry.name == **feature) {
                continue;
            }
            entries.push(Entry {
                name: feature.to_string(),
                label: label(feature, &resource),
                path: feature_path(feature),
                is_core,
                mark: Mark::state(state),
                rank: rank(state),
            });
        }
    }
    let groups = groups.into_iter().map(|(resource, mut features)| {
        features.sort_by(|a, b| (a.rank, &a.name).cmp(&(b.rank, &b.name)));
        Group {
            resource,
            features,
        }
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
    let rest = feature
        .strip_prefix(resource)
        .filter(|rest| !rest.is_empty());
    words(rest.unwrap_or(feature))
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
