//! Badges of features, next to their pages, with the [`FeatureWord`].

use super::layout::SiteContext;
use crate::site::File;
use crate::site::badge::{Badge, Colour, shields, svg};
use crate::site::model::FeatureWord;
use crate::site::paths;

pub(super) fn badge(name: &str, word: &FeatureWord) -> Badge {
    Badge {
        label: format!("Gateway API {name}"),
        message: word.text(),
        colour: match word {
            FeatureWord::Since(_) => Colour::Green,
            _ => Colour::Grey,
        },
        report: None,
    }
}

/// Badges of all features with a page.
pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let model = site.model;
    let named = model
        .features
        .iter()
        .filter(|feature| feature.page.is_some());
    let files = named.flat_map(|feature| {
        let name = feature.name;
        let badge = badge(name, &model.adoption(name).word());
        let file = |extension, text| File::new(paths::feature_badge(name, extension), text);
        [file("svg", svg(&badge)), file("json", shields(&badge))]
    });
    files.collect()
}
