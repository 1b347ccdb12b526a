use std::collections::{BTreeMap, BTreeSet};

use crate::report::facts::{ReportFacts, Run};
use crate::report::naming::is_named_by;
use crate::rules::conflicts::{Conflict, ConflictKind};
use crate::rules::{Findings, SideBySide, TreeContext, rule};
use gwconform_base::files::name_of;
use gwconform_base::text::diagnostic::{Anchor, Place, Severity};
use gwconform_base::text::message::Message;

rule! {
    "copied_report.md", SideBySide(check), Text<'a>;
    SameBytes { other: &'a str } => "byte-for-byte copy of {other}",
    SameRun { other: &'a str } => "same run as {other}: date and results are identical",
    SameRunAs { other: &'a str, fields: Message } => "same run as {other} with another {fields}: date and results are identical",
    Edited { other: &'a str } => "edited copy of {other}: the date is the same, the results are not",
    EditedAs { other: &'a str, fields: Message } => "edited copy of {other} with another {fields}: the date is the same, the results are not",
    SameDate { other: &'a str, fields: Message } => "same date as {other}, which has another {fields} and other results; expected a different date for each run",
    Shared { name: String, other: String } => "one run of the suite is submitted for {name} and for {other}: date and results are identical",
    SharedDate { name: String, other: String } => "a report of {name} and one of {other} have the same date and other results; expected a different date for each run",
    Original => "original report",
    OtherOfRun => "other report of this run",
    OtherOfDate => "other report with this date",
    Release => "release",
    Version => "version",
    Channel => "channel",
    Mode => "mode",
    RemoveOne => "submit each run of the suite once: remove one of the two files and its row in README.md",
    SubmitOnce => "submit each run of the suite once, in the folder of the release of that suite",
    RemoveEdited => "remove the edited report; submit reports as the suite wrote them",
    MayBeTwo => "if one report was made from the other, remove it; if two runs ended in the same second, both may stay",
    RemoveCopy => "find out which of the two is the copy and remove it",
}

type Name = Option<(String, String)>;

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    let mut runs: BTreeMap<(Run, Name), Vec<&ReportFacts>> = BTreeMap::new();
    for report in cx.reports {
        let name = cx.names.folded(report);
        runs.entry((report.run(), name)).or_default().push(report);
    }
    for reports in runs.values() {
        of_one_implementation(reports, out);
    }
    for one in cx
        .conflicts
        .iter()
        .filter(|one| one.kind == ConflictKind::Run)
    {
        of_several(one, cx, out);
    }
}

fn of_one_implementation(reports: &[&ReportFacts], out: &mut Findings) {
    if reports.len() == 1 {
        return;
    }
    let mut by_results: BTreeMap<_, Vec<&ReportFacts>> = BTreeMap::new();
    for report in reports {
        by_results.entry(report.results()).or_default().push(report);
    }
    let mut originals = Vec::new();
    for reports in by_results.values() {
        originals.extend(copies(reports, out));
    }
    copies(&originals, out);
}

fn copies<'r>(reports: &[&'r ReportFacts], out: &mut Findings) -> Option<&'r ReportFacts> {
    if let [only] = reports {
        return Some(only);
    }
    let &original = reports.iter().min_by_key(|report| rank(report))?;
    // Within a file, yaml/several-documents reports duplicates.
    let mut seen = BTreeSet::from([&original.path]);
    for report in reports {
        if seen.insert(&report.path) {
            copy(report, original, out);
        }
    }
    Some(original)
}

/// Sort key, smallest for the original. Blocked reports sort last, so that a valid report is never
/// reported as the copy of a broken one.
fn rank(report: &ReportFacts) -> (bool, bool, bool, usize) {
    let depth = report.path.matches(['/', '\\']).count();
    let is_named = is_named_by(&name_of(&report.submission), report);
    let is_blocked = !report.blocks.is_empty();
    (is_blocked, !report.fits_folder, !is_named, depth)
}

fn copy(copy: &ReportFacts, original: &ReportFacts, out: &mut Findings) {
    let is_same_submission = copy.submission == original.submission;
    let likeness = Likeness::new(copy, original);
    let severity = match likeness {
        // Parallel runs can end in the same second.
        Likeness::Date => out.severity().min(Severity::Warning),
        _ => out.severity(),
    };
    let help = match (likeness, is_same_submission) {
        (Likeness::Date, _) => Text::MayBeTwo,
        (Likeness::Edited, _) => Text::RemoveEdited,
        (Likeness::Text | Likeness::Results, true) => Text::RemoveOne,
        (Likeness::Text | Likeness::Results, false) => Text::SubmitOnce,
    };
    let label = match likeness {
        Likeness::Date => Text::OtherOfDate,
        _ => Text::Original,
    };
    // Omit the path, so that a baseline entry remains valid if a file is moved.
    let subject = match copy.run() {
        Run::At(seconds) => format!("run at {seconds}"),
        Run::Text(digest) => format!("text {digest}"),
    };
    let anchor = Anchor::path(&copy.path).about(subject);
    let finding = out.at(anchor, likeness.text(copy, original));
    finding
        .label(Place::path(&original.path), label)
        .help(help)
        .or_at_label(likeness.text(original, copy))
        .severity = severity;
}

#[derive(Debug, Clone, Copy)]
enum Likeness {
    Text,
    Results,
    /// Same release, channel and mode, but different results, which suggests an edit.
    Edited,
    Date,
}

impl Likeness {
    fn new(copy: &ReportFacts, original: &ReportFacts) -> Self {
        let fields = fields_that_differ(copy, original);
        let is_same_setup = fields.iter().all(|field| matches!(field, Text::Version));
        match (copy.results() == original.results(), is_same_setup) {
            _ if copy.digest == original.digest => Self::Text,
            (true, _) => Self::Results,
            (false, true) => Self::Edited,
            (false, false) => Self::Date,
        }
    }

    fn text<'a>(self, copy: &ReportFacts, original: &'a ReportFacts) -> Text<'a> {
        let other = if copy.submission == original.submission {
            original.file_name.as_str()
        } else {
            &original.path
        };
        let fields = fields_that_differ(copy, original);
        let is_same = fields.is_empty();
        let fields = Message::list(fields.into_iter().map(Message::from), ", ", " and ");
        match (self, is_same) {
            (Self::Text, _) => Text::SameBytes { other },
            (Self::Results, true) => Text::SameRun { other },
            (Self::Results, false) => Text::SameRunAs { other, fields },
            (Self::Edited, true) => Text::Edited { other },
            (Self::Edited, false) => Text::EditedAs { other, fields },
            (Self::Date, _) => Text::SameDate { other, fields },
        }
    }
}

