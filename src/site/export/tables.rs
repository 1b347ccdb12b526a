use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use crate::site::model::{
    MatrixColumn, MatrixRow, MatrixView, ReportSet, ReportView, SiteModel, StateCounts, label,
    left_out, text,
};
use gwconform_base::api::{Family, Level, Minor};
use gwconform_base::release::Registry;
use gwconform_report::certify::Status;
use gwconform_report::certify::catalog::{Catalog, LeftOut, StateKind};
use gwconform_report::report::facts::LevelData;

/// Form of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A table for each profile. Cells spell out claims that the tests do not support.
    Plain,
    /// Headings, file names and column names of the Gateway API website. A cell is one mark.
    Docsy,
}

/// Renders a page for each minor, and an index. Returns file names (`_index.md`, `v1.5.md`) with their
/// content.
pub fn tables(catalog: &Catalog<'_>, registry: &Registry, layout: Layout) -> Vec<(String, String)> {
    let set = ReportSet::new(catalog, registry, "");
    let model = SiteModel::new(&set, &[], usize::MAX);
    let mut reports: BTreeMap<Minor, Vec<&ReportView<'_>>> = BTreeMap::new();
    for report in model.reports() {
        if let Some(minor) = report.minor() {
            reports.entry(minor).or_default().push(report);
        }
    }
    let minors: Vec<Minor> = reports.keys().rev().copied().collect();
    let pages = reports.iter().rev().map(|(minor, reports)| {
        let page = Page::new(*minor, &minors, reports, &model, layout);
        (format!("{minor}.md"), page.to_string())
    });
    let index = Index::new(&reports, &model, layout);
    let index = ("_index.md".to_owned(), index.to_string());
    [index].into_iter().chain(pages).collect()
}

#[derive(Template)]
#[template(path = "export/index.md", whitespace = "preserve")]
struct Index<'m> {
    export: &'static str,
    title: &'static str,
    weight: u8,
    reports: usize,
    implementations: usize,
    /// With the number of reports, newest minor first.
    minors: Vec<(String, usize)>,
    without_release: Vec<(Identity<'m>, &'m str)>,
    left_out: Vec<&'m LeftOut>,
}

impl<'m> Index<'m> {
    fn new(
        reports: &BTreeMap<Minor, Vec<&ReportView<'_>>>,
        model: &'m SiteModel<'m>,
        layout: Layout,
    ) -> Self {
        let minors = reports.iter().rev();
        let all = model.reports().iter();
        let without_release = all.filter(|report| report.minor().is_none());
        let (title, weight) = match layout {
            Layout::Plain => ("Comparison", 10),
            Layout::Docsy => ("Implementations", 40),
        };
        Self {
            export: layout.export(),
            title,
            weight,
            reports: model.reports().len(),
            implementations: model.catalog.implementations.len(),
            minors: minors
                .map(|(minor, reports)| (minor.to_string(), reports.len()))
                .collect(),
            without_release: without_release
                .map(|report| {
                    let identity = Identity::new(report, Layout::Plain, &BTreeSet::new());
                    (identity, report.facts().path.as_str())
                })
                .collect(),
            left_out: left_out(model.catalog),
        }
    }
}

#[derive(Template)]
#[template(path = "export/tables.md", whitespace = "preserve")]
struct Page<'m> {
    export: &'static str,
    is_docsy: bool,
    minor: String,
    weight: i128,
    /// Menus hide old minors.
    is_old: bool,
    /// Names of the columns of [`Identity::run`].
    run: [&'static str; 2],
    sections: Vec<Section<'m>>,
    /// Results that no table contains, with the reason.
    without_table: Vec<(Identity<'m>, &'m str)>,
}

struct Section<'m> {
    title: &'static str,
    groups: Vec<Group<'m>>,
}

struct Group<'m> {
    heading: &'m str,
    tables: Vec<Table<'m>>,
}

struct Table<'m> {
    columns: Vec<String>,
    rows: Vec<Row<'m>>,
}

/// `features`, `core` and `marks` are Markdown.
struct Row<'m> {
    identity: Identity<'m>,
    features: String,
    core: String,
    marks: Vec<&'static str>,
}

struct Identity<'m> {
    organization: &'m str,
    project: &'m str,
    version: &'m str,
    /// Release and name of the report, if another row would look the same.
    report: Option<String>,
    run: [&'m str; 2],
}

