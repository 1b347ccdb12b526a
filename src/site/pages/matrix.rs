//! Renders `/matrix/` and `/matrix/<minor>/<profile>/`, with feature states by report.

mod evidence;
mod head;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use rayon::prelude::*;

use evidence::Evidence;
use head::{ColumnHead, ImplementationHead};

use super::Out;
use super::implementation::profile_name;
use super::layout::{self, Head, SiteContext};
use super::mark::{self, Mark};
use crate::site::File;
use crate::site::model::{
    MatrixColumn, MatrixRow, MatrixView, Share, is_experimental, label, resource, text,
};
use crate::site::paths;
use gwconform_base::api::{Level, Minor, NameKind};
use gwconform_base::text::breakable;
use gwconform_report::certify::catalog::{State, StateKind};

/// Maximum cells per page, including heads and totals. A wider matrix is split into several pages.
const MAX_CELLS: usize = 3_000;
const CELLS_OF_HEAD: usize = 10;

/// Number of implementations that phones show at first. Those with the best verdicts are chosen.
const ON_PHONES: usize = 3;

#[derive(Template)]
#[template(path = "matrix.html")]
struct MatrixPage<'s> {
    head: Head<'s>,
    matrix: &'s MatrixView<'s>,
    implementations: usize,
    profile: String,
    table: Table<'s>,
    tests: String,
    minors: Vec<Choice>,
    profiles: Vec<Choice>,
    parts: Vec<Choice>,
    signs: Vec<Mark>,
    key: Vec<(Mark, &'static str)>,
    same: usize,
    /// Matrix of the profile for the newest minor, if this one is for an older minor.
    newer: Option<(Minor, String)>,
    json: String,
    csv: String,
}

struct Choice {
    name: String,
    page: String,
    is_here: bool,
}

struct Table<'s> {
    implementations: Vec<ImplementationHead<'s>>,
    columns: Vec<ColumnHead<'s>>,
    groups: Vec<Group<'s>>,
}

impl Table<'_> {
    fn on_phones(&self) -> usize {
        let shown = self.implementations.iter();
        shown.filter(|one| one.is_on_phones).count()
    }
}

struct Group<'s> {
    name: &'s str,
    rows: Vec<FeatureRow<'s>>,
}

struct FeatureRow<'s> {
    name: &'s str,
    title: String,
    label: Vec<String>,
    page: Option<String>,
    /// Element ID. `None` for a feature without a page, whose name can contain arbitrary
    /// characters.
    id: Option<String>,
    tests: String,
    /// Implementations that support the feature in any report for the minor.
    share: Option<Share>,
    is_experimental: bool,
    cells: Vec<Cell>,
    is_same: bool,
}

struct Cell {
    class: &'static str,
    glyph: &'static str,
    word: Cow<'static, str>,
    text: String,
    page: String,
    is_first: bool,
    is_on_phones: bool,
}

#[derive(Template)]
#[template(path = "matrices.html")]
struct MatricesPage<'s> {
    head: Head<'s>,
    profiles: Vec<&'s str>,
    rows: Vec<(Minor, Vec<Option<ListedMatrix>>)>,
    older: &'s [MatrixView<'s>],
}

struct ListedMatrix {
    page: String,
    reports: usize,
}

pub(super) fn make(site: &SiteContext<'_>, out: &Out<'_>) {
    out(vec![matrices_page(site)]);
    site.model.matrices.par_iter().for_each(|matrix| {
        let whole = Whole::new(site, matrix);
        let pages = (0..whole.parts.len()).into_par_iter();
        pages.for_each(|part| out(vec![matrix_page(site, &whole, part)]));
    });
}

/// What all pages of a matrix share, because it depends on all columns.
struct Whole<'s> {
    matrix: &'s MatrixView<'s>,
    parts: Vec<Vec<Place>>,
    implementations: usize,
    alike: head::Alike<'s>,
    /// Implementations that support the feature of each row.
    shares: Vec<Option<Share>>,
    /// Whether all columns of each row have the same state.
    same: Vec<bool>,
}

