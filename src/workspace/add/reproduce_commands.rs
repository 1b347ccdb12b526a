//! Builds the commands that reproduce a report.

use std::collections::BTreeSet;

use gwconform_base::api::{Family, SUBJECT};
use gwconform_base::release::Registry;
use gwconform_base::release::stated::release_of_prerelease;
use gwconform_base::text::diagnostic::{Diagnostic, Severity};
use gwconform_base::text::shell::word;
use gwconform_report::report::facts::{LevelData, Name, ReportFacts};
use gwconform_report::report::model::List;
use gwconform_report::rules::remedy::flag_of;

/// Fields that flags set and that a report can contain with a wrong value.
const FIELDS: [&str; 6] = [
    "mode",
    "organization",
    "project",
    "url",
    "version",
    "contact",
];

/// `None` if a value contains invisible characters, the release is unknown, or the release is at
/// most v1.0.x, which had other flags.
pub fn command(facts: &ReportFacts, file: &str) -> Option<String> {
    test(facts, file, &BTreeSet::new())
}

/// Commands to replace a report that has errors, with placeholders for the values of fields with
/// errors. `None` as for [`command`].
pub(super) fn corrected(
    facts: &ReportFacts,
    file: Option<&str>,
    findings: &[Diagnostic],
    registry: &Registry,
) -> Option<String> {
    let wrong: BTreeSet<&str> = findings.iter().filter_map(wrong_field).collect();
    let file = file.filter(|_| !wrong.contains("version") && !wrong.contains("mode"));
    let test = test(facts, file.unwrap_or("report.yaml"), &wrong)?;
    let stated = facts.release.version.as_ref()?;
    let out = release_of_prerelease(stated, registry);
    let tag = out.map_or(stated, |release| release.version());
    Some(format!("{}\n{test}", checkout(&tag.to_string())))
}

/// Commands for a checkout of a release.
pub(super) fn checkout(tag: &str) -> String {
    format!(
        "git clone --depth 1 --branch {tag} https://github.com/kubernetes-sigs/gateway-api\ncd gateway-api"
    )
}

fn wrong_field(finding: &Diagnostic) -> Option<&'static str> {
    let subject = finding.subject.as_str().strip_prefix('/')?;
    let subject = subject.strip_prefix("implementation/").unwrap_or(subject);
    let name = subject.split([' ', '/']).next()?;
    let field = FIELDS.into_iter().find(|field| *field == name)?;
    (finding.severity == Severity::Error).then_some(field)
}

fn test(facts: &ReportFacts, file: &str, wrong: &BTreeSet<&str>) -> Option<String> {
    if facts.release.is_legacy() {
        return None;
    }
    facts.release.version.as_ref()?;
    let mut flags = Vec::new();
    if has_gateway(facts) {
        flags.push("--gateway-class=\"$GATEWAY_CLASS\"".to_owned());
    }
    let mut is_printable = true;
    let mut flag = |name: &str, value: &str| match (flag_of(name), word(value)) {
        (Some((flag, placeholder)), _) if wrong.contains(name) => {
            flags.push(format!("--{flag}='{placeholder}'"));
        }
        (_, Some(_)) if value.is_empty() => {}
        (_, Some(word)) => flags.push(format!("--{name}={word}")),
        (_, None) => is_printable = false,
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
    flag("url", facts.url().unwrap_or_default());
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
