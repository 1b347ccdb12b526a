use std::path::Path;

use serde::Serialize;

use super::{Plan, PlannedReport, SubmissionTarget};
use gwconform_base::files::name_of;
use gwconform_report::certify::details::{Details, KIND};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DetailsEntry<'a> {
    kind: &'a str,
    organization: &'a str,
    project: &'a str,
    full_name: &'a str,
    description: &'a str,
}

pub(super) fn plan(
    folder: &Path,
    planned: &[PlannedReport],
    target: &SubmissionTarget<'_>,
    plan: &mut Plan,
) {
    let Some((list, known)) = &target.list else {
        return;
    };
    let Some(facts) = planned.first().map(|report| &report.facts) else {
        return;
    };
    let (Some(organization), Some(project)) = (facts.organization(), facts.project()) else {
        return;
    };
    let configured = target.config.by_name();
    let whose = |organization: &str, project: &str| {
        let name = (organization, project);
        let (organization, project) = configured.current(name);
        (organization.to_owned(), project.to_owned())
    };
    let mine = whose(organization, project);
    let is_mine = |known: &Details| whose(&known.organization, &known.project) == mine;
    if known.iter().any(is_mine) {
        return;
    }
    let file = list.join(name_of(folder)).join("details.yaml");
    let path = target.tree.display(&file);
    let is_planned = plan
        .changes
        .changes()
        .iter()
        .any(|change| change.path() == path);
    let entry = DetailsEntry {
        kind: KIND,
        organization,
        project,
        full_name: project,
        description: "",
    };
    let Ok(text) = serde_yaml::to_string(&entry) else {
        return;
    };
    if known.iter().any(|known| known.path == path) {
        plan.to_do.push(format!(
            "{path}: belongs to another implementation; add a details.yaml for this one"
        ));
    } else if !is_planned {
        plan.changes.create(path.clone(), text);
        plan.to_do.push(format!(
            "{path}: write the full name and a one-sentence description"
        ));
    }
}
