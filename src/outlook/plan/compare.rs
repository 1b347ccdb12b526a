//! Compares a report with a plan.

use std::collections::BTreeSet;

use super::Plan;
use crate::api::{Level, Version};
use crate::release::Profile;
use crate::release::stated::lenient_version;
use crate::report::model::LevelData;
use crate::report::suite::{self, Ran};
use crate::report::view::{self, Report};
use crate::text::message::{Message, Template, Words, texts};
use crate::text::node_path::path_to;
use crate::text::source::Span;
use gwconform_yaml::{NodeId, Yaml};

/// Additional differences are only counted.
const MAX_DIFFERENCES: usize = 200;

/// Difference between a report and the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// `None` for the report as a whole.
    pub profile: Option<String>,
    /// Differing bytes of the report.
    pub span: Span,
    /// Field path, such as `profiles/GATEWAY-HTTP/core/statistics`.
    pub subject: String,
    /// Description of the difference.
    pub message: Message,
}

texts! {
    enum Text<'a> {
        Release { release: &'a str, plan: &'a Version } => "the report is for {release}; the plan for {plan}",
        NotPlanned { profile: &'a str } => "profile {profile} is not in the plan",
        NotReported { profile: &'a str } => "profile {profile} of the plan is not in the report",
        Supported { feature: &'a str } => "{feature} is supported in the report, not in the plan",
        NotSupported { feature: &'a str } => "{feature} is supported in the plan, unsupported in the report",
        Ran { test: &'a str } => "{test} is not among the skipped tests; the plan skips it",
        NotListed { feature: &'a str } => "{feature} of the plan is not among the supported features",
        NotOfProfile { feature: &'a str, profile: &'a str } => "{feature} is not an extended feature of {profile}",
        Tests { level: Words, reported: u64, planned: u64 } => "{level} tests: {reported}; the plan has {planned}",
        NoExtended { planned: u64 } => "extended tests: none; the plan has {planned}",
        Skipped { test: &'a str } => "{test} was skipped; the plan runs it",
        More { count: usize, noun: Words } => "{count} more {noun}",
    }
}

/// Message templates.
pub const TEXTS: &[Template] = Text::TEMPLATES;

/// Differences in report order. The channel is not compared, because suites run tests of
/// experimental features with any CRDs.
pub fn compare(yaml: &Yaml<'_>, root: NodeId, plan: &Plan<'_>) -> Vec<Difference> {
    let report = Report::read(yaml, root);
    let mut comparing = Comparing {
        yaml,
        plan,
        found: Vec::new(),
        left_out: 0,
    };
    comparing.head(&report, root);
    let mut reported = BTreeSet::new();
    for profile in &report.profiles {
        comparing.profile(profile);
        reported.insert(profile.name_or_empty());
    }
    let profiles = yaml.get(root, "profiles").map_or(root, |entry| entry.key);
    for name in plan.report_names() {
        if !reported.contains(name) {
            comparing.add(None, profiles, Text::NotReported { profile: name });
        }
    }
    let mut found = comparing.found;
    found.sort_by_key(|one| one.span.start);
    if comparing.left_out > 0 {
        let count = comparing.left_out;
        let noun = Words(if count == 1 {
            "difference"
        } else {
            "differences"
        });
        let span = yaml.span(root);
        found.push(Difference {
            profile: None,
            span: Span::new(span.start as usize, span.start as usize),
            subject: String::new(),
            message: Text::More { count, noun }.into(),
        });
    }
    found
}

impl Plan<'_> {
    fn report_names(&self) -> BTreeSet<&str> {
        let profiles = self.profiles.iter();
        profiles
            .map(|one| one.profile.report_name.as_str())
            .collect()
    }

    fn provisional(&self) -> BTreeSet<&str> {
        let tests = self.release.tests();
        tests
            .filter(|test| test.provisional && !self.skip_provisional)
            .map(|test| test.name.as_str())
            .collect()
    }
}

struct Comparing<'y, 't, 'p, 'r> {
    yaml: &'y Yaml<'t>,
    plan: &'p Plan<'r>,
    found: Vec<Difference>,
    left_out: usize,
}

impl<'y> Comparing<'y, '_, '_, '_> {
    fn add(&mut self, profile: Option<&str>, node: NodeId, text: Text<'_>) {
        if self.found.len() >= MAX_DIFFERENCES {
            self.left_out += 1;
            return;
        }
        self.found.push(Difference {
            profile: profile.map(str::to_owned),
            span: self.yaml.span(node),
            subject: path_to(self.yaml, node),
            message: Message::from(text).bounded(),
        });
    }

    fn head(&mut self, report: &Report<'y>, root: NodeId) {
        let plan = self.plan;
        let stated = report.stated_release.as_ref();
        let release = stated.and_then(|stated| lenient_version(stated.value));
        if release.as_ref() != Some(plan.release.version()) {
            let node = stated.map_or(root, |stated| stated.node);
            let text = Text::Release {
                release: stated.map_or("", |stated| stated.value),
                plan: plan.release.version(),
            };
            self.add(None, node, text);
        }
    }

    fn profile(&mut self, reported: &view::Profile<'y>) {
        let plan = self.plan;
        let name = reported.name_or_empty();
        let planned: Vec<&Profile> = plan
            .profiles
            .iter()
            .filter(|one| one.profile.report_name == name)
            .map(|one| one.profile)
            .collect();
        let node = reported
            .name
            .as_ref()
            .map_or(reported.node, |name| name.node);
        if planned.is_empty() {
            self.add(Some(name), node, Text::NotPlanned { profile: name });
            return;
        }
        let ran = Ran {
            supported: plan.supported.iter().map(String::as_str).collect(),
            provisional: plan.provisional(),
        };
        let expected = suite::recorded(plan.release, name, planned, &ran);
        let core = reported.core.as_ref();
        let extended = reported.extended.as_ref();
        self.total(name, Level::Core, core, node, expected.core.len());
        match extended {
            None if !expected.extended.is_empty() => {
                let planned = expected.extended.len() as u64;
                self.add(Some(name), node, Text::NoExtended { planned });
            }
            None => {}
            Some(_) => self.total(
                name,
                Level::Extended,
                extended,
                node,
                expected.extended.len(),
            ),
        }
        let known: BTreeSet<&str> = expected.features.iter().map(String::as_str).collect();
        if let Some(extended) = extended {
            self.features(name, extended, &known);
        }
        let levels = [core, extended].into_iter().flatten();
        let lists = levels.filter_map(|level| level.skipped_tests.as_ref());
        let skipped: Vec<_> = lists.flat_map(|list| &list.items).collect();
        let counted: BTreeSet<&str> = (expected.core.iter().chain(&expected.extended))
            .map(|planned| planned.name.as_str())
            .collect();
        for test in &skipped {
            let test_name = test.value;
            if counted.contains(test_name) && !plan.skip_tests.contains(test_name) {
                self.add(Some(name), test.node, Text::Skipped { test: test_name });
            }
        }
        let skipped: BTreeSet<&str> = skipped.iter().map(|test| test.value).collect();
        for test in plan.skip_tests.iter().map(String::as_str) {
            if counted.contains(test) && !skipped.contains(test) {
                self.add(Some(name), node, Text::Ran { test });
            }
        }
    }

    fn total(
        &mut self,
        profile: &str,
        level: Level,
        reported: Option<&view::Level<'y>>,
        node: NodeId,
        planned: usize,
    ) {
        let planned = planned as u64;
        let total = reported.map_or(0, LevelData::total);
        if total == planned {
            return;
        }
        let statistics = reported.and_then(|level| level.statistics.as_ref());
        let node = statistics.map_or_else(
            || reported.map_or(node, |level| level.node),
            |statistics| statistics.node,
        );
        let text = Text::Tests {
            level: Words(level.as_str()),
            reported: total,
            planned,
        };
        self.add(Some(profile), self.yaml.head(node), text);
    }

    fn features(&mut self, profile: &str, level: &view::Level<'y>, known: &BTreeSet<&str>) {
        let plan = self.plan;
        let mut listed = BTreeSet::new();
        let lists = [
            (&level.supported_features, true),
            (&level.unsupported_features, false),
        ];
        for (list, is_supported) in lists {
            for item in list.iter().flat_map(|list| &list.items) {
                let feature = item.value;
                let is_planned = plan.supported.contains(feature);
                if is_supported || is_planned {
                    listed.insert(feature);
                }
                let text = match is_supported {
                    _ if !known.contains(feature) => Text::NotOfProfile { feature, profile },
                    true if !is_planned => Text::Supported { feature },
                    false if is_planned => Text::NotSupported { feature },
                    _ => continue,
                };
                self.add(Some(profile), item.node, text);
            }
        }
        let list = level.supported_features.as_ref();
        let node = list.map_or(level.node, |list| list.node);
        for feature in known {
            if plan.supported.contains(*feature) && !listed.contains(feature) {
                let node = self.yaml.head(node);
                self.add(Some(profile), node, Text::NotListed { feature });
            }
        }
    }
}
