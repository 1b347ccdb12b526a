//! Adds rows to a README, or creates it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::previous_readme::{self, Previous};
use super::template::{NO_ISOLATION, Run, is_default, lacks_isolation, new_readme, run};
use super::{AddError, Options, PlannedReport, SubmissionTarget, other_readmes, reason};
use gwconform_base::release::stated::is_legacy_folder;
use gwconform_base::text::escape;
use gwconform_base::text::letters;
use gwconform_base::text::source::Source;
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::rules::ReadmeContext;
use gwconform_report::rules::readme::cells::is_described;
use gwconform_report::rules::readme::fixes::cells;
use gwconform_report::rules::readme::markup::{is_plain_address, report_link};
use gwconform_report::tree::Submission;
use gwconform_report::tree::readme::{self, Table, formatting};

/// README of a submission after the addition.
pub(super) struct PlannedReadme {
    /// Printed path.
    pub shown: String,
    /// Text before the addition; `None` if the README is new.
    pub before: Option<String>,
    pub text: String,
    pub to_do: Vec<String>,
}

/// Plans the README of a folder. A new README starts from `previous`, or else from a template.
pub(super) fn plan(
    folder: &Path,
    planned: &[PlannedReport],
    previous: Option<&Previous>,
    target: &SubmissionTarget<'_>,
    options: &Options,
) -> Result<PlannedReadme, AddError> {
    let mut submissions = target.tree.submissions.iter();
    let known = submissions.find(|submission| submission.path == folder);
    let shown = target.tree.display(&folder.join("README.md"));
    let first = planned.first().map_or("", |report| report.shown.as_str());
    let refuse = |text: String| Err(reason(first, text));
    let before = match known.and_then(|known| known.readme.as_ref()) {
        None => None,
        Some(path) => match (target.read)(path).map(String::from_utf8) {
            Some(Ok(text)) => Some(text),
            _ => return refuse(format!("{shown} is not valid UTF-8")),
        },
    };
    let start = before.as_ref().or(previous.map(|previous| &previous.text));
    let text = start.cloned().unwrap_or_else(|| new_readme(planned));
    let (submission, reports) = with_planned(known, folder, planned, target);
    let cx = Readme {
        shown: &shown,
        submission: &submission,
        reports: &reports,
        target,
    };
    let is_adapted = start.is_some();
    let mut to_do = Vec::new();
    let text = match cx.with_rows(&text, planned, options, &mut to_do) {
        Ok(with_rows) => with_rows,
        Err(error) => return refuse(error),
    };
    let text = cx.with_modes(text, planned, is_adapted, &mut to_do);
    let has_new = planned.iter().any(|report| !report.is_there);
    if is_adapted && has_new && readme::parse(&text).reproduce_sections().is_empty() {
        to_do.push(format!(
            "{shown}: add a section `## Reproduce` with the steps to run the suite"
        ));
    }
    let text = cx.finished(text, planned, before.is_some(), previous, &mut to_do);
    Ok(PlannedReadme {
        shown,
        before,
        text,
        to_do,
    })
}

/// Submission and its reports after the addition.
fn with_planned(
    known: Option<&Submission>,
    folder: &Path,
    planned: &[PlannedReport],
    target: &SubmissionTarget<'_>,
) -> (Submission, Vec<ReportFacts>) {
    let mut submission = known.cloned().unwrap_or_default();
    submission.path = folder.to_owned();
    submission.release = planned.first().map(|report| report.release.clone());
    submission.readme = Some(folder.join("README.md"));
    let there = target.reports.iter();
    let mut reports: Vec<ReportFacts> = there
        .filter(|report| report.submission == folder)
        .cloned()
        .collect();
    for report in planned.iter().filter(|report| !report.is_there) {
        submission.reports.push(folder.join(&report.name));
        reports.push(report.facts.clone());
    }
    (submission, reports)
}

fn mode_to_describe(report: &PlannedReport, shown: &str) -> Option<String> {
    let mode = report.facts.mode().unwrap_or_default();
    let is_usual = mode.is_empty() || is_default(mode) || is_legacy_folder(Some(&report.release));
    (!is_usual).then(|| format!("{shown}: describe under Reproduce how to configure mode `{mode}`"))
}

fn with_mode(text: &str, report: &PlannedReport) -> Option<String> {
    let mode = report.facts.mode().unwrap_or_default();
    let readme = readme::parse(text);
    let sections = readme.reproduce_sections();
    let prose = |at: &usize| letters(&text[readme.sections[*at].body.range()]);
    if sections.iter().any(|at| is_described(mode, &prose(at))) {
        return None;
    }
    let &section = sections.first()?;
    let Run { title, steps } = run(report);
    let level = readme
        .heading_of(section)
        .map_or(2, |heading| heading.level);
    let marks = "#".repeat(usize::from(level.min(5)) + 1);
    let end = readme.sections[section].body.end as usize;
    let (before, after) = text.split_at(end);
    let newline = formatting::newline(before);
    let after = if after.is_empty() {
        String::new()
    } else {
        format!("{newline}{after}")
    };
    let section = format!("\n\n{marks} {title}\n\n{steps}").replace('\n', newline);
    Some(format!("{}{section}{after}", before.trim_end()))
}

fn version_cell(version: &str, page: Option<String>) -> String {
    match page {
        Some(page) if is_plain_address(&page) => format!("[{version}]({page})"),
        Some(page) => format!("[{version}]({})", escape::markdown_address(&page)),
        None => version.to_owned(),
    }
}

