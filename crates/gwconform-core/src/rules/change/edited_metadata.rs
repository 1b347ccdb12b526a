use super::edited_results::{is_same_time, place};
use crate::api::SUBJECT;
use crate::report::facts::ReportFacts;
use crate::rules::{ChangeContext, Findings, Rename};
use crate::text::diagnostic::{Anchor, Severity, Subject};
use crate::text::message::{Message, Words};

rule! {
    "edited_metadata.md", Change(check), Text<'a>;
    Edited { revision: &'a str, differences: Message } => "fields differ from {revision}, but the date is the same: {differences}",
    Field { field: Words, new: Message, old: Message } => "{field} {new}, was {old}",
    Renamed { old: String, new: String, count: usize } => "the change renames {old} to {new} in all of its reports; changed reports: {count}",
    /// `organization`, `project` and `aliases` are lines of TOML.
    Alias { organization: String, project: String, aliases: String } => "add an `[[implementation]]` entry with {organization}, {project} and {aliases} to gwconform.toml, so that verdicts and addresses remain; run the suite again for the next report",
    Absent => "absent",
    Rerun => "restore the report, or run the suite again in this setup and submit the new report",
    Restore => "restore the report, or submit a new run; submit reports as the suite wrote them",
}

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    check_renames(cx, out);
    for pair in cx.pairs {
        let (Some(before), Some(after)) = (pair.before, pair.after) else {
            continue;
        };
        let (Some(old), Some(new)) = (&before.date, &after.date) else {
            continue;
        };
        if before.is_cut || after.is_cut || !is_same_time(old, new) {
            continue;
        }
        // Fields of the run require a new run; other fields can be restored.
        let groups = [
            (setup as Fields, Severity::Error, Text::Rerun),
            (description as Fields, Severity::Warning, Text::Restore),
        ];
        for (fields, severity, help) in groups {
            let all = fields(before).into_iter().zip(fields(after));
            let differences: Vec<Message> = all
                .filter(|((_, old), (_, new))| old != new)
                .filter(|((field, _), _)| {
                    !NAMES.contains(field) || rename(cx, before, after).is_none()
                })
                .map(|((field, old), (_, new))| difference(field, old, new))
                .collect();
            if differences.is_empty() {
                continue;
            }
            let text = Text::Edited {
                revision: cx.revision,
                differences: Message::list(differences, "; ", "; "),
            };
            let subject = Subject::new("/").with_value(&after.digest.to_string());
            let severity = out.severity().min(severity);
            let finding = out.at(Anchor::new(place(after, new), subject), text);
            finding.severity = severity;
            finding.help(help);
        }
    }
}

const NAMES: [&str; 2] = ["organization", "project"];

fn name(facts: &ReportFacts) -> Option<(&str, &str)> {
    facts.organization().zip(facts.project())
}

fn rename<'c>(
    cx: &'c ChangeContext<'_>,
    before: &ReportFacts,
    after: &ReportFacts,
) -> Option<&'c Rename<'c>> {
    let (old, new) = name(before).zip(name(after))?;
    let mut renames = cx.renames.iter();
    renames.find(|rename| rename.old == old && rename.new == new)
}

/// Reports each rename once, at the first changed report.
fn check_renames(cx: &ChangeContext<'_>, out: &mut Findings) {
    for rename in cx.renames {
        let mut reports = cx.pairs.iter().filter_map(|pair| pair.after);
        let first = reports.find(|after| name(after) == Some(rename.new));
        let Some(organization) = first.and_then(|first| first.organization.as_ref()) else {
            continue;
        };
        let [old, new] = [rename.old, rename.new]
            .map(|(organization, project)| format!("{organization}/{project}"));
        let severity = out.severity().min(Severity::Warning);
        let aliases = format!("aliases = [{old:?}]");
        let subject = Subject::new(format!("rename {old} to {new}"));
        let text = Text::Renamed {
            old,
            new,
            count: rename.reports,
        };
        let finding = out.at(Anchor::new(organization.place.clone(), subject), text);
        finding.severity = severity;
        let (organization, project) = rename.new;
        finding.help(Text::Alias {
            organization: format!("organization = {organization:?}"),
            project: format!("project = {project:?}"),
            aliases,
        });
    }
}

type Fields = fn(&ReportFacts) -> Vec<(&'static str, Option<String>)>;

fn setup(facts: &ReportFacts) -> Vec<(&'static str, Option<String>)> {
    let text = |text: Option<&str>| text.map(str::to_owned);
    let release = facts.release.version.as_ref();
    vec![
        (SUBJECT.release_field, release.map(ToString::to_string)),
        (SUBJECT.channel_field, text(facts.channel())),
        ("mode", text(facts.mode())),
    ]
}

fn description(facts: &ReportFacts) -> Vec<(&'static str, Option<String>)> {
    let text = |text: Option<&str>| text.map(str::to_owned);
    let contact = (!facts.contact.is_empty()).then(|| facts.contact.join(", "));
    vec![
        ("organization", text(facts.organization())),
        ("project", text(facts.project())),
        ("version", text(facts.version())),
        ("url", facts.url.clone()),
        ("contact", contact),
        ("apiVersion", facts.api_version.clone()),
    ]
}

fn difference(field: &'static str, old: Option<String>, new: Option<String>) -> Message {
    let [old, new] = [old, new].map(|value| value.map_or(Text::Absent.into(), Message::code));
    Text::Field {
        field: Words(field),
        new,
        old,
    }
    .into()
}