impl<'s> Whole<'s> {
    fn new(site: &'s SiteContext<'_>, matrix: &'s MatrixView<'s>) -> Self {
        let share =
            |row: &MatrixRow<'_>| Share::try_new(site.model.states(row.feature), matrix.minor);
        let is_same = |row: &MatrixRow<'_>| {
            let mut kinds = row.states.iter().map(|state| state.kind());
            let first = kinds.next();
            kinds.all(|kind| Some(kind) == first)
        };
        Self {
            matrix,
            parts: parts(site, matrix),
            implementations: implementations(matrix),
            alike: head::alike(matrix),
            shares: matrix.rows.iter().map(share).collect(),
            same: matrix.rows.iter().map(is_same).collect(),
        }
    }
}

fn path(matrix: &MatrixView<'_>) -> String {
    paths::matrix_page(matrix.minor, matrix.profile)
}

fn name(matrix: &MatrixView<'_>) -> String {
    profile_name(Some(matrix.family), matrix.profile)
}

fn matrices_page(site: &SiteContext<'_>) -> File {
    let matrices = site.model.listed_matrices();
    let mut profiles: Vec<&str> = matrices.iter().map(|matrix| matrix.profile).collect();
    profiles.sort_unstable();
    profiles.dedup();
    let minors = matrices.chunk_by(|a, b| a.minor == b.minor);
    let rows = minors.filter_map(|minor| {
        let entry = |profile: &&str| {
            let matrix = minor.iter().find(|matrix| matrix.profile == *profile)?;
            Some(ListedMatrix {
                page: path(matrix),
                reports: matrix.columns.len(),
            })
        };
        Some((minor.first()?.minor, profiles.iter().map(entry).collect()))
    });
    let about = "Which Gateway API features each implementation supports, release by release and profile by profile.";
    let page = MatricesPage {
        head: site.head(paths::MATRICES_PAGE, "Matrices", about),
        rows: rows.collect(),
        profiles: profiles.clone(),
        older: &site.model.matrices[matrices.len()..],
    };
    layout::file(paths::MATRICES_PAGE, &page)
}

fn matrix_page(site: &SiteContext<'_>, whole: &Whole<'_>, part: usize) -> File {
    let Whole { matrix, parts, .. } = whole;
    let path = paths::matrix_part(matrix.minor, matrix.profile, part + 1);
    let profile = name(matrix);
    let mut title = format!("{profile} features in {}", matrix.minor);
    if parts.len() > 1 {
        title.push_str(&format!(", part {} of {}", part + 1, parts.len()));
    }
    let description = format!(
        "Which features of {2} the {0} conformance reports for Gateway API {1} support.",
        matrix.columns.len(),
        matrix.minor,
        matrix.profile
    );
    let places = parts.get(part).map_or(&[][..], Vec::as_slice);
    let evidence = Evidence::of(site, matrix, places);
    let table = table(site, whole, places, &evidence);
    let rows = table.groups.iter().flat_map(|group| &group.rows);
    let data = |extension: &str| {
        let name = paths::matrix_data(matrix.minor, matrix.profile);
        paths::data_file(&format!("{name}.{extension}"))
    };
    let mut of_profile = site.model.matrices.iter();
    let newest = of_profile.find(|other| other.profile == matrix.profile);
    let newer = newest.filter(|newest| newest.minor > matrix.minor);
    let newer = newer.map(|newest| (newest.minor, self::path(newest)));
    let page = MatrixPage {
        head: site
            .head(&path, &title, &description)
            .with_newer(site.base, newer.as_ref().map(|(_, path)| path.as_str()))
            .with_scripts(&[&site.assets.matrix]),
        minors: choices(
            site,
            matrix,
            |other| other.profile == matrix.profile,
            |other| other.minor.to_string(),
        ),
        profiles: choices(site, matrix, |other| other.minor == matrix.minor, name),
        parts: part_choices(matrix, parts, part),
        signs: signs(matrix, places),
        key: mark::key(),
        tests: evidence.names,
        same: rows.filter(|row| row.is_same).count(),
        json: data("json"),
        csv: data("csv"),
        implementations: whole.implementations,
        newer,
        table,
        profile,
        matrix,
    };
    layout::file(&path, &page)
}

