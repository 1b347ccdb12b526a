//! `implementations`: what each of them is.

use schemars::JsonSchema;
use serde::Serialize;

use super::VERSION;
use crate::catalog;
use crate::certify::Certified;
use crate::registry::{Family, Minor};
use crate::report::schema;
use crate::site::paths;
use crate::site::table::{Table, joined, or_empty};
use crate::site::view::{ReportView, View};

/// Every implementation of the tree, by organization and project.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Implementations", transform = schema::with_id("api-implementations"))]
pub struct Implementations<'c> {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    pub version: u32,
    /// The minor that verdicts are counted back from; null when the tree has none.
    pub newest_minor: Option<String>,
    /// The implementations.
    pub implementations: Vec<Implementation<'c>>,
}

/// An implementation.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Implementation<'c> {
    /// Its name in addresses.
    #[schemars(extend("examples" = ["acme-operator"]))]
    pub implementation: &'c str,
    /// As in its reports.
    pub organization: &'c str,
    /// As in its reports.
    pub project: &'c str,
    /// The name to show.
    pub name: &'c str,
    /// What it is, where someone has said so.
    pub description: Option<&'c str>,
    /// Former names in addresses.
    pub aliases: &'c [String],
    /// `implementation.url` of its newest report that has one.
    pub url: Option<&'c str>,
    /// `implementation.contact` of its newest report that has one.
    pub contact: &'c [String],
    /// Its feed, relative to the site.
    pub feed: String,
    /// What it is, for each family that its reports have profiles of; gateway first.
    pub families: Vec<Verdict<'c>>,
    /// The same within one minor, newest first.
    pub minors: Vec<Verdict<'c>>,
    /// The same for one profile, by its name.
    pub profiles: Vec<Verdict<'c>>,
    /// Its reports (their `id`), by release, implementation version, channel, mode and path.
    pub reports: Vec<&'c str>,
}

/// What an implementation is in a family, perhaps in one minor or one profile of it only.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Verdict<'c> {
    /// The family.
    #[schemars(extend("enum" = ["gateway", "mesh"]))]
    pub family: &'static str,
    /// The minor that was asked for; null: all that count.
    pub minor: Option<String>,
    /// The profile that was asked for; null: all of the family.
    pub profile: Option<&'c str>,
    /// What it is.
    #[schemars(extend("enum" = ["conformant", "partially conformant", "not current"]))]
    pub standing: &'static str,
    /// Why, in words.
    pub reason: &'c str,
    /// It falls out at the review after this minor when nothing newer is submitted; null when it
    /// is not current, or one minor was asked for.
    pub until: Option<String>,
    /// The one report (its `id`) that this rests on; the last one, when it is not current.
    pub report: &'c str,
    /// The minor that this report is for.
    pub report_minor: Option<String>,
    /// The best verdict of the report's profiles.
    #[schemars(extend("enum" = ["conformant", "partial", "failing", "contradictory", "unreadable"]))]
    pub status: &'static str,
    /// The report's profiles that were asked for with their verdicts, in words.
    #[schemars(extend("examples" = ["conformant: HTTP, TLS; partial: GRPC"]))]
    pub holds_for: String,
}

pub(super) fn of<'c>(view: &'c View<'c>) -> Implementations<'c> {
    let mut reports = view.reports.as_slice();
    let mut all = Vec::new();
    for one in &view.catalog.implementations {
        // The view has the reports in the catalog's order.
        let (own, others) = reports.split_at(one.reports.len().min(reports.len()));
        reports = others;
        all.push(implementation(one, own));
    }
    Implementations {
        version: VERSION,
        newest_minor: view.catalog.minors.newest().map(|minor| minor.to_string()),
        implementations: all,
    }
}

fn implementation<'c>(
    one: &'c catalog::Implementation<'c>,
    reports: &'c [ReportView<'c>],
) -> Implementation<'c> {
    let newest_first = || reports.iter().rev().map(ReportView::facts);
    let with_contact = newest_first().find(|facts| !facts.contact.is_empty());
    let families = one.families.iter();
    let minors = one.by_minor.iter();
    let profiles = one.by_profile.iter();
    Implementation {
        implementation: &one.slug,
        organization: one.organization,
        project: one.project,
        name: &one.name,
        description: one.description.as_deref(),
        aliases: &one.aliases,
        url: newest_first().find_map(|facts| facts.url.as_deref()),
        contact: with_contact.map_or(&[], |facts| &facts.contact),
        feed: paths::implementation_feed(&one.slug),
        families: families
            .map(|(family, certified)| verdict(*family, None, None, certified, reports))
            .collect(),
        minors: minors
            .map(|(family, minor, certified)| {
                verdict(*family, Some(*minor), None, certified, reports)
            })
            .collect(),
        profiles: profiles
            .map(|(family, profile, certified)| {
                verdict(*family, None, Some(profile), certified, reports)
            })
            .collect(),
        reports: reports.iter().map(|seen| seen.id.as_str()).collect(),
    }
}

fn verdict<'c>(
    family: Family,
    minor: Option<Minor>,
    profile: Option<&'c str>,
    certified: &'c Certified,
    reports: &'c [ReportView<'c>],
) -> Verdict<'c> {
    let basis = &certified.basis;
    Verdict {
        family: family.as_str(),
        minor: minor.map(|minor| minor.to_string()),
        profile,
        standing: certified.standing.as_str(),
        reason: &certified.reason,
        until: certified.until.map(|minor| minor.to_string()),
        report: reports.get(basis.report).map_or("", |seen| &seen.id),
        report_minor: basis.minor.map(|minor| minor.to_string()),
        status: basis.status.as_str(),
        holds_for: basis.holds_for(),
    }
}

impl Implementations<'_> {
    pub(super) fn table(&self) -> Table {
        Table {
            columns: &[
                "implementation",
                "organization",
                "project",
                "name",
                "description",
                "aliases",
                "url",
                "contact",
                "gateway_standing",
                "gateway_reason",
                "gateway_until",
                "gateway_report",
                "gateway_holds_for",
                "mesh_standing",
                "mesh_reason",
                "mesh_until",
                "mesh_report",
                "mesh_holds_for",
                "reports",
                "feed",
            ],
            rows: self.implementations.iter().map(row).collect(),
        }
    }
}

fn row(one: &Implementation<'_>) -> Vec<String> {
    let mut row = vec![
        one.implementation.to_owned(),
        one.organization.to_owned(),
        one.project.to_owned(),
        one.name.to_owned(),
        or_empty(one.description),
        joined(one.aliases),
        or_empty(one.url),
        joined(one.contact),
    ];
    for family in [Family::Gateway, Family::Mesh] {
        let mut families = one.families.iter();
        let verdict = families.find(|verdict| verdict.family == family.as_str());
        row.extend([
            or_empty(verdict.map(|verdict| verdict.standing)),
            or_empty(verdict.map(|verdict| verdict.reason)),
            or_empty(verdict.and_then(|verdict| verdict.until.as_ref())),
            or_empty(verdict.map(|verdict| verdict.report)),
            or_empty(verdict.map(|verdict| &verdict.holds_for)),
        ]);
    }
    row.extend([one.reports.len().to_string(), one.feed.clone()]);
    row
}
