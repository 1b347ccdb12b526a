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
use gwconform_base::api::NameKind;

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

/// Paths of all feeds, except those of former names.
pub(super) fn addresses(model: &SiteModel<'_>) -> Vec<String> {
    let implementations = model.implementations.iter();
    let own = implementations.map(|one| paths::implementation_feed(one.slug));
    let features = features(model).map(|(_, path)| path);
    [paths::FEED.to_owned()]
        .into_iter()
        .chain(own)
        .chain(features)
        .collect()
}

fn features<'m>(model: &'m SiteModel<'_>) -> impl Iterator<Item = (&'m str, String)> {
    let names = model.registry.released_names(NameKind::Feature);
    names
        .into_iter()
        .filter_map(|name| Some((name, model.set.feature_feed(name)?)))
}

/// Passes on each feed. Aliases have copies, because feed readers do not follow HTML redirects.
pub(super) fn make(model: &SiteModel<'_>, base: Option<&BaseUrl>, out: &dyn Fn(Vec<File>)) {
    let put = |feed| out(vec![xml::file(newest(feed), base)]);
    put(Feed {
        path: paths::FEED.to_owned(),
        id: tag(base, &["feed"]),
        title: "Gateway API conformance reports".to_owned(),
        entries: entries::newest(model, base),
    });
    for implementation in &model.implementations {
        let own = implementation.reports.iter();
        let entry = implementation.entry;
        let feed = xml::file(
            newest(Feed {
                path: paths::implementation_feed(implementation.slug),
                id: tag(base, &["implementation", entry.organization, entry.project]),
                title: format!("{}: Gateway API conformance", implementation.name),
                entries: own
                    .flat_map(|report| entries::of_report(report, model, base))
                    .collect(),
            }),
            base,
        );
        let aliases = entry
            .aliases
            .iter()
            .map(|alias| paths::implementation_feed(alias));
        let copies = aliases
            .map(|path| File::new(path, feed.bytes.clone()))
            .collect();
        out(copies);
        out(vec![feed]);
    }
    let events = entries::events(model.reports());
    for (name, path) in features(model) {
        let events = events.get(name).map_or(&[][..], Vec::as_slice);
        put(Feed {
            path,
            id: tag(base, &["feature", name]),
            title: format!("{name}: Gateway API conformance"),
            entries: entries::of_feature(events, base),
        });
    }
}

fn newest(mut feed: Feed) -> Feed {
    let entries = &mut feed.entries;
    entries.sort_by(|a, b| b.date.cmp(&a.date).then_with(|| a.id.cmp(&b.id)));
    entries.truncate(MAX_ENTRIES);
    feed
}
