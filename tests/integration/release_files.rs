//! Tests the scripts in `dist/` that need no long build: names, notes, tags and archives.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::write_program;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn script(name: &str, arguments: &[&str]) -> Output {
    Command::new("bash")
        .arg(root().join(name))
        .args(arguments)
        .env("GWCONFORM", env!("CARGO_BIN_EXE_gwconform"))
        .env("SOURCE_DATE_EPOCH", "1700000000")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn targets() -> Vec<String> {
    let table = fs::read_to_string(root().join("dist/targets")).unwrap();
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect()
}

#[test]
fn notes_are_those_of_the_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("CHANGELOG.md");
    let changelog = "# Changelog\n\nAll.\n\n## Unreleased\n\n- d\n\n## 1.10.0 - 2026-12-01\n\n- c\n\n  more\n\n### Fixes\n\n- b\n\n## 1.1.0\n\n- a\n\n## 1.0.0\n\n";
    fs::write(&path, changelog).unwrap();
    let path = path.to_str().unwrap();
    let notes = |version: &str| script("dist/notes", &[version, path]);
    assert_eq!(
        text(&notes("1.10.0").stdout),
        "- c\n\n  more\n\n### Fixes\n\n- b\n"
    );
    assert_eq!(text(&notes("1.1.0").stdout), "- a\n");
    for version in ["1.0.0", "1.1", "1.10.0 - 2026", "2.0.0", ".*"] {
        let output = notes(version);
        assert!(!output.status.success(), "{version}");
        assert!(text(&output.stderr).contains("nothing below a heading"));
    }
}

#[test]
fn a_tag_names_the_version() {
    assert_eq!(
        text(&script("dist/version", &[]).stdout),
        format!("{VERSION}\n")
    );
    for tag in ["v99.0.0", VERSION, "main", ""] {
        let output = script("dist/tag", &[tag]);
        assert!(!output.status.success(), "{tag}");
        assert!(text(&output.stderr).contains(&format!("expected v{VERSION}")));
    }
    let hook = fs::read_to_string(root().join("pyproject.toml")).unwrap();
    assert!(hook.contains(&format!("\"gwconform=={VERSION}\"")));
}

#[test]
fn archives_are_the_same_each_time_and_where_binstall_looks() {
    let folder = tempfile::tempdir().unwrap();
    let built = folder.path().join("built");
    for target in targets() {
        let name = if target.contains("windows") {
            "gwconform.exe"
        } else {
            "gwconform"
        };
        fs::create_dir_all(built.join(&target)).unwrap();
        fs::write(built.join(&target).join(name), &target).unwrap();
    }
    let notices = ["THIRD-PARTY-NOTICES.txt", "sbom.cdx.json"];
    for name in notices {
        fs::write(built.join(name), name).unwrap();
    }
    let archive = |name: &str| {
        let out = folder.path().join(name);
        let arguments = [built.to_str().unwrap(), out.to_str().unwrap()];
        let output = script("dist/archive", &arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        out
    };
    let (first, second) = (archive("first"), archive("second"));
    let manifest: toml::Table =
        toml::from_str(&fs::read_to_string(root().join("Cargo.toml")).unwrap()).unwrap();
    let binstall = &manifest["package"]["metadata"]["binstall"];
    let mut expected = BTreeSet::new();
    for target in targets() {
        let is_windows = target.contains("windows");
        let filled = |key: &str| {
            let template = binstall[key].as_str().unwrap();
            let filled = template
                .replace("{ repo }", "https://acme.example/gwconform")
                .replace("{ name }", "gwconform")
                .replace("{ bin }", "gwconform")
                .replace("{ version }", VERSION)
                .replace("{ target }", &target)
                .replace("{ binary-ext }", if is_windows { ".exe" } else { "" });
            assert!(!filled.contains('{'), "{filled}");
            filled
        };
        let address = filled("pkg-url");
        let start = format!("https://acme.example/gwconform/releases/download/v{VERSION}/");
        let name = address.strip_prefix(&start).unwrap();
        assert_eq!(
            fs::read(first.join(name)).unwrap(),
            fs::read(second.join(name)).unwrap()
        );
        let listed = Command::new("tar")
            .arg("-tzf")
            .arg(first.join(name))
            .output()
            .unwrap();
        let listed = text(&listed.stdout);
        let files: Vec<&str> = listed.lines().filter(|line| !line.ends_with('/')).collect();
        let binary = filled("bin-dir");
        assert!(files.contains(&binary.as_str()), "{files:?}");
        let (top, _) = binary.split_once('/').unwrap();
        for file in [
            "README.md",
            "LICENSE",
            "completions/_gwconform",
            "completions/gwconform.fish",
            "man/man1/gwconform-registry-import.1",
            notices[0],
            notices[1],
        ] {
            assert!(files.contains(&format!("{top}/{file}").as_str()), "{file}");
        }
        assert!(files.is_sorted(), "{files:?}");
        expected.insert(name.to_owned());
    }
    let entries = fs::read_dir(&first).unwrap();
    let names: BTreeSet<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names, expected);
}

