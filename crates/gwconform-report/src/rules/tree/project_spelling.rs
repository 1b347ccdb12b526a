use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{field_that_differs, implementation, name_flags};
use crate::report::facts::ReportFacts;
use crate::report::naming::folded;
use crate::rules::{Findings, TreeContext, rule};
use gwconform_base::text::counted;
use gwconform_base::text::message::Message;

rule! {
    "project_spelling.md", TreeContext(check), Text;
    Differs { name: String, reports: Message, usual: String, usual_reports: Message } => "the project is spelled {name} in {reports} and {usual} in {usual_reports}; expected one spelling",
    Usual => "usual spelling",
    RunWith { arguments: String } => "run the suite with {arguments} from the next report on",
}

type ByName<'f> = BTreeMap<(&'f str, &'f str), Vec<&'f ReportFacts>>;

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    // Group spellings by names without case, spaces, hyphens, dots and underscores.
    let mut spellings: BTreeMap<(String, String), ByName<'_>> = BTreeMap::new();
    for report in cx.reports {
        if let (Some(organization), Some(project)) = (&report.organization, &report.project) {
            let name = (organization.value.as_str(), project.value.as_str());
            let by_name = spellings
                .entry((folded(name.0), folded(name.1)))
                .or_default();
            by_name.entry(name).or_default().push(report);
        }
    }
    for by_name in spellings.into_values().filter(|by_name| by_name.len() > 1) {
        let usual = by_name.iter().max_by_key(|(name, reports)| {
            let sound = reports.iter().filter(|report| report.blocks.is_empty());
            (sound.count(), Reverse(*name))
        });
        let Some((&usual, usual_reports)) = usual else {
            continue;
        };
        // The configuration can map several names to one implementation.
        let own = cx.names.usual(usual);
        let others = by_name.iter();
        let others = others.filter(|(name, _)| **name != usual && cx.names.usual(**name) != own);
        for (_, reports) in others {
            let Some(field) = field_that_differs(reports[0], usual_reports[0]) else {
                continue;
            };
            let message = Text::Differs {
                name: implementation(reports[0]),
                reports: Message::words(counted(reports.len(), "report")),
                usual: implementation(usual_reports[0]),
                usual_reports: Message::words(counted(usual_reports.len(), "report")),
            };
            let finding = out.at(field, message);
            if let Some(last) = usual_reports.last()
                && let Some(other) = field_that_differs(last, reports[0])
            {
                finding.label(other, Text::Usual);
            }
            if let Some(arguments) = name_flags(usual_reports[0]) {
                finding.help(Text::RunWith { arguments });
            }
        }
    }
}
