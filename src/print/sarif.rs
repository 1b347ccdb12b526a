//! Findings as SARIF 2.1.0 (OASIS), for code scanning.
//!
//! Paths are relative to `%SRCROOT%`, the working directory: run it at the top of the repository.
//! Columns count Unicode code points and only a line feed ends a line; the file declares both.

mod text;

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::{RenderInput, summary, verdict_by_log};
use crate::rules::baseline::{self, Key};
use crate::rules::configuration::Config;
use crate::rules::{self, Rule};
use crate::text::diagnostic::{Diagnostic, Edit, Fix, Place, Severity};
use text::{message, uri};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What the paths of files start from.
const ROOT: &str = "%SRCROOT%";

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    newline_sequences: [&'static str; 1],
    results: Vec<RunResult>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<ReportingDescriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportingDescriptor {
    id: &'static str,
    short_description: Message,
    help: Help,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
    default_configuration: Configuration,
    properties: Tags,
}

#[derive(Serialize)]
struct Help {
    text: &'static str,
    markdown: &'static str,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Tags {
    tags: [&'static str; 2],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunResult {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<SarifFix>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFix {
    description: Message,
    artifact_changes: Vec<ArtifactChange>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Content,
}

#[derive(Serialize)]
struct Content {
    text: String,
}

/// Writes the outcome as one SARIF log.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    crate::text::json::write(&log(shown), out)
}

fn log(shown: RenderInput<'_>) -> Log {
    let findings = &shown.outcome.findings;
    let has_finding = |rule: &&&Rule| findings.iter().any(|finding| finding.rule == rule.id);
    let rules: Vec<&Rule> = rules::ALL.iter().filter(has_finding).copied().collect();
    let mut seen = BTreeMap::new();
    let results = findings
        .iter()
        .map(|finding| result(finding, &rules, &mut seen))
        .collect();
    let skipped = shown
        .outcome
        .left_out()
        .into_iter()
        .map(|left_out| Notification {
            level: "warning",
            message: Message {
                text: message(&format!("not checked: {}", left_out.reason)),
            },
            locations: vec![location(&Place::path(&left_out.path))],
        });
    let by_log = shown.evidence.map(|evidence| Notification {
        level: match shown.is_failed_by_log() {
            true => "error",
            false => "note",
        },
        message: Message {
            text: message(&verdict_by_log(evidence)),
        },
        locations: Vec::new(),
    });
    let in_all = Notification {
        level: "note",
        message: Message {
            text: message(&summary(shown)),
        },
        locations: Vec::new(),
    };
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "gwconform",
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules: rules
                        .iter()
                        .map(|rule| descriptor(rule, shown.config))
                        .collect(),
                },
            },
            invocations: [Invocation {
                execution_successful: true,
                tool_execution_notifications: skipped.chain(by_log).chain([in_all]).collect(),
            }],
            column_kind: "unicodeCodePoints",
            newline_sequences: ["\n"],
            results,
        }],
    }
}

fn descriptor(rule: &'static Rule, config: &Config) -> ReportingDescriptor {
    ReportingDescriptor {
        id: rule.id,
        short_description: Message {
            text: message(&rule.summary()),
        },
        help: Help {
            text: rule.doc,
            markdown: rule.doc,
        },
        help_uri: config.rule_url(rule.id),
        default_configuration: Configuration {
            level: level(rule.severity),
        },
        properties: Tags {
            tags: ["conformance", rule.group()],
        },
    }
}

/// `seen` counts equal findings: the second of two gets another fingerprint.
fn result(finding: &Diagnostic, rules: &[&Rule], seen: &mut BTreeMap<Key, usize>) -> RunResult {
    let mut text = finding.message.to_string();
    if let Some(help) = &finding.help {
        text.push_str(&format!("; {help}"));
    }
    let key = baseline::key(finding);
    let count = seen.entry(key.clone()).or_insert(0);
    *count += 1;
    let fingerprint = key.digest(*count);
    let related = finding.labels.iter().enumerate();
    RunResult {
        rule_id: finding.rule,
        rule_index: rules
            .iter()
            .position(|rule| rule.id == finding.rule)
            .unwrap_or_default(),
        level: level(finding.severity),
        message: Message {
            text: message(&text),
        },
        locations: [location(&finding.place)],
        related_locations: related
            .map(|(nth, label)| Location {
                id: Some(nth + 1),
                message: Some(Message {
                    text: message(&label.message.to_string()),
                }),
                ..location(&label.place)
            })
            .collect(),
        partial_fingerprints: BTreeMap::from([("gwconform/v2", fingerprint)]),
        fixes: finding.fix.as_ref().and_then(fix).into_iter().collect(),
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn location(place: &Place) -> Location {
    Location {
        id: None,
        physical_location: PhysicalLocation {
            artifact_location: artifact(&place.path),
            region: region(place),
        },
        message: None,
    }
}

fn artifact(path: &str) -> ArtifactLocation {
    ArtifactLocation {
        uri: uri(path),
        uri_base_id: (!path.starts_with('/')).then_some(ROOT),
    }
}

fn region(place: &Place) -> Option<Region> {
    let region = place.region.as_ref()?;
    Some(Region {
        start_line: region.start.line,
        start_column: region.start.column,
        end_line: region.end.line,
        end_column: region.end.column,
    })
}

/// A fix as SARIF has it; `None` where it makes or renames a file, which SARIF cannot express: half a
/// fix would be worse than none.
fn fix(fix: &Fix) -> Option<SarifFix> {
    let mut by_path: BTreeMap<&str, Vec<Replacement>> = BTreeMap::new();
    for edit in &fix.edits {
        let Edit::Replace {
            path,
            start,
            end,
            text,
            ..
        } = edit
        else {
            return None;
        };
        by_path.entry(path).or_default().push(Replacement {
            deleted_region: Region {
                start_line: start.line,
                start_column: start.column,
                end_line: end.line,
                end_column: end.column,
            },
            inserted_content: Content { text: text.clone() },
        });
    }
    let changes: Vec<_> = by_path
        .into_iter()
        .map(|(path, replacements)| ArtifactChange {
            artifact_location: artifact(path),
            replacements,
        })
        .collect();
    (!changes.is_empty()).then(|| SarifFix {
        description: Message {
            text: message(&fix.title),
        },
        artifact_changes: changes,
    })
}
