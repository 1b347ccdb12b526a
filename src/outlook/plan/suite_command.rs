//! Builds the `go test` command for a plan.

use super::{
    GATEWAY, Plan, SKIP_TESTS, Source, SourceKind, UNUSABLE_ADDRESS, USABLE_ADDRESS,
    needs_addresses,
};
use gwconform_base::api::Family;
use gwconform_base::text::shell::word;

const MESH_NAME: &str = "mesh-name";

/// Command for a checkout of the release, with shell variables for unknown values. `None` if a name
/// contains invisible characters.
pub fn command(plan: &Plan<'_>) -> Option<String> {
    let facts = &plan.suite.facts;
    let mut flags = Flags(Vec::new());
    let supported = &plan.supported_features;
    let Source {
        kind,
        names,
        class,
        mesh,
    } = &plan.feature_source;
    let of = |family: Family| plan.profiles.iter().any(|one| one.family == family);
    match class {
        Some(name) => flags.value("gateway-class", name)?,
        None if of(Family::Gateway) || supported.contains(GATEWAY) => match &plan.class {
            Some(name) => flags.value("gateway-class", name)?,
            None => flags.variable("gateway-class", "GATEWAY_CLASS"),
        },
        // Without this flag, the suite searches for its default class and fails.
        None if mesh.is_some() => flags.value("gateway-class", "")?,
        None => {}
    }
    // The suite requires the name even if feature flags disable inference.
    if let Some(name) = plan.mesh.as_deref().filter(|_| facts.has(MESH_NAME)) {
        flags.value(MESH_NAME, name)?;
    }
    let profiles: Vec<&str> = plan.profiles.iter().map(|one| one.profile).collect();
    flags.value("conformance-profiles", &profiles.join(","))?;
    match kind {
        // The suite treats an empty list as missing and infers features.
        SourceKind::Listed if names.is_empty() && facts.infers => {
            flags.list("supported-features", supported)?;
        }
        SourceKind::Listed => flags.list("supported-features", names)?,
        SourceKind::OnlyExempt => flags.list("exempt-features", names)?,
        SourceKind::Inferred => {}
    }
    if plan.skip_provisional {
        flags.0.push("--skip-provisional-tests".to_owned());
    }
    flags.list(SKIP_TESTS, &plan.skip_tests)?;
    if needs_addresses(supported) && facts.has(USABLE_ADDRESS) {
        flags.variable(USABLE_ADDRESS, "USABLE_ADDRESS");
        flags.variable(UNUSABLE_ADDRESS, "UNUSABLE_ADDRESS");
    }
    for (name, variable) in [
        ("organization", "ORGANIZATION"),
        ("project", "PROJECT"),
        ("url", "URL"),
        ("version", "VERSION"),
        ("contact", "CONTACT"),
    ] {
        if facts.has(name) {
            flags.variable(name, variable);
        }
    }
    flags
        .0
        .push("--report-output=\"$PWD\"/report.yaml".to_owned());
    let test = word(&facts.test)?;
    let start = format!("go test ./conformance -run '^{test}$' -timeout=1h -v -args");
    Some(format!("{start} \\\n  {}", flags.0.join(" \\\n  ")))
}

struct Flags(Vec<String>);

impl Flags {
    fn value(&mut self, name: &str, value: &str) -> Option<()> {
        self.0.push(format!("--{name}={}", word(value)?));
        Some(())
    }

    fn list<'n>(&mut self, name: &str, names: impl IntoIterator<Item = &'n String>) -> Option<()> {
        let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
        if names.is_empty() {
            Some(())
        } else {
            self.value(name, &names.join(","))
        }
    }

    fn variable(&mut self, name: &str, variable: &str) {
        self.0.push(format!("--{name}=\"${variable}\""));
    }
}
