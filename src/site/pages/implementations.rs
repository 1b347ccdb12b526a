use std::collections::BTreeSet;

use askama::Template;

use super::MAX_ROWS;
use super::home;
use super::layout::{self, Head, SiteContext};
use crate::site::File;
use crate::site::model::{ImplementationView, text};
use crate::site::paths;

#[derive(Template)]
#[template(path = "implementations.html")]
struct ImplementationsPage<'s> {
    head: Head<'s>,
    /// The first [`MAX_ROWS`] cards have details, the others only names.
    cards: Vec<Card<'s>>,
    profiles: BTreeSet<String>,
    spark_from: String,
    spark_to: String,
}

struct Card<'s> {
    implementation: &'s ImplementationView<'s>,
    words: String,
    profiles: String,
    channels: String,
    standing: &'static str,
    spark: String,
    extended: usize,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let minors = home::minors_of(&site.model.implementations);
    let most = home::most_extended(&site.model.implementations);
    let mut all: Vec<_> = site.model.implementations.iter().collect();
    all.sort_by_cached_key(|implementation| implementation.name.to_lowercase());
    let cards: Vec<_> = all
        .into_iter()
        .map(|implementation| {
            let profiles: BTreeSet<&str> = implementation
                .families
                .iter()
                .flat_map(|verdict| &verdict.profiles)
                .map(|profile| profile.short.as_str())
                .collect();
            let reports = implementation.reports.iter();
            let channels: BTreeSet<&str> = reports
                .filter_map(|report| text(&report.facts().channel))
                .collect();
            Card {
                words: implementation.words(),
                profiles: profiles.into_iter().collect::<Vec<_>>().join(" "),
                channels: channels.into_iter().collect::<Vec<_>>().join(" "),
                standing: implementation.standing().as_str(),
                spark: home::spark(implementation, &minors, most),
                extended: implementation
                    .counts
                    .last()
                    .map_or(0, |counts| counts.extended),
                implementation,
            }
        })
        .collect();
    let profiles = cards
        .iter()
        .flat_map(|card| card.profiles.split(' '))
        .filter(|name| !name.is_empty());
    let about = "Every implementation of the Gateway API with a conformance report, with its verdict and the features it supports.";
    let page = ImplementationsPage {
        head: site.head(paths::IMPLEMENTATIONS_PAGE, "All implementations", about),
        profiles: profiles.map(str::to_owned).collect(),
        spark_from: minors.first().map(ToString::to_string).unwrap_or_default(),
        spark_to: minors.last().map(ToString::to_string).unwrap_or_default(),
        cards,
    };
    vec![layout::file(paths::IMPLEMENTATIONS_PAGE, &page)]
}
