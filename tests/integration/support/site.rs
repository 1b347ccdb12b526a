//! Generates sites and reads them into memory.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use gwconform::site::{File, Input};
use gwconform_base::release::Registry;
use gwconform_report::certify::AsOf;
use gwconform_report::certify::catalog::{Catalog, Parts};
use gwconform_report::rules::check::{CheckReport, Settings, check_tree};
use gwconform_report::rules::configuration::Config;
use gwconform_report::tree::{Parts as Of, discover};

use super::{corpus, folder, run, sample, wasm_module};

pub type Files = BTreeMap<String, Vec<u8>>;

/// Data for a future release, which enables the pages about an upcoming release.
const UPCOMING: &str = r#"{
  "release": "v1.99.0",
  "base": "v1.6.0",
  "features": {"HTTPRoutePort8099": {"level": "extended", "channel": "standard", "resource": "HTTPRoute", "meaning": "<b>&</b>"}},
  "profiles": {"GATEWAY-GRPC": {"extendedAdded": ["HTTPRoutePort8099"]}},
  "tests": {
    "GRPCRouteNew": {"features": ["Gateway", "GRPCRoute"]},
    "GatewayPort8080New": {"features": ["Gateway", "GRPCRoute", "GatewayPort8080"]}
  }
}"#;

pub const ALL_PAGES: [&str; 4] = ["--registry", "facts", "--wasm", "check.wasm"];

pub fn of(root: &Path, arguments: &[&str]) -> Files {
    let out = tempfile::tempdir().expect("a folder for the site");
    let module = wasm_module(concat!("check ", env!("CARGO_PKG_VERSION")));
    fs::write(out.path().join("check.wasm"), module).expect("the module can be written");
    fs::create_dir(out.path().join("facts")).expect("the folder can be made");
    fs::write(out.path().join("facts/v1.99.0.json"), UPCOMING).expect("the facts can be written");
    let root = root.to_str().expect("UTF-8");
    let all = [&["site", root, "--out", "site"], arguments].concat();
    let all: Vec<String> = all.into_iter().map(str::to_owned).collect();
    let output = run(out.path(), &all);
    assert_eq!(
        (output.code, output.stderr.as_str()),
        (0, ""),
        "{}",
        output.stdout
    );
    folder::files(&out.path().join("site"))
}

pub fn of_sample(arguments: &[&str]) -> &'static Files {
    once(sample(), arguments)
}

/// `None` if the real tree is not available.
pub fn of_corpus(arguments: &[&str]) -> Option<&'static Files> {
    let root = corpus()?.join("gateway-api/conformance/reports");
    Some(once(root, arguments))
}

fn once(root: PathBuf, arguments: &[&str]) -> &'static Files {
    type Made = BTreeMap<(PathBuf, Vec<String>), &'static OnceLock<Files>>;
    static MADE: Mutex<Made> = Mutex::new(BTreeMap::new());
    let words = arguments
        .iter()
        .map(|argument| (*argument).to_owned())
        .collect();
    let made = *MADE
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .entry((root.clone(), words))
        .or_insert_with(|| Box::leak(Box::default()));
    made.get_or_init(|| of(&root, arguments))
}

/// Result of a check of a tree.
pub fn checked(root: &Path) -> CheckReport {
    let found = discover(root, root, &Of::Whole).expect("a tree");
    check_tree(&found, &Settings::default(), Registry::embedded(), &|_| {})
}

/// Site of a checked tree, rendered in memory.
pub fn rendered(
    outcome: &CheckReport,
    as_of: AsOf,
    render: impl Fn(&Input<'_>) -> Vec<File>,
) -> Files {
    let registry = Registry::embedded();
    let config = Config::default();
    let catalog = Catalog::new(Parts {
        outcome,
        registry,
        config: &config,
        as_of,
        details: &[],
    });
    let files = render(&Input {
        catalog: &catalog,
        registry,
        tree: "",
        config: &config,
        unreleased: None,
        findings: &outcome.findings,
        sections: None,
        base: None,
        revision: None,
        modules: &[],
    });
    let files = files.into_iter();
    files.map(|file| (file.path, file.bytes)).collect()
}

/// Site of the sample tree, rendered in memory.
pub fn of_tree(render: impl Fn(&Input<'_>) -> Vec<File>) -> Files {
    rendered(&checked(&sample()), AsOf::default(), render)
}