fn implementations(matrix: &MatrixView<'_>) -> usize {
    let columns = matrix.columns.iter();
    let slugs = columns.map(|column| column.report.implementation.slug.as_str());
    slugs.collect::<BTreeSet<_>>().len()
}

fn choices(
    site: &SiteContext<'_>,
    matrix: &MatrixView<'_>,
    is_wanted: impl Fn(&MatrixView<'_>) -> bool,
    name: impl Fn(&MatrixView<'_>) -> String,
) -> Vec<Choice> {
    let mut wanted: Vec<_> = site
        .model
        .matrices
        .iter()
        .filter(|other| is_wanted(other))
        .collect();
    wanted.sort_by_key(|other| (other.family, other.profile));
    let choices = wanted.into_iter().map(|other| Choice {
        name: name(other),
        page: path(other),
        is_here: std::ptr::eq(other, matrix),
    });
    choices.collect()
}

#[derive(Clone, Copy)]
struct Place {
    at: usize,
    is_first: bool,
    is_on_phones: bool,
}

/// Splits columns into pages. Columns of an implementation stay on one page if they fit.
fn parts(site: &SiteContext<'_>, matrix: &MatrixView<'_>) -> Vec<Vec<Place>> {
    let most = (MAX_CELLS / (matrix.rows.len() + CELLS_OF_HEAD)).max(1);
    let places = places(site, matrix);
    let slug = |place: &Place| &matrix.columns[place.at].report.implementation.slug;
    let groups = places.chunk_by(|a, b| slug(a) == slug(b));
    let mut parts: Vec<Vec<Place>> = Vec::new();
    for group in groups.flat_map(|group| group.chunks(most)) {
        match parts.last_mut() {
            Some(last) if last.len() + group.len() <= most => last.extend(group),
            _ => parts.push(group.to_vec()),
        }
    }
    for part in &mut parts {
        let mut firsts: Vec<_> = part.iter_mut().filter(|place| place.is_first).collect();
        firsts.sort_by_cached_key(|place| {
            let column = &matrix.columns[place.at];
            Reverse((column.status, matrix.counts_of(place.at).supported))
        });
        let best = firsts.into_iter().take(ON_PHONES);
        best.for_each(|place| place.is_on_phones = true);
    }
    parts
}

fn part_choices(matrix: &MatrixView<'_>, parts: &[Vec<Place>], here: usize) -> Vec<Choice> {
    if parts.len() < 2 {
        return Vec::new();
    }
    let name = |place: &Place| matrix.columns[place.at].report.implementation.name.as_str();
    let choices = parts.iter().enumerate().filter_map(|(at, places)| {
        Some(Choice {
            name: format!("{} to {}", name(places.first()?), name(places.last()?)),
            page: paths::matrix_part(matrix.minor, matrix.profile, at + 1),
            is_here: at == here,
        })
    });
    choices.collect()
}

fn signs(matrix: &MatrixView<'_>, places: &[Place]) -> Vec<Mark> {
    let rows = matrix.rows.iter();
    let cells = rows.flat_map(|row| places.iter().filter_map(|place| row.states.get(place.at)));
    let kinds: BTreeSet<StateKind> = cells.map(|state| state.kind()).collect();
    kinds
        .into_iter()
        .map(|kind| Mark::state(kind, kind.word().to_owned()))
        .collect()
}

fn table<'s>(
    site: &'s SiteContext<'_>,
    whole: &Whole<'s>,
    places: &[Place],
    evidence: &Evidence<'_>,
) -> Table<'s> {
    let Whole { matrix, alike, .. } = whole;
    let groups = groups(site, whole, places, evidence);
    let rows = groups.iter().flat_map(|group| &group.rows);
    let names: Vec<&str> = rows.map(|row| row.name).collect();
    let head = |place: &Place| head::column_head(site, matrix, *place, alike, evidence, &names);
    Table {
        implementations: head::implementation_heads(matrix, places),
        columns: places.iter().map(head).collect(),
        groups,
    }
}

