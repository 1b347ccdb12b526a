//! Tests different spellings of the same implementation in all outputs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::support::folder::{Folder, TREE, files};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::{NONE, corpus, has, lines, list, run};

fn report(organization: &str, project: &str, release: &str, nth: u32) -> String {
    let passed = if release == "v1.3.0" { 12 } else { 13 };
    let hour = if release == "v1.5.1" { 10 } else { 11 };
    let date = format!("2026-09-2{nth}T{hour}:{:02}:30Z", organization.len());
    ReportBuilder::new()
        .organization(organization)
        .project(project)
        .release(release)
        .version(&format!("v3.{nth}.0"))
        .date(&date)
        .profiles([Profile::grpc().core(Level::success(passed))])
        .build()
}

fn put(folder: &Folder, below: &str, organization: &str, project: &str, count: u32) {
    let (name, _) = below.split_once('/').unwrap();
    let release = if name == "v1.5" { "v1.5.1" } else { name };
    for nth in 0..count {
        let text = report(organization, project, release, nth);
        let file = format!("{TREE}/{below}/{}-{nth}.yaml", organization.len());
        folder.file(&file, text);
    }
}

fn certified(folder: &Folder) -> Vec<String> {
    let json = folder.json("certify");
    let names = lines(
        &json["implementations"],
        "{organization}/{project} {implementation}",
    );
    let all = list(&json["implementations"]).iter().zip(names);
    all.map(|(one, name)| format!("{name} {}", list(&one["reports"]).len()))
        .collect()
}

const FORMER: &str = "[[implementation]]\norganization = 'acme'\nproject = 'operator'\nurl = 'https://acme.example/docs'\naliases = ['acmeinc/operator', 'old/gate']\n";

#[test]
fn spellings_are_one_implementation() {
    let folder = Folder::new();
    put(&folder, "v1.5/acme-operator", "acme", "operator", 2);
    put(&folder, "v1.4.0/acme-operator", "Acme", "Operator", 1);
    assert_eq!(certified(&folder), ["acme/operator acme/operator 3"]);
    let text = folder.run("certify --all").stdout;
    has(
        &text,
        "  acme/operator\n    1 report spells it Acme/Operator\n",
    );
    let markdown = folder.run("certify --format markdown").stdout;
    has(&markdown, "1 report spells it Acme/Operator");
    let site = folder.site("");
    let page = std::str::from_utf8(&site["implementations/acme/operator/index.html"]).unwrap();
    has(page, "(1 report spells it Acme/Operator)");
    let api: Value = serde_json::from_slice(&site["api/v1/implementations.json"]).unwrap();
    let spellings = &api["implementations"][0]["other_names"];
    let template = "{organization}/{project} {former} {report_count}";
    let spellings = lines(spellings, template);
    assert_eq!(spellings, ["Acme/Operator false 1"]);
    put(&folder, "v1.3.0/acme", "ACME", "operator", 1);
    assert_eq!(certified(&folder), ["acme/operator acme/operator 4"]);
    let folder = Folder::new();
    put(&folder, "v1.5/acme-operator", "acme", "operator", 2);
    put(&folder, "v1.4.0/acme-operator", "acme", "operator-", 1);
    put(&folder, "v1.3.0/acme-operator", "\u{430}cme", "operator", 1);
    let names = lines(
        &folder.json("certify")["implementations"],
        "{organization}/{project}",
    );
    assert_eq!(names, ["acme/operator", "\u{430}cme/operator"]);
}

/// Otherwise, two implementations could have one address.
#[test]
fn a_configured_name_joins_reports_in_any_spelling() {
    let folder = Folder::new();
    put(&folder, "v1.5/acme-operator", "ACME", "operator", 1);
    put(&folder, "v1.4.0/gate", "Gate", "way", 1);
    put(&folder, "v1.3.0/gate", "ga-te", "Way", 1);
    folder.config(
        "[[implementation]]\norganization = 'Acme'\nproject = 'Operator'\naliases = ['gate/way']\n",
    );
    assert_eq!(certified(&folder), ["Acme/Operator acme/operator 3"]);
    let former = folder.json("certify")["implementations"][0]["aliases"].take();
    assert_eq!(former, serde_json::json!(["gate/way"]));
}

