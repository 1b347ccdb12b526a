//! The command that makes a report again, from its fields.

use std::collections::BTreeSet;

use super::value;
use crate::facts::{Name, ReportFacts};

/// `go test … -args …`, in a checkout of the release; `None` where that is not known, and up to
/// v1.0.x, whose suites took other flags.
pub fn command(facts: &ReportFacts, file: &str) -> Option<String> {
    if facts.release.is_legacy() {
        return None;
    }
    facts.release.version.as_ref()?;
    let mut flags = Vec::new();
    if has_gateway(facts) {
        flags.push("--gateway-class=\"$GATEWAY_CLASS\"".to_owned());
    }
    let mut flag = |name: &str, value: &str| {
        if !value.is_empty() {
            flags.push(format!("--{name}={}", quoted(value)));
        }
    };
    let profiles = facts.profiles.iter();
    let profiles: Vec<&str> = profiles
        .filter_map(|profile| profile.name.as_deref())
        .collect();
    flag("conformance-profiles", &profiles.join(","));
    let supported = all(facts, |level| &level.supported);
    flag("supported-features", &supported);
    flag("skip-tests", &all(facts, |level| &level.skipped_tests));
    flag("mode", value(&facts.mode).unwrap_or_default());
    flag(
        "organization",
        value(&facts.organization).unwrap_or_default(),
    );
    flag("project", value(&facts.project).unwrap_or_default());
    flag("url", facts.url.as_deref().unwrap_or_default());
    flag("version", value(&facts.version).unwrap_or_default());
    flag("contact", &facts.contact.join(","));
    flags.push(format!("--report-output=\"$PWD\"/{}", quoted(file)));
    let command = "go test ./conformance -run TestConformance -timeout=1h -args";
    Some(format!("{command} \\\n  {}", flags.join(" \\\n  ")))
}

/// True when a profile is of the gateway family: its tests need a GatewayClass.
pub fn has_gateway(facts: &ReportFacts) -> bool {
    let mut names = facts
        .profiles
        .iter()
        .filter_map(|profile| profile.name.as_deref());
    names.any(|name| !name.starts_with("MESH-"))
}

/// The names of a list over all profiles and levels, each once, sorted.
fn all(facts: &ReportFacts, list: fn(&crate::facts::LevelFacts) -> &Vec<Name>) -> String {
    let levels = facts.profiles.iter().flat_map(|profile| profile.levels());
    let names = levels.flat_map(|(_, level)| list(level));
    let names: BTreeSet<&str> = names.map(AsRef::as_ref).collect();
    names.into_iter().collect::<Vec<_>>().join(",")
}

/// One word of a shell, whatever is in it.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.,/:@%+=".contains(c);
    if text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn nothing_gets_out_of_a_word() {
        assert_eq!(quoted("https://acme.example/a"), "https://acme.example/a");
        assert_eq!(quoted("Acme Inc."), "'Acme Inc.'");
        assert_eq!(
            quoted("a'; rm -rf $HOME; '"),
            "'a'\\''; rm -rf $HOME; '\\'''"
        );
        assert_eq!(quoted("$(id)`id`"), "'$(id)`id`'");
    }
}