/// Headings of the Gateway API website with their profiles.
const ROUTES: [(Family, &str, &[&str]); 7] = [
    (Family::Gateway, "HTTPRoute", &["GATEWAY-HTTP", "HTTP"]),
    (Family::Gateway, "GRPCRoute", &["GATEWAY-GRPC"]),
    (Family::Gateway, "TLSRoute", &["GATEWAY-TLS", "TLS"]),
    (Family::Gateway, "TCPRoute", &["GATEWAY-TCP"]),
    (Family::Gateway, "UDPRoute", &["GATEWAY-UDP"]),
    (Family::Mesh, "HTTPRoute", &["MESH-HTTP", "MESH"]),
    (Family::Mesh, "GRPCRoute", &["MESH-GRPC"]),
];

/// Profiles whose headings are always present, because the wizard of the Gateway API links to them.
const LINKED: [&str; 3] = ["GATEWAY-HTTP", "GATEWAY-GRPC", "GATEWAY-TLS"];

/// Words of [`label`] that the website separates.
const SPLIT: [(&str, &str); 9] = [
    ("GRPC", "Route"),
    ("TLS", "Route"),
    ("TCP", "Route"),
    ("UDP", "Route"),
    ("Listener", "Set"),
    ("Web", "Socket"),
    ("Gateway", "Class"),
    ("Reference", "Grant"),
    ("Cluster", "IP"),
];

/// Number of newest minors in menus.
const IN_MENUS: usize = 4;

impl<'m> Page<'m> {
    fn new(
        minor: Minor,
        minors: &[Minor],
        reports: &[&'m ReportView<'m>],
        model: &'m SiteModel<'m>,
        layout: Layout,
    ) -> Self {
        let place = minors.iter().filter(|other| **other > minor).count();
        let (weight, is_old) = match layout {
            Layout::Plain => plain_weight(minor, place, model.catalog.minors.newest(), minors),
            Layout::Docsy => ((place as i128 + 1) * 10, place >= IN_MENUS),
        };
        let alike = alike(reports);
        let families = [(Family::Gateway, "Gateway"), (Family::Mesh, "Mesh")];
        let sections = families.map(|(family, title)| Section {
            title: match (layout, family) {
                (Layout::Plain, _) => title,
                (Layout::Docsy, Family::Gateway) => "Gateway Profile",
                (Layout::Docsy, Family::Mesh) => "Mesh Profile",
            },
            groups: groups(minor, family, &model.matrices, &alike, layout),
        });
        Self {
            export: layout.export(),
            is_docsy: layout == Layout::Docsy,
            minor: minor.to_string(),
            weight,
            is_old,
            run: layout.run("Channel", "Mode"),
            sections: sections.into(),
            without_table: without_table(reports, &model.not_in_matrix, &alike, layout),
        }
    }
}

/// Weight and age of a page. The weight does not change when an older minor gets its first report.
fn plain_weight(
    minor: Minor,
    place: usize,
    newest: Option<Minor>,
    minors: &[Minor],
) -> (i128, bool) {
    let newest = newest.or(minors.first().copied()).unwrap_or(minor);
    if minor.major != newest.major {
        return ((i128::from(newest.minor) + 2 + place as i128) * 10, true);
    }
    let behind = i128::from(newest.minor) - i128::from(minor.minor);
    (((behind + 1) * 10).max(1), behind >= IN_MENUS as i128)
}

/// Reports whose rows look the same as the row of another report.
fn alike<'m>(reports: &[&'m ReportView<'m>]) -> BTreeSet<&'m str> {
    let mut by_looks: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for report in reports {
        let facts = report.facts();
        let looks = [
            &facts.organization,
            &facts.project,
            &facts.version,
            &facts.channel,
            &facts.mode,
        ];
        let alike = by_looks.entry(looks.map(text)).or_default();
        alike.push(&report.id);
    }
    let several = by_looks.into_values().filter(|alike| alike.len() > 1);
    several.flatten().collect()
}

