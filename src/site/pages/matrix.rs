//! `/matrix/` and `/matrix/<minor>/<profile>/`: features by reports.

use std::collections::BTreeMap;

use askama::Template;

use crate::catalog::slug;
use crate::registry::Family;
use crate::site::File;
use crate::site::api::{Column, Matrix, Totals};
use crate::site::features::{label, resource};
use crate::site::mark::{self, Mark};
use crate::site::page::{self, Head, Page, SiteContext};
use crate::site::pages::implementation::profile_name;
use crate::site::paths;

/// Most reports side by side; more make a second table.
const MAX_COLUMNS: usize = 26;

#[derive(Template)]
#[template(path = "matrix.html")]
struct One<'s> {
    head: Head<'s>,
    matrix: &'s Matrix<'s>,
    profile: String,
    tables: Vec<Table<'s>>,
    minors: Vec<Choice>,
    profiles: Vec<Choice>,
    key: Vec<(Mark, &'static str)>,
    same: usize,
}

/// Another matrix.
struct Choice {
    name: String,
    path: String,
    is_here: bool,
}

struct Table<'s> {
    heads: Vec<ColumnHead<'s>>,
    groups: Vec<Group<'s>>,
}

struct ColumnHead<'s> {
    name: &'s str,
    path: String,
    version: &'s str,
    channel: &'s str,
    /// Only when it is not the default.
    mode: Option<&'s str>,
    mark: Mark,
    totals: Totals,
    /// Reports of this name, version and channel that this one must be told apart from.
    told_apart: Option<String>,
}

struct Group<'s> {
    name: String,
    rows: Vec<Row<'s>>,
    supported: usize,
    cells: usize,
}

struct Row<'s> {
    name: &'s str,
    label: String,
    path: Option<String>,
    totals: Totals,
    cells: Vec<Cell<'s>>,
    is_same: bool,
}

struct Cell<'s> {
    class: &'static str,
    glyph: &'static str,
    word: &'s str,
    text: &'s str,
}

#[derive(Template)]
#[template(path = "matrices.html")]
struct All<'s> {
    head: Head<'s>,
    profiles: Vec<String>,
    rows: Vec<(String, Vec<Option<Entry>>)>,
}

/// A matrix in the list of all.
struct Entry {
    path: String,
    reports: usize,
    features: usize,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let matrices = site.data.matrices.iter();
    [all(site)]
        .into_iter()
        .chain(matrices.map(|matrix| one(site, matrix)))
        .collect()
}

/// The folder of a matrix's page.
fn path(matrix: &Matrix<'_>) -> String {
    paths::matrix_page(&matrix.minor, matrix.profile)
}

fn name(matrix: &Matrix<'_>) -> String {
    let is_mesh = matrix.family == Family::Mesh.as_str();
    profile_name(is_mesh.then_some(Family::Mesh), matrix.profile)
}

fn all(site: &SiteContext<'_>) -> File {
    let mut profiles: Vec<&str> = site
        .data
        .matrices
        .iter()
        .map(|matrix| matrix.profile)
        .collect();
    profiles.sort_unstable();
    profiles.dedup();
    let mut rows: Vec<(String, Vec<Option<Entry>>)> = Vec::new();
    for minor in site.data.matrices.chunk_by(|a, b| a.minor == b.minor) {
        let entry = |profile: &&str| {
            let matrix = minor.iter().find(|matrix| matrix.profile == *profile)?;
            Some(Entry {
                path: path(matrix),
                reports: matrix.reports.len(),
                features: matrix.features.len(),
            })
        };
        let Some(first) = minor.first() else { continue };
        rows.push((first.minor.clone(), profiles.iter().map(entry).collect()));
    }
    let page = All {
        head: site.head(
            &Page {
                path: paths::MATRICES_PAGE,
                title: "Matrices",
                description: "Which Gateway API features each implementation supports, release by release and profile by profile.",
            },
            &[],
        ),
        profiles: profiles.into_iter().map(str::to_owned).collect(),
        rows,
    };
    page::file(paths::MATRICES_PAGE, &page)
}

