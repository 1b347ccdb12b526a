//! Tests the invariants documented in `src/lib.rs` that apply to the whole code base.

mod circles;

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::folder::{Folder, NAME, report};

/// Sources without the program.
fn library() -> Vec<(PathBuf, String)> {
    let mut sources = sources();
    sources.retain(|(path, _)| {
        !path.starts_with("src/cli")
            && path != Path::new("src/cli.rs")
            && path != Path::new("src/main.rs")
    });
    sources
}

/// Code by path from the root of the repository.
fn sources() -> Vec<(PathBuf, String)> {
    let mut sources = Vec::new();
    for folder in crates() {
        sources.extend(files_below(&folder));
    }
    assert!(sources.len() > 500);
    sources
}

/// Source folders of all crates, from the root of the repository.
fn crates() -> Vec<PathBuf> {
    let names = ["types", "yaml", "base", "report", "cluster", "evidence"];
    let folders = names.map(|name| format!("crates/gwconform-{name}/src").into());
    folders.into_iter().chain(["src".into()]).collect()
}

fn files_below(folder: &Path) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for entry in walkdir::WalkDir::new(root.join(folder)).sort_by_file_name() {
        let path = entry.unwrap().into_path();
        let below = path.strip_prefix(root).unwrap();
        let is_test = below.ends_with("tests.rs")
            || below.components().any(|part| part.as_os_str() == "tests");
        if !is_test && path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap().to_owned();
            sources.push((below.to_owned(), code));
        }
    }
    sources
}

fn modules_in_order(folder: &Path) -> Vec<String> {
    let declared = |line: &str| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
        Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = ["lib.rs", "main.rs"].map(|file| fs::read_to_string(folder.join(file)));
    let files = files.iter().flatten();
    let code = files.map(|text| text.split("#[cfg(test)]").next().unwrap());
    code.flat_map(str::lines).filter_map(declared).collect()
}

fn used_modules(code: &str) -> Vec<&str> {
    let is_comment = |line: &&str| line.trim_start().starts_with("//");
    let lines = code.lines().filter(|line| !is_comment(line));
    let uses = lines.flat_map(|line| line.split("crate::").skip(1));
    uses.flat_map(|rest| {
        let braces = rest
            .strip_prefix('{')
            .and_then(|rest| rest.split('}').next());
        braces
            .unwrap_or(rest)
            .split(',')
            .take(if braces.is_some() { 99 } else { 1 })
    })
    .map(|name| {
        name.trim()
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
            .unwrap()
    })
    .collect()
}

/// Crates whose `lib.rs` lists modules in layers. `circles` checks the files of all crates.
const LAYERED: [&str; 3] = [
    "crates/gwconform-base/src",
    "crates/gwconform-report/src",
    "src",
];

#[test]
fn modules_use_only_modules_above_them() {
    let mut arrows = 0;
    for folder in LAYERED.map(Path::new) {
        let modules = modules_in_order(folder);
        let place = |name: &str| modules.iter().position(|module| module == name);
        for (path, code) in files_below(folder) {
            let below = path.strip_prefix(folder).unwrap();
            let first = below.iter().next().unwrap().to_str().unwrap();
            let Some(own) = place(first.trim_end_matches(".rs")) else {
                continue;
            };
            for used in used_modules(&code) {
                let Some(at) = place(used) else { continue };
                arrows += usize::from(at < own);
                assert!(
                    at <= own,
                    "{} uses `{used}`, a module below it in lib.rs",
                    path.display()
                );
            }
        }
    }
    assert!(arrows > 300, "{arrows}");
}

/// Allowed dependencies between parts of `src/site`. Renderers (pages, data and feeds) read the
/// model, and do not depend on each other.
const SITE_PARTS: [(&str, &[&str]); 10] = [
    ("badge", &[]),
    ("export", &["paths", "model", "api"]),
    ("module", &[]),
    ("paths", &["badge"]),
    ("model", &["badge", "paths"]),
    ("api", &["badge", "paths", "model"]),
    ("crawl", &["paths"]),
    ("feed", &["paths", "model"]),
    ("former", &["paths", "model"]),
    // The page `/api/` documents the data files.
    ("pages", &["badge", "paths", "model", "api"]),
];

