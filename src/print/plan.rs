//! Output of `plan`: tests of a run.

mod json;

use std::collections::{BTreeMap, BTreeSet};

use super::page::{Inline, Page, names, words};
use crate::outlook::plan::{Plan, ProfilePlan, Source, command};
use gwconform_base::release::Test;
use gwconform_base::text::{counted, listed};

pub use json::Content;

/// Renders a plan.
pub fn page(plan: &Plan<'_>) -> Page {
    let release = plan.release.version();
    let mut page = Page::default();
    page.heading(1, format!("Plan for {release}"));
    page.item(format!("Supported features: {}", features(&plan.source)));
    for one in &plan.notes {
        page.item(format!("Note: {one}"));
    }
    for profile in &plan.profiles {
        add_profile(&mut page, profile);
    }
    if !plan.uncounted.is_empty() {
        page.heading(
            2,
            "Tests that run but are not counted in any profile of the plan",
        );
        page.item(names(named(&plan.uncounted, |_| true)));
    }
    page.heading(2, format!("Command, in a checkout of {release}"));
    match command(plan) {
        Some(command) => page.command(command),
        None => page.paragraph("None: a name contains an invisible character."),
    }
    page
}

fn add_profile(page: &mut Page, profile: &ProfilePlan<'_>) {
    page.heading(2, profile.profile.name.as_str());
    page.item(words(tests("core", &profile.core, None)));
    let skipped = Some(not_run(profile));
    page.item(words(tests("extended", &profile.extended, skipped)));
    let all = profile.core.iter().chain(&profile.extended);
    let provisional = named(all, |test| test.provisional);
    let left_out = named(&profile.left_out, |_| true);
    let lists = [
        (
            format!("supported ({})", profile.supported.len()),
            &profile.supported,
        ),
        (
            format!("unsupported ({})", profile.unsupported.len()),
            &profile.unsupported,
        ),
        ("provisional, may be skipped".to_owned(), &provisional),
        ("skipped by name, counted as skipped".to_owned(), &left_out),
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

fn features(source: &Source) -> String {
    let list = |names: &BTreeSet<String>| listed(&names.iter().collect::<Vec<_>>());
    match source {
        Source::Listed(chosen) if chosen.is_empty() => "core only".to_owned(),
        Source::Listed(chosen) => list(chosen),
        Source::AllExcept(without) if without.is_empty() => "all".to_owned(),
        Source::AllExcept(without) => format!("all but {}", list(without)),
        Source::OnlyExempt(_) => "core only".to_owned(),
        Source::Inferred { class, mesh } => {
            let class = class.as_ref().map(|name| format!("GatewayClass {name}"));
            let mesh = mesh.as_ref().map(|name| format!("XMesh {name}"));
            let both: Vec<_> = class.into_iter().chain(mesh).collect();
            format!("inferred from {}", both.join(" and "))
        }
    }
}

fn tests(level: &str, tests: &[&Test], skipped: Option<usize>) -> String {
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
    text
}

fn named<'t>(tests: impl IntoIterator<Item = &'t &'t Test>, is: fn(&Test) -> bool) -> Vec<&'t str> {
    let tests = tests.into_iter().filter(|test| is(test));
    tests.map(|test| test.name.as_str()).collect()
}

fn not_run(profile: &ProfilePlan<'_>) -> usize {
    let skipped = profile.skipped.iter();
    skipped.filter(|skipped| !skipped.needs.is_empty()).count()
}

fn lacking<'p>(profile: &'p ProfilePlan<'_>) -> BTreeMap<String, Vec<&'p str>> {
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for skipped in &profile.skipped {
        let needs = if skipped.needs.is_empty() {
            "provisional, counted only if they fail".to_owned()
        } else {
            format!("skipped without {}", skipped.needs.join(", "))
        };
        groups.entry(needs).or_default().push(&skipped.test.name);
    }
    groups
}
