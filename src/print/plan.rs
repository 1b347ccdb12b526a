//! Output of `plan`: tests of a run.

use std::collections::BTreeMap;

use serde::Serialize;

use super::page::{Inline, Page, names, words};
use crate::outlook::plan::{Plan, ProfilePlan, Source, SourceKind, command};
use gwconform_base::api::Version;
use gwconform_base::release::Test;
use gwconform_base::text::counted;

/// Output of `gwconform plan --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Tests that the suite of a release runs"))]
pub struct Content<'p> {
    /// Release that the plan is for, such as `v1.5.1`.
    release: &'p Version,
    /// Release of the suite that defines the flags. Differs from `release` if that suite is not
    /// available.
    suite: &'p Version,
    #[serde(flatten)]
    plan: &'p Plan<'p>,
    /// Shell command that runs the suite; null if a name contains an invisible character.
    command: Option<String>,
}

impl<'p> Content<'p> {
    /// Creates the document from a plan.
    pub fn new(plan: &'p Plan<'p>) -> Self {
        Self {
            release: plan.release.version(),
            suite: &plan.suite.version,
            plan,
            command: command(plan),
        }
    }
}

/// Renders a plan.
pub fn page(plan: &Plan<'_>) -> Page {
    let release = plan.release.version();
    let mut page = Page::default();
    page.heading(1, format!("Plan for {release}"));
    page.heading(2, format!("Command, in a checkout of {release}"));
    match command(plan) {
        Some(command) => page.command(command),
        None => page.paragraph("None: a name contains an invisible character."),
    }
    page.gap();
    if let Some(features) = features(&plan.feature_source) {
        page.item(format!("Supported features: {features}"));
    }
    for one in &plan.notes {
        page.item(format!("Note: {one}"));
    }
    for profile in &plan.profiles {
        add_profile(&mut page, profile);
    }
    if !plan.uncounted_tests.is_empty() {
        page.heading(
            2,
            "Tests that run but are not counted in any profile of the plan",
        );
        page.item(names(named(&plan.uncounted_tests, |_| true)));
    }
    page
}

fn add_profile(page: &mut Page, profile: &ProfilePlan<'_>) {
    let (supported, unsupported) = (&profile.supported_features, &profile.unsupported_features);
    page.heading(2, profile.profile);
    page.item(tests("core", &profile.core_tests, None));
    let skipped = Some(not_run(profile));
    page.item(tests("extended", &profile.extended_tests, skipped));
    let all = profile.core_tests.iter().chain(&profile.extended_tests);
    let provisional = named(all, |test| test.provisional);
    let excluded = named(&profile.excluded_tests, |_| true);
    let lists = [
        (format!("supported ({})", supported.len()), supported),
        (format!("unsupported ({})", unsupported.len()), unsupported),
        ("provisional, may be skipped".to_owned(), &provisional),
        ("skipped by name, counted as skipped".to_owned(), &excluded),
    ];
    for (title, list) in lists {
        if !list.is_empty() {
            page.item(words(title + ": ").with(names(list)));
        }
    }
    for (why, list) in lacking(profile) {
        page.item(Inline::from(why).then(": ").with(names(list)));
    }
}

/// Where the features come from. `None` if the command lists them.
fn features(source: &Source) -> Option<String> {
    match source.kind {
        SourceKind::Listed if !source.names.is_empty() => None,
        SourceKind::Listed | SourceKind::OnlyExempt => Some("core only".to_owned()),
        SourceKind::Inferred => {
            let class = source.class.as_ref();
            let class = class.map(|name| format!("GatewayClass {name}"));
            let mesh = source.mesh.as_ref().map(|name| format!("XMesh {name}"));
            let both: Vec<_> = class.into_iter().chain(mesh).collect();
            Some(format!("inferred from {}", both.join(" and ")))
        }
    }
}

fn tests(level: &str, tests: &[&Test], skipped: Option<usize>) -> Inline {
    let mut text = format!("{level}: {}", counted(tests.len(), "test"));
    text.push_str(match tests.len() {
        1 => " runs",
        _ => " run",
    });
    if let Some(skipped) = skipped.filter(|skipped| *skipped > 0) {
        text.push_str(&format!(", {skipped} skipped and not counted"));
    }
    let count = |is: fn(&Test) -> bool| tests.iter().filter(|test| is(test)).count();
    let parallel = count(|test| test.parallel);
    if parallel > 0 {
        text.push_str(&format!("; {parallel} always show as passed"));
    }
    if tests.is_empty() {
        return words(text);
    }
    words(text + ": ").with(names(named(tests, |_| true)))
}

fn named<'t>(tests: impl IntoIterator<Item = &'t &'t Test>, is: fn(&Test) -> bool) -> Vec<&'t str> {
    let tests = tests.into_iter().filter(|test| is(test));
    tests.map(|test| test.name.as_str()).collect()
}

fn not_run(profile: &ProfilePlan<'_>) -> usize {
    let tests = profile.tests_not_run.iter();
    tests.filter(|one| !one.missing_features.is_empty()).count()
}

fn lacking<'p>(profile: &'p ProfilePlan<'_>) -> BTreeMap<String, Vec<&'p str>> {
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for one in &profile.tests_not_run {
        let reason = if one.missing_features.is_empty() {
            "provisional, counted only if they fail".to_owned()
        } else {
            format!("skipped without {}", one.missing_features.join(", "))
        };
        groups.entry(reason).or_default().push(one.test);
    }
    groups
}