/// Finds names after `crate::site::`, or after the number of `super::` that reaches `crate::site`.
fn used_site_parts(below_site: &Path, code: &str) -> Vec<String> {
    let depth = below_site.components().count();
    let up = format!("{}{{}}", "super::".repeat(depth));
    let prefixes = ["crate::site::", up.trim_end_matches("{}")];
    let is_comment = |line: &&str| line.trim_start().starts_with("//");
    let text: Vec<&str> = code.lines().filter(|line| !is_comment(line)).collect();
    let text = text.join(" ");
    let mut parts = Vec::new();
    for prefix in prefixes {
        for (at, _) in text.match_indices(prefix) {
            // `super::super::` also ends in `super::`.
            let is_longer = text[..at].ends_with("super::");
            if prefix.starts_with("super") && is_longer {
                continue;
            }
            let rest = &text[at + prefix.len()..];
            let names = rest.strip_prefix('{').map_or_else(
                || {
                    rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                        .next()
                        .unwrap()
                        .to_owned()
                },
                |list| {
                    // Names in inner braces belong to the part before them.
                    let mut depth = 0;
                    let own = list.chars().filter(|c| {
                        depth += i32::from(*c == '{') - i32::from(*c == '}');
                        depth == 0
                    });
                    own.take_while(|c| *c != ';').collect()
                },
            );
            let names = names
                .split(',')
                .map(|name| name.trim().split("::").next().unwrap());
            parts.extend(names.map(str::to_owned));
        }
    }
    parts
}

#[test]
fn parts_of_the_site_are_independent() {
    let mut checked = 0;
    for (path, code) in library() {
        let Ok(below) = path.strip_prefix("src/site") else {
            continue;
        };
        let own = below.iter().next().unwrap().to_str().unwrap();
        let own = own.trim_end_matches(".rs");
        let (_, allowed) = SITE_PARTS
            .iter()
            .find(|(part, _)| *part == own)
            .unwrap_or_else(|| panic!("{} is in no known part of the site", path.display()));
        for used in used_site_parts(below, &code) {
            if used == own || !SITE_PARTS.iter().any(|(part, _)| *part == used) {
                continue;
            }
            checked += 1;
            assert!(
                allowed.contains(&used.as_str()),
                "{} uses `{used}` of the site",
                path.display()
            );
        }
    }
    assert!(checked > 40, "{checked}");
}

#[test]
fn uses_of_parts_of_the_site_are_found() {
    for (file, code, parts) in [
        ("api.rs", "use super::model::{A, B};", &["model"][..]),
        ("api/index.rs", "use super::model::A;", &[]),
        ("api/index.rs", "use super::super::model::A;", &["model"]),
        ("api/index.rs", "// use crate::site::pages;", &[]),
        (
            "api.rs",
            "use crate::site::{File, model::{X, pages}, paths};",
            &["File", "model", "paths"],
        ),
        ("pages/home.rs", "let x = crate::site::api::X;", &["api"]),
    ] {
        assert_eq!(
            used_site_parts(Path::new(file), code),
            parts,
            "{file}: {code}"
        );
    }
}

#[test]
fn template_lines_are_short() {
    const LONGEST: usize = 160;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let mut lines = 0;
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry.unwrap();
        if !entry.file_type().is_file() {
            continue;
        }
        let path = entry.path();
        for (number, line) in fs::read_to_string(path).unwrap().lines().enumerate() {
            lines += 1;
            let place = format!("{}:{}", path.display(), number + 1);
            assert_eq!(line, line.trim_end(), "{place} ends in white space");
            let is_code = path
                .extension()
                .is_some_and(|extension| extension == "html");
            let is_long = line.chars().count() > LONGEST && is_code;
            assert!(!is_long, "{place} is longer than {LONGEST} characters");
        }
    }
    assert!(lines > 500, "{lines}");
}

