//! Compares the table of status conditions with the suite tests and the CRD descriptions.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::support::corpus::next_to_corpus;
use gwconform_cluster::{StatusKind, Value, types};

/// Conditions that the tests of all releases since v0.8 expect. Each line has status, type, value
/// and reason (`*` for any).
const DEMANDED: &str = include_str!("conditions.txt");

fn demanded() -> Vec<[&'static str; 4]> {
    let lines = DEMANDED.lines();
    lines
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            words.try_into().expect("four words")
        })
        .collect()
}

/// Suite tests also use the Listener constants for ListenerSets.
fn kinds(name: &str) -> &'static [StatusKind] {
    match name {
        "GatewayClass" => &[StatusKind::GatewayClass],
        "Gateway" => &[StatusKind::Gateway],
        "Listener" => &[StatusKind::Listener, StatusKind::ListenerEntry],
        "ListenerEntry" => &[StatusKind::ListenerEntry],
        "ListenerSet" => &[StatusKind::ListenerSet],
        "Route" => &[StatusKind::Route],
        "Policy" | "BackendTLSPolicy" => &[StatusKind::Policy],
        "Mesh" => &[StatusKind::Mesh],
        name => panic!("{name}"),
    }
}

fn value(name: &str) -> Value {
    Value::from_text(name).expect("True, False or Unknown")
}

fn reasons(kind: StatusKind) -> BTreeSet<&'static str> {
    let values = [Value::True, Value::False, Value::Unknown];
    let of_type = |found: &'static gwconform_cluster::ConditionType| {
        values
            .into_iter()
            .flat_map(|value| found.reasons(value).unwrap_or_default())
    };
    types(kind)
        .values()
        .flat_map(of_type)
        .map(String::as_str)
        .collect()
}

#[test]
fn the_table_has_each_condition_that_the_suite_demands() {
    assert!(demanded().len() > 50);
    for [status, name, written, reason] in demanded() {
        for kind in kinds(status) {
            let found = types(*kind).get(name);
            let found = found.unwrap_or_else(|| panic!("{kind:?} has no {name}"));
            let reasons = found.reasons(value(written)).unwrap_or_default();
            let has = reasons.iter().any(|known| known == reason);
            assert!(reason == "*" || has, "{kind:?} {name} {written} {reason}");
        }
    }
}

fn object(status: &str, conditions: &str) -> String {
    let entry = |list: &str, head: &str| {
        format!(
            "status: {{conditions: [{YES}, {PROGRAMMED}], {list}: [{{{head}, conditions: [{conditions}]}}]}}"
        )
    };
    let (kind, spec, status) = match status {
        "Gateway" | "ListenerSet" => (
            status,
            "{listeners: []}",
            format!("status: {{conditions: [{conditions}], listeners: []}}"),
        ),
        "Listener" => (
            "Gateway",
            "{listeners: [{name: a, port: 80, protocol: HTTP}]}",
            entry(
                "listeners",
                "name: a, attachedRoutes: 0, supportedKinds: []",
            ),
        ),
        "Route" => (
            "HTTPRoute",
            "{parentRefs: [{name: edge}]}",
            entry(
                "parents",
                "controllerName: acme.example/gateway, parentRef: {name: edge}",
            ),
        ),
        "Policy" => (
            "BackendTLSPolicy",
            "{targetRefs: [{group: '', kind: Service, name: web}]}",
            entry(
                "ancestors",
                "controllerName: acme.example/gateway, ancestorRef: {name: edge}",
            ),
        ),
        status => panic!("{status}"),
    };
    format!(
        "apiVersion: gateway.networking.k8s.io/v1\nkind: {kind}\nmetadata: {{name: edge, namespace: infra, generation: 1}}\nspec: {spec}\n{status}\n"
    )
}

const YES: &str = "{type: Accepted, status: 'True', reason: Accepted, observedGeneration: 1}";
const PROGRAMMED: &str =
    "{type: Programmed, status: 'True', reason: Programmed, observedGeneration: 1}";