fn one(site: &SiteContext<'_>, matrix: &Matrix<'_>) -> File {
    let path = path(matrix);
    let profile = name(matrix);
    let title = format!("{profile} features with {}", matrix.minor);
    let description = format!(
        "What the {} conformance reports with Gateway API {} say of the features of {}.",
        matrix.reports.len(),
        matrix.minor,
        matrix.profile
    );
    let tables = tables(site, matrix);
    let same = tables.first().map_or(0, |table| {
        table
            .groups
            .iter()
            .flat_map(|group| &group.rows)
            .filter(|row| row.is_same)
            .count()
    });
    let choices = |is_wanted: &dyn Fn(&Matrix<'_>) -> bool,
                   name: &dyn Fn(&Matrix<'_>) -> String| {
        let wanted = site.data.matrices.iter().filter(|other| is_wanted(other));
        let mut wanted: Vec<_> = wanted.collect();
        wanted.sort_by_key(|other| (other.family, other.profile));
        wanted
            .into_iter()
            .map(|other| Choice {
                name: name(other),
                path: self::path(other),
                is_here: std::ptr::eq(other, matrix),
            })
            .collect::<Vec<_>>()
    };
    let page = One {
        head: site.head(
            &Page {
                path: &path,
                title: &title,
                description: &description,
            },
            &[],
        ),
        minors: choices(&|other| other.profile == matrix.profile, &|other| {
            other.minor.clone()
        }),
        profiles: choices(&|other| other.minor == matrix.minor, &name),
        key: mark::key(),
        tables,
        profile,
        same,
        matrix,
    };
    page::file(&path, &page)
}

fn tables<'s>(site: &'s SiteContext<'_>, matrix: &'s Matrix<'s>) -> Vec<Table<'s>> {
    // The standard channel first, then by name: what can be compared stands side by side.
    let mut order: Vec<usize> = (0..matrix.reports.len()).collect();
    let names: BTreeMap<&str, &str> = site
        .shown
        .iter()
        .map(|shown| (&*shown.one.slug, &*shown.one.name))
        .collect();
    let name = |at: usize| {
        let slug = matrix.reports[at].implementation;
        names.get(slug).copied().unwrap_or(slug)
    };
    order.sort_by_cached_key(|&at| {
        (
            matrix.reports[at]
                .channel
                .map(|channel| channel != "standard"),
            name(at).to_lowercase(),
            at,
        )
    });
    let pages = order.len().div_ceil(MAX_COLUMNS).max(1);
    let size = order.len().div_ceil(pages).max(1);
    // The reports that look alike in their heads, by release.
    let mut alike: BTreeMap<_, BTreeMap<Option<&str>, usize>> = BTreeMap::new();
    for report in &matrix.reports {
        let releases = alike.entry(looks(report)).or_default();
        *releases.entry(report.release.as_deref()).or_default() += 1;
    }
    let told_apart = |report: &Column<'_>| {
        let release = report.release.as_deref();
        let releases = alike.get(&looks(report))?;
        match releases.get(&release) {
            Some(1) if releases.len() == 1 => None,
            Some(1) if release.is_some() => release.map(str::to_owned),
            _ => Some(rest_of_name(report)),
        }
    };
    order
        .chunks(size)
        .map(|columns| Table {
            heads: columns
                .iter()
                .map(|&at| {
                    let report = &matrix.reports[at];
                    ColumnHead {
                        name: name(at),
                        path: paths::report_page(report.report),
                        version: report.implementation_version.unwrap_or("no version"),
                        channel: report.channel.unwrap_or("–"),
                        mode: report.mode.filter(|mode| *mode != "default"),
                        mark: Mark::named(report.status),
                        totals: report.totals,
                        told_apart: told_apart(report),
                    }
                })
                .collect(),
            groups: groups(site, matrix, columns),
        })
        .collect()
}

/// What the head of a column shows.
fn looks<'s>(report: &Column<'s>) -> (&'s str, [Option<&'s str>; 3]) {
    let run = [report.implementation_version, report.channel, report.mode];
    (report.implementation, run)
}

/// What tells the file of a report from others of its channel, version and mode: what its name has
/// besides them.
fn rest_of_name(report: &Column<'_>) -> String {
    let name = report.report.rsplit('/').next().unwrap_or_default();
    let parts = [report.channel, report.implementation_version, report.mode];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    let rest = name
        .strip_prefix(&slug(&parts))
        .map(|rest| rest.trim_matches('-'));
    rest.filter(|rest| !rest.is_empty())
        .unwrap_or(name)
        .to_owned()
}

fn groups<'s>(site: &SiteContext<'_>, matrix: &'s Matrix<'s>, columns: &[usize]) -> Vec<Group<'s>> {
    let mut groups: BTreeMap<(bool, String), Vec<Row<'s>>> = BTreeMap::new();
    for row in &matrix.features {
        let resource = resource(site.view.registry, row.feature);
        let is_core = row.level == "core";
        let key = (
            is_core,
            if is_core {
                "Core".to_owned()
            } else {
                resource.clone()
            },
        );
        let cells = columns.iter().filter_map(|&at| row.cells.get(at));
        let first = row.cells.first().map(|cell| cell.state);
        groups.entry(key).or_default().push(Row {
            name: row.feature,
            label: if is_core {
                row.feature.to_owned()
            } else {
                label(row.feature, &resource)
            },
            path: site.view.feature_path(row.feature),
            totals: row.totals,
            is_same: row.cells.iter().all(|cell| Some(cell.state) == first),
            cells: cells
                .map(|cell| {
                    let (class, glyph, short) = mark::of_state(cell.state);
                    // Which tests were skipped or failed is told to everyone.
                    let is_long = !cell.tests.is_empty();
                    Cell {
                        class,
                        glyph,
                        word: if is_long { &cell.text } else { short },
                        text: &cell.text,
                    }
                })
                .collect(),
        });
    }
    let groups = groups.into_iter().map(|((_, name), rows)| Group {
        name,
        supported: rows.iter().map(|row| row.totals.supported).sum(),
        cells: rows.iter().map(|row| row.totals.possible()).sum(),
        rows,
    });
    groups.collect()
}
