use serde::Serialize;
use serde_json::{Value, json};

use super::table::Table;
use super::{Items, Out};
use crate::site::model::{ImplementationView, ReportView, SiteModel};
use crate::site::paths;
use gwconform_base::api::Minor;
use gwconform_report::certify::catalog::{self, OtherName};
use gwconform_report::document::{ImplementationRef, Verdict};
use gwconform_report::report::facts::Name;

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
    #[serde(flatten)]
    implementation: ImplementationRef,
    #[serde(skip)]
    entry: &'c catalog::Implementation<'c>,
    /// Description from the configuration or the details file, as one line of plain text; null if
    /// there is none.
    pub description: Option<&'c str>,
    /// The same description in Markdown, with raw HTML escaped and headings below level 3.
    pub description_markdown: Option<&'c str>,
    /// Paths of former names, which redirect to the current pages.
    pub aliases: &'c [String],
    /// Other `organization/project` names in reports, former names first.
    pub other_names: &'c [OtherName<'c>],
    /// `implementation.url` of the newest report that has a URL.
    pub url: Option<&'c str>,
    /// Website or documentation URL from the configuration, or else from the newest report.
    pub website: Option<&'c str>,
    /// `implementation.contact` of the newest report that has contacts and a verdict.
    pub contact: &'c [String],
    /// Feed path relative to the site root.
    pub feed: String,
    /// Verdict for each family with reports; the gateway family is first.
    pub families: Vec<Verdict>,
    /// Verdicts limited to one minor, newest minor first.
    pub minors: Vec<MinorVerdict>,
    /// Verdicts limited to one profile, sorted by profile name.
    pub profiles: Vec<ProfileVerdict>,
    /// Keys of the reports, sorted by release, implementation version, channel, mode and path.
    pub reports: Vec<&'c str>,
}

/// Verdict by the reports for one minor.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MinorVerdict {
    /// Minor that the verdict is limited to.
    minor: Minor,
    #[serde(flatten)]
    verdict: Verdict,
}

/// Verdict by the results of one profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProfileVerdict {
    /// Profile that the verdict is limited to.
    profile: Name,
    #[serde(flatten)]
    verdict: Verdict,
}

pub(super) fn write(model: &SiteModel<'_>, out: &mut Out<'_>) {
    let newest = model.catalog.minors.newest();
    out.list(
        "implementations",
        Table::new("implementations", COLUMNS),
        model.implementations.iter().map(implementation),
        |implementation, table| table.add(&[&computed(&implementation), &json!(implementation)]),
        |_| None,
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
        implementation: ImplementationRef::new(entry),
        entry,
        description: entry.description.as_deref(),
        description_markdown: entry.description_markdown.as_deref(),
        aliases: &entry.aliases,
        other_names: &entry.other_names,
        url: newest_first().find_map(|facts| facts.url()),
        website: entry.website(),
        contact: with_contact.map_or(&[], |facts| &facts.contact),
        feed: paths::implementation_feed(view.slug),
        families: families
            .map(|(family, certified)| Verdict::new(entry, *family, certified))
            .collect(),
        minors: minors
            .map(|(family, minor, certified)| MinorVerdict {
                minor: *minor,
                verdict: Verdict::new(entry, *family, certified),
            })
            .collect(),
        profiles: profiles
            .map(|(family, profile, certified)| ProfileVerdict {
                profile: profile.clone(),
                verdict: Verdict::new(entry, *family, certified),
            })
            .collect(),
        reports: reports.iter().map(|report| report.id.as_str()).collect(),
    }
}

/// Columns that are not fields: lists in words, and the verdict of each family.
fn computed(implementation: &Implementation<'_>) -> Value {
    let others = implementation.other_names.iter();
    let others = others.map(|other| format!("{}/{}", other.organization, other.project));
    let mut columns = json!({
        "other_names": others.collect::<Vec<_>>(),
        "report_count": implementation.reports.len(),
    });
    let families = implementation
        .families
        .iter()
        .zip(&implementation.entry.families);
    for (verdict, (family, certified)) in families {
        let mut of_family = json!(verdict);
        let profiles = certified.basis.profiles.iter();
        let profiles = profiles.map(|(profile, status)| format!("{profile} ({status})"));
        of_family["profiles"] = profiles.collect::<Vec<_>>().into();
        columns[family.as_str()] = of_family;
    }
    columns
}

const COLUMNS: &str = "\
    implementation,organization,project,name,description,aliases,other_names,url,website,contact,\
    gateway.standing,gateway.reason,gateway.until,gateway.report,gateway.profiles,mesh.standing,\
    mesh.reason,mesh.until,mesh.report,mesh.profiles,report_count,feed";
