//! Renders `/check/`, which checks reports in the browser. `site/check.js` calls the WebAssembly
//! module.

use askama::Template;

use super::layout::{self, Head, SiteContext};
use crate::site::File;
use crate::site::paths;
use gwconform_base::text::source::MAX_FILE_BYTES;

#[derive(Template)]
#[template(path = "check.html")]
struct CheckPage<'s> {
    head: Head<'s>,
    worker: &'s str,
    module: &'s str,
    size: String,
    most: u64,
    most_shown: String,
    /// The page `find` reads manifests.
    reads_manifests: bool,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let Some((assets, script, module)) = site.checker() else {
        return Vec::new();
    };
    let about = "Check conformance reports, a submission or a reports tree in the browser, before a pull request. Nothing is uploaded.";
    let page = CheckPage {
        head: site
            .head(paths::CHECK_PAGE, "Check a report", about)
            .with_scripts(&[&assets.module, script])
            .with_module(assets),
        worker: &assets.worker.path,
        module: &module.path,
        size: module.size(),
        reads_manifests: assets.needs().is_some(),
        most: MAX_FILE_BYTES,
        most_shown: format!("{:.1} MB", MAX_FILE_BYTES as f64 / 1e6),
    };
    vec![layout::file(paths::CHECK_PAGE, &page)]
}
