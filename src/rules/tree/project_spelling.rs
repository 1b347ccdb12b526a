//! `tree/project-spelling`

use std::collections::BTreeMap;

use crate::report::facts::ReportFacts;
use crate::report::naming::folded;
use crate::rules::ownership::History;
use crate::rules::{Findings, TreeContext};
use crate::text::diagnostic::Anchor;
use crate::text::message::Message;
use crate::text::{counted, shell};

rule! {
    "project_spelling.md", Tree(check), Text;
    Differs { name: String, reports: Message, usual: String, usual_reports: Message } => "the project is spelled {name} in {reports} and {usual} in {usual_reports}; expected one spelling",
    Usual => "usual spelling",
    RunWith { arguments: String } => "run the suite with {arguments} from the next report on",
}

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    let mut spellings: BTreeMap<String, BTreeMap<Name<'_>, Vec<&ReportFacts>>> = BTreeMap::new();
    for report in cx.reports {
        if let Some(name) = Name::try_new(report) {
            spellings
                .entry(name.folded())
                .or_default()
                .entry(name)
                .or_default()
                .push(report);
        }
    }
    for by_name in spellings.into_values().filter(|by_name| by_name.len() > 1) {
        // The spelling that the implementation is shown with.
        let usual = by_name.iter().max_by_key(|(name, reports)| {
            let mut history = History::default();
            reports.iter().for_each(|report| history.add(report));
            history.spelling(name.organization, name.project)
        });
        let Some((usual, usual_reports)) = usual.map(|(name, reports)| (*name, reports.clone()))
        else {
            continue;
        };
        // Names that the configuration joins are one project's.
        let own = cx.names.usual((usual.organization, usual.project));
        let others = by_name.iter().filter(|(name, _)| {
            **name != usual && cx.names.usual((name.organization, name.project)) != own
        });
        for (name, reports) in others {
            let Some(field) = reports[0].field_that_differs(name, &usual) else {
                continue;
            };
            let message = Text::Differs {
                name: name.to_string(),
                reports: Message::words(counted(reports.len(), "report")),
                usual: usual.to_string(),
                usual_reports: Message::words(counted(usual_reports.len(), "report")),
            };
            let finding = out.at(field, message);
            if let Some(other) = usual_reports
                .last()
                .and_then(|report| report.field_that_differs(name, &usual))
            {
                finding.label(other, Text::Usual);
            }
            let flags = (
                shell::flag("organization", usual.organization),
                shell::flag("project", usual.project),
            );
            if let (Some(organization), Some(project)) = flags {
                finding.help(Text::RunWith {
                    arguments: format!("{organization} {project}"),
                });
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
    fn try_new(report: &'f ReportFacts) -> Option<Self> {
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
    fn field_that_differs(&self, a: &Name<'_>, b: &Name<'_>) -> Option<Anchor> {
        if a.organization == b.organization {
            Some(self.project.as_ref()?.about("/implementation/project"))
        } else {
            let organization = self.organization.as_ref()?;
            Some(organization.about("/implementation/organization"))
        }
    }
}
