//! Tests the scripts in `dist/` that need no long build: names, notes, tags, archives and installers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::support::write_program;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const NOTICES: [&str; 2] = ["THIRD-PARTY-NOTICES.txt", "sbom.cdx.json"];
/// The template of the script for maintainers.
const PRESUBMIT: &str = "examples/hack/verify-conformance-reports.sh";

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

/// Archives of all targets in a folder. Each program contains the name of its target.
fn archive(out: &Path) {
    let folder = tempfile::tempdir().unwrap();
    for target in targets() {
        let is_windows = target.contains("windows");
        let name = if is_windows {
            "gwconform.exe"
        } else {
            "gwconform"
        };
        fs::create_dir_all(folder.path().join(&target)).unwrap();
        fs::write(folder.path().join(&target).join(name), &target).unwrap();
    }
    for name in NOTICES {
        fs::write(folder.path().join(name), name).unwrap();
    }
    let built = folder.path().to_str().unwrap();
    let output = script("dist/archive", &[built, out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// A server with the archives and filled templates of a release, and the folder with its files.
fn server() -> (tempfile::TempDir, PathBuf) {
    let server = tempfile::tempdir().unwrap();
    let release = format!("{}/gwconform/releases/download/v{VERSION}", owner());
    let release = server.path().join(release);
    archive(&release);
    let templates = fs::read_dir(root().join("dist/templates")).unwrap();
    let templates = templates.map(|entry| entry.unwrap().path());
    for template in templates.chain([root().join(PRESUBMIT)]) {
        let arguments = [release.to_str().unwrap(), template.to_str().unwrap()];
        let filled = script("dist/fill", &arguments);
        assert!(filled.status.success(), "{}", text(&filled.stderr));
        fs::write(release.join(template.file_name().unwrap()), filled.stdout).unwrap();
    }
    (server, release)
}

/// Paths in an archive, without folders.
fn listed(archive: &Path) -> Vec<String> {
    let mut command = if archive.extension().is_some_and(|end| end == "zip") {
        Command::new("unzip")
    } else {
        Command::new("tar")
    };
    let is_zip = command.get_program() == "unzip";
    let option = if is_zip { "-Z1" } else { "-tzf" };
    let output = command.arg(option).arg(archive).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let listed = text(&output.stdout);
    let files = listed.lines().filter(|line| !line.ends_with('/'));
    files.map(str::to_owned).collect()
}

fn sha256(path: &Path) -> String {
    let digest = Sha256::digest(fs::read(path).unwrap());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// File of a release in a folder, by its address.
fn by_address(address: &str, release: &Path) -> PathBuf {
    let start = format!(
        "https://github.com/{}/gwconform/releases/download/v{VERSION}/",
        owner()
    );
    release.join(address.strip_prefix(&start).unwrap())
}

#[test]
fn archives_are_the_same_each_time_and_where_binstall_looks() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    archive(&first);
    archive(&second);
    let manifest: toml::Table =
        toml::from_str(&fs::read_to_string(root().join("Cargo.toml")).unwrap()).unwrap();
    let binstall = &manifest["package"]["metadata"]["binstall"];
    let mut expected = BTreeSet::new();
    for target in targets() {
        let is_windows = target.contains("windows");
        let value = |key: &str| {
            let special = binstall["overrides"].get(&target);
            let value = special.and_then(|special| special.get(key));
            value.unwrap_or_else(|| &binstall[key]).as_str().unwrap()
        };
        let filled = |key: &str| {
            let filled = value(key)
                .replace(
                    "{ repo }",
                    &format!("https://github.com/{}/gwconform", owner()),
                )
                .replace("{ name }", "gwconform")
                .replace("{ bin }", "gwconform")
                .replace("{ version }", VERSION)
                .replace("{ target }", &target)
                .replace("{ binary-ext }", if is_windows { ".exe" } else { "" });
            assert!(!filled.contains('{'), "{filled}");
            filled
        };
        let path = by_address(&filled("pkg-url"), &first);
        let name = path.file_name().unwrap();
        let format = if is_windows { "zip" } else { "tgz" };
        assert_eq!(value("pkg-fmt"), format);
        assert_eq!(
            fs::read(&path).unwrap(),
            fs::read(second.join(name)).unwrap()
        );
        let files = listed(&path);
        let binary = filled("bin-dir");
        assert!(files.contains(&binary), "{files:?}");
        let (top, _) = binary.split_once('/').unwrap();
        for file in [
            "README.md",
            "LICENSE",
            "completions/_gwconform",
            "completions/gwconform.fish",
            "man/man1/gwconform-registry-import.1",
            NOTICES[0],
            NOTICES[1],
        ] {
            assert!(files.contains(&format!("{top}/{file}")), "{file}");
        }
        assert!(files.is_sorted(), "{files:?}");
        expected.insert(name.to_owned());
    }
    let entries = fs::read_dir(&first).unwrap();
    let names: BTreeSet<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, expected);
}

/// A krew manifest. krew also accepts other fields, which this one does not need.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Manifest {
    api_version: String,
    kind: String,
    metadata: BTreeMap<String, String>,
    spec: Spec,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Spec {
    version: String,
    homepage: String,
    short_description: String,
    description: String,
    platforms: Vec<Platform>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Platform {
    selector: BTreeMap<String, BTreeMap<String, String>>,
    uri: String,
    sha256: String,
    files: Vec<BTreeMap<String, String>>,
    bin: String,
}

/// The rules are those of krew's `internal/index/validation/validate.go` and of its index.
#[test]
fn the_krew_manifest_is_valid_and_names_the_archives() {
    let (_server, release) = server();
    let manifest = fs::read_to_string(release.join("gwconform.yaml")).unwrap();
    let manifest: Manifest = serde_yaml::from_str(&manifest).unwrap();
    assert_eq!(
        manifest.api_version,
        "krew.googlecontainertools.github.com/v1alpha2"
    );
    assert_eq!(manifest.kind, "Plugin");
    // krew requires the name of the file.
    assert!(
        manifest
            .metadata
            .into_iter()
            .eq([("name".to_owned(), "gwconform".to_owned())])
    );
    let spec = manifest.spec;
    assert_eq!(spec.version, format!("v{VERSION}"));
    assert_eq!(
        spec.homepage,
        format!("https://github.com/{}/gwconform", owner())
    );
    assert!((1..=50).contains(&spec.short_description.len()));
    assert!(!spec.short_description.contains('\n') && !spec.description.is_empty());
    let mut platforms = BTreeSet::new();
    for platform in spec.platforms {
        let path = by_address(&platform.uri, &release);
        assert_eq!(platform.sha256, sha256(&path), "{}", platform.uri);
        let [copy] = &platform.files[..] else {
            panic!("{:?}", platform.files)
        };
        assert_eq!(copy["to"], ".");
        let binary = copy["from"].strip_suffix('*').unwrap().to_owned() + &platform.bin;
        assert!(listed(&path).contains(&binary), "{binary}");
        let selector = &platform.selector["matchLabels"];
        assert_eq!((platform.selector.len(), selector.len()), (1, 2));
        platforms.insert(format!("{}/{}", selector["os"], selector["arch"]));
        let (system, architecture) = (selector["os"].as_str(), selector["arch"].as_str());
        let system = system.replace("linux", "linux-musl");
        let architecture = architecture
            .replace("amd64", "x86_64")
            .replace("arm64", "aarch64");
        assert!(platform.uri.contains(&system) && platform.uri.contains(&architecture));
    }
    let expected = [
        "darwin/amd64",
        "darwin/arm64",
        "linux/amd64",
        "linux/arm64",
        "windows/amd64",
    ];
    assert!(platforms.iter().eq(&expected), "{platforms:?}");
}

#[test]
fn the_formula_names_the_archives_and_installs_their_files() {
    let (_server, release) = server();
    let formula = fs::read_to_string(release.join("gwconform.rb")).unwrap();
    let value = |line: &str| {
        line.split('"')
            .nth(1)
            .unwrap()
            .replace("#{version}", VERSION)
    };
    let (mut system, mut architecture, mut address) = ("", "", String::new());
    let (mut start, mut platforms) = (String::new(), BTreeMap::new());
    for line in formula.lines().map(str::trim) {
        let (word, _) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "version" => assert_eq!(value(line), VERSION),
            "release" => start = value(line),
            "on_macos" | "on_linux" => system = word,
            "on_arm" | "on_intel" => architecture = word,
            "url" => address = value(line).replace("#{release}", &start),
            "sha256" => {
                let path = by_address(&address, &release);
                assert_eq!(value(line), sha256(&path), "{address}");
                platforms.insert((system, architecture), path);
            }
            _ => {}
        }
    }
    let names = [
        ("on_linux", "on_arm", "aarch64-unknown-linux-musl"),
        ("on_linux", "on_intel", "x86_64-unknown-linux-musl"),
        ("on_macos", "on_arm", "aarch64-apple-darwin"),
        ("on_macos", "on_intel", "x86_64-apple-darwin"),
    ];
    assert_eq!(platforms.len(), names.len());
    let installed =
        regex::Regex::new(r#""((?:completions/|man/)?[\w.*-]+)"(?: =>|,|$|\])"#).unwrap();
    for (system, architecture, target) in names {
        let path = &platforms[&(system, architecture)];
        let top = format!("gwconform-{VERSION}-{target}");
        assert!(
            path.ends_with(format!("{top}.tar.gz")),
            "{}",
            path.display()
        );
        let files = listed(path);
        let lines = formula.lines().filter(|line| line.contains(".install "));
        let mut count = 0;
        for found in lines.flat_map(|line| installed.captures_iter(line)) {
            let (start, end) = found[1].split_once('*').unwrap_or((&found[1], ""));
            let start = format!("{top}/{start}");
            let is_file = files
                .iter()
                .any(|file| file.starts_with(&start) && file.ends_with(end));
            assert!(is_file, "{}", &found[1]);
            count += 1;
        }
        assert_eq!(count, 7, "{formula}");
    }
}

/// Runs an installer on a machine, such as `Linux x86_64`, with only the folder of a server.
fn install(script: &str, machine: &str, server: &Path, home: &Path) -> Output {
    let (system, architecture) = machine.split_once(' ').unwrap();
    let uname = format!("case $1 in -s) echo {system} ;; *) echo {architecture} ;; esac");
    fs::create_dir_all(home.join("Windows/System32")).unwrap();
    write_program(&home.join("uname"), &uname);
    let tar = "[ \"$1\" = -xzf ] && exec unzip -q \"$2\" \"$3\"";
    write_program(&home.join("Windows/System32/tar.exe"), tar);
    let path = std::env::var("PATH").unwrap();
    let mut child = Command::new("sh")
        .env_clear()
        .env("PATH", format!("{}:{path}", home.display()))
        .env("HOME", home)
        .env("SYSTEMROOT", home.join("Windows"))
        .env("GWCONFORM_SERVER", format!("file://{}", server.display()))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, script.as_bytes()).unwrap();
    drop(input);
    child.wait_with_output().unwrap()
}

#[test]
fn the_installer_verifies_and_installs_the_program_of_each_machine() {
    let (server, release) = server();
    let script = fs::read_to_string(release.join("install.sh")).unwrap();
    for (machine, target) in [
        ("Linux x86_64", "x86_64-unknown-linux-musl"),
        ("Linux aarch64", "aarch64-unknown-linux-musl"),
        ("Darwin x86_64", "x86_64-apple-darwin"),
        ("Darwin arm64", "aarch64-apple-darwin"),
        ("MINGW64_NT-10.0-26100 x86_64", "x86_64-pc-windows-msvc"),
    ] {
        let home = tempfile::tempdir().unwrap();
        let output = install(&script, machine, server.path(), home.path());
        let error = text(&output.stderr);
        assert!(output.status.success(), "{error}");
        let end = if target.contains("windows") {
            ".exe"
        } else {
            ""
        };
        let program = home.path().join(format!(".local/bin/gwconform{end}"));
        assert_eq!(fs::read_to_string(&program).unwrap(), target);
        assert_eq!(
            text(&output.stdout),
            format!(
                "installed {}: gwconform {VERSION} for {target}, SHA-256 verified\n",
                program.display()
            )
        );
        assert!(error.contains("/.local/bin is not in PATH\n"), "{error}");
    }

    let home = tempfile::tempdir().unwrap();
    let refused = |script: &str, machine: &str, reason: &str| {
        let output = install(script, machine, server.path(), home.path());
        let error = text(&output.stderr);
        assert!(
            !output.status.success() && error.contains(reason),
            "{error}"
        );
        assert!(!home.path().join(".local").exists());
    };
    refused(&script, "Plan9 x86_64", "no binary for Plan9 on x86_64");
    let template = fs::read_to_string(root().join("dist/templates/install.sh")).unwrap();
    refused(&template, "Linux x86_64", "expected a release");
    let name = format!("gwconform-{VERSION}-x86_64-unknown-linux-musl.tar.gz");
    fs::write(release.join(&name), "another file").unwrap();
    refused(&script, "Linux x86_64", &format!("{name} has the SHA-256 "));
    fs::remove_file(release.join(&name)).unwrap();
    refused(&script, "Linux x86_64", "could not be downloaded");
    // No part of an incomplete download is run.
    for (end, _) in script.match_indices('\n').rev().skip(1) {
        let output = install(&script[..end], "Linux x86_64", server.path(), home.path());
        assert_eq!(text(&output.stdout), "");
        let error = text(&output.stderr);
        assert!(!error.contains("could not be downloaded"), "{error}");
    }
}

#[test]
fn the_image_contains_git_and_the_files_of_its_context() {
    let folder = tempfile::tempdir().unwrap();
    let (built, context) = (folder.path().join("built"), folder.path().join("context"));
    for target in ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"] {
        fs::create_dir_all(built.join(target)).unwrap();
        fs::write(built.join(target).join("gwconform"), target).unwrap();
    }
    for name in NOTICES {
        fs::write(built.join(name), name).unwrap();
    }
    let arguments = [built.to_str().unwrap(), context.to_str().unwrap()];
    assert!(script("dist/image", &arguments).status.success());
    let dockerfile = fs::read_to_string(context.join("Dockerfile")).unwrap();
    let mut copied = BTreeSet::from(["Dockerfile".to_owned()]);
    for line in dockerfile.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "COPY" {
            let sources = words[2..words.len() - 1].iter();
            copied.extend(sources.flat_map(|source| {
                ["amd64", "arm64"].map(|name| source.replace("${TARGETARCH}", name))
            }));
        }
    }
    let files = walkdir::WalkDir::new(&context).into_iter();
    let files = files
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().is_file());
    let files: BTreeSet<String> = files
        .map(|entry| {
            entry
                .path()
                .strip_prefix(&context)
                .unwrap()
                .display()
                .to_string()
        })
        .collect();
    assert_eq!(copied, files);
    let program = fs::read_to_string(context.join("arm64/gwconform")).unwrap();
    assert_eq!(program, "aarch64-unknown-linux-musl");
    let line = |start: &str| {
        dockerfile
            .lines()
            .find(|line| line.starts_with(start))
            .unwrap()
    };
    assert!(line("FROM ").contains("@sha256:"));
    assert!(line("RUN ").contains("apk add --no-cache git && "));
    assert_eq!(line("USER "), "USER 65532:65532");
}

