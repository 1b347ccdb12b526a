use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{ClassState, FeatureList, Object};
use gwconform_base::api::Family;
use gwconform_base::api::TestResult;
use gwconform_base::release::Registry;
use gwconform_base::text::message::Message;
use gwconform_report::report::facts::{LevelData, ReportFacts};
use gwconform_report::rules::message_parts;

resource_rule! {
    "features_report.md", &[&[Kind::GatewayClass, Kind::Mesh]], check, Text<'a>;
    Unsupported { object: Message, name: &'a str, report: &'a str } => "{object} lists {name}, but the report {report} lists it as unsupported",
    NotListed { object: Message, names: Message, report: &'a str } => "{object} does not list {names}, but the report {report} supports it",
    SeveralNotListed { object: Message, names: Message, report: &'a str } => "{object} does not list {names}, but the report {report} supports them",
    Agree => "publish the tested features, or test the published ones",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let Some(report) = cx.report else { return };
    for (family, kind) in [
        (Family::Gateway, Kind::GatewayClass),
        (Family::Mesh, Kind::Mesh),
    ] {
        let reported = FamilyFeatures::new(report, family, cx.registry);
        if reported.is_empty() {
            continue;
        }
        let kinds = [kind];
        let all = cx.cluster.of(&kinds);
        let accepted: Vec<_> = all
            .filter(|(at, object)| {
                !object.is_deleted && cx.cluster.class_state(*at) == ClassState::Accepted
            })
            .collect();
        let controllers: BTreeSet<&str> = accepted
            .iter()
            .filter_map(|(at, _)| cx.cluster.controller(*at))
            .map(|name| name.value)
            .collect();
        if controllers.len() > 1 {
            let names = message_parts::names(controllers);
            out.leave_out(format!(
                "{}: the report may be of any of the controllers {names}",
                RULE.about().id
            ));
            continue;
        }
        for (_, object) in accepted {
            compare(object, &reported, &report.path, out);
        }
    }
}

#[derive(Default)]
struct FamilyFeatures<'a> {
    supported: BTreeSet<&'a str>,
    unsupported: BTreeSet<&'a str>,
}

impl<'a> FamilyFeatures<'a> {
    fn new(report: &'a ReportFacts, family: Family, registry: &'a Registry) -> Self {
        let mut reported = Self::default();
        let release = report
            .release
            .version
            .as_ref()
            .and_then(|version| registry.release(version).release());
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
            // Only a successful profile proves its core features.
            let is_success = |level: &LevelData| level.result.known() == Some(TestResult::Success);
            if profile.core.as_ref().is_some_and(is_success)
                && let Some(known) = release.and_then(|release| release.profile(name))
            {
                reported
                    .supported
                    .extend(known.core.iter().map(String::as_str));
            }
            if let Some(extended) = &profile.extended {
                reported.supported.extend(
                    extended
                        .supported_features
                        .iter()
                        .flatten()
                        .map(AsRef::as_ref),
                );
                reported.unsupported.extend(
                    extended
                        .unsupported_features
                        .iter()
                        .flatten()
                        .map(AsRef::as_ref),
                );
            }
        }
        // If the profiles disagree, treat the feature as supported.
        reported.unsupported = &reported.unsupported - &reported.supported;
        // Meshes do not list this feature.
        reported.supported.remove("Mesh");
        reported
    }

    fn is_empty(&self) -> bool {
        self.supported.is_empty() && self.unsupported.is_empty()
    }
}

fn compare(object: &Object<'_>, reported: &FamilyFeatures<'_>, report: &str, out: &mut Findings) {
    let Some(list) = FeatureList::try_new(object) else {
        return;
    };
    let listed: BTreeMap<&str, _> = list.names.iter().map(|name| (name.value, name)).collect();
    for (name, text) in &listed {
        if reported.unsupported.contains(name) {
            out.at(
                list.place(text),
                Text::Unsupported {
                    object: object.title(),
                    name,
                    report,
                },
            )
            .help(Text::Agree);
        }
    }
    let supported = reported.supported.iter().copied();
    let missing: Vec<&str> = supported
        .filter(|name| !listed.contains_key(name))
        .collect();
    let object = object.title();
    let names = || message_parts::names(missing.iter().copied());
    let text = match missing.len() {
        0 => return,
        1 => Text::NotListed {
            object,
            names: names(),
            report,
        },
        _ => Text::SeveralNotListed {
            object,
            names: names(),
            report,
        },
    };
    out.at(list.node.head().with_value(&missing.join(", ")), text)
        .help(Text::Agree);
}
