//! Runs all commands of the README, `docs/`, CONTRIBUTING.md, the helps and the pre-commit hooks. Each fence
//! and each inline command runs in its own repository, which has all files that the pages name.
//! [`NOT_RUN`] lists the exceptions; the test still looks up their options. `readme.rs` runs the
//! commands that are shown with their output.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use rayon::prelude::*;
use regex::Regex;

use crate::manual::{commands_below, examples, short_help};
use crate::readme::pages;
use crate::support::facts::FIRST;
use crate::support::folder::README;
use crate::support::git::{commit_all, git};
use crate::support::{EPOCH, wasm_module, write_program};

/// Start of the page names of helps. Their examples are complete commands.
const HELP: &str = "help of";

/// Commands that cannot run here, with the reason.
const NOT_RUN: &[(&str, &str)] = &[
    (
        "benches/peers/compare --tree conformance/reports --write",
        "installs other validators",
    ),
    ("cargo build --release --bins --examples", "compiles"),
    ("benches/growth --write", "takes minutes"),
    (
        "benches/instructions/measure                    # count and compare",
        "compiles, and needs valgrind",
    ),
    (
        "benches/instructions/measure --profile check    # show them by stage and by rule; no rule may take more than 3 %",
        "compiles, and needs valgrind",
    ),
    (
        "benches/instructions/measure --write            # record new values after a change in cost",
        "compiles, and needs valgrind",
    ),
    (
        "node benches/modules/measure.mjs check.wasm conformance/reports",
        "needs a browser module",
    ),
    (
        "jq --raw-output --from-file meshes.jq public/api/v1/implementations.json",
        "`export.rs` runs it",
    ),
    (
        "python3 proved.py public/api/v1/features.json HTTPRouteRequestTimeout",
        "`export.rs` runs it",
    ),
    (
        "npm install openapi-typescript@7 typescript@5",
        "needs the network",
    ),
    (
        "npx openapi-typescript http://localhost:8000/api/v1/openapi.json --output api.d.ts",
        "`api.test.mjs` runs it",
    ),
    (
        "npx tsc --strict --target es2022 --module nodenext expiring.mts",
        "`api.test.mjs` runs it",
    ),
    ("node expiring.mjs", "`api.test.mjs` runs it"),
    (
        "openapi-generator-cli generate -g go -i public/api/v1/openapi.json -o client --additional-properties enumClassPrefix=true,disallowAdditionalPropertiesIfNotPresent=false",
        "`.ci/other-tools` runs it",
    ),
    ("gwconform resources --cluster", "needs a cluster"),
    (
        "gwconform resources --cluster --crds v1.6/standard",
        "needs a cluster",
    ),
    ("dist/browser modules", "compiles"),
    ("dist/owner", "reads the files of this repository"),
    ("dist/owner NAME", "changes the files of this repository"),
    (
        "dist/publish --dry-run v0.1.0 FOLDER",
        "needs the files of a release",
    ),
    (
        "dist/registries --dry-run crates FOLDER",
        "needs the files of a release",
    ),
    (
        "git clone https://github.com/kubernetes-sigs/gateway-api.git",
        "needs the network",
    ),
    (
        "git -C gateway-api checkout v1.7.0",
        "needs a checkout of the Gateway API",
    ),
    (
        "go run -C tools/facts . \"$PWD/gateway-api\" > facts.json",
        "needs a checkout of the Gateway API",
    ),
    (
        "gwconform registry import target/facts.json --release v1.7.0 --date 2026-11-02 --out schema/registry/v1.7.0.json",
        "changes this repository",
    ),
    (
        "gwconform registry import target/facts.json --release v1.7.0 --references schema/registry/references.json",
        "changes this repository",
    ),
    (
        "gwconform registry served SOURCES/* --out schema/registry",
        "changes this repository",
    ),
    (
        "git -C GATEWAY_API checkout v1.7.0",
        "needs a checkout of the Gateway API",
    ),
    (
        "go run -C tools/facts . GATEWAY_API > target/facts.json",
        "needs a checkout of the Gateway API",
    ),
    (
        "sha256sum --check --ignore-missing SHA256SUMS",
        "needs the files of a release",
    ),
    (
        "cargo run -- site --out target/site",
        "compiles; `readme.rs` runs its arguments",
    ),
    ("cargo test", "this is one"),
    (".ci/update", "changes this repository"),
    (
        "gwconform registry import facts.json --release v1.7.0-rc.1 -o facts/v1.7.0-rc.1.json",
        "needs the facts of a candidate",
    ),
    (
        "gwconform registry import facts.json --release v1.7.0-rc.1 --out v1.7.0-rc.1.json",
        "needs the facts of a candidate",
    ),
    (
        "gwconform registry served v1.5.1 v1.6.1 --out facts",
        "needs checkouts of the Gateway API",
    ),
    (
        "gwconform verify report.yaml --log conformance.log --registry facts",
        "needs the facts of a candidate",
    ),
];