struct Readme<'a> {
    shown: &'a str,
    submission: &'a Submission,
    reports: &'a [ReportFacts],
    target: &'a SubmissionTarget<'a>,
}

impl Readme<'_> {
    fn with_rows(
        &self,
        text: &str,
        planned: &[PlannedReport],
        options: &Options,
        to_do: &mut Vec<String>,
    ) -> Result<String, String> {
        let source = Source::new(self.shown, text.as_bytes().to_vec());
        let readme = readme::parse(text);
        let reports = Some(self.reports);
        let cx = ReadmeContext::new(&source, &readme, &[], self.submission, reports);
        let rows = cx.listing.rows.iter();
        let listed: BTreeSet<&str> = rows.filter_map(|row| row.file.as_deref()).collect();
        let is_missing = |report: &&PlannedReport| !listed.contains(report.name.as_str());
        let missing: Vec<&PlannedReport> = planned.iter().filter(is_missing).collect();
        if missing.is_empty() {
            return Ok(text.to_owned());
        }
        let table = cx.listing.contents.table.map(|table| &readme.tables[table]);
        let table = self.usable(table)?;
        let mut pages = BTreeMap::new();
        let mut rows = Vec::new();
        for report in missing {
            let facts = &report.facts;
            let version = facts.version().unwrap_or_default();
            let page = match pages.get(&(version, facts.url())) {
                Some(known) => Option::clone(known),
                None => self.page(&cx, facts, options, to_do),
            };
            pages.insert((version, facts.url()), page.clone());
            let shown = version_cell(version, page);
            let link = report_link(version, &report.name)
                .ok_or("the file name cannot be written into a table cell")?;
            let is_legacy = is_legacy_folder(Some(&report.release));
            let cell = |text: Option<&str>| match (text, is_legacy) {
                (_, true) => "x".to_owned(),
                (text, false) => text.unwrap_or_default().to_owned(),
            };
            let values = [cell(facts.channel()), shown, cell(facts.mode()), link];
            rows.push(cells(table, &values));
        }
        let (span, new) = formatting::with_rows(text, table, &rows);
        let (start, end) = (span.start as usize, span.end as usize);
        Ok(format!("{}{new}{}", &text[..start], &text[end..]))
    }

    fn usable<'t>(&self, table: Option<&'t Table>) -> Result<&'t Table, String> {
        match table {
            Some(table) if !table.nested => Ok(table),
            Some(_) => Err(format!(
                "{} has its table of contents in a list or a quotation; move it out of there, then add the report again",
                self.shown
            )),
            None => Err(format!(
                "{} has no table of contents; add a heading `## Table of contents`, the header | {} | and the line |---|---|---|---| below it, then add the report again",
                self.shown,
                readme::Columns::NAMES.join(" | ")
            )),
        }
    }

    /// Describes the modes of new reports. A README from the template already describes them.
    fn with_modes(
        &self,
        mut text: String,
        planned: &[PlannedReport],
        is_adapted: bool,
        to_do: &mut Vec<String>,
    ) -> String {
        for report in planned {
            let Some(say) = mode_to_describe(report, self.shown) else {
                continue;
            };
            if is_adapted {
                let Some(described) = with_mode(&text, report) else {
                    continue;
                };
                text = described;
            }
            to_do.push(say);
        }
        text
    }

    /// Removes rows of other submissions, and lists the parts that the author must write.
    fn finished(
        &self,
        mut text: String,
        planned: &[PlannedReport],
        is_there: bool,
        previous: Option<&Previous>,
        to_do: &mut Vec<String>,
    ) -> String {
        let shown = self.shown;
        if let Some(previous) = previous {
            text = previous_readme::without_other_rows(&text, shown, self.submission, self.reports);
            let from = &previous.shown;
            to_do.push(format!("{shown}: check the text, especially the steps under Reproduce, which is that of {from} with the new versions"));
        }
        let lacks = lacks_isolation(planned) && !letters(&text).contains("listenerisolation");
        match (is_there, previous) {
            (true, _) if lacks => to_do.push(format!("{shown}: describe in one sentence under Listener Isolation which listener gets a request that two of them match")),
            (false, Some(_)) if lacks => text = previous_readme::with_note(&text, NO_ISOLATION),
            (false, None) => to_do.push(format!(
                "{shown}: add installation steps, and run the commands under Reproduce once"
            )),
            _ => {}
        }
        text
    }

    /// Given URL, or a URL derived from rows with the same version, other rows, or other READMEs.
    /// Without a URL, the version is not linked, and readme/row-link reports the cell.
    fn page(
        &self,
        cx: &ReadmeContext<'_>,
        facts: &ReportFacts,
        options: &Options,
        to_do: &mut Vec<String>,
    ) -> Option<String> {
        if options.release_url.is_some() {
            return options.release_url.clone();
        }
        let version = facts.version().unwrap_or_default();
        // Reviewers have already accepted the link of a row with the same version, so no to-do is
        // added.
        if let Some(page) = cx.page_of_same_version(facts, version) {
            return Some(page);
        }
        let page = cx
            .page_like_others(facts, version)
            .or_else(|| {
                other_readmes::like_elsewhere(facts, version, &self.submission.path, self.target)
            })
            .or_else(|| Some(cx.release_page(facts, version)?.address));
        to_do.push(match &page {
            Some(page) => format!(
                "{}: check that {page} is the release page (or set --release-url)",
                self.shown
            ),
            None => format!(
                "{}: link {version} to its release page (or set --release-url)",
                self.shown
            ),
        });
        page
    }
}
