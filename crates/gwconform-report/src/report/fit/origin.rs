//! Recognizes reports that something else than the suite wrote. One violation names the cause, and
//! replaces those that follow from it.

use super::{Problem, SchemaViolation};
use gwconform_base::api::SUBJECT;
use gwconform_yaml::{Kind, NodeId, Yaml};

/// Keys that a YAML library without JSON tags makes of the fields of a report in Go.
const GO_NAMES: [&str; 2] = ["typemeta", "profilereports"];

/// The suite's first name for `profiles`.
const FIRST_NAME: &str = "profileReports";

/// Fields that wrappers, such as `spec` of a Kubernetes object, hold instead of the report.
const OWN_FIELDS: [&str; 4] = [SUBJECT.release_field, "implementation", "mode", "profiles"];

pub(super) fn named(
    yaml: &Yaml<'_>,
    root: NodeId,
    mut violations: Vec<SchemaViolation>,
) -> Vec<SchemaViolation> {
    let names: Vec<(&str, NodeId, NodeId)> = yaml
        .entries(root)
        .iter()
        .filter_map(|entry| Some((yaml.text(entry.key)?, entry.key, entry.value)))
        .collect();
    let is_of_go = |name: &str| {
        let mut all = GO_NAMES.iter();
        name != FIRST_NAME && all.any(|of_go| name.eq_ignore_ascii_case(of_go))
    };
    let of_go: Vec<_> = names.iter().filter(|(name, ..)| is_of_go(name)).collect();
    if let Some((_, key, _)) = of_go.first() {
        violations.retain(|violation| match &violation.problem {
            Problem::FieldCase { other_key, .. } => other_key.is_some(),
            Problem::UnknownField { name, .. } => !is_of_go(name),
            Problem::MissingField { name } => {
                !["apiVersion", "kind", "profiles"].contains(&name.as_str())
            }
            _ => true,
        });
        let names = of_go.iter().map(|(name, ..)| (*name).to_owned()).collect();
        violations.insert(0, whole(*key, Problem::GoNames { names }));
        return violations;
    }
    let has = |node: NodeId, field: &&&str| {
        let mut keys = yaml.entries(node).iter();
        keys.any(|entry| yaml.text(entry.key) == Some(**field))
    };
    let holds_report = |node: NodeId| {
        let is_map = matches!(yaml.kind(node), Kind::Map(_));
        let own = OWN_FIELDS.iter();
        is_map
            && own
                .filter(|field| has(node, field) && !has(root, field))
                .count()
                >= 2
    };
    let around = names.iter().find(|(.., value)| holds_report(*value));
    if let Some((name, key, _)) = around {
        violations.retain(|violation| {
            let is_of_root = violation.path.is_empty();
            let follows = matches!(
                violation.problem,
                Problem::MissingField { .. } | Problem::UnknownField { .. }
            );
            !(is_of_root && follows)
        });
        let name = (*name).to_owned();
        violations.insert(0, whole(*key, Problem::Below { name }));
    }
    violations
}

fn whole(key: NodeId, problem: Problem) -> SchemaViolation {
    SchemaViolation {
        node: key,
        about: key,
        path: String::new(),
        problem,
    }
}
