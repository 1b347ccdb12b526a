use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use serde::Serialize;

use crate::site::model::{ImplementationView, ReportSet, ReportView, SiteModel, text};
use gwconform_base::api::{Family, Level, Minor, NameKind};
use gwconform_base::release::Registry;
use gwconform_report::certify::Status;
use gwconform_report::certify::catalog::{Catalog, StateKind};
use gwconform_report::report::formats::is_web_address;

/// Renders the data of the Gateway API wizard as JSON. The wizard reads each list at the top level
/// as a release, so all other values at the top level are objects or strings.
pub fn wizard(catalog: &Catalog<'_>, registry: &Registry) -> String {
    let set = ReportSet::new(catalog, registry, "");
    let model = SiteModel::new(&set, &[], usize::MAX);
    let reports: Vec<Report<'_>> = model
        .reports()
        .iter()
        .map(|view| Report::new(view, &model))
        .collect();
    let by_id: BTreeMap<&str, &Report<'_>> =
        reports.iter().map(|one| (&*one.view.id, one)).collect();
    let minors: BTreeSet<Minor> = reports.iter().filter_map(|one| one.view.minor()).collect();
    let minors = minors.into_iter().rev().map(|minor| {
        let gateways = model.implementations.iter().filter_map(|one| {
            let basis = one.basis(Family::Gateway, minor)?;
            Some((one, *by_id.get(&*basis.id)?))
        });
        (minor.to_string(), gateways.collect())
    });
    let wizard = Wizard {
        groups: GROUPS.map(|(name, kinds)| (name, definitions(kinds, &model))),
        conformance: CONFORMANCE.into(),
        minors: minors.collect(),
        reports: &reports,
    };
    wizard.to_string()
}

/// Groups of features in the wizard, with their kinds. The last group has all other features.
const GROUPS: [(&str, &str); 9] = [
    ("httpGateway", "Gateway"),
    ("httpRoute", "HTTPRoute"),
    ("httpBackendTls", "BackendTLSPolicy"),
    ("grpc", "GRPCRoute"),
    ("tls", "TLSRoute"),
    ("tcp", "TCPRoute"),
    ("udp", "UDPRoute"),
    ("mesh", "Mesh"),
    ("other", ""),
];

/// Names of profiles in the wizard.
const CONFORMANCE: [(&str, &str); 5] = [
    ("Core", "GATEWAY-HTTP"),
    ("GRPCRoute", "GATEWAY-GRPC"),
    ("TLSRoute", "GATEWAY-TLS"),
    ("TCPRoute", "GATEWAY-TCP"),
    ("UDPRoute", "GATEWAY-UDP"),
];

#[derive(Template)]
#[template(path = "export/wizard.json", escape = "none", whitespace = "preserve")]
struct Wizard<'m> {
    groups: [(&'static str, Vec<Definition<'m>>); GROUPS.len()],
    conformance: BTreeMap<&'static str, &'static str>,
    /// Evidence of each gateway in a minor, newest minor first.
    minors: Vec<(String, Vec<(&'m ImplementationView<'m>, &'m Report<'m>)>)>,
    reports: &'m [Report<'m>],
}

#[derive(Serialize)]
struct Definition<'m> {
    description: &'m str,
    id: &'m str,
    label: String,
}

struct Report<'m> {
    view: &'m ReportView<'m>,
    organization: &'m str,
    project: &'m str,
    url: Option<&'m str>,
    version: Option<&'m str>,
    channel: Option<&'m str>,
    mode: Option<&'m str>,
    date: Option<&'m str>,
    conformant: BTreeSet<&'m str>,
    partial: BTreeSet<&'m str>,
    /// Features that no profile leaves unproved.
    features: BTreeSet<&'m str>,
    unproved: BTreeSet<&'m str>,
    unsupported: BTreeSet<&'m str>,
}

impl<'m> Report<'m> {
    fn new(view: &'m ReportView<'m>, model: &SiteModel<'_>) -> Self {
        let facts = view.facts();
        let profiles = |status: Status| {
            let verdicts = view.entry.judged.verdicts.iter();
            let with_status = verdicts.filter(|verdict| verdict.status == status);
            with_status
                .map(|verdict| name_of(&verdict.profile))
                .collect()
        };
        let mut report = Self {
            view,
            organization: text(&facts.organization).unwrap_or_default(),
            project: text(&facts.project).unwrap_or_default(),
            url: facts.url().filter(|url| is_web_address(url)),
            version: text(&facts.version),
            channel: text(&facts.channel),
            mode: text(&facts.mode),
            date: text(&facts.date),
            conformant: profiles(Status::Conformant),
            partial: profiles(Status::Partial),
            features: BTreeSet::new(),
            unproved: BTreeSet::new(),
            unsupported: BTreeSet::new(),
        };
        let is_known = |name: &str| model.registry.is_known(NameKind::Feature, name);
        for (_, name, state) in view.states().filter(|(_, name, _)| is_known(name)) {
            match state.kind() {
                StateKind::Proved
                | StateKind::ProvedByLog
                | StateKind::PartlySeen
                | StateKind::NotSeen => report.features.insert(name),
                StateKind::Skipped | StateKind::NoTest | StateKind::Claimed | StateKind::Failed => {
                    report.unproved.insert(name)
                }
                StateKind::Unsupported => report.unsupported.insert(name),
                StateKind::NotClaimed | StateKind::NotStated | StateKind::NotInRelease => false,
            };
        }
        let unproved = &report.unproved;
        report.features.retain(|name| !unproved.contains(name));
        report
    }

    /// Conformant profiles that the wizard knows.
    fn known_profiles(&self) -> Vec<&str> {
        let known = |name: &&&str| CONFORMANCE.iter().any(|(known, _)| known == *name);
        self.conformant.iter().filter(known).copied().collect()
    }
}

fn name_of(profile: &str) -> &str {
    match CONFORMANCE.iter().find(|(_, of)| *of == profile) {
        Some((name, _)) => name,
        // The name up to v1.0.
        None if profile == "HTTP" => "Core",
        None => profile,
    }
}

/// Extended features that a release has. The wizard has its own boxes for core features.
fn definitions<'m>(kind: &str, model: &'m SiteModel<'m>) -> Vec<Definition<'m>> {
    let features = model.features.iter().filter(|feature| {
        let resource = feature.resource().unwrap_or_default();
        let is_grouped = GROUPS.iter().any(|(_, kind)| *kind == resource);
        let is_own = resource == kind || kind.is_empty() && !is_grouped;
        is_own && feature.since.is_some() && feature.level() != Some(Level::Core)
    });
    let definition = features.map(|feature| Definition {
        description: feature.meaning().unwrap_or_default(),
        id: feature.name,
        label: feature.label.clone(),
    });
    definition.collect()
}

mod filters {
    use serde::Serialize;

    use gwconform_base::text::json::to_string_for_markup;

    #[askama::filter_fn]
    pub fn as_json(value: impl Serialize, _: &dyn askama::Values) -> askama::Result<String> {
        to_string_for_markup(&value).map_err(askama::Error::custom)
    }
}
