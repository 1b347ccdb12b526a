//! Renders `/implementations/<i>/gaps/`: features that peers support and the implementation does
//! not.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use rayon::prelude::*;

use super::Out;
use super::features;
use super::layout::{self, Head, SiteContext};
use super::mark::Mark;
use crate::site::File;
use crate::site::model::{
    Gap, GapKind, ImplementationView, Minors, ReportView, family_name, label, report_name, resource,
};
use crate::site::paths;
use gwconform_base::text::counted;

#[derive(Template)]
#[template(path = "gaps.html")]
struct GapsPage<'s> {
    head: Head<'s>,
    implementation: &'s ImplementationView<'s>,
    scope: String,
    families: Vec<FamilyGaps<'s>>,
}

struct FamilyGaps<'s> {
    name: &'static str,
    /// Lowercase name, for IDs.
    id: String,
    basis: &'s ReportView<'s>,
    basis_name: String,
    counts: String,
    kinds: Vec<(GapKind, &'static str)>,
    rows: Vec<Row<'s>>,
}

struct Row<'s> {
    gap: Gap<'s>,
    resource: &'s str,
    label: String,
    page: Option<String>,
    mark: Mark,
    tests: &'s [String],
}

type Tests<'s> = BTreeMap<&'s str, Vec<String>>;

pub(super) fn make(site: &SiteContext<'_>, out: &Out<'_>) {
    let features = site.model.features.iter();
    let tests = features.map(|feature| {
        let by_profile = features::tests(site, feature.name).into_iter();
        let distinct: BTreeSet<String> = by_profile.flat_map(|(_, names)| names).collect();
        (feature.name, distinct.into_iter().collect())
    });
    let tests: Tests<'_> = tests.collect();
    let all = site.model.implementations.par_iter();
    all.for_each(|implementation| out(vec![gaps_page(site, implementation, &tests)]));
}

fn gaps_page(
    site: &SiteContext<'_>,
    implementation: &ImplementationView<'_>,
    tests: &Tests<'_>,
) -> File {
    let path = paths::gaps_page(implementation.slug);
    let title = format!("Gaps of {}", implementation.title);
    let description = format!(
        "Features of the Gateway API that other implementations support and {} does not.",
        implementation.name
    );
    let model = site.model;
    let families = model.gaps.iter().filter_map(|gaps| {
        let basis = gaps.basis(implementation.slug)?;
        let found = gaps.of(implementation.slug, model.set)?;
        let mut kinds: Vec<GapKind> = found.iter().map(|gap| gap.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        Some(FamilyGaps {
            name: family_name(gaps.family),
            id: family_name(gaps.family).to_lowercase(),
            basis_name: report_name(basis),
            basis,
            counts: counts(&found),
            kinds: kinds.into_iter().map(|kind| (kind, words(kind))).collect(),
            rows: found.into_iter().map(|gap| row(site, gap, tests)).collect(),
        })
    });
    let page = GapsPage {
        head: site.head(&path, &title, &description),
        scope: Minors(&model.catalog.current_minors()).to_string(),
        families: families.collect(),
        implementation,
    };
    layout::file(&path, &page)
}

fn row<'s>(site: &SiteContext<'s>, gap: Gap<'s>, tests: &'s Tests<'_>) -> Row<'s> {
    let resource = resource(site.model.registry, gap.feature);
    Row {
        label: label(gap.feature, resource),
        resource,
        page: site.model.set.feature_page(gap.feature),
        mark: Mark::state(gap.state, gap.words.clone()),
        tests: tests.get(gap.feature).map_or(&[], Vec::as_slice),
        gap,
    }
}

/// Counts such as `12 features: 3 declared unsupported, 9 not stated`.
fn counts(gaps: &[Gap<'_>]) -> String {
    let by_kind = GapKind::ALL.iter().filter_map(|kind| {
        let count = gaps.iter().filter(|gap| gap.kind == *kind).count();
        (count > 0).then(|| format!("{count} {}", words(*kind)))
    });
    let by_kind: Vec<_> = by_kind.collect();
    format!("{}: {}", counted(gaps.len(), "feature"), by_kind.join(", "))
}

fn words(kind: GapKind) -> &'static str {
    match kind {
        GapKind::Failed => "with failed tests",
        GapKind::Skipped => "with skipped tests",
        GapKind::Unsupported => "declared unsupported",
        GapKind::NotStated => "not stated",
        GapKind::ProfileNotReported => "in a profile that it does not report",
        GapKind::NotInRelease => "not in its release",
    }
}
