//! The style sheet, scripts and icon, embedded. Each is written under a name with a part of its
//! digest: a browser may keep it for ever, and a changed one has another name.

use sha2::{Digest as _, Sha256};

use crate::site::File;
use crate::site::paths::asset_file;

/// A static file of the site.
#[derive(Debug)]
pub(super) struct Asset {
    /// Below the site's folder.
    pub(super) path: String,
    text: &'static str,
}

impl Asset {
    fn new(name: &str, text: &'static str) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        let short: String = digest
            .iter()
            .take(5)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Self {
            path: asset_file(name, &short),
            text,
        }
    }
}

macro_rules! asset {
    ($name:literal) => {
        Asset::new(
            $name,
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/site/", $name)),
        )
    };
}

/// All static files.
#[derive(Debug)]
pub(super) struct Assets {
    pub(super) style: Asset,
    pub(super) icon: Asset,
    /// Filters, copies and folds on every page.
    pub(super) page: Asset,
    pub(super) find: Asset,
    pub(super) compare: Asset,
    pub(super) badges: Asset,
    pub(super) matrix: Asset,
}

impl Assets {
    pub(super) fn embedded() -> Self {
        Self {
            style: asset!("style.css"),
            icon: asset!("icon.svg"),
            page: asset!("page.js"),
            find: asset!("find.js"),
            compare: asset!("compare.js"),
            badges: asset!("badges.js"),
            matrix: asset!("matrix.js"),
        }
    }

    pub(super) fn files(&self) -> Vec<File> {
        let all = [
            &self.style,
            &self.icon,
            &self.page,
            &self.find,
            &self.compare,
            &self.badges,
            &self.matrix,
        ];
        all.map(|asset| File::new(asset.path.clone(), asset.text))
            .into()
    }
}
