//! `/implementations/`: all of them, with a filter.

use std::collections::BTreeSet;

use askama::Template;

use super::home;
use crate::site::File;
use crate::site::implementation_view::ImplementationView;
use crate::site::page::{self, Head, Page, SiteContext};
use crate::site::paths;
use crate::site::view::text;

#[derive(Template)]
#[template(path = "implementations.html")]
struct Implementations<'s> {
    head: Head<'s>,
    cards: Vec<Card<'s>>,
    profiles: BTreeSet<String>,
    spark_from: String,
    spark_to: String,
}

struct Card<'s> {
    shown: &'s ImplementationView<'s>,
    /// What the filter looks at.
    words: String,
    profiles: String,
    channels: String,
    standing: &'static str,
    spark: String,
    extended: usize,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let minors = home::minors_of(&site.shown);
    let most = home::most_extended(&site.shown);
    let mut all: Vec<_> = site.shown.iter().collect();
    all.sort_by_cached_key(|shown| (shown.one.name.to_lowercase(), shown.at));
    let cards: Vec<_> = all
        .into_iter()
        .map(|shown| {
            let profiles = shown.families.iter().flat_map(|verdict| &verdict.profiles);
            let profiles: BTreeSet<&str> = profiles.map(|profile| profile.short.as_str()).collect();
            let reports = site.view.reports_of(shown.at).iter();
            let channels: BTreeSet<&str> = reports
                .filter_map(|seen| text(&seen.facts().channel))
                .collect();
            Card {
                words: [&*shown.one.name, shown.one.organization, shown.one.project]
                    .join(" ")
                    .to_lowercase(),
                profiles: profiles.into_iter().collect::<Vec<_>>().join(" "),
                channels: channels.into_iter().collect::<Vec<_>>().join(" "),
                standing: shown.standing().as_str(),
                spark: home::spark(shown, &minors, most),
                extended: shown.numbers.last().map_or(0, |numbers| numbers.extended),
                shown,
            }
        })
        .collect();
    let profiles = cards
        .iter()
        .flat_map(|card| card.profiles.split(' '))
        .filter(|name| !name.is_empty());
    let page = Implementations {
        head: site.head(
            &Page {
                path: paths::IMPLEMENTATIONS_PAGE,
                title: "All implementations",
                description: "Every implementation of the Gateway API with a conformance report, with its verdict and the features it supports.",
            },
            &[],
        ),
        profiles: profiles.map(str::to_owned).collect(),
        spark_from: minors.first().map(ToString::to_string).unwrap_or_default(),
        spark_to: minors.last().map(ToString::to_string).unwrap_or_default(),
        cards,
    };
    vec![page::file(paths::IMPLEMENTATIONS_PAGE, &page)]
}
