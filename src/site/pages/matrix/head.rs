//! Builds the two head rows of a matrix: implementations, above their reports.

use std::collections::BTreeMap;

use super::Place;
use super::evidence::Evidence;
use crate::site::model::{MatrixColumn, MatrixView, StateCounts, text};
use crate::site::pages::layout::SiteContext;
use crate::site::pages::mark::Mark;
use crate::site::paths;
use gwconform_base::text::{breakable, numbers};
use gwconform_report::certify::catalog::slug;

pub(super) struct ImplementationHead<'s> {
    pub(super) slug: &'s str,
    pub(super) name: &'s str,
    pub(super) page: String,
    pub(super) columns: usize,
    /// Rank of the verdict in the first column of the implementation.
    pub(super) standing: usize,
    pub(super) supported: usize,
    pub(super) is_on_phones: bool,
}

/// Maximum characters of a name. Heads show the rest as a tooltip.
const MAX_NAME: usize = 36;

impl ImplementationHead<'_> {
    pub(super) fn is_cut(&self) -> bool {
        self.name.chars().count() > MAX_NAME
    }

    /// The name in parts between which a line can break.
    pub(super) fn parts(&self) -> Vec<String> {
        let shown: String = if self.is_cut() {
            self.name.chars().take(MAX_NAME - 1).chain(['…']).collect()
        } else {
            self.name.to_owned()
        };
        breakable(&shown).into_iter().map(str::to_owned).collect()
    }
}

pub(super) struct ColumnHead<'s> {
    pub(super) slug: &'s str,
    pub(super) name: &'s str,
    pub(super) file: Option<(String, String)>,
    /// Test results for scripts, from [`Evidence::list`] and [`Evidence::shown`].
    pub(super) list: Option<String>,
    pub(super) shown: Option<String>,
    /// False for additional reports, which users can collapse.
    pub(super) is_first: bool,
    pub(super) is_on_phones: bool,
    pub(super) page: String,
    pub(super) version: &'s str,
    pub(super) channel: &'s str,
    pub(super) mode: Option<&'s str>,
    pub(super) mark: Mark,
    pub(super) counts: StateCounts,
    /// Distinguishes reports with the same version, channel and mode.
    pub(super) difference: Option<String>,
}

pub(super) fn implementation_heads<'s>(
    matrix: &'s MatrixView<'s>,
    places: &[Place],
) -> Vec<ImplementationHead<'s>> {
    let column = |place: &Place| &matrix.columns[place.at];
    let slug = |place: &Place| column(place).report.implementation.slug.as_str();
    let groups = places.chunk_by(|a, b| slug(a) == slug(b));
    let heads = groups.filter_map(|group| {
        let first = group.first()?;
        let column = column(first);
        let implementation = column.report.implementation;
        Some(ImplementationHead {
            slug: &implementation.slug,
            name: &implementation.name,
            page: paths::implementation_page(&implementation.slug),
            columns: group.len(),
            standing: column.status as usize,
            supported: matrix.counts_of(first.at).supported,
            is_on_phones: first.is_on_phones,
        })
    });
    heads.collect()
}

pub(super) fn channel<'s>(column: &MatrixColumn<'s>) -> Option<&'s str> {
    text(&column.report.facts().channel)
}

pub(super) fn column_head<'s>(
    site: &SiteContext<'_>,
    matrix: &'s MatrixView<'s>,
    place: Place,
    alike: &Alike<'s>,
    evidence: &Evidence<'_>,
    rows: &[&str],
) -> ColumnHead<'s> {
    let column = &matrix.columns[place.at];
    let report = column.report;
    let facts = report.facts();
    ColumnHead {
        slug: &report.implementation.slug,
        file: site.source.map(|source| {
            let file = paths::in_repository(source, report.path_in_tree);
            (file, lines(column, rows))
        }),
        list: evidence.list(place.at),
        shown: evidence.shown(place.at).map(str::to_owned),
        is_first: place.is_first,
        is_on_phones: place.is_on_phones,
        name: &report.implementation.name,
        page: report.page(),
        version: report.version(),
        channel: channel(column).unwrap_or("–"),
        mode: text(&facts.mode).filter(|mode| *mode != "default"),
        mark: Mark::result(column.status),
        counts: matrix.counts_of(place.at),
        difference: difference(column, alike),
    }
}

/// Line of each feature in the report file, separated by spaces. If the file does not list the
/// feature, the line of the profile is used.
fn lines(column: &MatrixColumn<'_>, rows: &[&str]) -> String {
    let facts = column.report.facts();
    let profile = facts.profiles.get(column.profile);
    let Some((lines, profile)) = facts.lines.get(column.profile).zip(profile) else {
        return String::new();
    };
    let known = lines.by_feature(profile);
    numbers(
        rows.iter()
            .map(|row| known.get(row).unwrap_or(&lines.start)),
    )
}

type Looks<'s> = (&'s str, [Option<&'s str>; 3]);

pub(super) type Alike<'s> = BTreeMap<Looks<'s>, BTreeMap<Option<String>, usize>>;

fn looks<'s>(column: &MatrixColumn<'s>) -> Looks<'s> {
    let facts = column.report.facts();
    let run = [&facts.version, &facts.channel, &facts.mode].map(text);
    (&column.report.implementation.slug, run)
}

pub(super) fn alike<'s>(matrix: &MatrixView<'s>) -> Alike<'s> {
    let mut alike: Alike<'_> = BTreeMap::new();
    for column in &matrix.columns {
        let releases = alike.entry(looks(column)).or_default();
        *releases.entry(column.report.release()).or_default() += 1;
    }
    alike
}

/// Text that distinguishes columns with the same heading: the release if it is unique, or else the
/// rest of the file name. `None` if no other column has that heading.
fn difference(column: &MatrixColumn<'_>, alike: &Alike<'_>) -> Option<String> {
    let release = column.report.release();
    let releases = alike.get(&looks(column))?;
    match releases.get(&release) {
        Some(1) if releases.len() == 1 => None,
        Some(1) if release.is_some() => release,
        _ => Some(rest_of_name(column)),
    }
}

fn rest_of_name(column: &MatrixColumn<'_>) -> String {
    let name = column.report.entry.slug.as_str();
    let facts = column.report.facts();
    let run = [&facts.channel, &facts.version, &facts.mode];
    let parts: Vec<&str> = run.into_iter().filter_map(text).collect();
    name.strip_prefix(&slug(&parts))
        .map(|rest| rest.trim_matches('-'))
        .filter(|rest| !rest.is_empty())
        .unwrap_or(name)
        .to_owned()
}