/// Commands with another exit code than 0, with the reason.
const ENDS_WITH: &[(&str, i32, &str)] = &[
    (
        "gwconform profiles --release v1.7.0",
        2,
        "v1.7.0 is the release that the page adds",
    ),
    (
        "gwconform needs ingresses.yaml --in TREE --to acme/operator",
        1,
        "an Ingress has a FastCGI backend, which has no equivalent",
    ),
    (
        "gwconform verify report.yaml --log conformance.log --release v1.6.2",
        2,
        "the report here names its release",
    ),
    (
        "gwconform registry check facts.json --release v1.6.1",
        1,
        "the facts here are those of another release",
    ),
    (
        "gwconform registry check facts.json --registry facts",
        2,
        "`registry import` writes the folder",
    ),
    (
        "gwconform needs --in",
        2,
        "names the option alone; other pages name its value",
    ),
    (
        "gwconform plan --profile GATEWAY-HTTP --supported-features HTTPRouteCors --exempt-features Gateway",
        2,
        "shows an error",
    ),
];

const PLACEHOLDERS: &[(&str, &str)] = &[
    (
        "--stdin-filename PATH",
        "--stdin-filename x-report.yaml <report.yaml",
    ),
    ("PATH", "manifests"),
    ("TREE", "conformance/reports"),
    ("NAME@OLD", "acme-operator@v2.18.3"),
    ("NAME@NEW", "umbrella-operator@v2.2.0"),
    ("OLD", OLD),
    ("NEW", NEW),
    ("NAME", "acme-operator"),
    ("--out DIR", "--out public"),
    ("REV", "HEAD"),
    ("RULE", "report/date"),
    ("COMMAND", "check"),
    ("RELEASE", "v1.6"),
    ("CHANNEL", "standard"),
    ("VERSION-TARGET", "v1"),
    ("OWNER", "acme"),
    // The test repository contains the facts of v1.98.0.
    (
        "--release v1.7.0 --date 2026-11-02 -o facts/v1.7.0.json",
        "--release v1.98.0 --date 2026-11-02 -o facts/v1.98.0.json",
    ),
    ("/usr/bin/time -v ", ""),
    ("dump.yaml", "manifests"),
];

const OLD: &str = "conformance/reports/v1.5/acme-operator/standard-v2.18.3-default-report.yaml";
const NEW: &str = "conformance/reports/v1.5/umbrella-operator/standard-v2.2.0-default-report.yaml";

const PROGRAMS: &[(&str, &str)] = &[
    ("uvx", "exec \"$@\""),
    ("npx", "exec \"$@\""),
    ("helm", "cat \"$FILES/cluster.yaml\""),
    (
        "kubectl",
        "case \"$*\" in *gatewayclass*) cat \"$FILES/class.yaml\" ;; *ingress*) cat \"$FILES/ingresses.yaml\" ;; *) cat \"$FILES/cluster.yaml\" ;; esac",
    ),
    ("go", "cat \"$FILES/conformance.log\""),
    ("gh", "echo '[]'"),
    ("curl", "echo true"),
    (
        "podman",
        "while case $1 in */gwconform) false ;; esac; do shift; done; shift; exec gwconform \"$@\"",
    ),
    ("jq", "cat >/dev/null; cat \"$FILES/statement.json\""),
];

const CLASS: &str = "apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata:
  name: acme
spec:
  controllerName: acme.example/gateway