/// Orders columns by implementation. The first column of an implementation is the report behind the
/// verdict for the minor, or else the newest report in the standard channel.
fn places(site: &SiteContext<'_>, matrix: &MatrixView<'_>) -> Vec<Place> {
    let implementations = site.model.implementations.iter();
    let bases: BTreeSet<&str> = implementations
        .filter_map(|implementation| implementation.basis(matrix.family, matrix.minor))
        .map(|report| report.id.as_str())
        .collect();
    let columns = &matrix.columns;
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_cached_key(|&at| {
        let column = &columns[at];
        let implementation = column.report.implementation;
        (
            implementation.name.to_lowercase(),
            &implementation.slug,
            !bases.contains(column.report.id.as_str()),
            head::channel(column).map(|channel| channel != "standard"),
            text(&column.report.facts().mode).map(|mode| mode != "default"),
            Reverse(at),
        )
    });
    let mut known = BTreeSet::new();
    let places = order.into_iter().map(|at| Place {
        at,
        is_first: known.insert(columns[at].report.implementation.slug.as_str()),
        is_on_phones: false,
    });
    places.collect()
}

/// Groups features by resource. Core features are last, because they differ least between
/// implementations.
fn groups<'s>(
    site: &SiteContext<'s>,
    whole: &Whole<'s>,
    places: &[Place],
    evidence: &Evidence<'_>,
) -> Vec<Group<'s>> {
    let matrix = whole.matrix;
    let mut groups: BTreeMap<(bool, &str), Vec<FeatureRow<'s>>> = BTreeMap::new();
    for (at, row) in matrix.rows.iter().enumerate() {
        let resource = resource(site.model.registry, row.feature);
        let is_core = row.level == Level::Core;
        let (group, label) = if is_core {
            ("Core", row.feature.to_owned())
        } else {
            (resource, label(row.feature, resource))
        };
        let rows = groups.entry((is_core, group)).or_default();
        let cells = cells(site, row, &matrix.columns, places);
        let tests = evidence.tests(row);
        rows.push(self::row(site, whole, at, label, cells, tests));
    }
    let groups = groups.into_iter();
    let groups = groups.map(|((_, name), rows)| Group { name, rows });
    groups.collect()
}

fn row<'s>(
    site: &SiteContext<'_>,
    whole: &Whole<'s>,
    at: usize,
    label: String,
    cells: Vec<Cell>,
    tests: String,
) -> FeatureRow<'s> {
    let row = &whole.matrix.rows[at];
    let page = site.model.set.feature_page(row.feature);
    let id = page.is_some().then(|| paths::feature_row(row.feature));
    let removed = site
        .model
        .registry
        .removed_in(NameKind::Feature, row.feature);
    FeatureRow {
        name: row.feature,
        title: match removed {
            Some(release) => format!("{}, removed in {release}", row.feature),
            None => row.feature.to_owned(),
        },
        label: breakable(&label).into_iter().map(str::to_owned).collect(),
        share: whole.shares[at],
        is_experimental: is_experimental(row.feature, whole.matrix.minor, site.model.registry),
        is_same: whole.same[at],
        page,
        id,
        tests,
        cells,
    }
}

fn cells(
    site: &SiteContext<'_>,
    row: &MatrixRow<'_>,
    columns: &[MatrixColumn<'_>],
    places: &[Place],
) -> Vec<Cell> {
    let cells = places.iter().filter_map(|place| {
        let (state, column) = (row.states.get(place.at)?, columns.get(place.at)?);
        let feature = row.feature;
        let text = column
            .report
            .in_words(column.profile, feature, state, site.model.registry);
        let (class, glyph) = mark::sign(state.kind());
        let is_more = **state == State::NotInRelease || !state.affected_tests().is_empty();
        Some(Cell {
            class,
            glyph,
            word: if is_more {
                text.clone().into()
            } else {
                state.kind().word().into()
            },
            text,
            page: site.model.set.feature_row(column.report, feature),
            is_first: place.is_first,
            is_on_phones: place.is_on_phones,
        })
    });
    cells.collect()
}
