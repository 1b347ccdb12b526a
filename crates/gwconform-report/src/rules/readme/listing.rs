//! Finds the table of contents of a README, and the report of each row, in linear time.

use std::collections::{BTreeMap, BTreeSet};

use crate::report::facts::ReportFacts;
use crate::tree::readme::{Cell, Columns, Contents, Link, Readme, Row, Target};
use crate::tree::{LinkTarget, Submission};
use gwconform_base::text::source::display_path;

/// Table of contents and reports of a submission.
#[derive(Debug, Default)]
pub struct Listing<'a> {
    /// Position of the table in the README.
    pub contents: Contents,
    /// Indexes of other tables with version and report columns.
    pub more_tables: Vec<usize>,
    /// Rows of all tables, without lines of plain text.
    pub rows: Vec<ListedRow<'a>>,
    /// Reports by relative path, with the facts of the first document.
    pub files: BTreeMap<String, Option<&'a ReportFacts>>,
}

/// Row of the table of contents.
#[derive(Debug)]
pub struct ListedRow<'a> {
    /// Parsed row with its cells.
    pub row: &'a Row,
    /// Columns of the row's table, by meaning.
    pub columns: Columns,
    /// Number of columns in the header.
    pub column_count: usize,
    /// Link to the report, or else the first in the Report cell.
    pub link: Option<&'a Link>,
    /// Resolved target of `link`, if known.
    pub link_target: Option<&'a LinkTarget>,
    /// `None` if the row lists no report of the submission.
    pub file: Option<String>,
    /// Facts of the report, if the report was read.
    pub report: Option<&'a ReportFacts>,
}

impl<'a> ListedRow<'a> {
    /// `None` if the row is too short.
    pub fn cell(&self, column: Option<usize>) -> Option<&'a Cell> {
        self.row.cells.get(column?)
    }

    /// Empty if the row lacks the cell, and `None` if the table lacks the column.
    pub fn text(&self, column: Option<usize>) -> Option<&'a str> {
        column?;
        Some(self.cell(column).map_or("", |cell| cell.text.trim()))
    }
}

/// True for `x`, which READMEs up to v1.0.x use as the channel and mode.
pub(crate) fn is_x(text: &str) -> bool {
    text.eq_ignore_ascii_case("x")
}

impl<'a> Listing<'a> {
    /// Builds the listing. `path` is the printed path of the README.
    pub fn new(
        readme: &'a Readme,
        link_targets: &'a [LinkTarget],
        path: &str,
        submission: &Submission,
        reports: Option<&'a [ReportFacts]>,
    ) -> Self {
        let contents = readme.find_table_of_contents();
        let mut listing = Self {
            files: files(path, submission, reports),
            ..Self::default()
        };
        let link_targets: BTreeMap<u32, &LinkTarget> = readme
            .links
            .iter()
            .zip(link_targets)
            .map(|(link, link_target)| (link.span.start, link_target))
            .collect();
        listing.more_tables = contents.others.clone();
        listing.more_tables.retain(|&table| {
            let columns = Columns::new(&readme.tables[table]);
            columns.version.is_some() && columns.report.is_some()
        });
        let tables: Vec<usize> = contents
            .table
            .iter()
            .chain(&listing.more_tables)
            .copied()
            .collect();
        for table in tables.into_iter().map(|table| &readme.tables[table]) {
            let columns = Columns::new(table);
            for row in table.rows.iter().filter(|row| !row.has_no_pipe()) {
                let listed = ListedRow {
                    column_count: table.header.cells.len(),
                    ..listing.row(row, columns.clone(), &link_targets)
                };
                listing.rows.push(listed);
            }
        }
        listing.contents = contents;
        listing
    }

    /// Reports without a row.
    pub fn unlisted(&self) -> impl Iterator<Item = &str> {
        let listed: BTreeSet<&str> = self
            .rows
            .iter()
            .filter_map(|row| row.file.as_deref())
            .collect();
        let files = self.files.keys().map(String::as_str);
        files.filter(move |file| !listed.contains(file))
    }

    /// Rows with a report that was read.
    pub(crate) fn rows_with_reports(
        &self,
    ) -> impl Iterator<Item = (&ListedRow<'a>, &'a ReportFacts)> {
        self.rows.iter().filter_map(|row| Some((row, row.report?)))
    }

    fn row(
        &self,
        row: &'a Row,
        columns: Columns,
        link_targets: &BTreeMap<u32, &'a LinkTarget>,
    ) -> ListedRow<'a> {
        let cells = match columns.report {
            Some(column) => row.cells.get(column..=column).unwrap_or_default(),
            None => &row.cells,
        };
        let link_target = |link: &Link| link_targets.get(&link.span.start).copied();
        let links = || cells.iter().flat_map(|cell| &cell.links);
        let mut found =
            links().filter_map(|link| Some((link, self.file_of(link, link_target(link))?)));
        let (link, file) = match found.next() {
            Some((link, file)) => (Some(link), Some(file)),
            None => {
                let mut texts = cells.iter().map(|cell| cell.text.trim());
                let file = texts.find_map(|text| self.known(text.trim_start_matches("./")));
                (links().next(), file)
            }
        };
        let report = file.as_ref().and_then(|file| *self.files.get(file)?);
        ListedRow {
            row,
            columns,
            column_count: 0,
            link,
            link_target: link.and_then(link_target),
            file,
            report,
        }
    }

    /// Excludes URLs on remote hosts, because the files may differ.
    fn file_of(&self, link: &Link, link_target: Option<&LinkTarget>) -> Option<String> {
        match (link_target, link.classify()) {
            (Some(LinkTarget::Inside { own, .. }), _) => self.known(own.as_ref()?),
            (None, Target::Relative { path, up: 0 }) => self.known(&path),
            _ => None,
        }
    }

    fn known(&self, path: &str) -> Option<String> {
        self.files.contains_key(path).then(|| path.to_owned())
    }
}

fn files<'a>(
    path: &str,
    submission: &Submission,
    reports: Option<&'a [ReportFacts]>,
) -> BTreeMap<String, Option<&'a ReportFacts>> {
    let Some(reports) = reports else {
        return BTreeMap::new();
    };
    let names = submission.reports.iter();
    let mut files: BTreeMap<String, Option<&ReportFacts>> = names
        .map(|file| (display_path(file, &submission.path), None))
        .collect();
    const MAX_BYTES: usize = 1000;
    let is_sane = |report: &&ReportFacts| {
        let mut facts = [&report.channel, &report.version, &report.mode]
            .into_iter()
            .flatten();
        facts.all(|fact| fact.value.len() <= MAX_BYTES)
    };
    let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
    for report in reports.iter().filter(is_sane) {
        let name = report.path.strip_prefix(folder);
        if let Some(facts) = name.and_then(|name| files.get_mut(name)) {
            facts.get_or_insert(report);
        }
    }
    files
}