status:
  conditions:
  - lastTransitionTime: \"2026-03-01T00:00:00Z\"
    message: accepted
    observedGeneration: 1
    reason: Accepted
    status: \"True\"
    type: Accepted
  supportedFeatures:
  - name: Gateway
  - name: HTTPRoute
";

const ROUTE: &str = "apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: shop
  namespace: shop
spec:
  parentRefs:
  - name: shop
  rules:
  - backendRefs:
    - name: shop
      port: 80
";

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[derive(Debug)]
struct Block {
    page: String,
    commands: Vec<String>,
}

fn blocks() -> Vec<Block> {
    let mut pages = pages();
    pages.push(project().join("CONTRIBUTING.md"));
    let mut blocks: Vec<Block> = pages
        .iter()
        .flat_map(|path| {
            let page = path.strip_prefix(project()).unwrap().display().to_string();
            let text = fs::read_to_string(path).unwrap();
            let all = commands(&text).into_iter();
            all.map(move |commands| Block {
                page: page.clone(),
                commands,
            })
        })
        .collect();
    let mut known = BTreeSet::new();
    blocks.retain(|block| !block.commands.is_empty() && known.insert(block.commands.clone()));
    blocks.extend(crate::hook::hooks().into_iter().map(|hook| Block {
        page: ".pre-commit-hooks.yaml".to_owned(),
        commands: vec![format!("gwconform {}", hook.join(" "))],
    }));
    let helps = [Vec::new()].into_iter().chain(commands_below(&[]));
    blocks.extend(helps.map(|command| Block {
        page: format!("{HELP} `{}`", command.join(" ")),
        commands: examples(&short_help(&command)),
    }));
    blocks
}

fn commands(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut fence: Option<(String, String)> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match (event, &mut fence) {
            (Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))), _) => {
                fence = Some((info.to_string(), String::new()));
            }
            (Event::Text(text), Some((_, body))) => body.push_str(&text),
            (Event::End(TagEnd::CodeBlock), _) => {
                found.extend(fence.take().map(|(info, body)| in_fence(&info, &body)));
            }
            (Event::Code(code), None) if calls_the_program(&code) => {
                found.push(vec![code.to_string()]);
            }
            _ => {}
        }
    }
    found
}

fn in_fence(info: &str, body: &str) -> Vec<String> {
    let lines = body
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty());
    let after = |start: &'static str| {
        lines
            .clone()
            .filter_map(move |line| line.trim_start().strip_prefix(start))
    };
    let commands: Vec<&str> = match info {
        "sh" | "text" if body.starts_with("$ ") => after("$ ").collect(),
        "sh" | "text" => lines.collect(),
        "yaml" => after("- run: ").collect(),
        "console" | "csv" | "toml" | "json" | "make" | "diff" | "md" => Vec::new(),
        // A program that a command runs.
        _ if info.contains(' ') => Vec::new(),
        _ => panic!("a fence of the kind {info:?}, whose commands nobody runs"),
    };
    commands.into_iter().map(str::to_owned).collect()
}

fn calls_the_program(code: &str) -> bool {
    let mut parts = code.split('|').map(str::trim_start);
    parts.any(|part| {
        let part = part
            .strip_prefix("uvx ")
            .or(part.strip_prefix("npx "))
            .unwrap_or(part);
        part.starts_with("gwconform ")
    })
}

