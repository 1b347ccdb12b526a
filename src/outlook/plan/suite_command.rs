//! Builds the `go test` command for a plan.

use std::collections::BTreeSet;

use super::{GATEWAY, Plan, SKIP_TESTS, Source, UNUSABLE_ADDRESS, USABLE_ADDRESS, needs_addresses};
use gwconform_base::api::Family;
use gwconform_base::text::shell::word;

const MESH_NAME: &str = "mesh-name";

/// Command for a checkout of the release, with shell variables for unknown values. `None` if a name
/// contains invisible characters.
pub fn command(plan: &Plan<'_>) -> Option<String> {
    let facts = &plan.suite.facts;
    let mut flags = Flags(Vec::new());
    let (class, mesh) = match &plan.source {
        Source::Inferred { class, mesh } => (class.as_deref(), mesh.as_deref()),
        _ => (None, None),
    };
    let of = |family: Family| plan.profiles.iter().any(|one| one.profile.family == family);
    match class {
        Some(name) => flags.value("gateway-class", name)?,
        None if of(Family::Gateway) || plan.supported.contains(GATEWAY) => match &plan.class {
            Some(name) => flags.value("gateway-class", name)?,
            None => flags.variable("gateway-class", "GATEWAY_CLASS"),
        },
        // Without this flag, the suite searches for its default class and fails.
        None if mesh.is_some() => flags.value("gateway-class", "")?,
        None => {}
    }
    // The suite requires the name even if feature flags disable inference.
    if let Some(name) = mesh
        .or(plan.mesh.as_deref())
        .filter(|_| facts.has(MESH_NAME))
    {
        flags.value(MESH_NAME, name)?;
    }
    let profiles: Vec<&str> = plan
        .profiles
        .iter()
        .map(|one| one.profile.name.as_str())
        .collect();
    flags.value("conformance-profiles", &profiles.join(","))?;
    match &plan.source {
        Source::Listed(names) if names.is_empty() && facts.infers => {
            // The suite treats an empty list as missing and infers features.
            let core: BTreeSet<&String> = plan
                .profiles
                .iter()
                .flat_map(|one| &one.profile.core)
                .collect();
            flags.list("supported-features", core)?;
        }
        Source::Listed(names) => flags.list("supported-features", names)?,
        Source::AllExcept(without) => {
            flags.0.push("--all-features".to_owned());
            flags.list("exempt-features", without)?;
        }
        Source::OnlyExempt(names) => flags.list("exempt-features", names)?,
        Source::Inferred { .. } => {}
    }
    if plan.skip_provisional {
        flags.0.push("--skip-provisional-tests".to_owned());
    }
    flags.list(SKIP_TESTS, &plan.skip_tests)?;
    if needs_addresses(&plan.supported) && facts.has(USABLE_ADDRESS) {
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