#[test]
fn each_target_is_built_packed_and_installed() {
    let install = fs::read_to_string(root().join("dist/install")).unwrap();
    let workflow = fs::read_to_string(root().join(".github/workflows/release.yml")).unwrap();
    let targets = targets();
    for target in &targets {
        assert!(install.contains(&format!("target={target} ")), "{target}");
        assert!(workflow.contains(&format!("target: {target},")), "{target}");
    }
    assert_eq!(install.matches(") target=").count(), targets.len());
    assert_eq!(workflow.matches("{ target: ").count(), targets.len());
}

#[test]
fn jobs_with_rights_neither_compile_nor_resolve() {
    let workflow = fs::read_to_string(root().join(".github/workflows/release.yml")).unwrap();
    let workflow: serde_yaml::Value = serde_yaml::from_str(&workflow).unwrap();
    let mut environments = BTreeSet::new();
    for (name, job) in workflow["jobs"].as_mapping().unwrap() {
        let rights = job["permissions"].as_mapping().unwrap();
        if rights.values().all(|right| right == "read") {
            continue;
        }
        let runs = job["steps"].as_sequence().unwrap().iter();
        for run in runs.filter_map(|step| step["run"].as_str()) {
            let mut words = run.split_whitespace();
            let is_pinned = run.contains("--require-hashes --only-binary=:all:");
            assert!(is_pinned || !words.any(|word| word == "install"), "{run}");
            for word in [
                "cargo ",
                "pipx ",
                "npx ",
                "apt-get ",
                "dist/build",
                "dist/pack",
            ] {
                assert!(!run.contains(word), "{run}");
            }
        }
        if name != "attest" {
            let environment = job["environment"].as_str().unwrap();
            assert!(environments.insert(environment), "{environment} twice");
        }
    }
    let expected = ["crates-io", "npm", "pypi", "release"];
    assert!(environments.into_iter().eq(expected));
    assert_eq!(workflow["jobs"]["publish"]["needs"], "attest");
}

#[test]
fn registries_receive_the_packages_of_the_release() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "gwconform-cli-linux-x64-V.tgz",
        "gwconform-V.tgz",
        "gwconform-V-py3-none-any.whl",
    ];
    let names = names.map(|name| name.replace("-V", &format!("-{VERSION}")));
    let path = |name: &str| folder.path().join(name).display().to_string();
    for name in &names {
        fs::write(path(name), name).unwrap();
    }
    let publish = |registry: &str| {
        let output = Command::new("bash")
            .arg(root().join("dist/registries"))
            .args(["--dry-run", registry])
            .arg(folder.path())
            .env("NPM_CLI", "cli.js")
            .output()
            .unwrap();
        (output.status.code(), text(&output.stderr))
    };
    assert_eq!(publish("npm").0, Some(1), "there are no checksums");
    let sums = Command::new("sha256sum")
        .args(&names)
        .current_dir(folder.path())
        .output()
        .unwrap();
    fs::write(path("SHA256SUMS"), sums.stdout).unwrap();
    let npm = names[..2]
        .iter()
        .map(|name| format!("+ node cli.js publish --access public {}\n", path(name)));
    assert_eq!(publish("npm"), (Some(0), npm.collect()));
    let (wheel, python) = (path(&names[2]), "+ python3 -m");
    let pypi = format!(
        "{python} pypi_attestations sign {wheel}\n{python} twine upload --attestations {wheel} {}\n",
        path("*.whl.publish.attestation")
    );
    assert_eq!(publish("pypi"), (Some(0), pypi));
    assert_eq!(publish("other").0, Some(2));
}

