//! Features that an unreleased version adds or removes, compared with the newest release.

use super::layout::SiteContext;
use crate::outlook;
use crate::print::outlook::{basis, title};
use gwconform_base::api::{Channel, NameKind};

/// Changes of features in an unreleased version.
pub(super) struct Coming {
    pub(super) title: String,
    /// Source of the data.
    pub(super) basis: Option<String>,
    pub(super) added: Vec<Added>,
    pub(super) removed: Vec<String>,
}

pub(super) struct Added {
    pub(super) name: String,
    pub(super) channel: Channel,
    pub(super) renamed_from: Option<String>,
    pub(super) meaning: Option<String>,
}

impl Coming {
    /// `None` if no unreleased version is known.
    pub(super) fn new(site: &SiteContext<'_>) -> Option<Self> {
        let (registry, release) = site.coming?;
        let changes = registry
            .compare(registry.newest()?, release)
            .feature_changes;
        let renamed = changes.changed.into_iter();
        let renamed = renamed.filter(|change| change.renamed_from.is_some());
        let added = changes
            .added
            .into_iter()
            .chain(renamed)
            .filter_map(|change| {
                let feature = release.feature(&change.name)?;
                Some(Added {
                    channel: feature.channel,
                    meaning: feature.meaning.clone(),
                    renamed_from: change.renamed_from,
                    name: change.name,
                })
            });
        Some(Self {
            title: title(outlook::Coming::Release(release)),
            basis: basis(outlook::Coming::Release(release)),
            added: added.collect(),
            removed: changes.removed,
        })
    }
}

/// Describes how an unreleased version changes a feature of the newest release.
pub(super) fn change(site: &SiteContext<'_>, name: &str) -> Option<String> {
    let (registry, release) = site.coming?;
    registry.newest()?.feature(name)?;
    if release.feature(name).is_some() {
        return None;
    }
    let coming = outlook::Coming::Release(release);
    let (title, basis) = (title(coming), basis(coming).unwrap_or_default());
    let renamed = registry.renamed_to(NameKind::Feature, name);
    let what = match renamed {
        Some((newer, _)) => format!("Renamed to {newer} in {title}."),
        None => format!("Removed in {title}."),
    };
    Some([what, basis].join(" ").trim_end().to_owned())
}
