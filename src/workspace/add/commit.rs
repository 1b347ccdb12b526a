use super::PlannedReport;

pub(super) fn message<'p>(planned: impl Iterator<Item = &'p PlannedReport>) -> String {
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let mut versions = Vec::new();
    let mut names = Vec::new();
    let mut count = 0;
    for report in planned {
        let facts = &report.facts;
        let name = format!("{}/{}", text(facts.organization()), text(facts.project()));
        let release = facts.release.version.as_ref().map(ToString::to_string);
        let version = (text(facts.version()), release.unwrap_or_default());
        names.push(name);
        versions.push(version);
        count += 1;
    }
    names.dedup();
    versions.dedup();
    let reports = match count {
        1 => "conformance report".to_owned(),
        count => format!("{count} conformance reports"),
    };
    match (names.as_slice(), versions.as_slice()) {
        ([name], [(version, release)]) => {
            format!("Add {reports} of {name} {version} for Gateway API {release}")
        }
        ([name], _) => format!("Add {reports} of {name}"),
        _ => format!("Add {reports}"),
    }
}