fn repository(folder: &Path) -> PathBuf {
    let path = folder.join("repository");
    // Each block receives a copy, so only a part of the sample tree is used.
    let is_part = |path: &Path| {
        let release = path.strip_prefix(project().join("reports")).unwrap();
        let release = release
            .components()
            .next()
            .map(|one| one.as_os_str().display().to_string());
        release.is_none_or(|name| {
            !name.starts_with("v1.") || name.starts_with("v1.5") || name == "v1.4.0"
        })
    };
    let put = |below: &str, text: &[u8]| {
        let to = path.join(below);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, text).unwrap();
    };
    let example = |below: &str| fs::read(project().join("examples").join(below)).unwrap();
    for entry in walkdir::WalkDir::new(project().join("reports")) {
        let entry = entry.unwrap();
        if !is_part(entry.path()) {
            continue;
        }
        let below = entry.path().strip_prefix(project()).unwrap();
        let below = format!("conformance/{}", below.display());
        if entry.file_type().is_file() {
            put(&below, &fs::read(entry.path()).unwrap());
        } else if entry.file_type().is_symlink() {
            let target = fs::read_link(entry.path()).unwrap();
            std::os::unix::fs::symlink(target, path.join(below)).unwrap();
        }
    }
    // Pages use a report for a release candidate, and one for the final release with its log.
    let final_report = String::from_utf8(example("verify/report.yaml")).unwrap();
    let candidate = final_report
        .replace("version: v2.14.0", "version: v2.14.0-rc.1")
        .replace("2026-03-20T", "2026-03-19T");
    let submission = "conformance/reports/v1.3.0/acme-mesh";
    put(
        &format!("{submission}/standard-v2.14.0-rc.1-default-report.yaml"),
        candidate.as_bytes(),
    );
    put(
        &format!("{submission}/README.md"),
        README.replace("v2.14.0", "v2.14.0-rc.1").as_bytes(),
    );
    put("report.yaml", final_report.as_bytes());
    for log in ["run.log", "conformance.log"] {
        put(log, &example("verify/conformance.log"));
    }
    put("class.yaml", CLASS.as_bytes());
    put("ingresses.yaml", &example("needs/ingress.yaml"));
    put("manifests/shop.yaml", ROUTE.as_bytes());
    put(
        "modules/check.wasm",
        &wasm_module(concat!("check ", env!("CARGO_PKG_VERSION"))),
    );
    put(
        "modules/needs.wasm",
        &wasm_module(concat!("needs ", env!("CARGO_PKG_VERSION"))),
    );
    put(
        "conformance/list/implementations/acme-operator/details.yaml",
        b"organization: acme\nproject: operator\nfullName: Acme Operator\n",
    );
    put("site/index.md", b"# A site of its own\n");
    let files = folder.join("files");
    fs::create_dir_all(folder.join("programs")).unwrap();
    fs::create_dir_all(&files).unwrap();
    for (name, script) in PROGRAMS {
        write_program(&folder.join("programs").join(name), script);
    }
    fs::write(files.join("class.yaml"), CLASS).unwrap();
    fs::write(files.join("ingresses.yaml"), example("needs/ingress.yaml")).unwrap();
    fs::write(files.join("cluster.yaml"), example("cluster/good.yaml")).unwrap();
    fs::write(
        files.join("conformance.log"),
        example("verify/conformance.log"),
    )
    .unwrap();
    path
}

