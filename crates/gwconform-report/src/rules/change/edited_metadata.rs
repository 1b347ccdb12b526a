use super::edited_results::{is_same_time, place};
use crate::report::facts::ReportFacts;
use crate::rules::{ChangeContext, Findings, Rename, rule};
use gwconform_base::api::SUBJECT;
use gwconform_base::text::diagnostic::{Anchor, Severity, Subject};
use gwconform_base::text::message::{Message, Words};

rule! {
    "edited_metadata.md", ChangeContext(check), Text<'a>;
    Edited { revision: &'a str, differences: Message } => "fields differ from {revision}, but the date is the same: {differences}",
    Field { field: Words, new: Message, old: Message } => "{field} {new}, was {old}",
    Renamed { old: String, new: String, count: usize } => "the change renames {old} to {new} in all of its reports; changed reports: {count}",
    /// `organization`, `project` and `aliases` are lines of TOML.
    Alias { organization: String, project: String, aliases: String } => "first add an `[[implementation]]` entry with {organization}, {project} and {aliases} to gwconform.toml in a separate change, so that verdicts and addresses remain; run the suite again for the next report",
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
        let Some(new) = after.date.as_ref().filter(|_| is_same_run(before, after)) else {
            continue;
        };
        let is_renamed = rename(cx, before, after).is_some();
        let of_description = if is_renamed || is_same_implementation(cx, before, after) {
            Severity::Warning
        } else {
            Severity::Error
        };
        // Fields of the run require a new run; other fields can be restored.
        let groups = [
            (setup as Fields, Severity::Error, Text::Rerun),
            (description as Fields, of_description, Text::Restore),
        ];
        for (fields, severity, help) in groups {
            let all = fields(before).into_iter().zip(fields(after));
            let differences: Vec<Message> = all
                .filter(|((_, old), (_, new))| old != new)
                .filter(|((field, _), _)| !is_renamed || !NAMES.contains(field))
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

fn is_same_run(before: &ReportFacts, after: &ReportFacts) -> bool {
    let dates = before.date.as_ref().zip(after.date.as_ref());
    !before.is_cut && !after.is_cut && dates.is_some_and(|(old, new)| is_same_time(old, new))
}

/// Also true if the earlier configuration has an alias for the other name.
fn is_same_implementation(
    cx: &ChangeContext<'_>,
    before: &ReportFacts,
    after: &ReportFacts,
) -> bool {
    cx.names.folded(before) == cx.names.folded(after)
}

const NAMES: [&str; 2] = ["organization", "project"];

fn rename<'c>(
    cx: &'c ChangeContext<'_>,
    before: &ReportFacts,
    after: &ReportFacts,
) -> Option<&'c Rename<'c>> {
    let (old, new) = before.name().zip(after.name())?;
    let mut renames = cx.renames.iter();
    let rename = renames.find(|rename| rename.old == old && rename.new == new)?;
    (!is_same_implementation(cx, before, after)).then_some(rename)
}

/// Reports each rename once, at the first changed report.
fn check_renames(cx: &ChangeContext<'_>, out: &mut Findings) {
    for rename in cx.renames {
        let pairs = cx.pairs.iter();
        let pairs = pairs.filter_map(|pair| pair.before.zip(pair.after));
        let mut pairs =
            pairs.filter(|(before, after)| self::rename(cx, before, after) == Some(rename));
        let Some((_, first)) = pairs.clone().next() else {
            continue;
        };
        let Some(organization) = &first.organization else {
            continue;
        };
        let [old, new] = [rename.old, rename.new]
            .map(|(organization, project)| format!("{organization}/{project}"));
        // A new run can have a new name.
        let severity = if pairs.any(|(before, after)| is_same_run(before, after)) {
            Severity::Error
        } else {
            Severity::Warning
        };
        let severity = out.severity().min(severity);
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
    vec![
        (SUBJECT.release_field, facts.release_text()),
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
        ("url", text(facts.url())),
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