#[test]
fn rules_are_pure() {
    let touching = [
        "std::fs",
        "fs::",
        "File::",
        "std::net",
        "thread::",
        "static mut",
        "Mutex",
        "RefCell",
        "AtomicU",
    ];
    for (path, code) in library() {
        let path = path.to_string_lossy();
        let rule = path.split_once("/src/rules/").map(|(_, rule)| rule);
        let engine = ["check", "baseline", "configuration"];
        let is_engine = |rule: &str| engine.iter().any(|name| rule.starts_with(name));
        if rule.is_some_and(|rule| !is_engine(rule)) {
            let found = touching.iter().find(|word| code.contains(**word));
            assert_eq!(found, None, "{path}");
        }
    }
    // Other submissions do not change the findings of a submission.
    let folder = Folder::with_tree();
    let bad = "conformance/reports/v1.5/bad-operator";
    folder.submission(bad).file(
        &format!("{bad}/{NAME}"),
        report()
            .replace("2026-05-20T10:15:30Z", "-")
            .replace("organization: acme", "organization: bad"),
    );
    let alone = folder.findings(&format!("check {bad}"));
    let all = folder.findings("check");
    let of_bad: Vec<_> = all
        .into_iter()
        .filter(|finding| finding.contains("bad-operator"))
        .collect();
    assert!(!alone.is_empty());
    assert_eq!(alone, of_bad);
}

#[test]
fn only_the_readme_module_knows_the_markdown_parser() {
    for (path, code) in library() {
        let path = path.to_string_lossy();
        if !path.starts_with("crates/gwconform-report/src/tree/readme") {
            assert!(!code.contains("pulldown"), "{path}");
        }
    }
}

#[test]
fn no_offered_change_touches_a_report() {
    let folder = Folder::with_tree();
    let bad = "conformance/reports/v1.5/bad-operator";
    folder.submission(bad).file(
        &format!("{bad}/{NAME}"),
        report()
            .replace("success", "partial")
            .replace("default", "x y"),
    );
    let json = folder.json("check");
    for finding in json["findings"].as_array().unwrap() {
        for edit in finding["fix"]["edits"].as_array().into_iter().flatten() {
            let path = edit["path"].as_str().unwrap();
            assert!(
                edit["kind"] != "replace" || !path.ends_with(".yaml"),
                "{finding:#}"
            );
        }
    }
}

/// Files that contain the API name, besides `crates/gwconform-base/src/api/subject.rs`. They
/// contain it in literals for serde and clap, in sentences, and in exports for its website.
const NAMES_OF_THE_API: [&str; 16] = [
    "crates/gwconform-types/src/current.rs",
    "crates/gwconform-types/src/legacy.rs",
    "crates/gwconform-types/src/lib.rs",
    "crates/gwconform-base/src/release/load/references.rs",
    "crates/gwconform-report/src/report/siblings.rs",
    "crates/gwconform-report/src/rules/remedy.rs",
    "crates/gwconform-report/src/rules/report/gateway_api_version.rs",
    "crates/gwconform-report/src/rules/report/other_project.rs",
    "crates/gwconform-report/src/rules/report.rs",
    "crates/gwconform-cluster/src/rules/needs/upgrade_denied.rs",
    "crates/gwconform-cluster/src/rules/resource/crd_without_annotations.rs",
    "crates/gwconform-cluster/src/rules/resource/mesh_api_version.rs",
    "crates/gwconform-evidence/src/verdict.rs",
    "src/cli/kubectl.rs",
    "src/site/export/tables.rs",
    "src/site/export/wizard.rs",
];

#[test]
fn one_type_contains_what_is_particular_to_the_api() {
    let names = [
        "gatewayAPI",
        "gateway_api_version",
        "gateway.networking.k8s.io",
        "sigs.k8s.io/gateway-api",
        "\"GATEWAY-",
        "\"MESH-",
        "<GATEWAY-",
    ];
    let is_comment = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("//")
            || line.starts_with("#[schemars")
            || line.starts_with("#[cfg_attr(test, schemars")
    };
    let names_it = |code: &str| {
        let mut lines = code.lines().filter(|line| !is_comment(line));
        lines.any(|line| names.iter().any(|name| line.contains(name)))
    };
    let sources = sources();
    let found = sources.iter().filter(|(_, code)| names_it(code));
    let found: Vec<String> = found
        .map(|(path, _)| path.to_string_lossy().replace('\\', "/"))
        .filter(|path| path != "crates/gwconform-base/src/api/subject.rs")
        .collect();
    assert_eq!(found, NAMES_OF_THE_API);
}
