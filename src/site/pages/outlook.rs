//! Renders `/outlook/`, with the effects of an unreleased minor, if its release data is available.

use std::collections::BTreeMap;

use askama::Template;

use super::coming::Coming as Changes;
use super::layout::{self, Head, SiteContext};
use super::mark::Mark;
use crate::outlook::{Coming, FamilyOutlook, ImplementationOutlook, Outlook};
use crate::print::outlook::{self as texts, FlagLine, Section};
use crate::site::File;
use crate::site::model::ImplementationView;
use crate::site::paths;
use gwconform_base::api::Minor;
use gwconform_report::certify::Standing;

#[derive(Template)]
#[template(path = "outlook.html")]
struct OutlookPage<'s> {
    head: Head<'s>,
    release: String,
    /// Source of the data.
    basis: Option<String>,
    minor: Minor,
    headline: String,
    families: Vec<(&'static str, Vec<Table<'s>>)>,
    coming: Option<Changes>,
}

struct Table<'s> {
    title: String,
    rows: Vec<OutlookRow<'s>>,
}

struct OutlookRow<'s> {
    implementation: &'s ImplementationView<'s>,
    page: String,
    now: Mark,
    then: Mark,
    last: Option<Last>,
    summary: String,
}

struct Last {
    release: String,
    page: String,
}

#[derive(Template)]
#[template(path = "outlook_implementation.html")]
struct ImplementationPage<'s> {
    head: Head<'s>,
    implementation: &'s ImplementationView<'s>,
    release: String,
    basis: Option<String>,
    families: Vec<FamilyPart>,
}

struct FamilyPart {
    name: &'static str,
    verdicts: Vec<(String, String)>,
    last: Option<Last>,
    summary: String,
    parts: Vec<(Option<String>, Vec<Section>)>,
    flags: Vec<FlagLine>,
    flags_title: &'static str,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let model = site.model;
    let Some((registry, release)) = site.coming else {
        return Vec::new();
    };
    let outlook = Outlook::new(model.catalog, registry, Coming::Release(release));
    let all = model.implementations.iter();
    let views: BTreeMap<&str, &ImplementationView<'_>> =
        all.map(|view| (view.slug, view)).collect();
    let families = texts::groups(&outlook).into_iter();
    let families = families.map(|(_, title, groups)| {
        let tables = groups.iter().map(|group| Table {
            title: format!("{}: {}", group.title(), group.rows.len()),
            rows: group
                .rows
                .iter()
                .filter_map(|(one, family)| {
                    Some(row(
                        views.get(one.implementation.implementation.as_str())?,
                        family,
                    ))
                })
                .collect(),
        });
        (title, tables.collect())
    });
    let about = "The impact of the next Gateway API release: which conformance verdicts change, and what a new run must pass.";
    let page = OutlookPage {
        head: site.head(paths::OUTLOOK_PAGE, "Outlook", about),
        release: texts::title(outlook.coming),
        basis: texts::basis(outlook.coming),
        minor: outlook.minor(),
        headline: texts::headline(&outlook),
        families: families.collect(),
        coming: Changes::new(site),
    };
    let own = outlook.implementations.iter().filter_map(|one| {
        let view = views.get(one.implementation.implementation.as_str())?;
        Some(implementation(site, &outlook, one, view))
    });
    let own: Vec<File> = own.collect();
    std::iter::once(layout::file(paths::OUTLOOK_PAGE, &page))
        .chain(own)
        .collect()
}

fn row<'s>(view: &'s ImplementationView<'s>, family: &FamilyOutlook<'_>) -> OutlookRow<'s> {
    OutlookRow {
        implementation: view,
        page: paths::outlook_page(view.slug),
        now: mark(family.before.standing),
        then: mark(family.after.standing),
        last: last(view, family),
        summary: texts::summary(family),
    }
}

fn mark(standing: Standing) -> Mark {
    Mark::standing(standing, standing.words())
}

fn last(view: &ImplementationView<'_>, family: &FamilyOutlook<'_>) -> Option<Last> {
    let run = family.run.as_ref()?;
    Some(Last {
        release: texts::last_release(run),
        page: paths::report_page(&view.reports.get(run.last.at)?.id),
    })
}

fn implementation(
    site: &SiteContext<'_>,
    outlook: &Outlook<'_>,
    one: &ImplementationOutlook<'_>,
    view: &ImplementationView<'_>,
) -> File {
    let path = paths::outlook_page(view.slug);
    let page = ImplementationPage {
        head: site.head(&path, &format!("Outlook: {}", view.title), &format!(
                    "The impact of the next Gateway API release on {}: its verdict, and what a new run must pass.",
                    view.name
                )),
        implementation: view,
        release: texts::title(outlook.coming),
        basis: texts::basis(outlook.coming),
        families: one
            .families
            .iter()
            .map(|family| part(outlook, family, view))
            .collect(),
    };
    layout::file(&path, &page)
}

fn part(
    outlook: &Outlook<'_>,
    family: &FamilyOutlook<'_>,
    view: &ImplementationView<'_>,
) -> FamilyPart {
    let run = family.run.as_ref();
    let mut rest = run.map(texts::sections).unwrap_or_default();
    let mut parts = Vec::new();
    for profile in run.into_iter().flat_map(|run| &run.profiles) {
        let is_own = |section: &Section| section.profile.as_deref() == Some(&profile.profile);
        let (own, others) = rest.into_iter().partition(is_own);
        rest = others;
        parts.push((Some(texts::core_tests(profile)), own));
    }
    parts.push((None, rest));
    FamilyPart {
        name: crate::site::model::family_name(family.family),
        verdicts: texts::verdicts(outlook, family),
        last: last(view, family),
        summary: texts::summary(family),
        parts,
        flags: run.map(texts::flags).unwrap_or_default(),
        flags_title: texts::FLAGS,
    }
}
