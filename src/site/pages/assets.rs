//! The style sheet, scripts, icon and preview, embedded. Each is written under a name with a part of its
//! digest: a browser may keep it for ever, and a changed one has another name.

use sha2::{Digest as _, Sha256};

use crate::site::File;
use crate::site::paths::asset_file;

/// A static file of the site.
#[derive(Debug)]
pub(super) struct Asset {
    /// Below the site's folder.
    pub(super) path: String,
    bytes: &'static [u8],
}

impl Asset {
    fn new(name: &str, bytes: &'static [u8]) -> Self {
        let digest = Sha256::digest(bytes);
        let short: String = digest
            .iter()
            .take(5)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Self {
            path: asset_file(name, &short),
            bytes,
        }
    }
}

macro_rules! asset {
    ($name:literal) => {
        Asset::new(
            $name,
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/site/", $name)),
        )
    };
}

/// Width and height of the preview, in pixels: what `tests/browser/preview.mjs` draws.
pub(super) const PREVIEW_SIZE: (u32, u32) = (1200, 630);

/// All static files.
#[derive(Debug)]
pub(super) struct Assets {
    pub(super) style: Asset,
    pub(super) icon: Asset,
    /// What previews of a page show elsewhere.
    pub(super) picture: Asset,
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
            picture: asset!("preview.png"),
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
            &self.picture,
            &self.page,
            &self.find,
            &self.compare,
            &self.badges,
            &self.matrix,
        ];
        all.map(|asset| File::new(asset.path.clone(), asset.bytes))
            .into()
    }
}