#[test]
fn a_former_name_joins_its_reports_and_keeps_its_addresses() {
    let folder = Folder::new();
    put(&folder, "v1.5/acme-operator", "acme", "operator", 1);
    put(&folder, "v1.4.0/acmeinc-operator", "acmeinc", "operator", 3);
    folder.config(FORMER);
    assert_eq!(certified(&folder), ["acme/operator acme/operator 4"]);
    let text = folder.run("certify --all").stdout;
    has(&text, "    formerly acmeinc/operator, old/gate\n");
    let markdown = folder.run("certify --format markdown").stdout;
    has(&markdown, "formerly acmeinc/operator, old/gate");
    let badge = |name: &str| folder.run(&format!("badge {name} --in conformance/reports"));
    let own = badge("acme/operator");
    assert!(own.stdout.starts_with("<svg"), "{own:?}");
    for name in [
        "acmeinc/operator",
        "acmeinc-operator",
        "acme-operator",
        "old/gate",
    ] {
        assert_eq!(badge(name).stdout, own.stdout, "{name}");
    }
    let site = folder.site("");
    let badge = &site["badges/acme/operator.svg"];
    for alias in ["acmeinc/operator", "old/gate"] {
        assert_eq!(&site[&format!("badges/{alias}.svg")], badge);
    }
    let page = std::str::from_utf8(&site["implementations/acme/operator/index.html"]).unwrap();
    has(page, "(formerly acmeinc/operator, old/gate)");
    has(page, "href=\"https://acme.example/docs\"");
    let api: Value = serde_json::from_slice(&site["api/v1/implementations.json"]).unwrap();
    let all = api["implementations"].as_array().unwrap();
    assert_eq!(all.len(), 1);
    let others = lines(&all[0]["other_names"], "{organization}/{project} {former}");
    assert_eq!(others, ["acmeinc/operator true", "old/gate true"]);
    assert_eq!(all[0]["website"], "https://acme.example/docs");
    assert_eq!(all[0]["reports"].as_array().unwrap().len(), 4);
    let reports: Value = serde_json::from_slice(&site["api/v1/reports.json"]).unwrap();
    let organizations = BTreeSet::from_iter(lines(&reports["reports"], "{organization}"));
    assert!(
        organizations.iter().eq(["acme", "acmeinc"]),
        "{organizations:?}"
    );
    let project = FORMER.replace("acmeinc/operator", "acmeinc/gate");
    folder.config(project);
    assert_eq!(certified(&folder).len(), 2);
}

fn review(folder: &Folder) -> (Vec<String>, Value) {
    let json = folder.json("check --since HEAD");
    let mut found = lines(&json["findings"], "{rule} {severity}: {message}");
    let rules = ["change/address-moved ", "change/several-implementations "];
    found.retain(|one| rules.iter().any(|rule| one.starts_with(rule)));
    let messages = found
        .iter()
        .map(|one| one.split_once(' ').unwrap().1.to_owned());
    (messages.collect(), json["change"].clone())
}

#[test]
fn a_review_compares_an_implementation_under_all_its_names() {
    let folder = Folder::new();
    put(&folder, "v1.5/acme-operator", "acme", "operator", 1);
    folder.commit();
    put(&folder, "v1.4.0/acme-operator", "Acme", "operator", 3);
    let (found, since) = review(&folder);
    assert_eq!(found, NONE);
    let verdicts = lines(&since["verdicts"], "{before.standing} {after.standing}");
    assert_eq!(verdicts, ["conformant conformant"]);
}

#[test]
fn many_reports_in_another_spelling_move_no_address() {
    let folder = Folder::new();
    put(&folder, "v1.5/acme-operator", "acme", "operator", 2);
    folder.commit();
    put(&folder, "v1.1.1/gate", "Acme", "Operator", 1);
    assert_eq!(certified(&folder), ["acme/operator acme/operator 3"]);
    let (found, _) = review(&folder);
    assert_eq!(found, NONE);
    // Many reports with another spelling change the displayed name, but not the URL.
    put(&folder, "v1.1.1/gate", "Acme", "Operator", 9);
    put(&folder, "v1.4.0/gate", "Acme", "Operator", 9);
    let (found, _) = review(&folder);
    assert_eq!(found, NONE);
    let slug = folder.json("certify")["implementations"][0]["implementation"].take();
    assert_eq!(slug, "acme/operator");
}

