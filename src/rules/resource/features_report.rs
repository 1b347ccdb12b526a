//! `resource/features-report`: the list is what the suite infers features from (GEP-2162, "Goals")

use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, ResourceContext};
use crate::diagnostic::in_code;
use crate::facts::{LevelData, ReportFacts};
use crate::model::TestResult;
use crate::registry::{Family, Registry};
use crate::resource::{ClassState, FeatureList, Object};
use crate::rules::{Check, words};
use crate::rules::{Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/features-report",
    include_str!("features_report.md"),
    Check::Resource(&[&[Kind::GatewayClass, Kind::Mesh]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let Some(report) = cx.report else { return };
    for (family, kind) in [
        (Family::Gateway, Kind::GatewayClass),
        (Family::Mesh, Kind::Mesh),
    ] {
        let said = Said::of(report, family, cx.registry);
        if said.is_empty() {
            continue;
        }
        let kinds = [kind];
        let all = cx.cluster.of(&kinds);
        let accepted = all.filter(|(at, object)| {
            !object.is_deleted && cx.cluster.class_state(*at) == ClassState::Accepted
        });
        let accepted: Vec<_> = accepted.collect();
        let controllers = accepted
            .iter()
            .filter_map(|(at, _)| cx.cluster.controller(*at));
        let controllers: BTreeSet<&str> = controllers.map(|name| name.value).collect();
        if controllers.len() > 1 {
            let names = words::names(controllers);
            out.leave_out(format!(
                "{}: the report does not say which of the controllers {names} it is of",
                RULE.id
            ));
            continue;
        }
        for (_, object) in accepted {
            compare(object, &said, &report.path, out);
        }
    }
}

/// What a report says of the features of a family.
#[derive(Default)]
struct Said<'a> {
    supported: BTreeSet<&'a str>,
    unsupported: BTreeSet<&'a str>,
}

impl<'a> Said<'a> {
    fn of(report: &'a ReportFacts, family: Family, registry: &'a Registry) -> Self {
        let mut said = Self::default();
        let release = report.release.version.as_ref();
        let release = release.and_then(|version| registry.release(version).release());
        for profile in &report.profiles {
            let Some(name) = profile.name() else {
                continue;
            };
            if registry
                .profile(name)
                .is_none_or(|known| known.family != family)
            {
                continue;
            }
            // A profile adds its core features by itself; only a success proves them.
            let is_success = |level: &LevelData| level.result.known() == Some(TestResult::Success);
            if profile.core.as_ref().is_some_and(is_success)
                && let Some(known) = release.and_then(|release| release.profile(name))
            {
                said.supported.extend(known.core.iter().map(String::as_str));
            }
            if let Some(extended) = &profile.extended {
                said.supported.extend(
                    extended
                        .supported_features
                        .iter()
                        .flatten()
                        .map(AsRef::as_ref),
                );
                said.unsupported.extend(
                    extended
                        .unsupported_features
                        .iter()
                        .flatten()
                        .map(AsRef::as_ref),
                );
            }
        }
        // A feature of two profiles may be supported in one of them only.
        said.unsupported = &said.unsupported - &said.supported;
        // Nobody lists what a mesh is by itself.
        said.supported.remove("Mesh");
        said
    }

    fn is_empty(&self) -> bool {
        self.supported.is_empty() && self.unsupported.is_empty()
    }
}

fn compare(object: &Object<'_>, said: &Said<'_>, path: &str, out: &mut Findings) {
    let Some(list) = FeatureList::of(object) else {
        return;
    };
    let listed: BTreeMap<&str, _> = list.names.iter().map(|name| (name.value, name)).collect();
    for (name, text) in &listed {
        if said.unsupported.contains(name) {
            let message = format!(
                "{} lists `{name}`, which the report {path} says is not supported",
                object.title(),
                name = in_code(&name)
            );
            out.at(text.node.place(), message)
                .help("the suite that infers features from here would run its tests");
        }
    }
    let supported = said.supported.iter().copied();
    let missing: Vec<&str> = supported
        .filter(|name| !listed.contains_key(name))
        .collect();
    if !missing.is_empty() {
        let names = words::names(missing);
        let message = format!(
            "{} does not list {names}, which the report {path} supports",
            object.title()
        );
        out.at(list.node.head(), message)
            .help("publish what was tested, or test what is published");
    }
}
