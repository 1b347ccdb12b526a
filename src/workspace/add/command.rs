//! Builds the `go test` command that reproduces a report.

use std::collections::BTreeSet;

use crate::api::{Family, SUBJECT};
use crate::report::facts::{LevelData, Name, ReportFacts};
use crate::report::model::List;
use crate::text::shell::word;

/// `None` if a value contains invisible characters, the release is unknown, or the release is at
/// most v1.0.x, which had other flags.
pub fn command(facts: &ReportFacts, file: &str) -> Option<String> {
    if facts.release.is_legacy() {
        return None;
    }
    facts.release.version.as_ref()?;
    let mut flags = Vec::new();
    if has_gateway(facts) {
        flags.push("--gateway-class=\"$GATEWAY_CLASS\"".to_owned());
    }
    let mut is_printable = true;
    let mut flag = |name: &str, value: &str| match word(value) {
        Some(_) if value.is_empty() => {}
        Some(word) => flags.push(format!("--{name}={word}")),
        None => is_printable = false,
    };
    let profiles: Vec<&str> = facts
        .profiles
        .iter()
        .filter_map(|profile| profile.name())
        .collect();
    flag("conformance-profiles", &profiles.join(","));
    let supported = all(facts, |level| &level.supported_features);
    flag("supported-features", &supported);
    flag("skip-tests", &all(facts, |level| &level.skipped_tests));
    flag("mode", facts.mode().unwrap_or_default());
    flag("organization", facts.organization().unwrap_or_default());
    flag("project", facts.project().unwrap_or_default());
    flag("url", facts.url.as_deref().unwrap_or_default());
    flag("version", facts.version().unwrap_or_default());
    flag("contact", &facts.contact.join(","));
    flags.push(format!("--report-output=\"$PWD\"/{}", word(file)?));
    let command = "go test ./conformance -run TestConformance -timeout=1h -v -args";
    is_printable.then(|| format!("{command} \\\n  {}", flags.join(" \\\n  ")))
}

/// Gateway tests require a GatewayClass.
pub fn has_gateway(facts: &ReportFacts) -> bool {
    let mut names = facts.profiles.iter().filter_map(|profile| profile.name());
    names.any(|name| {
        let family = SUBJECT.profile(name);
        family.is_none_or(|(family, _)| family == Family::Gateway)
    })
}

fn all(facts: &ReportFacts, list: fn(&LevelData) -> &Option<List<Name>>) -> String {
    let levels = facts.profiles.iter().flat_map(|profile| profile.levels());
    let names: BTreeSet<&str> = levels
        .flat_map(|(_, level)| list(level))
        .flatten()
        .map(AsRef::as_ref)
        .collect();
    names.into_iter().collect::<Vec<_>>().join(",")
}