/// Otherwise, a pull request could claim the reports of another implementation unnoticed.
#[test]
fn review_shows_names_joined_by_the_configuration() {
    let folder = Folder::new();
    put(&folder, "v1.5/acme-operator", "acme", "operator", 2);
    put(&folder, "v1.5/umbrella-gate", "umbrella", "gate", 1);
    folder.commit();
    folder.config("[[implementation]]\norganization = 'umbrella'\nproject = 'gate'\naliases = ['acme/operator']\n",
    );
    // A change that edits only the configuration is for the maintainers to judge, so it is a
    // warning.
    let (found, _) = review(&folder);
    assert_eq!(
        found,
        ["warning: the configuration moves the address `acme/operator` to `umbrella/gate`"]
    );
    put(&folder, "v1.4.0/umbrella-gate", "umbrella", "gate", 1);
    let (found, _) = review(&folder);
    assert_eq!(
        found,
        ["error: `acme/operator` moves from the address `acme/operator` to `umbrella/gate`"]
    );
}

#[test]
fn a_report_is_filed_in_the_folder_of_other_releases() {
    let folder = Folder::new();
    put(&folder, "v1.3.0/gate", "acme", "operator", 1);
    put(&folder, "v1.4.0/gateway", "acme", "operator", 1);
    put(&folder, "v1.4.0/other", "umbrella", "gate", 1);
    let mine = report("acme", "operator", "v1.5.1", 5);
    folder.file("fresh.yaml", &mine);
    let filed = |arguments: &str| {
        folder.ok(arguments);
        let all = files(&folder.path().join(TREE));
        let mine = all.iter().find(|(_, bytes)| **bytes == mine.as_bytes());
        let path = mine.map(|(path, _)| path.clone());
        let _ = path.as_ref().map(|path| {
            let submission = Path::new(TREE).join(Path::new(path).parent().unwrap());
            folder.remove(submission.to_str().unwrap());
        });
        path.unwrap()
    };
    let name = "standard-v3.5.0-default-report.yaml";
    assert_eq!(filed("add fresh.yaml"), format!("v1.5/gateway/{name}"));
    let arguments = "add fresh.yaml --in conformance/reports";
    assert_eq!(filed(arguments), format!("v1.5/gateway/{name}"));
    put(&folder, "v1.5/gateway", "umbrella", "gateway", 1);
    let own = format!("v1.5/acme-operator/{name}");
    assert_eq!(filed("add fresh.yaml"), own);
    let folder = Folder::new();
    put(&folder, "v1.4.0/inc", "acmeinc", "operator", 1);
    folder.file("fresh.yaml", &mine).config(FORMER);
    let output = folder.ok("add fresh.yaml");
    let all = files(&folder.path().join(TREE));
    assert!(all.contains_key(&format!("v1.5/inc/{name}")), "{output:?}");
}

