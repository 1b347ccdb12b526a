//! Tests the site with and without the modules for browsers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::support::folder::{Folder, files};
use crate::support::{run, wasm_module};

const CHECK: &str = concat!("check ", env!("CARGO_PKG_VERSION"));
const NEEDS: &str = concat!("needs ", env!("CARGO_PKG_VERSION"));

fn site(folder: &Folder, arguments: &str) -> BTreeMap<String, Vec<u8>> {
    let output = folder.run(format!("site conformance/reports --out out {arguments}").trim_end());
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    files(&folder.path().join("out"))
}

fn with_modules() -> Folder {
    let folder = Folder::with_tree();
    folder.file("check.wasm", wasm_module(CHECK));
    folder.file("needs.wasm", wasm_module(NEEDS));
    folder
}

fn text<'f>(files: &'f BTreeMap<String, Vec<u8>>, path: &str) -> &'f str {
    std::str::from_utf8(&files[path]).unwrap()
}

fn plain(path: &str) -> String {
    let parts: Vec<&str> = path.split('.').collect();
    if path.starts_with("assets/") {
        format!("{}.{}", parts[0], parts[parts.len() - 1])
    } else {
        path.to_owned()
    }
}

#[test]
fn notices_next_to_a_module_are_published_with_it() {
    let folder = with_modules();
    folder.file("THIRD-PARTY-NOTICES.txt", "MIT\n");
    let notices = |files: &BTreeMap<String, Vec<u8>>| -> Vec<Vec<u8>> {
        let is_notices = |path: &str| plain(path) == "assets/THIRD-PARTY-NOTICES.txt";
        let found = files.iter().filter(|(path, _)| is_notices(path));
        found.map(|(_, bytes)| bytes.clone()).collect()
    };
    let with = site(&folder, "--wasm check.wasm --wasm needs.wasm");
    assert_eq!(notices(&with), [b"MIT\n"]);
    for page in ["check/index.html", "find/index.html"] {
        assert!(
            text(&with, page).contains(">Third-party licenses</a>"),
            "{page}"
        );
    }
    assert!(notices(&site(&folder, "")).is_empty());
}

#[test]
fn modules_bring_their_pages_and_change_no_others_but_for_the_navigation() {
    let folder = with_modules();
    let without = site(&folder, "");
    assert!(
        text(&without, "find/index.html").contains("<code>gwconform needs PATH --in TREE</code>")
    );
    assert!(!text(&without, "find/index.html").contains("wasm"));
    // Links from the command name profiles.
    assert!(text(&without, "find/index.html").contains("data-core=\"{&quot;GATEWAY-"));
    let with = site(&folder, "--wasm check.wasm --wasm needs.wasm");
    let names = |files: &BTreeMap<String, Vec<u8>>| -> BTreeSet<String> {
        files.keys().map(|path| plain(path)).collect()
    };
    let new: Vec<String> = names(&with).difference(&names(&without)).cloned().collect();
    assert_eq!(
        new,
        [
            "assets/browser.css",
            "assets/check.js",
            "assets/check.wasm",
            "assets/manifests.js",
            "assets/module.js",
            "assets/needs.wasm",
            "assets/worker.js",
            "check/index.html",
        ]
    );
    let link = regex::Regex::new(r#"\n<a href="[./]*check/"[^>]*>Check</a>\n"#).unwrap();
    for (path, bytes) in &without {
        // These pages link to `check/` in their text.
        let others = [
            "about/index.html",
            "find/index.html",
            ".gwconform-manifest.json",
        ];
        if others.contains(&path.as_str()) {
            continue;
        }
        let now = String::from_utf8_lossy(&with[path]).into_owned();
        let now = if path.ends_with(".html") {
            link.replace(&now, "").into_owned()
        } else {
            now
        };
        assert_eq!(now, String::from_utf8_lossy(bytes), "{path}");
    }
    // A run without modules removes them, because they are generated files.
    assert_eq!(names(&site(&folder, "")), names(&without));
}

#[test]
fn each_page_has_the_smallest_module_that_does() {
    let folder = with_modules();
    let module = |files: &BTreeMap<String, Vec<u8>>, page: &str| -> Option<String> {
        let (_, rest) = text(files, page).split_once("data-module=\"../")?;
        Some(plain(rest.split('"').next().unwrap()))
    };
    let both = site(&folder, "--wasm needs.wasm --wasm check.wasm");
    assert_eq!(
        module(&both, "check/index.html").as_deref(),
        Some("assets/check.wasm")
    );
    assert_eq!(
        module(&both, "find/index.html").as_deref(),
        Some("assets/needs.wasm")
    );
    folder.file(
        "modules/check.wasm",
        fs::read(folder.path().join("check.wasm")).unwrap(),
    );
    folder.file(
        "modules/needs.wasm",
        fs::read(folder.path().join("needs.wasm")).unwrap(),
    );
    assert_eq!(both, site(&folder, "--wasm modules"));
    let check = site(&folder, "--wasm check.wasm");
    assert_eq!(
        module(&check, "find/index.html").as_deref(),
        Some("assets/check.wasm")
    );
    let needs = site(&folder, "--wasm needs.wasm");
    assert_eq!(
        module(&needs, "find/index.html").as_deref(),
        Some("assets/needs.wasm")
    );
    assert!(!needs.contains_key("check/index.html"));
    assert!(!text(&needs, "index.html").contains(">Check</a>"));
}

#[test]
fn rejects_modules_of_other_versions_before_writing() {
    let folder = Folder::with_tree();
    folder.file("page.html", "<!DOCTYPE html>");
    folder.file("old.wasm", wasm_module("check 0.0.1"));
    folder.file("empty/readme.txt", "");
    for (file, error) in [
        (
            "page.html",
            "error: --wasm page.html: not a module of gwconform; expected check.wasm or needs.wasm, as dist/browser builds them\n".to_owned(),
        ),
        (
            "empty",
            "error: --wasm empty: no check.wasm or needs.wasm in this folder; dist/browser builds them\n".to_owned(),
        ),
        (
            "old.wasm",
            format!(
                "error: --wasm old.wasm: a module of gwconform 0.0.1; expected one of {}, as the pages are\n",
                env!("CARGO_PKG_VERSION")
            ),
        ),
    ] {
        let words = ["site", "conformance/reports", "--out", "out", "--wasm", file];
        let output = run(folder.path(), &words.map(str::to_owned));
        assert_eq!((output.code, output.stderr), (2, error));
        assert!(!Path::new(&folder.path().join("out")).exists());
    }
}
