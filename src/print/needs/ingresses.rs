//! Prints what Ingresses need.

use super::{add_places, first};
use crate::print::page::{Page, words};
use gwconform_base::text::counted;
use gwconform_cluster::support::IngressNeeds;

const APPROXIMATE: &str = "Approximate (the equivalent in the API has a different effect)";
const IGNORED: &str = "Ignored annotations of ingress-nginx";
const OTHERS: &str = "Other controllers (their annotations are not read)";
const UNKNOWN: &str = "Unknown annotations of ingress-nginx";

pub(super) fn counts(found: &IngressNeeds) -> String {
    let all = found.counts;
    let parts = [
        (all.extended, "with extended features"),
        (all.beyond, "with settings beyond the API"),
        (all.no_equivalent, "with settings that have no equivalent"),
        (all.unknown, "with annotations that are not read"),
        (all.unknown_controller, "of an unknown controller"),
        (all.other_controller, "of another controller"),
    ];
    let mut text = format!(
        "Ingresses: {}; {} of them only with core features",
        all.ingresses, all.core
    );
    for (count, what) in parts.iter().filter(|(count, _)| *count > 0) {
        text.push_str(&format!(", {count} {what}"));
    }
    text
}

pub(super) fn add_annotations(page: &mut Page, found: &IngressNeeds) {
    if !found.approximate.is_empty() {
        page.heading(3, words(APPROXIMATE));
    }
    for one in &found.approximate {
        let name = one.annotation.rsplit('/').next().unwrap_or_default();
        let (count, place) = (counted(one.places.count, "place"), first(&one.places));
        page.item(format!("{name}: {} ({count}, {place})", one.difference));
    }
    let ignored = found.ignored.iter().map(|one| {
        let name = one.annotation.rsplit('/').next().unwrap_or_default();
        let what = format!("{name}: {}", one.reason);
        (what, &one.places)
    });
    add_places(page, IGNORED, ignored.collect());
    let unknown = found.unknown_annotations.iter();
    let unknown = unknown.map(|one| match &one.similar {
        Some(similar) => (
            format!("{} (did you mean {similar}?)", one.annotation),
            &one.places,
        ),
        None => (one.annotation.clone(), &one.places),
    });
    add_places(page, UNKNOWN, unknown.collect());
    let others = found.other_controllers.iter().map(|one| {
        let converter = match &one.provider {
            Some(provider) => format!("ingress2gateway print --providers {provider}"),
            None => "no converter known".to_owned(),
        };
        (format!("{}: {converter}", one.controller), &one.places)
    });
    add_places(page, OTHERS, others.collect());
}
