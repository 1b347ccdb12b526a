use std::collections::BTreeSet;

use askama::Template;

use super::descriptions::{Description, separate};
use crate::site::model::{FamilyVerdict, ImplementationView, ReportSet, SiteModel};
use crate::site::paths;
use gwconform_base::api::Family;
use gwconform_base::release::Registry;
use gwconform_base::text::escape::markdown_address;
use gwconform_report::certify::Standing;
use gwconform_report::certify::catalog::{Catalog, derived_name, slug};
use gwconform_report::certify::details::Details;
use gwconform_report::tree::readme::included::included;

/// Reports tree of the Gateway API, for badges of a tree without a configured `source-url`.
const UPSTREAM: &str =
    "https://github.com/kubernetes-sigs/gateway-api/blob/main/conformance/reports";

/// Level of the headings above descriptions.
const HEADING: u8 = 3;

/// Renders the list of current implementations, and of integrations. `source` is the URL of the
/// reports tree, and `around` are the other texts of the page.
pub fn list(
    catalog: &Catalog<'_>,
    registry: &Registry,
    source: Option<&str>,
    integrations: &[Details],
    around: &[&str],
) -> String {
    let set = ReportSet::new(catalog, registry, "");
    let model = SiteModel::new(&set, &[], usize::MAX);
    let source = source.unwrap_or(UPSTREAM);
    let views = model.implementations.iter();
    let mut implementations: Vec<_> = views.map(|view| Entry::new(view, source)).collect();
    implementations.sort_by_key(|one| one.name.to_ascii_lowercase());
    let mut integrations: Vec<_> = integrations.iter().map(Entry::integration).collect();
    integrations.sort_by_cached_key(|one| (one.name.to_lowercase(), one.slug.clone()));
    let all = implementations.iter_mut().chain(&mut integrations);
    let described = all.filter_map(|one| {
        Some(Description {
            slug: &one.slug,
            text: one.description.as_mut()?,
        })
    });
    separate(&mut described.collect::<Vec<_>>(), around);
    implementations.retain(|one| !one.verdicts.is_empty());
    let mut taken: BTreeSet<String> = TAKEN.map(str::to_owned).into();
    give_anchors(&mut implementations, "", &mut taken);
    give_anchors(&mut integrations, "integration-", &mut taken);
    let page = ListPage {
        parts: &PARTS,
        implementations,
        integrations,
    };
    page.to_string()
}

/// Anchors of the headings, as Hugo derives them, and of the elements `<a name>`.
const TAKEN: [&str; 8] = [
    "gateways",
    "meshes",
    "integrations",
    "implementations",
    "conformant",
    "partially-conformant",
    "gateway-controller-implementation-status",
    "service-mesh-implementation-status",
];

struct Part {
    family: Family,
    title: &'static str,
    anchor: &'static str,
}

const PARTS: [Part; 2] = [
    Part {
        family: Family::Gateway,
        title: "Gateway Controller Implementation Status",
        anchor: "gateways",
    },
    Part {
        family: Family::Mesh,
        title: "Service Mesh Implementation Status",
        anchor: "meshes",
    },
];

#[derive(Template)]
#[template(path = "export/list.md", whitespace = "preserve")]
struct ListPage<'m> {
    parts: &'static [Part],
    implementations: Vec<Entry<'m>>,
    integrations: Vec<Entry<'m>>,
}

struct Entry<'m> {
    name: String,
    slug: String,
    anchor: String,
    /// Current verdicts.
    verdicts: Vec<Listed>,
    /// Safe Markdown.
    description: Option<String>,
    website: Option<&'m str>,
}

struct Listed {
    family: Family,
    label: &'static str,
    standing: Standing,
    title: &'static str,
    release: String,
    /// Path at shields.io.
    badge: String,
    /// URL of the report behind the verdict.
    report: String,
}

impl ListPage<'_> {
    fn sections(&self) -> [(&'static str, &[Entry<'_>]); 2] {
        [
            ("implementations", &self.implementations),
            ("integrations", &self.integrations),
        ]
    }

    /// Entries with a verdict, by verdict.
    fn standings(&self, family: &Family) -> Vec<(&'static str, Vec<&Entry<'_>>)> {
        let standings = [Standing::Conformant, Standing::PartiallyConformant];
        let lists = standings.map(|standing| {
            let listed = self.implementations.iter().filter(|one| {
                let mut verdicts = one.verdicts.iter();
                verdicts.any(|verdict| (verdict.family, verdict.standing) == (*family, standing))
            });
            (title(standing), listed.collect::<Vec<_>>())
        });
        let lists = lists.into_iter();
        lists.filter(|(_, listed)| !listed.is_empty()).collect()
    }
}

impl<'m> Entry<'m> {
    fn new(view: &ImplementationView<'m>, source: &str) -> Self {
        let current = view.families.iter();
        let current = current.filter(|verdict| verdict.certified.standing.is_current());
        Self {
            name: view.name.to_owned(),
            slug: view.slug.to_owned(),
            anchor: String::new(),
            verdicts: current
                .map(|verdict| Listed::new(verdict, source))
                .collect(),
            description: view.entry.description_markdown.clone(),
            website: view.entry.website(),
        }
    }

    fn integration(details: &'m Details) -> Self {
        let (organization, project) = (details.organization.as_str(), details.project.as_str());
        let derived = || derived_name(organization, project);
        let description = details.description.as_deref();
        Self {
            name: details.full_name.clone().unwrap_or_else(derived),
            slug: slug(&[organization, project]),
            anchor: String::new(),
            verdicts: Vec::new(),
            description: description.map(|text| included(text, HEADING)),
            website: None,
        }
    }

    /// True if Hugo derives another anchor from the name.
    fn has_own_anchor(&self) -> bool {
        self.name.to_lowercase().replace(' ', "-") != self.anchor
    }

    fn website_address(&self) -> String {
        markdown_address(self.website.unwrap_or_default())
    }
}

fn give_anchors(entries: &mut [Entry<'_>], kind: &str, taken: &mut BTreeSet<String>) {
    for (at, one) in entries.iter_mut().enumerate() {
        let own = slug(&[&one.slug]);
        let numbered = format!("{own}-{kind}{}", at + 1);
        let mut anchors = [slug(&[&one.name]), own].into_iter();
        one.anchor = anchors
            .find(|anchor| !taken.contains(anchor))
            .unwrap_or(numbered);
        taken.insert(one.anchor.clone());
    }
}

impl Listed {
    fn new(verdict: &FamilyVerdict<'_>, source: &str) -> Self {
        let report = verdict.basis;
        let standing = verdict.certified.standing;
        let release = report.release().unwrap_or_default();
        let color = match standing {
            Standing::Conformant => "green",
            _ => "orange",
        };
        let address = paths::in_repository(source, report.path_in_tree);
        Self {
            family: verdict.family,
            label: verdict.name(),
            standing,
            title: title(standing),
            // `-` separates the parts of the path and is doubled (https://shields.io/badges).
            badge: format!(
                "{}%20Conformance%20{}-{}-{color}",
                verdict.name(),
                release.replace('-', "--"),
                title(standing).replace(' ', "%20"),
            ),
            release,
            report: markdown_address(&address),
        }
    }
}

fn title(standing: Standing) -> &'static str {
    match standing {
        Standing::Conformant => "Conformant",
        Standing::PartiallyConformant => "Partially Conformant",
        Standing::NotCurrent => "Not current",
    }
}