#[test]
fn a_folder_is_right_that_other_releases_have_or_that_contains_the_project() {
    let folder = Folder::new();
    put(&folder, "v1.5/operator", "acme", "operator", 1);
    put(&folder, "v1.5/Acme_Service.Mesh", "acme", "service mesh", 1);
    put(&folder, "v1.5/gate", "umbrella", "proxy", 1);
    put(&folder, "v1.4.0/gate", "umbrella", "proxy", 1);
    put(&folder, "v1.3.0/umbrella", "umbrella", "proxy", 1);
    put(&folder, "v1.3.0/weft", "weftworks", "loom", 1);
    let found = folder.found(
        "check --select tree/folder-name",
        "{severity} {path}: {help}",
    );
    insta::assert_snapshot!(found.join("\n").replace(TREE, ""), @"
    warning /v1.3.0/umbrella/8-0.yaml: move the report to the folder `gate` of its release; if it belongs to another implementation, run the suite again with its `--organization` and `--project`
    info /v1.3.0/weft: name the folder `weftworks-loom` from the next submission on
    ");
}

#[test]
fn the_example_configuration_names_the_real_implementations() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/gateway-api/gwconform.toml");
    let text = std::fs::read_to_string(&example).unwrap();
    let parsed: toml::Table = toml::from_str(&text).unwrap();
    let entries = parsed["implementation"].as_array().unwrap();
    assert!(entries.len() >= 30);
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("gateway-api");
    let example = example.to_string_lossy().into_owned();
    let arguments = ["certify", "--format", "json", "--config", &example];
    let output = run(&folder, &arguments.map(str::to_owned));
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    let left_out = list(&json["left_out"]).iter();
    let left_out = left_out.filter(|one| one["path"] == "gwconform.toml");
    let mut unused: BTreeSet<String> = left_out
        .map(|one| one["reason"].as_str().unwrap().to_owned())
        .collect();
    let implementations = list(&json["implementations"]).iter();
    let shown: BTreeMap<(&str, &str), &Value> = implementations
        .map(|one| {
            let text = |key: &str| one[key].as_str().unwrap();
            ((text("organization"), text("project")), one)
        })
        .collect();
    let named: BTreeSet<(&str, &str)> = entries
        .iter()
        .map(|entry| {
            let text = |key: &str| entry[key].as_str().unwrap();
            (text("organization"), text("project"))
        })
        .collect();
    for (name, one) in &shown {
        assert!(named.contains(name), "{name:?}");
        let entry = entries.iter().find(|entry| {
            (entry["organization"].as_str(), entry["project"].as_str())
                == (Some(name.0), Some(name.1))
        });
        let entry = entry.unwrap();
        assert_eq!(one["name"].as_str(), entry["name"].as_str());
        assert_eq!(one["website"].as_str(), entry["url"].as_str());
    }
    // An entry may be unused only if the tree has no report of that name.
    for (organization, project) in named.iter().filter(|name| !shown.contains_key(*name)) {
        let reason = format!("no report of {organization}/{project} in this tree");
        assert!(unused.remove(&reason), "{reason}");
    }
    assert_eq!(unused, BTreeSet::new());
    let joined = |name: (&str, &str)| shown[&name]["reports"].as_array().unwrap().len();
    assert_eq!(joined(("istio", "istio")), 8);
    assert_eq!(joined(("Kong", "kubernetes-ingress-controller")), 9);
}

#[test]
fn rules_know_the_former_names_of_the_configuration() {
    let folder = Folder::new();
    put(&folder, "v1.5/acme-operator", "acme", "operator", 2);
    put(&folder, "v1.4.1/acme-operator", "Acme", "oper_ator", 1);
    put(&folder, "v1.5/gate", "acrne", "operator", 1);
    let again = report("acme", "operator", "v1.5.1", 1);
    let again = again.replace("organization: acme", "organization: acmeinc");
    folder.file(
        &format!("{TREE}/v1.5/acmeinc/x.yaml"),
        again.replace("T10:", "T12:"),
    );
    let found = |folder: &Folder| {
        let selected = "tree/project-spelling,tree/look-alike-name,tree/same-identity-elsewhere";
        let mut found = folder.findings(&format!("check --select {selected}"));
        for finding in &mut found {
            finding.truncate(finding.rfind(' ').unwrap());
        }
        found
    };
    let of_spelling = format!("tree/project-spelling {TREE}/v1.4.1/acme-operator/4-0.yaml");
    let of_look = format!("tree/look-alike-name {TREE}/v1.5/gate/5-0.yaml");
    let both = [
        format!("tree/look-alike-name {TREE}/v1.4.1/acme-operator/4-0.yaml"),
        of_spelling,
        of_look,
    ];
    assert_eq!(found(&folder), both);
    folder.config("[[implementation]]\norganization = 'acme'\nproject = 'operator'\naliases = ['acmeinc/operator', 'Acme/oper_ator', 'acrne/operator']\n",
    );
    let joined = found(&folder);
    assert!(
        joined
            .iter()
            .all(|finding| finding.starts_with("tree/same-identity-elsewhere ")),
        "{joined:?}"
    );
    assert_eq!(joined.len(), 2, "{joined:?}");
}
