//! Rules that check names in the tree, and rules that compare reports.

rules! {
    ENTRY: Rule<EntryContext> {
        link,
        misplaced_report,
        release_folder,
        report_extension,
        repository,
        stray_file,
        unreadable,
    }
    SUBMISSION: Rule<SubmissionContext> {
        file_name,
        file_name_channel,
        no_reports,
        readme_missing,
        same_identity,
        several_implementations,
    }
    SIDE_BY_SIDE: Rule<SideBySide> {
        copied_report,
    }
    TREE: Rule<TreeContext> {
        extended_lost,
        folder_name,
        look_alike_name,
        project_spelling,
        same_identity_elsewhere,
    }
}

pub(super) use release_folder::block as block_of_release_folder;
pub(super) use unreadable::RULE as UNREADABLE;

use std::collections::BTreeMap;

use super::{
    EntryContext, Findings, Remedy, Rule, SideBySide, SubmissionContext, TreeContext, rules,
};
use crate::report::facts::{Identity, ReportFacts};
use gwconform_base::files::{Cause, Unread};
use gwconform_base::text::diagnostic::{Anchor, Place};
use gwconform_base::text::message::{Message, texts};
use gwconform_base::text::shell;

pub(super) fn identity_in_words(identity: &Identity<'_>) -> Message {
    let implementation = format!("{}/{}", identity.organization, identity.project);
    let mut message = Message::code(implementation);
    let others = [
        (" version ", identity.version),
        (", channel ", identity.channel),
        (", mode ", identity.mode),
    ];
    for (words, value) in others.into_iter().filter(|(_, value)| !value.is_empty()) {
        message.push_words(words.into());
        message.push_code(value);
    }
    message
}

pub(super) fn implementation(report: &ReportFacts) -> String {
    let [organization, project] =
        [report.organization(), report.project()].map(Option::unwrap_or_default);
    format!("{organization}/{project}")
}

pub(super) fn field_that_differs(report: &ReportFacts, other: &ReportFacts) -> Option<Anchor> {
    if report.organization() == other.organization() {
        Some(report.project.as_ref()?.about("/implementation/project"))
    } else {
        let organization = report.organization.as_ref()?;
        Some(organization.about("/implementation/organization"))
    }
}

/// Flags of the suite that set the name of a report.
pub(super) fn name_flags(report: &ReportFacts) -> Option<String> {
    let (organization, project) = report.name()?;
    let organization = shell::flag("organization", organization)?;
    Some(format!(
        "{organization} {}",
        shell::flag("project", project)?
    ))
}

texts! {
    enum SameIdentity {
        Other => "other report with this identity",
        KeepOne { remedy: Message } => "remove one of the two reports; if they belong to two setups, {remedy}",
    }
}

/// Skips pairs for which `is_for_others` is true, because other rules report these pairs.
fn repeated<'f>(
    reports: impl Iterator<Item = (Identity<'f>, &'f ReportFacts)>,
    is_for_others: impl Fn(&ReportFacts, &ReportFacts) -> bool,
    text: impl Fn(Message) -> Message,
    out: &mut Findings,
) {
    let mut first: BTreeMap<Identity<'_>, &ReportFacts> = BTreeMap::new();
    for (identity, report) in reports {
        let Some(other) = first.get(&identity) else {
            first.insert(identity, report);
            continue;
        };
        if is_for_others(report, other) {
            continue;
        }
        let message = text(identity_in_words(&identity));
        let remedy = Remedy::like("mode", "<name>").into();
        out.at(identity_anchor(report), message.clone())
            .label(identity_anchor(other), SameIdentity::Other)
            .help(SameIdentity::KeepOne { remedy })
            .or_at_label(message);
    }
}

fn identity_anchor(report: &ReportFacts) -> Anchor {
    let anchor = match (&report.mode, &report.version) {
        (Some(mode), _) => mode.about("/mode"),
        (None, Some(version)) => version.about("/implementation/version"),
        (None, None) => Anchor::path(&report.path),
    };
    let parts = [
        report.organization(),
        report.project(),
        report.version(),
        report.channel(),
    ];
    anchor.and(parts.map(Option::unwrap_or_default).join("/"))
}

texts! {
    enum NotRead {
        Reason { reason: Message } => "cannot be checked: {reason}",
        Readable => "allow the user who runs gwconform to read it, for example with `chmod u+rX` or `chown`",
        Smaller => "a report is a few kilobytes in size; keep larger files, such as logs, outside of the submission",
        RegularFiles => "keep only README.md, reports and shell scripts in a submission, as regular files",
        Again => "run the check again; if the error persists, check the file system",
    }
}

pub(crate) fn not_read(place: Place, unread: &Unread, out: &mut Findings) {
    let message = NotRead::Reason {
        reason: Message::words(unread.reason.clone()),
    };
    let help = match unread.cause {
        Cause::Permission => NotRead::Readable,
        Cause::Size => NotRead::Smaller,
        Cause::Kind => NotRead::RegularFiles,
        Cause::System => NotRead::Again,
    };
    out.at(Anchor::path(place.path), message).help(help);
}