#[test]
fn each_target_is_built_packed_and_installed() {
    let install = fs::read_to_string(root().join("dist/templates/install.sh")).unwrap();
    let workflow = fs::read_to_string(root().join(".github/workflows/release.yml")).unwrap();
    let targets = targets();
    for target in &targets {
        assert!(install.contains(&format!("target={target} ")), "{target}");
        assert!(workflow.contains(&format!("target: {target},")), "{target}");
    }
    assert_eq!(install.matches(" target=").count(), targets.len());
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
    let expected = ["crates-io", "ghcr", "npm", "pypi", "release"];
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
    let copy = format!(
        "+ skopeo copy --all --preserve-digests oci-archive:{} docker://ghcr.io/{}/gwconform",
        path(&format!("gwconform-{VERSION}-image.tar")),
        owner().to_lowercase()
    );
    let ghcr = format!("{copy}:{VERSION}\n{copy}:latest\n");
    assert_eq!(publish("ghcr"), (Some(0), ghcr));
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
    let unfilled = path("copy/files/install.sh");
    fs::write(&unfilled, "sum=SHA256_X86_64_LINUX").unwrap();
    assert!(!publish(&tag).status.success(), "an archive is missing");
    fs::remove_file(unfilled).unwrap();
    assert!(!path("copy/calls").exists());
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
        "setup",
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
    let (_server, release) = server();
    let filled = fs::read_to_string(release.join("verify-conformance-reports.sh")).unwrap();
    assert!(filled.contains(&format!("readonly VERSION={VERSION}\n")));
    let sums = regex::Regex::new(r"  (\S+)\) echo ([0-9a-f]{64}) ;;").unwrap();
    let mut count = 0;
    for found in sums.captures_iter(&filled) {
        let name = format!("gwconform-{VERSION}-{}.tar.gz", &found[1]);
        assert_eq!(&found[2], sha256(&release.join(name)));
        count += 1;
    }
    assert_eq!(count, 4, "{filled}");
}
