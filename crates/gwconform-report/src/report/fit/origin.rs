//! Recognizes reports that something else than the suite wrote. One violation names the cause, and
//! replaces those that follow from it.

use std::collections::BTreeSet;

use super::{Problem, SchemaViolation};
use gwconform_base::api::SUBJECT;
use gwconform_yaml::{Kind, NodeId, Yaml};

/// Keys that a YAML library without JSON tags makes of the fields of a report in Go.
const GO_NAMES: [&str; 2] = ["typemeta", "profilereports"];

/// The suite's first name for `profiles`.
const FIRST_NAME: &str = "profileReports";

/// Number of fields of the report itself in another spelling that are no mistakes of a person.
const MANY: usize = 2;

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
    let of_other = violations
        .iter()
        .filter(|one| is_other_spelling(&one.problem));
    let of_other: Vec<&SchemaViolation> = of_other.collect();
    let has_go_name = names.iter().any(|(name, ..)| is_of_go(name));
    let of_root = of_other.iter().filter(|one| one.path.is_empty());
    if has_go_name || of_root.count() >= MANY {
        let first = of_other
            .iter()
            .map(|one| one.node)
            .min_by_key(|node| yaml.span(*node).start);
        let names = of_other.iter().filter_map(|one| yaml.text(one.node));
        let mut seen = BTreeSet::new();
        let mut names: Vec<String> = names
            .filter(|name| seen.insert(*name))
            .map(str::to_owned)
            .collect();
        names.sort_by_key(|name| !is_of_go(name));
        violations.retain(|one| match &one.problem {
            Problem::MissingField { .. } => !one.path.is_empty(),
            problem => !is_other_spelling(problem),
        });
        let problem = Problem::OtherNames { names };
        violations.insert(0, whole(first.unwrap_or(root), problem));
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

fn is_of_go(name: &str) -> bool {
    let mut all = GO_NAMES.iter();
    name != FIRST_NAME && all.any(|of_go| name.eq_ignore_ascii_case(of_go))
}

/// True for a known field in another case, or with hyphens or underscores.
fn is_other_spelling(problem: &Problem) -> bool {
    match problem {
        Problem::FieldCase { other_key, .. } => other_key.is_none(),
        Problem::UnknownField { name, meant } => {
            let bare = name.replace(['-', '_'], "");
            let is_meant = |meant: &String| bare.eq_ignore_ascii_case(meant);
            is_of_go(name) || meant.as_ref().is_some_and(is_meant)
        }
        _ => false,
    }
}

fn whole(key: NodeId, problem: Problem) -> SchemaViolation {
    SchemaViolation {
        node: key,
        about: key,
        path: String::new(),
        problem,
    }
}
