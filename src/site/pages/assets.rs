//! Embedded static files. Names contain a part of the content digest, so browsers can cache the
//! files indefinitely.

use std::borrow::Cow;

use sha2::{Digest as _, Sha256};

use super::search;
use crate::site::model::SiteModel;
use crate::site::paths::asset_file;
use crate::site::{File, Module, ModuleKind, NOTICES_FILE};
use gwconform_base::release::Release;

#[derive(Debug)]
pub(super) struct Asset {
    pub(super) path: String,
    bytes: Cow<'static, [u8]>,
}

impl Asset {
    fn new(name: &str, bytes: impl Into<Cow<'static, [u8]>>) -> Self {
        let bytes = bytes.into();
        let digest = Sha256::digest(&bytes);
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

    pub(super) fn size(&self) -> String {
        match self.bytes.len() {
            bytes @ 1_000_000.. => format!("{:.1} MB", bytes as f64 / 1e6),
            bytes => format!("{} KB", bytes.div_ceil(1000)),
        }
    }
}

macro_rules! asset {
    ($name:literal) => {
        Asset::new(
            $name,
            &include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/site/", $name))[..],
        )
    };
}

/// Width and height in pixels; must match the output of `tests/browser/preview.mjs`.
pub(super) const PREVIEW_SIZE: (u32, u32) = (1200, 630);

#[derive(Debug)]
pub(super) struct Assets {
    pub(super) style: Asset,
    pub(super) icon: Asset,
    pub(super) picture: Asset,
    pub(super) page: Asset,
    pub(super) find: Asset,
    pub(super) compare: Asset,
    pub(super) badges: Asset,
    pub(super) matrix: Asset,
    pub(super) search: Asset,
    /// Index of the search box.
    pub(super) index: Asset,
    pub(super) browser: Option<BrowserAssets>,
}

#[derive(Debug)]
pub(super) struct BrowserAssets {
    pub(super) style: Asset,
    pub(super) worker: Asset,
    pub(super) module: Asset,
    pub(super) check: Option<(Asset, Asset)>,
    pub(super) manifests: Asset,
    needs: Option<Asset>,
    pub(super) notices: Option<Asset>,
}

impl BrowserAssets {
    fn try_new(modules: &[Module]) -> Option<Self> {
        let of_kind = |kind| modules.iter().rev().find(|module| module.kind() == kind);
        let asset = |name, module: &Module| Asset::new(name, module.bytes().to_vec());
        let check = of_kind(ModuleKind::Check);
        let needs = of_kind(ModuleKind::Needs);
        check.or(needs)?;
        Some(Self {
            style: asset!("browser.css"),
            worker: asset!("worker.js"),
            module: asset!("module.js"),
            check: check.map(|module| (asset!("check.js"), asset("check.wasm", module))),
            manifests: asset!("manifests.js"),
            needs: needs.map(|module| asset("needs.wasm", module)),
            notices: modules
                .iter()
                .rev()
                .find_map(Module::notices)
                .map(|notices| Asset::new(NOTICES_FILE, notices.to_vec())),
        })
    }

    /// Returns the smaller module for `needs`, or else the full module.
    pub(super) fn needs(&self) -> Option<&Asset> {
        let check = self.check.as_ref().map(|(_, module)| module);
        self.needs.as_ref().or(check)
    }

    fn all(&self) -> impl Iterator<Item = &Asset> {
        let always = [&self.style, &self.worker, &self.module, &self.manifests];
        let check = self
            .check
            .iter()
            .flat_map(|(script, module)| [script, module]);
        let rest = self.needs.iter().chain(&self.notices);
        always.into_iter().chain(check).chain(rest)
    }
}

impl Assets {
    pub(super) fn new(modules: &[Module], model: &SiteModel<'_>, coming: Option<&Release>) -> Self {
        let index = search::index(model, coming);
        Self {
            style: asset!("style.css"),
            icon: asset!("icon.svg"),
            picture: asset!("preview.png"),
            page: asset!("page.js"),
            find: asset!("find.js"),
            compare: asset!("compare.js"),
            badges: asset!("badges.js"),
            matrix: asset!("matrix.js"),
            search: asset!("search.js"),
            index: Asset::new("search-index.js", index.into_bytes()),
            browser: BrowserAssets::try_new(modules),
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
            &self.search,
            &self.index,
        ];
        let browser = self.browser.iter().flat_map(BrowserAssets::all);
        let all = all.into_iter().chain(browser);
        all.map(|asset| File::new(asset.path.clone(), asset.bytes.to_vec()))
            .collect()
    }
}
