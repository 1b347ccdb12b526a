//! Tests the invariants documented in `src/lib.rs` that apply to the whole code base.

mod circles;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::folder::{Folder, NAME, report};

fn library() -> Vec<(PathBuf, String)> {
    let mut sources = sources();
    sources.retain(|(path, _)| {
        !path.starts_with("cli") && path != Path::new("cli.rs") && path != Path::new("main.rs")
    });
    sources
}

fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = files_below(&root.join("crates/gwconform-core/src"));
    sources.extend(files_below(&root.join("src")));
    assert!(sources.len() > 50);
    sources
}

fn files_below(root: &Path) -> Vec<(PathBuf, String)> {
    let mut sources = Vec::new();
    for entry in walkdir::WalkDir::new(root).sort_by_file_name() {
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

fn modules_in_order() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let declared = |line: &str| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
        Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
    };
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let files = [
        "crates/gwconform-core/src/lib.rs",
        "src/lib.rs",
        "src/main.rs",
    ]
    .map(read);
    let code = files
        .iter()
        .map(|text| text.split("#[cfg(test)]").next().unwrap());
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

const MOST_ROOMS: usize = 16;
const MOST_LAYERS: usize = 12;

#[test]
fn modules_use_only_modules_above_them() {
    let rooms = modules_in_order();
    let place = |name: &str| rooms.iter().position(|room| room == name);
    assert!(rooms.len() > 10 && rooms.len() <= MOST_ROOMS, "{rooms:?}");
    let mut uses = vec![BTreeSet::new(); rooms.len()];
    for (path, code) in sources() {
        let first = path.iter().next().unwrap().to_str().unwrap();
        let Some(own) = place(first.trim_end_matches(".rs")) else {
            continue;
        };
        for used in used_modules(&code) {
            let Some(at) = place(used) else { continue };
            assert!(
                at <= own,
                "{} uses `{used}`, a room below it in src/lib.rs",
                path.display()
            );
            if at < own {
                uses[own].insert(at);
            }
        }
    }
    let arrows: usize = uses.iter().map(BTreeSet::len).sum();
    assert!(arrows > 50 && arrows <= 100, "{arrows}");
    let mut layers: Vec<usize> = Vec::new();
    for used in &uses {
        let below = used.iter().map(|at| layers[*at]).max();
        layers.push(below.map_or(1, |below| below + 1));
    }
    assert!(
        layers.iter().all(|layer| *layer <= MOST_LAYERS),
        "{layers:?}"
    );
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
        let Ok(below) = path.strip_prefix("site") else {
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
        let is_engine = ["check", "baseline", "configuration"].iter().any(|name| {
            path.starts_with(format!("rules/{name}"))
                || path == Path::new(&format!("rules/{name}.rs"))
        });
        if path.starts_with("rules") && !is_engine {
            let found = touching.iter().find(|word| code.contains(**word));
            assert_eq!(found, None, "{}", path.display());
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
        if !path.starts_with("tree/readme") && path != Path::new("tree/readme.rs") {
            assert!(!code.contains("pulldown"), "{}", path.display());
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

/// Files that contain the API name, besides `crates/gwconform-core/src/api/subject.rs`. They
/// contain it in literals for serde and clap, in sentences, and in exports for its website.
const NAMES_OF_THE_API: [&str; 14] = [
    "evidence/verdict.rs",
    "release/load/references.rs",
    "report/legacy.rs",
    "report.rs",
    "rules/remedy.rs",
    "rules/report/gateway_api_version.rs",
    "rules/report/other_project.rs",
    "rules/report.rs",
    "rules/resource/crd_without_annotations.rs",
    "rules/resource/mesh_api_version.rs",
    "cli/kubectl.rs",
    "print/json.rs",
    "site/export/tables.rs",
    "site/export/wizard.rs",
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
        .filter(|path| path != "api/subject.rs")
        .collect();
    assert_eq!(found, NAMES_OF_THE_API);
}