fn prepare(folder: &Path) {
    let path = repository(folder);
    commit_all(&path);
    git(&path, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    fs::write(path.join("facts.json"), FIRST).unwrap();
    git(&path, &["gc", "--quiet"]);
    let statement = shell(
        folder,
        &path,
        "gwconform verify report.yaml --log run.log --out ../files/statement.json",
    );
    assert_eq!(statement.code, 0, "{}", statement.text);
}

#[derive(Debug)]
struct Ended {
    code: i32,
    text: String,
}

fn shell(template: &Path, repository: &Path, command: &str) -> Ended {
    let program = Path::new(env!("CARGO_BIN_EXE_gwconform")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let programs = template.join("programs");
    let output = Command::new("bash")
        .args(["-o", "pipefail", "-c", command])
        .current_dir(repository)
        .env_clear()
        .env(
            "PATH",
            format!("{}:{}:{path}", programs.display(), program.display()),
        )
        .env("HOME", repository.with_file_name("home"))
        .env(EPOCH.0, EPOCH.1)
        .env("FILES", template.join("files"))
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    Ended {
        code: output.status.code().unwrap_or(-1),
        text: String::from_utf8_lossy(&text).into_owned(),
    }
}

fn filled(command: &str) -> (String, Vec<&'static str>) {
    let mut text = command.to_owned();
    let mut used = Vec::new();
    for (name, value) in PLACEHOLDERS {
        let is_word = name.chars().all(|c| c.is_ascii_uppercase());
        let boundary = if is_word { "\\b" } else { "" };
        let shape = Regex::new(&format!("{boundary}{}{boundary}", regex::escape(name))).unwrap();
        if shape.is_match(&text) {
            text = shape.replace_all(&text, *value).into_owned();
            used.push(*name);
        }
    }
    (text, used)
}

fn named(command: &str) -> Option<&str> {
    let words = command.strip_prefix("gwconform ")?;
    let is_name = |word: &str| word.chars().all(|c| c.is_ascii_lowercase());
    words.split(' ').all(is_name).then_some(words)
}

fn unknown_options(template: &Path, command: &str) -> Vec<String> {
    let Some((_, own)) = command.split_once("gwconform ") else {
        return Vec::new();
    };
    let words: Vec<&str> = own.split(' ').collect();
    let is_name = |word: &&&str| word.chars().all(|c| c.is_ascii_lowercase());
    let mut names: Vec<&str> = words.iter().take_while(is_name).copied().collect();
    let help = loop {
        let help = shell(
            template,
            template,
            &format!("gwconform help {}", names.join(" ")),
        );
        if help.code == 0 || names.pop().is_none() {
            break help.text;
        }
    };
    let options = words.iter().filter(|word| word.starts_with('-'));
    let unknown = options.filter(|option| {
        !help.contains(&format!("{option} ")) && !help.contains(&format!("{option},"))
    });
    unknown.map(|option| (*option).to_owned()).collect()
}

fn faults(template: &Path, block: &Block) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let copied = Command::new("cp")
        .args(["-a", "--"])
        .arg(template.join("repository"))
        .arg(folder.path())
        .status()
        .unwrap();
    assert!(copied.success());
    let shell = |command: &str| shell(template, &folder.path().join("repository"), command);
    let mut faults = Vec::new();
    for command in &block.commands {
        let fault = |text: String| format!("{}: {command}\n{text}", block.page);
        if NOT_RUN.iter().any(|(not_run, _)| not_run == command) {
            let unknown = unknown_options(template, command);
            faults.extend(
                unknown
                    .iter()
                    .map(|option| fault(format!("no option {option}"))),
            );
            continue;
        }
        if ENDS_WITH.iter().any(|(ends, ..)| ends == command) {
            let unknown = unknown_options(template, command);
            faults.extend(
                unknown
                    .iter()
                    .map(|option| fault(format!("no option {option}"))),
            );
        }
        let expected = ENDS_WITH.iter().find(|(ends, ..)| ends == command);
        let expected = expected.map_or(0, |(_, code, _)| *code);
        let mut ended = shell(&filled(command).0);
        if ended.code != expected
            && !block.page.starts_with(HELP)
            && let Some(name) = named(command)
        {
            ended = shell(&format!("gwconform help {name}"));
        }
        if ended.code != expected {
            faults.push(fault(format!("ends with {}:\n{}", ended.code, ended.text)));
        }
    }
    faults
}

#[test]
fn every_documented_command_works() {
    let template = tempfile::tempdir().unwrap();
    prepare(template.path());
    let blocks = blocks();
    let faults: Vec<String> = blocks
        .par_iter()
        .flat_map_iter(|block| faults(template.path(), block))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // Verify that the search finds the README, all kinds of fences, and commands in tables.
    let all: BTreeSet<&str> = blocks
        .iter()
        .flat_map(|block| &block.commands)
        .map(String::as_str)
        .collect();
    for command in [
        "gwconform check --since origin/main",
        "helm template . | gwconform resources -",
        "gwconform verify report.yaml --log conformance.log --out statement.json",
        "kubectl get -A -o yaml … | gwconform resources -",
        "gwconform check --hook",
    ] {
        assert!(all.contains(command), "{command}");
    }
    assert!(all.len() > 80, "{}", all.len());
}

/// An unused exception would hide the next fault.
#[test]
fn every_exception_is_of_a_documented_command() {
    let blocks = blocks();
    let all: BTreeSet<&str> = blocks
        .iter()
        .flat_map(|block| &block.commands)
        .map(String::as_str)
        .collect();
    for (command, reason) in NOT_RUN {
        assert!(all.contains(command) && !reason.is_empty(), "{command}");
    }
    for (command, code, reason) in ENDS_WITH {
        assert!(
            all.contains(command) && *code != 0 && !reason.is_empty(),
            "{command}"
        );
    }
    let used: BTreeSet<&str> = all.iter().flat_map(|command| filled(command).1).collect();
    for (name, _) in PLACEHOLDERS {
        assert!(used.contains(name), "{name}");
    }
}