fn groups<'m>(
    minor: Minor,
    family: Family,
    matrices: &'m [MatrixView<'m>],
    alike: &BTreeSet<&str>,
    layout: Layout,
) -> Vec<Group<'m>> {
    let own = matrices.iter();
    let own = own.filter(|matrix| matrix.minor == minor && matrix.family == family);
    let mut own: Vec<&MatrixView<'_>> = own.collect();
    let mut groups = Vec::new();
    match layout {
        Layout::Plain => own.reverse(),
        Layout::Docsy => {
            for (_, heading, profiles) in ROUTES.iter().filter(|route| route.0 == family) {
                let of_route = own.extract_if(.., |matrix| profiles.contains(&matrix.profile));
                let tables: Vec<_> = of_route
                    .map(|matrix| table(matrix, alike, layout))
                    .collect();
                if !tables.is_empty() || profiles.iter().any(|name| LINKED.contains(name)) {
                    groups.push(Group { heading, tables });
                }
            }
        }
    }
    groups.extend(own.into_iter().map(|matrix| Group {
        heading: matrix.profile,
        tables: vec![table(matrix, alike, layout)],
    }));
    groups
}

fn table<'m>(matrix: &'m MatrixView<'m>, alike: &BTreeSet<&str>, layout: Layout) -> Table<'m> {
    let extended = matrix
        .rows
        .iter()
        .filter(|row| row.level == Level::Extended);
    let extended: Vec<&MatrixRow<'_>> = extended.collect();
    let row = |(at, column): (usize, &'m MatrixColumn<'m>)| {
        let report = column.report;
        let profile = report.facts().profiles.get(column.profile);
        let levels = profile.map(|profile| (profile.core.as_ref(), profile.extended.as_ref()));
        let (core, extended_results) = levels.unwrap_or_default();
        let mut counts = StateCounts::default();
        extended.iter().for_each(|row| counts.add(row.states[at]));
        let states = extended.iter().map(|row| row.states[at].kind());
        let has_unseen = report.unseen.is_some();
        Row {
            identity: Identity::new(report, layout, alike),
            features: match layout {
                Layout::Plain => claims(&counts, extended_results),
                Layout::Docsy => notes(column.status, core, &counts, extended_results),
            },
            core: match layout {
                Layout::Plain => core_result(column.status, core, has_unseen),
                Layout::Docsy => core_mark(column.status, core, has_unseen).to_owned(),
            },
            marks: states.map(|state| layout.mark(state)).collect(),
        }
    };
    Table {
        columns: extended
            .iter()
            .map(|row| layout.column(row.feature))
            .collect(),
        rows: matrix.columns.iter().enumerate().map(row).collect(),
    }
}

fn without_table<'m>(
    reports: &[&'m ReportView<'m>],
    not_in_matrix: &'m [LeftOut],
    alike: &BTreeSet<&str>,
    layout: Layout,
) -> Vec<(Identity<'m>, &'m str)> {
    let mut reasons: BTreeMap<(&str, Option<usize>), Vec<&str>> = BTreeMap::new();
    for one in not_in_matrix {
        let reason = one.reason.trim_start_matches("in no matrix: ");
        let of_report = reasons.entry((&one.path, one.document)).or_default();
        of_report.push(reason);
    }
    let rows = reports.iter().flat_map(|report| {
        let facts = report.facts();
        let lost = reasons.get(&(facts.path.as_str(), Some(facts.document)));
        let mut lost = lost.cloned().unwrap_or_default();
        lost.sort_unstable();
        let empty = facts.profiles.is_empty();
        let empty = empty.then_some("the report has no profiles");
        let identity = || Identity::new(report, layout, alike);
        let reasons = empty.into_iter().chain(lost);
        reasons.map(move |reason| (identity(), reason))
    });
    rows.collect()
}

impl<'m> Identity<'m> {
    fn new(report: &'m ReportView<'m>, layout: Layout, alike: &BTreeSet<&str>) -> Self {
        let facts = report.facts();
        let known = |fact| text(fact).unwrap_or_default();
        let is_alike = alike.contains(report.id.as_str());
        Self {
            organization: known(&facts.organization),
            project: known(&facts.project),
            version: known(&facts.version),
            report: is_alike.then(|| report.entry.address()),
            run: layout.run(known(&facts.channel), known(&facts.mode)),
        }
    }
}

