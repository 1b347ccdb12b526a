use std::collections::BTreeSet;

use super::{Known, Problem, ProblemKind, current};
use crate::api::Family;
use crate::certify::catalog::{Catalog, Implementation, slug};
use crate::certify::details::{Details, FILE_NAME, KIND};
use crate::report::naming::folded_pair;
use crate::rules::check::Skipped;

/// Reports unusable and missing files, and files without an implementation. `folder` is the prefix
/// of new paths.
pub fn check(
    details: &[Details],
    unused: &[Skipped],
    folder: &str,
    catalog: &Catalog<'_>,
) -> Vec<Problem> {
    let known = Known::new(catalog);
    let names = catalog.names();
    let mut described = BTreeSet::new();
    let mut problems = Vec::new();
    let problem = |path: String, kind, message| Problem {
        path,
        line: None,
        kind,
        message,
        write: None,
    };
    for skipped in unused {
        let message = match skipped.path == folder {
            true => skipped.reason.clone(),
            false => format!("cannot be used: {}", skipped.reason),
        };
        problems.push(problem(skipped.path.clone(), ProblemKind::Wrong, message));
    }
    for one in details {
        let (organization, project) = (one.organization.as_str(), one.project.as_str());
        if let Some(found) = names.get(&folded_pair((organization, project))) {
            if !described.insert(found.slug.as_str()) {
                let message = format!("`{organization}/{project}` is described twice");
                problems.push(problem(one.path.clone(), ProblemKind::Wrong, message));
            }
            continue;
        }
        let near = known.near(&format!("{organization}/{project}"));
        let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        let message = format!("the tree contains no report of `{organization}/{project}`{hint}");
        problems.push(problem(one.path.clone(), ProblemKind::Unknown, message));
    }
    for family in [Family::Gateway, Family::Mesh] {
        for (one, certified) in current(catalog, family) {
            if described.insert(one.slug.as_str()) {
                let own = slug(&[one.organization, one.project]);
                let path = format!("{folder}/{own}/{FILE_NAME}");
                let message = format!(
                    "missing for `{}`, a {} {}: {}",
                    one.name,
                    certified.standing.words(),
                    family.as_str(),
                    certified.reason
                );
                problems.push(Problem {
                    write: Some(text(one)),
                    ..problem(path, ProblemKind::Missing, message)
                });
            }
        }
    }
    problems.sort_by(|a, b| a.path.cmp(&b.path));
    problems
}

/// JSON strings are also valid YAML.
fn text(one: &Implementation<'_>) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    format!(
        "kind: {KIND}\norganization: {}\nproject: {}\nfullName: {}\ndescription: \"\"",
        quoted(one.organization),
        quoted(one.project),
        quoted(&one.name)
    )
}
