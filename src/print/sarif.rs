//! Renders findings as SARIF 2.1.0 (OASIS) for code scanning.
//!
//! Paths are relative to `%SRCROOT%`, so run gwconform at the repository root. Columns count
//! Unicode code points, and only line feeds end a line; the SARIF file declares both.

mod escaped;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::{RenderInput, summary, verdict_by_log};
use crate::rules::{self, About};
use escaped::{message, uri};
use gwconform_base::text::counted;
use gwconform_base::text::diagnostic::{Diagnostic, Edit, Fix, Place, Severity};
use gwconform_base::text::source::Position;
use gwconform_report::rules::baseline::{self, Key};
use gwconform_report::rules::configuration::Config;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

const ROOT: &str = "%SRCROOT%";

/// Writes one SARIF log.
pub fn write(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    gwconform_base::text::json::write(&log(shown), out)
}

/// GitHub rejects files with more results.
const MAX_RESULTS: usize = 25_000;

fn log(shown: RenderInput<'_>) -> Value {
    let mut findings: Vec<&Diagnostic> = shown.outcome.findings.iter().collect();
    let more = findings.len().saturating_sub(MAX_RESULTS);
    if more > 0 {
        findings.sort_by_key(|finding| Reverse(finding.severity));
        findings.truncate(MAX_RESULTS);
    }
    let has_finding = |rule: &&&About| findings.iter().any(|finding| finding.rule == rule.id);
    let rules: Vec<&About> = rules::ALL.iter().filter(has_finding).copied().collect();
    let mut seen = BTreeMap::new();
    let results: Vec<Value> = findings
        .iter()
        .map(|finding| result(finding, &rules, &mut seen))
        .collect();
    let mut notifications = Vec::new();
    if more > 0 {
        let text = format!("not shown: {}", counted(more, "less severe finding"));
        notifications.push(notification("warning", &text));
    }
    for left_out in &shown.outcome.skipped {
        let mut note = notification("warning", &format!("not checked: {}", left_out.reason));
        note["locations"] = json!([location(&Place::path(&left_out.path))]);
        notifications.push(note);
    }
    if let Some(evidence) = shown.evidence {
        let level = if shown.is_failed_by_log() {
            "error"
        } else {
            "note"
        };
        notifications.push(notification(level, &verdict_by_log(evidence)));
    }
    notifications.push(notification("note", &summary(shown)));
    let rules = rules.iter().map(|rule| descriptor(rule, shown.config));
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "gwconform",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.collect::<Vec<_>>(),
            }},
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications,
            }],
            "columnKind": "unicodeCodePoints",
            "newlineSequences": ["\n"],
            "results": results,
        }],
    })
}

fn notification(level: &str, text: &str) -> Value {
    json!({ "level": level, "message": { "text": message(text) } })
}

fn descriptor(rule: &About, config: &Config) -> Value {
    let mut descriptor = json!({
        "id": rule.id,
        "shortDescription": { "text": message(&rule.summary()) },
        "help": { "text": rule.doc, "markdown": rule.doc },
        "defaultConfiguration": { "level": level(rule.severity) },
        "properties": { "tags": ["conformance", rule.group()] },
    });
    if let Some(url) = config.rule_url(rule.id) {
        descriptor["helpUri"] = url.into();
    }
    descriptor
}

/// `seen` counts equal findings, so that each gets a distinct fingerprint.
fn result(finding: &Diagnostic, rules: &[&About], seen: &mut BTreeMap<Key, usize>) -> Value {
    let mut text = finding.message.to_string();
    if let Some(help) = &finding.help {
        text.push_str(&format!("; {help}"));
    }
    let key = baseline::key(finding);
    let count = seen.entry(key.clone()).or_insert(0);
    *count += 1;
    let rule_index = rules.iter().position(|rule| rule.id == finding.rule);
    let mut result = json!({
        "ruleId": finding.rule,
        "ruleIndex": rule_index.unwrap_or_default(),
        "level": level(finding.severity),
        "message": { "text": message(&text) },
        "locations": [location(&finding.place)],
        "partialFingerprints": { "gwconform/v2": key.digest(*count) },
    });
    let related = finding.labels.iter().enumerate().map(|(nth, label)| {
        let mut related = location(&label.place);
        related["id"] = (nth + 1).into();
        related["message"] = json!({ "text": message(&label.message.to_string()) });
        related
    });
    let related: Vec<Value> = related.collect();
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    if let Some(fix) = finding.fix.as_ref().and_then(fix) {
        result["fixes"] = json!([fix]);
    }
    result
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn location(place: &Place) -> Value {
    let mut physical = json!({ "artifactLocation": artifact(&place.path) });
    if let Some(found) = &place.region {
        physical["region"] = region(found.start, found.end);
    }
    json!({ "physicalLocation": physical })
}

fn artifact(path: &str) -> Value {
    if path.starts_with('/') {
        json!({ "uri": uri(path) })
    } else {
        json!({ "uri": uri(path), "uriBaseId": ROOT })
    }
}

fn region(start: Position, end: Position) -> Value {
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

/// `None` if the fix creates or renames a file, because SARIF can express neither and a partial fix
/// is unsafe.
fn fix(fix: &Fix) -> Option<Value> {
    let mut by_path: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
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
        by_path.entry(path).or_default().push(json!({
            "deletedRegion": region(*start, *end),
            "insertedContent": { "text": text },
        }));
    }
    let changes = by_path.into_iter().map(|(path, replacements)| {
        json!({ "artifactLocation": artifact(path), "replacements": replacements })
    });
    let changes: Vec<Value> = changes.collect();
    (!changes.is_empty()).then(
        || json!({ "description": { "text": message(&fix.title) }, "artifactChanges": changes }),
    )
}
