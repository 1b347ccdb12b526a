//! `tree/project-spelling`

use std::collections::BTreeMap;

use crate::diagnostic::in_code;
use crate::facts::{Fact, ReportFacts};
use crate::naming::folded;
use crate::rules::{Check, Findings, Rule, TreeContext};
use crate::text::shell;

/// The rule.
pub static RULE: Rule = Rule::warning(
    "tree/project-spelling",
    include_str!("project_spelling.md"),
    Check::Tree(check),
);

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    let mut spellings: BTreeMap<String, BTreeMap<Name<'_>, Vec<&ReportFacts>>> = BTreeMap::new();
    for report in cx.reports {
        if let Some(name) = Name::of(report) {
            spellings
                .entry(name.folded())
                .or_default()
                .entry(name)
                .or_default()
                .push(report);
        }
    }
    for by_name in spellings.into_values().filter(|by_name| by_name.len() > 1) {
        // The spelling in use most often stands; of equally frequent ones the first by its letters.
        let usual = by_name
            .iter()
            .max_by_key(|(name, reports)| (reports.len(), std::cmp::Reverse(**name)));
        let Some((usual, usual_reports)) = usual.map(|(name, reports)| (*name, reports.clone()))
        else {
            continue;
        };
        for (name, reports) in by_name.iter().filter(|(name, _)| **name != usual) {
            let Some(field) = reports[0].field_that_differs(name, &usual) else {
                continue;
            };
            let count = reports.len();
            let finding = out.at(
                field.place.clone(),
                format!(
                    "this project is `{}` in {} and `{}` in {}: readers take them for two",
                    in_code(&name),
                    reports_of(count),
                    in_code(&usual),
                    reports_of(usual_reports.len())
                ),
            );
            if let Some(other) = usual_reports
                .last()
                .and_then(|report| report.field_that_differs(name, &usual))
            {
                finding.label(other.place.clone(), "the usual spelling");
            }
            let organization = shell::flag("organization", usual.organization);
            let project = shell::flag("project", usual.project);
            if let (Some(organization), Some(project)) = (organization, project) {
                finding.help(format!(
                    "from the next report on, run the suite with `{organization} {project}`",
                    organization = in_code(&organization),
                    project = in_code(&project)
                ));
            }
        }
    }
}

/// Organization and project as a report spells them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Name<'f> {
    organization: &'f str,
    project: &'f str,
}

impl<'f> Name<'f> {
    fn of(report: &'f ReportFacts) -> Option<Self> {
        let organization = &report.organization.as_ref()?.value;
        let project = &report.project.as_ref()?.value;
        Some(Self {
            organization,
            project,
        })
    }

    /// Equal for names that differ in case, spaces, hyphens, dots or underscores only.
    fn folded(&self) -> String {
        format!("{}/{}", folded(self.organization), folded(self.project))
    }
}

impl std::fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.organization, self.project)
    }
}

impl ReportFacts {
    fn field_that_differs(&self, a: &Name<'_>, b: &Name<'_>) -> Option<&Fact> {
        if a.organization == b.organization {
            self.project.as_ref()
        } else {
            self.organization.as_ref()
        }
    }
}

fn reports_of(count: usize) -> String {
    if count == 1 {
        "1 report".to_owned()
    } else {
        format!("{count} reports")
    }
}