impl Layout {
    fn export(self) -> &'static str {
        match self {
            Self::Plain => "tables",
            Self::Docsy => "tables-docsy",
        }
    }

    fn run<T>(self, channel: T, mode: T) -> [T; 2] {
        match self {
            Self::Plain => [channel, mode],
            Self::Docsy => [mode, channel],
        }
    }

    fn column(self, feature: &str) -> String {
        let words = label(feature, "");
        match self {
            Self::Plain => words,
            Self::Docsy => SPLIT.iter().fold(words, |words, (first, second)| {
                words.replace(&format!("{first}{second}"), &format!("{first} {second}"))
            }),
        }
    }

    fn mark(self, state: StateKind) -> &'static str {
        match (self, state) {
            (_, StateKind::Proved | StateKind::ProvedByLog) => "✅",
            (_, StateKind::PartlySeen | StateKind::NotSeen) => "✅\\*",
            (_, StateKind::Unsupported) => "❌",
            (_, StateKind::NotClaimed | StateKind::NotStated) => "–",
            (Self::Plain, StateKind::NotInRelease) => "n/a",
            (Self::Plain, state) => state.word(),
            (Self::Docsy, StateKind::NoTest | StateKind::Claimed) => "✅\\*",
            (Self::Docsy, StateKind::Skipped | StateKind::Failed) => "⚠",
            (Self::Docsy, StateKind::NotInRelease) => "–",
        }
    }
}

fn has_no_verdict(status: Status) -> bool {
    matches!(
        status,
        Status::Contradictory | Status::Unreadable | Status::Unverified
    )
}

fn result(level: &LevelData) -> Option<String> {
    let of = level.total();
    match (level.failed(), level.skipped()) {
        (Some(failed @ 1..), _) => Some(format!("<b>Failed; {failed}/{of} tests failed</b>")),
        (_, Some(skipped @ 1..)) => Some(format!(
            "<b>Partially conformant; {skipped}/{of} tests skipped</b>"
        )),
        _ => None,
    }
}

fn claims(counts: &StateCounts, extended: Option<&LevelData>) -> String {
    let silent = counts.not_claimed + counts.not_stated;
    if extended.is_none() && counts.possible() == silent {
        return "not stated".to_owned();
    }
    let note = extended.and_then(result);
    let note = note.map_or_else(String::new, |note| format!("<br>{note}"));
    format!("{}/{} features{note}", counts.supported, counts.possible())
}

fn core_result(status: Status, core: Option<&LevelData>, has_unseen: bool) -> String {
    if has_no_verdict(status) {
        return format!("<b>No verdict: {status}</b>");
    }
    let Some(core) = core else {
        return "not stated".to_owned();
    };
    result(core).unwrap_or_else(|| {
        let text = match (core.passed(), has_unseen) {
            (Some(1..), true) => "✅\\*",
            (Some(1..), false) => "✅",
            _ => "<b>Failed; no core test passed</b>",
        };
        text.to_owned()
    })
}

fn core_mark(status: Status, core: Option<&LevelData>, has_unseen: bool) -> &'static str {
    let Some(core) = core else { return "–" };
    if matches!(core.failed(), Some(1..)) || !matches!(core.passed(), Some(1..)) {
        "❌"
    } else if matches!(core.skipped(), Some(1..)) || has_no_verdict(status) {
        "⚠"
    } else if has_unseen {
        "✅\\*"
    } else {
        "✅"
    }
}

/// Core results other than passes, the reason for no verdict, and the counts of the report.
fn notes(
    status: Status,
    core: Option<&LevelData>,
    counts: &StateCounts,
    extended: Option<&LevelData>,
) -> String {
    let mut notes: Vec<String> = core
        .and_then(|core| failing(core, "core tests"))
        .into_iter()
        .collect();
    if has_no_verdict(status) {
        notes.push(format!("<b>No verdict: {status}</b>"));
    }
    let (claimed, of) = (counts.supported, counts.supported + counts.unsupported);
    if extended.is_none() && of == 0 {
        notes.push("not stated".to_owned());
    } else {
        notes.push(format!("{claimed}/{of} features"));
    }
    notes.extend(extended.and_then(|extended| failing(extended, "tests")));
    notes.join("<br>")
}

fn failing(level: &LevelData, tests: &str) -> Option<String> {
    let of = level.total();
    match (level.failed(), level.skipped()) {
        (Some(failed @ 1..), _) => Some(format!("<b>Failing {failed}/{of} {tests}</b>")),
        (_, Some(skipped @ 1..)) => Some(format!(
            "<b>Partially conformant; {skipped}/{of} {tests} skipped</b>"
        )),
        _ => None,
    }
}
