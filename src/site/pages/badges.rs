//! Renders `/badges/`, with badges and markup to copy. `site/badges.js` adds the site URL.

use askama::Template;

use super::MAX_ROWS;
use super::feature_badge;
use super::layout::{self, Head, SiteContext};
use crate::site::File;
use crate::site::badge::{self, About};
use crate::site::model::{FeatureWord, ImplementationView, family_name};
use crate::site::paths;

#[derive(Template)]
#[template(path = "badges.html")]
struct BadgesPage<'s> {
    head: Head<'s>,
    base: Option<&'s str>,
    rows: Vec<BadgeRow<'s>>,
    kinds: Vec<BadgeKind>,
    /// JSON list of badge subjects, to which rows refer by index.
    subjects: String,
}

pub(super) struct BadgeImage {
    pub(super) path: String,
    pub(super) alt: String,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl BadgeImage {
    pub(super) fn of_feature(name: &str, word: &FeatureWord) -> Self {
        let badge = feature_badge::badge(name, word);
        let (width, height) = badge::size(&badge);
        Self {
            path: paths::feature_badge(name, "svg"),
            alt: format!("Support of {name} by Gateway API implementations"),
            width,
            height,
        }
    }

    pub(super) fn new(
        site: &SiteContext<'_>,
        implementation: &ImplementationView<'_>,
        about: About<'_>,
    ) -> Self {
        let (issued, entry) = (&site.model.issued, implementation.entry);
        let (width, height) = badge::size(&issued.badge(site.model.catalog, entry, about));
        Self {
            path: paths::badge_image(&about, implementation.slug),
            alt: issued.alternative(entry, about),
            width,
            height,
        }
    }
}

struct BadgeRow<'s> {
    implementation: &'s ImplementationView<'s>,
    badge: BadgeImage,
    name: String,
    subjects: String,
}

struct BadgeKind {
    name: &'static str,
    abouts: Vec<(String, String)>,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let issued = &site.model.issued;
    let mut abouts: Vec<About<'_>> = issued.all().collect();
    let (minors, others): (Vec<_>, Vec<_>) = abouts
        .into_iter()
        .partition(|about| matches!(about, About::Minor(_)));
    let at = others
        .iter()
        .take_while(|about| !matches!(about, About::Profile(_)))
        .count();
    abouts = others;
    abouts.splice(at..at, minors.into_iter().rev());
    let mut subjects: Vec<String> = Vec::new();
    let mut all: Vec<_> = site.model.implementations.iter().collect();
    all.sort_by_cached_key(|implementation| implementation.name.to_lowercase());
    let rows = all
        .into_iter()
        .map(|implementation| {
            let own: Vec<_> = abouts
                .iter()
                .map(|about| {
                    let subject = issued.subject(implementation.entry, *about);
                    let known = subjects.iter().position(|known| *known == subject);
                    let place = known.unwrap_or_else(|| {
                        subjects.push(subject);
                        subjects.len() - 1
                    });
                    place.to_string()
                })
                .collect();
            let badge = BadgeImage::new(site, implementation, About::Whole);
            let whole = issued.subject(implementation.entry, About::Whole) + " conformance of ";
            BadgeRow {
                name: badge
                    .alt
                    .strip_prefix(&whole)
                    .unwrap_or(&badge.alt)
                    .to_owned(),
                subjects: own.join(" "),
                badge,
                implementation,
            }
        })
        .collect();
    let about = "Badges that show the conformance of Gateway API implementations, with markup to embed them.";
    let page = BadgesPage {
        head: site
            .head(paths::BADGES_PAGE, "Badges", about)
            .with_scripts(&[&site.assets.badges]),
        base: site.base.map(crate::site::BaseUrl::as_str),
        rows,
        kinds: kinds(&abouts),
        subjects: serde_json::json!(subjects).to_string(),
    };
    vec![layout::file(paths::BADGES_PAGE, &page)]
}

fn kinds(abouts: &[About<'_>]) -> Vec<BadgeKind> {
    let mut kinds: Vec<BadgeKind> = Vec::new();
    for about in abouts {
        let (kind, name) = match about {
            About::Whole => ("", "the implementation as a whole".to_owned()),
            About::Family(family) => ("Family", family_name(*family).to_owned()),
            About::Minor(minor) => ("Release", minor.to_string()),
            About::Profile(profile) => ("Profile", (*profile).to_owned()),
        };
        let path = about.path("").trim_start_matches('/').to_owned();
        match kinds.last_mut() {
            Some(last) if last.name == kind => last.abouts.push((path, name)),
            _ => kinds.push(BadgeKind {
                name: kind,
                abouts: vec![(path, name)],
            }),
        }
    }
    kinds
}