fn fields_that_differ(copy: &ReportFacts, original: &ReportFacts) -> Vec<Text<'static>> {
    let differs = |field: fn(&ReportFacts) -> Option<&str>| field(copy) != field(original);
    let all = [
        (
            copy.release.version != original.release.version,
            Text::Release,
        ),
        (differs(ReportFacts::version), Text::Version),
        (differs(ReportFacts::channel), Text::Channel),
        (differs(ReportFacts::mode), Text::Mode),
    ];
    let differing = all.into_iter().filter(|(differs, _)| *differs);
    differing.map(|(_, field)| field).collect()
}

fn of_several(conflict: &Conflict, cx: &TreeContext<'_>, out: &mut Findings) {
    let [report, other] = [conflict.at, conflict.other].map(|at| &cx.reports[at]);
    let mut names = [report, other].map(|report| {
        let (organization, project) = cx.names.of(report).unwrap_or_default();
        format!("{organization}/{project}")
    });
    names.sort();
    let [first, second] = names;
    // Both reports have the same subject, because `check --since` may report either one.
    let subject = format!("run of {first} and {second}");
    let [name, of_other] = [first, second];
    let (message, label) = if report.results() == other.results() {
        let shared = Text::Shared {
            name,
            other: of_other,
        };
        (Message::from(shared), Text::OtherOfRun)
    } else {
        let shared = Text::SharedDate {
            name,
            other: of_other,
        };
        (shared.into(), Text::OtherOfDate)
    };
    out.at(Anchor::path(&report.path).about(subject), message.clone())
        .label(Place::path(&other.path), label)
        .help(Text::RemoveCopy)
        .or_at_label(message);
}
