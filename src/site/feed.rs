//! Atom feeds (RFC 4287): of the site, of each implementation, of each feature.
//!
//! A feature that no report began or ceased to support has none.
//!
//! Entries are about a new report, changed verdicts, and features gained or lost. Their ids are
//! `tag:` addresses made of the place of the report in its tree and of what they are about: an
//! entry keeps its id whatever is added. Without the address of the site their authority is
//! [`FALLBACK_AUTHORITY`](super::FALLBACK_AUTHORITY). Dates are those of the reports; a report
//! without a date that can be read is in no feed, and `api/v1/index.json` names it.

mod entries;
mod xml;

use jiff::Timestamp;

use super::File;
use super::model::SiteModel;
use super::paths::{self, BaseUrl, tag};
use crate::api::NameKind;

/// Most entries of a feed: the newest stay.
pub const MAX_ENTRIES: usize = 100;

/// A feed.
struct Feed {
    /// Its file.
    path: String,
    id: String,
    title: String,
    entries: Vec<FeedEntry>,
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FeedEntry {
    id: String,
    title: String,
    date: Timestamp,
    text: String,
    /// The page that it is about, below the site's folder.
    page: String,
}

/// All feeds.
pub(super) fn files(model: &SiteModel<'_>, base: Option<&BaseUrl>) -> Vec<File> {
    let all = || model.reports().iter();
    let mut feeds = vec![Feed {
        path: paths::FEED.to_owned(),
        id: tag(base, &["feed"]),
        title: "Gateway API conformance reports".to_owned(),
        entries: all()
            .flat_map(|report| entries::of_report(report, model, base))
            .collect(),
    }];
    for implementation in &model.implementations {
        let own = implementation.reports.iter();
        let entry = implementation.entry;
        feeds.push(Feed {
            path: paths::implementation_feed(implementation.slug),
            id: tag(base, &["implementation", entry.organization, entry.project]),
            title: format!("{}: Gateway API conformance", implementation.name),
            entries: own
                .flat_map(|report| entries::of_report(report, model, base))
                .collect(),
        });
    }
    let mut by_feature = entries::by_feature(model.reports(), base);
    for name in model.registry.released_names(NameKind::Feature) {
        let Some(path) = model.set.feature_feed(name) else {
            continue;
        };
        feeds.push(Feed {
            path,
            id: tag(base, &["feature", name]),
            title: format!("{name}: Gateway API conformance"),
            entries: by_feature.remove(name).unwrap_or_default(),
        });
    }
    feeds
        .into_iter()
        .map(|mut feed| {
            feed.entries
                .sort_by(|a, b| b.date.cmp(&a.date).then_with(|| a.id.cmp(&b.id)));
            feed.entries.truncate(MAX_ENTRIES);
            xml::file(feed, base)
        })
        .collect()
}
