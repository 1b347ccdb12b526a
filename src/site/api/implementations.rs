use serde::Serialize;
use serde_json::{Value, json};

use super::table::{Table, prefixed};
use super::{Items, Out};
use crate::site::model::{ImplementationView, ReportView, SiteModel};
use crate::site::paths;
use gwconform_base::api::{Family, Minor};
use gwconform_report::certify::catalog::{self, OtherName};
use gwconform_report::certify::{Certified, Standing, Status};

/// All implementations, sorted by organization and project.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Implementations"))]
pub struct Implementations {
    /// Newest minor that counts toward verdicts; null if no release review is over.
    pub newest_minor: Option<String>,
    /// One entry per implementation, sorted by organization and project.
    #[cfg_attr(test, schemars(with = "Vec<Implementation<'static>>"))]
    pub implementations: Items,
    /// Paths of the parts, relative to the site root. Present only if the list is split; `implementations` is
    /// then empty. Each part is a document of this schema, and the parts contain the entries in
    /// order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub parts: Vec<String>,
}

/// Identity, reports and verdicts of an implementation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Implementation<'c> {
    /// Path in URLs, such as `acme/operator`; the key for the implementation in all data files.
    #[cfg_attr(test, schemars(extend("examples" = ["acme-operator"])))]
    pub implementation: &'c str,
    /// Organization from the configuration, or else the most common spelling in reports.
    pub organization: &'c str,
    /// Project from the configuration, or else the most common spelling in reports.
    pub project: &'c str,
    /// Display name on pages and in feeds.
    pub name: &'c str,
    /// Description from the configuration or the details file, as one line of plain text; null if
    /// there is none.
    pub description: Option<&'c str>,
    /// The same description in Markdown, with raw HTML escaped and headings below level 3.
    pub description_markdown: Option<&'c str>,
    /// Paths of former names, which redirect to the current pages.
    pub aliases: &'c [String],
    /// Former `organization/project` pairs whose reports count for this implementation.
    #[cfg_attr(test, schemars(extend("examples" = [["acme-inc/operator"]])))]
    pub formerly: Vec<String>,
    /// Other spellings of `organization/project` in the reports of this implementation.
    #[cfg_attr(test, schemars(extend("examples" = [["Acme/operator"]])))]
    pub spellings: Vec<String>,
    /// `implementation.url` of the newest report that has a URL.
    pub url: Option<&'c str>,
    /// Website or documentation URL from the configuration, or else from the newest report.
    pub website: Option<&'c str>,
    /// `implementation.contact` of the newest report that has contacts and a verdict.
    pub contact: &'c [String],
    /// Feed path relative to the site root.
    pub feed: String,
    /// Verdict for each family with reports; the gateway family is first.
    pub families: Vec<Verdict<'c>>,
    /// Verdicts limited to one minor, newest minor first.
    pub minors: Vec<Verdict<'c>>,
    /// Verdicts limited to one profile, sorted by profile name.
    pub profiles: Vec<Verdict<'c>>,
    /// Report IDs, sorted by release, implementation version, channel, mode and path.
    pub reports: Vec<&'c str>,
}

/// Verdict on an implementation in a family, optionally limited to one minor or one profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Verdict<'c> {
    /// Family that the verdict covers.
    pub family: Family,
    /// Minor that the verdict is limited to; null if all valid minors count.
    pub minor: Option<String>,
    /// Profile that the verdict is limited to; null if all profiles of the family count.
    pub profile: Option<&'c str>,
    /// Verdict category, such as `conformant`.
    pub standing: Standing,
    /// Reason for the verdict as an English phrase.
    pub reason: &'c str,
    /// Last minor for which the verdict is valid without a newer report. Null if the verdict is not
    /// current or covers a single minor.
    pub until: Option<String>,
    /// `id` of the report behind the verdict. If the verdict is not current, the last report.
    pub report: &'c str,
    /// Minor of the report in `report`.
    pub report_minor: Option<String>,
    /// Best status among the profiles. The status is at most `partial` if any profile of the report
    /// is failing, contradictory or unreadable.
    pub status: Status,
    /// Profiles that the verdict covers, grouped by status.
    #[cfg_attr(test, schemars(extend("examples" = ["conformant: HTTP, TLS; partial: GRPC"])))]
    pub holds_for: String,
}

pub(super) fn write(model: &SiteModel<'_>, out: &mut Out<'_>) {
    let newest = model.catalog.minors.newest();
    out.list(
        "implementations",
        Table::new("implementations", COLUMNS),
        model.implementations.iter().map(implementation),
        |implementation, table| {
            let reports = json!({ "reports": implementation.reports.len() });
            let [gateway, mesh] = [Family::Gateway, Family::Mesh]
                .map(|family| verdict_in_table(implementation, family));
            table.add(&[&reports, &gateway, &mesh, &json!(implementation)]);
        },
        |implementations, parts| Implementations {
            newest_minor: newest.map(|minor| minor.to_string()),
            implementations,
            parts: parts.unwrap_or_default(),
        },
    );
}

fn implementation<'c>(view: &'c ImplementationView<'c>) -> Implementation<'c> {
    let ImplementationView { entry, reports, .. } = view;
    let sound = || {
        reports
            .iter()
            .rev()
            .filter(|report| !report.entry.judged.is_refused())
    };
    let newest_first = || sound().map(ReportView::facts);
    let with_contact = newest_first().find(|facts| !facts.contact.is_empty());
    let families = entry.families.iter();
    let minors = entry.by_minor.iter();
    let profiles = entry.by_profile.iter();
    Implementation {
        implementation: view.slug,
        organization: entry.organization,
        project: entry.project,
        name: view.name,
        description: entry.description.as_deref(),
        description_markdown: entry.description_markdown.as_deref(),
        aliases: &entry.aliases,
        formerly: other_names(entry, |other| other.is_former),
        spellings: other_names(entry, |other| !other.is_former),
        url: newest_first().find_map(|facts| facts.url()),
        website: entry.website(),
        contact: with_contact.map_or(&[], |facts| &facts.contact),
        feed: paths::implementation_feed(view.slug),
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
        reports: reports.iter().map(|report| report.id.as_str()).collect(),
    }
}

fn other_names(
    entry: &catalog::Implementation<'_>,
    is_wanted: impl Fn(&OtherName) -> bool,
) -> Vec<String> {
    let asked_for = entry.other_names.iter().filter(|other| is_wanted(other));
    asked_for
        .map(|other| format!("{}/{}", other.organization, other.project))
        .collect()
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
        family,
        minor: minor.map(|minor| minor.to_string()),
        profile,
        standing: certified.standing,
        reason: &certified.reason,
        until: certified.until.map(|minor| minor.to_string()),
        report: reports.get(basis.report).map_or("", |report| &report.id),
        report_minor: basis.minor.map(|minor| minor.to_string()),
        status: basis.status,
        holds_for: basis.holds_for(),
    }
}

const COLUMNS: &str = "\
    implementation,organization,project,name,description,aliases,formerly,spellings,url,\
    website,contact,gateway_standing,gateway_reason,gateway_until,gateway_report,\
    gateway_holds_for,mesh_standing,mesh_reason,mesh_until,mesh_report,mesh_holds_for,reports,\
    feed";

fn verdict_in_table(implementation: &Implementation<'_>, family: Family) -> Value {
    let mut families = implementation.families.iter();
    let verdict = families.find(|verdict| verdict.family == family);
    prefixed(&format!("{family}_"), &verdict)
}
