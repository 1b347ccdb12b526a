//! Tests that options mean the same in all commands, and that `docs/options.md` lists them.
//! `GWCONFORM_UPDATE=1 cargo test --test integration options::` updates the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use regex::Regex;

use crate::manual::{commands_below, long_help};
use crate::support::folder::{ACME_REPORT, Folder, TREE, report};

/// Options with more than one meaning, and the reason.
const SEVERAL_MEANINGS: &[(&str, &str)] = &[(
    "--fail-on",
    "findings have severities, and verdicts have standings",
)];

const GLOBAL: [&str; 5] = ["--color", "--config", "--quiet", "--registry", "--verbose"];

/// An option as the help shows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Shown {
    name: String,
    short: Option<String>,
    value: String,
    meaning: String,
}

/// The options of each command, from its long help.
fn options() -> BTreeMap<String, Vec<Shown>> {
    let first = Regex::new(r"^ +(?:(-[a-z]), )?(--[a-z-]+)(.*)$").unwrap();
    let commands = commands_below(&[]);
    let of = |command: &Vec<String>| {
        let help = long_help(command);
        let mut lines = help.lines();
        let mut options = Vec::new();
        while let Some(line) = lines.next() {
            let Some(found) = first.captures(line) else {
                continue;
            };
            let text = lines.by_ref().map(str::trim);
            let text: Vec<&str> = text.take_while(|line| !line.is_empty()).collect();
            options.push(Shown {
                name: found[2].to_owned(),
                short: found.get(1).map(|short| short.as_str().to_owned()),
                value: found[3].trim().to_owned(),
                meaning: meaning(&text.join(" ")),
            });
        }
        options.retain(|option| option.name != "--help");
        options
    };
    commands
        .iter()
        .map(|one| (one.join(" "), of(one)))
        .collect()
}

/// The text up to what is specific to a command.
fn meaning(text: &str) -> String {
    let ends = [": ", "; ", " [", ", e.g.", ". "];
    let end = ends.iter().filter_map(|end| text.find(end)).min();
    text[..end.unwrap_or(text.len())].to_owned()
}

#[test]
fn an_option_has_one_meaning_and_a_meaning_has_one_option() {
    let options = options();
    let mut shapes: BTreeMap<&str, BTreeSet<&Shown>> = BTreeMap::new();
    let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut shorts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for option in options.values().flatten() {
        shapes.entry(&option.name).or_default().insert(option);
        names
            .entry(&option.meaning)
            .or_default()
            .insert(&option.name);
        if let Some(short) = &option.short {
            shorts.entry(short).or_default().insert(&option.name);
        }
    }
    for (name, shapes) in &shapes {
        let reason = SEVERAL_MEANINGS.iter().find(|(known, _)| known == name);
        assert_eq!(shapes.len() > 1, reason.is_some(), "{name}: {shapes:#?}");
    }
    for (text, names) in names.iter().chain(&shorts) {
        assert_eq!(names.len(), 1, "{text}: {names:?}");
    }
    assert!(shapes.len() > 60 && shorts.len() == 3, "{shorts:?}");
}

#[test]
fn the_page_lists_all_options() {
    let options = options();
    let mut rows: BTreeMap<&Shown, Vec<&str>> = BTreeMap::new();
    for (command, listed) in &options {
        for option in listed {
            rows.entry(option).or_default().push(command);
        }
    }
    let mut table = String::new();
    for (option, commands) in rows {
        let short = option.short.as_ref();
        let short = short.map_or(String::new(), |short| format!("`{short}`, "));
        let gap = if option.value.starts_with('[') || option.value.is_empty() {
            ""
        } else {
            " "
        };
        let name = format!("{short}`{}{gap}{}`", option.name, option.value);
        let commands = if commands.len() == options.len() {
            "all".to_owned()
        } else {
            commands.join(", ")
        };
        table += &format!("| {name} | {} | {commands} |\n", option.meaning);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/options.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, listed) = page.split_once("|---|---|---|\n").unwrap();
    let (listed, after) = listed.split_once("\n\n").unwrap();
    let table = table.trim_end();
    if std::env::var_os("GWCONFORM_UPDATE").is_some() {
        fs::write(&path, format!("{before}|---|---|---|\n{table}\n\n{after}")).unwrap();
    } else {
        assert_eq!(
            listed, table,
            "see the start of tests/integration/options.rs"
        );
    }
    for name in GLOBAL {
        let row = table.lines().find(|row| row.contains(&format!("`{name}")));
        assert!(row.unwrap().ends_with("| all |"), "{row:?}");
    }
}

#[test]
fn global_options_stand_before_and_after_a_command() {
    let folder = Folder::new();
    let options = "--quiet --verbose --color never --config c.toml --registry facts";
    for command in commands_below(&[]) {
        let command = command.join(" ");
        folder.ok(&format!("{options} {command} --help"));
        folder.ok(&format!("{command} {options} --help"));
    }
}

const FACTS: &str = r#"{"release": "v1.8.0", "date": "2026-11-01", "base": "v1.6.0"}"#;

/// Commands that read a configuration and release data.
const WITH_TREE: &[&str] = &[
    "add other.yaml --dry-run",
    "badge acme/operator",
    "certify",
    "check",
    "check --since HEAD",
    "diff acme/operator@v2.14.0 acme/operator@v2.14.0",
    "export list",
    "features HTTPRouteCORS --in conformance/reports",
    "needs route.yaml --in conformance/reports",
    "outlook",
    "site --out made",
    "tests HTTPRouteWeight --in conformance/reports",
];