#[test]
fn a_release_is_published_with_its_notes_and_only_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("copy/fuzz")).unwrap();
    for name in ["dist", "bin", "files"] {
        fs::create_dir_all(path("copy").join(name)).unwrap();
    }
    for name in [
        "dist/publish",
        "dist/tag",
        "dist/notes",
        "dist/version",
        "Cargo.toml",
        "Cargo.lock",
        "fuzz/Cargo.lock",
        "pyproject.toml",
    ] {
        fs::copy(root().join(name), path("copy").join(name)).unwrap();
    }
    fs::write(
        path("copy/CHANGELOG.md"),
        format!("# Changelog\n\n## {VERSION}\n\n- first\n"),
    )
    .unwrap();
    write_program(
        &path("copy/bin/gh"),
        "printf '%s\\n' \"$2\" >>order\n\
         case $2 in\n\
         create) printf '%s\\n' \"$@\" >calls; while [ \"$1\" != --notes-file ]; do shift; done; cat \"$2\" >notes ;;\n\
         view) cat immutable ;;\n\
         esac",
    );
    fs::write(path("copy/files/a.tar.gz"), "a").unwrap();
    let publish = |tag: &str| {
        let search = format!(
            "{}:{}",
            path("copy/bin").display(),
            std::env::var("PATH").unwrap()
        );
        Command::new("bash")
            .arg(path("copy/dist/publish"))
            .args([tag, "files"])
            .env("PATH", search)
            .output()
            .unwrap()
    };
    let tag = format!("v{VERSION}");
    assert!(!publish(&tag).status.success(), "there are no checksums");
    fs::write(
        path("copy/files/SHA256SUMS"),
        format!("{}  a.tar.gz\n", "0".repeat(64)),
    )
    .unwrap();
    assert!(!publish(&tag).status.success(), "another checksum");
    assert!(!path("copy/calls").exists());
    let sums = Command::new("sha256sum")
        .arg("a.tar.gz")
        .current_dir(path("copy/files"))
        .output()
        .unwrap();
    fs::write(path("copy/files/SHA256SUMS"), sums.stdout).unwrap();
    assert!(!publish("v9.9.9").status.success());
    for is_immutable in [false, true] {
        fs::write(path("copy/immutable"), format!("{is_immutable}\n")).unwrap();
        let _ = fs::remove_file(path("copy/order"));
        let output = publish(&tag);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.success(), is_immutable, "{stderr}");
        let order = fs::read_to_string(path("copy/order")).unwrap();
        assert_eq!(order, "create\nedit\nview\n");
    }
    let calls = fs::read_to_string(path("copy/calls")).unwrap();
    assert!(
        calls.starts_with(&format!("release\ncreate\n{tag}\n--draft\n--verify-tag\n")),
        "{calls}"
    );
    assert!(
        calls.ends_with("files/SHA256SUMS\nfiles/a.tar.gz\n"),
        "{calls}"
    );
    assert_eq!(fs::read_to_string(path("copy/notes")).unwrap(), "- first\n");
}

#[test]
fn the_site_is_checked_and_built() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("site");
    let reports = root().join("reports");
    let arguments = [
        reports.to_str().unwrap(),
        out.to_str().unwrap(),
        "https://acme.example/x",
    ];
    let output = script(".github/pages", &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let feed = fs::read_to_string(out.join("feed.atom")).unwrap();
    assert!(feed.contains("https://acme.example/x/"));
    let missing = folder.path().join("missing");
    let output = script(
        ".github/pages",
        &[
            missing.to_str().unwrap(),
            out.to_str().unwrap(),
            "https://acme.example",
        ],
    );
    assert!(!output.status.success());
}

fn owner() -> String {
    text(&script("dist/owner", &[]).stdout).trim().to_owned()
}

#[test]
fn all_files_name_the_same_owner() {
    let mut count = 0;
    let mentions =
        regex::Regex::new(r"(?:github\.com/|uses: )([A-Za-z0-9-]+)/gwconform\b").unwrap();
    for part in [
        "Cargo.toml",
        "README.md",
        "CONTRIBUTING.md",
        "action.yml",
        "comment",
        "docs",
        "examples",
        "dist",
        ".github",
    ] {
        for entry in walkdir::WalkDir::new(root().join(part)) {
            let entry = entry.unwrap();
            let text = fs::read_to_string(entry.path()).unwrap_or_default();
            for found in mentions.captures_iter(&text) {
                assert_eq!(&found[1], owner(), "{}", entry.path().display());
                count += 1;
            }
        }
    }
    assert!(count > 6, "{count}");
    for name in ["", "a/b", "-a", "a b"] {
        assert_eq!(
            script("dist/owner", &[name]).status.code(),
            Some(2),
            "{name}"
        );
    }
}

#[test]
fn a_tag_requires_an_owner() {
    let output = script("dist/tag", &[&format!("v{VERSION}")]);
    let error = text(&output.stderr);
    assert_eq!(
        owner() == "OWNER",
        error.contains("run dist/owner NAME"),
        "{error}"
    );
}

#[test]
fn the_presubmit_script_of_a_release_has_its_checksums() {
    let folder = tempfile::tempdir().unwrap();
    for target in targets() {
        fs::write(
            folder
                .path()
                .join(format!("gwconform-{VERSION}-{target}.tar.gz")),
            &target,
        )
        .unwrap();
    }
    let output = script("dist/script", &[folder.path().to_str().unwrap()]);
    let filled = text(&output.stdout);
    assert!(!filled.contains("SHA256_"), "{filled}");
    let sums = regex::Regex::new(r"\) echo [0-9a-f]{64} ;;").unwrap();
    assert_eq!(sums.find_iter(&filled).count(), 4, "{filled}");
}