#[test]
fn condition_rules_accept_what_the_suite_demands() {
    for [status, name, written, reason] in demanded() {
        let reason = if reason == "*" { "AnyReason" } else { reason };
        let own = format!(
            "{{type: {name}, status: '{written}', reason: {reason}, observedGeneration: 1}}"
        );
        let others = ["Accepted", "Programmed", "ResolvedRefs"].into_iter();
        let is_missing = |other: &&str| {
            *other != name
                && types(kinds(status)[0])
                    .get(*other)
                    .is_some_and(|found| found.required)
        };
        let others = others.filter(is_missing).map(|other| {
            format!("{{type: {other}, status: Unknown, reason: Pending, observedGeneration: 1}}")
        });
        let conditions: Vec<String> = others.chain([own]).collect();
        let text = object(status, &conditions.join(", "));
        let mut found = crate::resources::findings(&text, "");
        let own_reason = |finding: &String| finding.contains("condition-own-reason");
        let is_any = reason == "AnyReason";
        found.retain(|finding| finding.contains("/condition-") && !(is_any && own_reason(finding)));
        assert_eq!(found, Vec::<String>::new(), "{text}");
    }
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter();
    let paths = entries.map(|entry| entry.unwrap().into_path());
    paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect()
}

const GO: &str = r#"\bType:\s+string\((?:\w+\.)?(\w+?)Condition(\w+)\),\s*Status:\s+metav1\.Condition(True|False|Unknown),\s*(?:Reason:\s+(?:string\()?(?:(?:\w+\.)?(?:\w+)Reason(\w+)|"")\)?)?"#;

#[test]
fn lists_the_conditions_in_the_sources_of_the_suite() {
    let Some(sources) = next_to_corpus("sources/gateway-api") else {
        return;
    };
    let pattern = Regex::new(GO).unwrap();
    let reason = Regex::new(r"\.(Gateway|Listener|ListenerSet|Route|Policy|BackendTLSPolicy|GatewayClass)Reason([A-Z]\w+)").unwrap();
    let mut found = BTreeSet::new();
    for file in files(&sources, "go") {
        let path = file.display().to_string();
        if path.ends_with("_test.go") || !path.contains("/conformance/") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        for part in pattern.captures_iter(&text) {
            let group = |nth| part.get(nth).map_or("*", |group| group.as_str());
            let status = group(1).replace("BackendTLSPolicy", "Policy");
            found.insert(format!("{status} {} {} {}", group(2), group(3), group(4)));
        }
        for part in reason.captures_iter(&text) {
            for kind in kinds(&part[1]) {
                assert!(reasons(*kind).contains(&part[2]), "{path}: {}", &part[0]);
            }
        }
    }
    let listed: BTreeSet<String> = DEMANDED.lines().map(str::to_owned).collect();
    assert_eq!(found, listed);
}

#[test]
fn the_table_has_each_reason_that_the_descriptions_of_the_crds_name() {
    let Some(crds) = next_to_corpus("spec/crds") else {
        return;
    };
    let quoted = Regex::new("[\"`]([A-Z][A-Za-z]+)[\"`]").unwrap();
    let sentence = Regex::new(r"[^.]*[Rr]eason[^.]*\.").unwrap();
    let mut named = BTreeSet::new();
    for file in files(&crds, "yaml") {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let statuses: &[&str] = match name.split_once('_').unwrap().1 {
            "gatewayclasses" => &["GatewayClass"],
            "gateways" => &["Gateway", "Listener"],
            "listenersets" => &["ListenerSet", "ListenerEntry"],
            "backendtlspolicies" | "xbackends" | "xbackendtrafficpolicies" => &["Policy"],
            "xmeshes" => &["Mesh"],
            // The description of GRPCRoute names a condition of listeners.
            "grpcroutes" => &["Route", "Listener"],
            name if name.ends_with("routes") => &["Route"],
            _ => continue,
        };
        let known: BTreeSet<&str> = statuses
            .iter()
            .flat_map(|status| kinds(status))
            .flat_map(|kind| {
                let names = types(*kind).keys().map(String::as_str);
                reasons(*kind).into_iter().chain(names)
            })
            .collect();
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for sentence in sentence.find_iter(&text) {
            for word in quoted.captures_iter(sentence.as_str()) {
                let word = word[1].to_owned();
                if ["True", "False"].contains(&word.as_str())
                    || word.ends_with("ConditionReason")
                    || word.ends_with("ConditionType")
                {
                    continue;
                }
                assert!(
                    known.contains(word.as_str()),
                    "{name}: {word}: {}",
                    sentence.as_str()
                );
                named.insert(word);
            }
        }
    }
    assert!(named.len() > 15, "{named:?}");
}