/// Commands that read no tree.
const WITH_FILES: &[&str] = &[
    "check - --allow-empty",
    "diff other.yaml other.yaml",
    "needs route.yaml",
    "plan --profile GATEWAY-HTTP",
    "resources route.yaml",
    "verify other.yaml --log run.log",
];

/// Commands that read only release data.
const WITH_DATA: &[&str] = &[
    "features",
    "profiles",
    "registry check --registry facts",
    "releases",
    "releases diff v1.5 v1.6",
    "tests",
];

fn folder() -> Folder {
    let folder = Folder::with_tree();
    folder
        .file("other.yaml", report().replace("v2.14.0", "v2.15.0"))
        .file("other.toml", "")
        .file("broken.toml", "[")
        .file("facts/v1.8.0.json", FACTS)
        .file("broken/v1.8.0.json", "{")
        .file("run.log", "--- PASS: TestConformance/HTTPRouteWeight (0.41s)\n")
        .file(
            "route.yaml",
            "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\nspec: {parentRefs: [{name: a}]}\n",
        );
    folder.config("");
    folder.commit();
    folder
}

#[test]
fn a_named_file_must_exist_and_be_valid() {
    let folder = folder();
    let refuses = |command: &str, option: &str| {
        let output = folder.run(&format!("{command} {option}")).exits(2);
        assert_eq!(output.stdout, "", "{command} {option}");
        let path = option.rsplit(' ').next().unwrap();
        output.stderr_has(path);
    };
    for command in WITH_TREE.iter().chain(WITH_FILES) {
        for path in ["nowhere.toml", "broken.toml"] {
            refuses(command, &format!("--config {path}"));
        }
    }
    for command in WITH_TREE.iter().chain(WITH_FILES).chain(WITH_DATA) {
        let command = command.replace(" --registry facts", "");
        for path in ["nowhere", "broken"] {
            refuses(&command, &format!("--registry {path}"));
        }
    }
}

#[test]
fn verbose_names_what_a_command_uses() {
    let folder = folder();
    let newest = "v1.6.2";
    let used = |command: &str, expected: [&str; 4]| {
        let output = folder.run(&format!("{command} -v"));
        let [tree, config, baseline, added] = expected;
        let lines = format!(
            "reports tree: {tree}\nconfiguration: {config}\nbaseline: {baseline}\nrelease data: built-in up to {newest}{added}\n"
        );
        output.stderr_has(&lines);
        let told = output.stderr.matches(&lines).count();
        assert_eq!(told, 1, "{command}: {}", output.stderr);
        assert!(folder.path().join(config).exists() || config == "none");
    };
    for command in WITH_TREE {
        used(command, [TREE, "gwconform.toml", "none", ""]);
        let named = format!("{command} --config other.toml --registry facts");
        used(&named, [TREE, "other.toml", "none", ", plus facts"]);
    }
    for command in WITH_FILES {
        let named = format!("{command} --config other.toml --registry facts");
        used(&named, ["none", "other.toml", "none", ", plus facts"]);
    }
    for command in WITH_DATA {
        let named = format!(
            "{} --registry facts",
            command.replace(" --registry facts", "")
        );
        used(&named, ["none", "none", "none", ", plus facts"]);
    }
    for command in ["explain report/date", "schema", "completions bash", "man"] {
        used(command, ["none", "none", "none", ""]);
    }
    let before = folder.ok("--config other.toml --verbose certify");
    before.stderr_has("configuration: other.toml\n");
    folder.ok("check --write-baseline accepted.json");
    used(
        "check --baseline accepted.json",
        [TREE, "gwconform.toml", "accepted.json", ""],
    );
    // Paths can be opened from the working directory.
    let below = folder.run_in(TREE, "check -v").stderr;
    let config = below
        .lines()
        .find_map(|line| line.strip_prefix("configuration: "));
    let config = folder.path().join(TREE).join(config.unwrap());
    assert!(config.is_file(), "{below}");
    assert!(below.contains("\nreports tree: .\n"), "{below}");
    // A command that opens several workspaces names the tree, once.
    folder.file(
        "m.yaml",
        "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\n",
    );
    let needs = folder.run(&format!("needs m.yaml --in {TREE} -v")).stderr;
    let trees = needs
        .lines()
        .filter(|line| line.starts_with("reports tree: "));
    assert_eq!(trees.collect::<Vec<_>>(), [format!("reports tree: {TREE}")]);
}

#[test]
fn quiet_hides_notes_and_lesser_findings() {
    let folder = folder();
    for command in ["certify oper", "features --registry facts"] {
        let (loud, quiet) = (folder.ok(command), folder.ok(&format!("{command} -q")));
        assert_eq!((quiet.stdout, quiet.stderr), (loud.stdout, String::new()));
    }
    let named = folder.ok("badge oper").stderr;
    assert_eq!(named, "`oper` is `acme/operator` in this tree\n");
    assert_eq!(folder.ok("badge oper --quiet").stderr, "");
    // What could not be read, and errors, are always named.
    let other = format!("{TREE}/v1.5/acme-operator/other.yaml");
    folder.file(&other, "a: [\n");
    folder
        .run("-q certify nobody")
        .exits(2)
        .stderr_has("error: ");
}

#[test]
fn color_works_wherever_findings_are_printed() {
    let folder = folder();
    folder.file(ACME_REPORT, report().replace("success", "sucess"));
    folder.file("bad.yaml", report().replace("success", "sucess"));
    for command in [
        "check",
        "add bad.yaml",
        "certify --config broken.toml",
        "help check",
    ] {
        for (choice, is_colored) in [("always", true), ("never", false)] {
            let output = folder.run(&format!("--color {choice} {command}"));
            let text = output.stdout + &output.stderr;
            assert_eq!(text.contains('\u{1b}'), is_colored, "{command}: {text}");
        }
    }
}
