//! Atom feeds (RFC 4287) for the site, each implementation, and each feature whose support changed.
//!
//! Entries announce new reports, changed verdicts, and gained or lost features. Entry IDs are
//! stable `tag:` URIs built from the report path and the subject; without a base URL, they use
//! [`FALLBACK_AUTHORITY`](super::FALLBACK_AUTHORITY). Reports without a valid date are omitted.

mod entries;
mod xml;

use jiff::Timestamp;

use super::File;
use super::model::SiteModel;
use super::paths::{self, BaseUrl, tag};
use crate::api::NameKind;

/// Maximum entries per feed. The newest entries are kept.
pub const MAX_ENTRIES: usize = 100;

struct Feed {
    path: String,
    id: String,
    title: String,
    entries: Vec<FeedEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct FeedEntry {
    id: String,
    title: String,
    date: Timestamp,
    text: String,
    page: String,
}

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
