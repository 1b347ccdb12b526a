//! Words that readers use for features, implementations and proposals, from
//! `schema/registry/words.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Content of `words.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// Features and tests by a word or phrase in lowercase.
    pub features: BTreeMap<String, Vec<String>>,
    /// Other words for behavior that the API or its features do not cover.
    pub beyond: BTreeMap<String, Vec<String>>,
    /// Other words for behavior that the API may allow, and that no feature covers.
    pub untested: BTreeMap<String, Vec<String>>,
    /// Enhancement proposals (GEPs) by number.
    pub proposals: BTreeMap<u32, Proposal>,
    /// Products that contain an implementation, by `organization/project`.
    pub products: BTreeMap<String, Vec<String>>,
    /// Platforms and products without a report of their own.
    pub platforms: BTreeMap<String, Platform>,
}

/// Platform or product without a report of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Platform {
    /// Other names in lowercase.
    pub words: Vec<String>,
    /// What it uses for the Gateway API. Empty if no source says so.
    pub text: String,
    /// Paths of related implementations, such as `istio/istio`.
    pub implementations: Vec<String>,
    /// URL of the documentation behind the text.
    pub source: Option<String>,
}

/// Enhancement proposal.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// Subject of the proposal.
    pub title: String,
    /// Features that it defines.
    pub features: Vec<String>,
}

impl Words {
    /// Features and tests that a word or phrase means, in any case.
    pub fn meant(&self, text: &str) -> &[String] {
        let known = self.features.get(&text.trim().to_lowercase());
        known.map_or(&[], Vec::as_slice)
    }

    /// Behavior without a feature that a word or phrase means, in any case, singular or plural.
    pub fn without_feature(&self, text: &str) -> Option<&str> {
        let text = text.trim().to_lowercase();
        let is_meant = |word: &str| word.trim_end_matches('s') == text.trim_end_matches('s');
        let mut known = self.beyond.iter().chain(&self.untested);
        let found = known
            .find(|(title, words)| is_meant(title) || words.iter().any(|word| is_meant(word)))?;
        Some(found.0)
    }
}
