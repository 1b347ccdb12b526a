//! Tests `gwconform export`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use gwconform_base::api::NameKind;
use gwconform_base::release::Registry;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

use crate::support::corpus::has_program;
use crate::support::folder::{ACME_REPORT, Folder, NAME, TREE, files, yaml_files};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::{NONE, corpus, find, has, lacks, list, rows, run, sample, text};

fn tree() -> Folder {
    let folder = Folder::with_tree();
    folder.newest_minor("v1.5");
    let http = |skipped: &[&str]| {
        let count = skipped.len() as u32;
        let result = if count == 0 { "success" } else { "partial" };
        let core = Level::result(result).counts(33 - count, count, 0);
        let extended = Level::result("partial").counts(1, 1, 0);
        let extended = extended
            .skipped(&["HTTPRouteRewritePath"])
            .supported(&["HTTPRouteMethodMatching", "HTTPRoutePathRewrite"])
            .unsupported(&["HTTPRouteCORS"]);
        Profile::new("GATEWAY-HTTP")
            .core(match count {
                0 => core,
                _ => core.skipped(skipped),
            })
            .extended(extended)
            .summarized()
    };
    let mesh = Profile::new("MESH-GRPC")
        .core(Level::success(3))
        .summarized();
    let weight = http(&["HTTPRouteWeight"]);
    for (name, release, version, profile) in [
        ("umbrella/edge", "v1.5.1", "1.20", http(&[])),
        ("umbrella/partial", "v1.5.1", "v1.0.0", weight),
        ("umbrella/edge", "v1.4.0", "1.19", Profile::grpc()),
        ("initech/mesh", "v1.5.1", "v3.0.0", mesh),
    ] {
        let (organization, project) = name.split_once('/').unwrap();
        let report = ReportBuilder::new()
            .organization(organization)
            .project(project);
        let report = report.version(version).release(release).profiles([profile]);
        let path = format!("{TREE}/{release}/{organization}-{project}");
        folder
            .submission(&path)
            .file(&format!("{path}/{NAME}"), report.build());
    }
    folder
}

#[test]
fn tables_are_a_page_for_each_minor_and_one_that_lists_them() {
    let folder = tree();
    let output = folder.ok("export tables --out pages");
    assert_eq!(output.stderr, "3 files written, 0 up to date\n");
    insta::assert_snapshot!("export_tables_index", folder.read("pages/_index.md"));
    insta::assert_snapshot!("export_tables_v1.5", folder.read("pages/v1.5.md"));
    assert!(folder.read("pages/v1.4.md").contains("weight: 20\n"));
}

#[test]
fn tables_for_docsy_have_the_headings_of_the_gateway_api_website() {
    let folder = tree();
    folder.ok("export tables-docsy --out pages");
    insta::assert_snapshot!("export_tables_docsy", folder.read("pages/v1.5.md"));
    let index = folder.read("pages/_index.md");
    has(&index, "title: \"Implementations\"\nweight: 40\n---\n");
    folder.ok("export tables-docsy --out pages --check");
    for row in tables(&folder.read("pages/v1.5.md")).concat() {
        let is_mark = |cell: &String| ["✅", "✅*", "⚠", "❌", "–"].contains(&cell.as_str());
        assert!(row[6..].iter().all(is_mark), "{row:?}");
    }
}

#[test]
fn a_list_has_sections_badges_and_texts_around_it() {
    let folder = tree();
    let config =
        "source-url = \"https://git.example/reports/\"\n[policy]\nnewest-minor = \"v1.5\"\n";
    let kind = "kind: ImplementationListDetails\n";
    let edge =
        "organization: umbrella\nproject: edge\nfullName: Edge | <b>\ndescription: Routes.\n";
    let gone = "organization: gone\nproject: gone\nfullName: Gone\n";
    folder
        .file("header.md", "---\ntitle: Implementations\n---\n\nBefore.\n")
        .file("footer.md", "After.\n")
        .config(config)
        .file("list/edge/details.yaml", format!("{kind}{edge}"))
        .file("list/gone/details.yaml", format!("{kind}{gone}"));
    let command = "export list --details list --header header.md --footer footer.md --out list.md";
    let output = folder.ok(command);
    insta::assert_snapshot!("export_list", folder.read("list.md"));
    insta::assert_snapshot!("export_list_warnings", output.stderr);
}

#[test]
fn removes_temporary_files_of_killed_runs() {
    let folder = tree();
    let own = [".gwconform-a1B2c3.md", ".gwconform-notes", "a1B2c3"];
    for kept in own {
        folder.file(&format!("out/{kept}"), "own");
    }
    for written in ["1 file written, 0", "0 files written, 1"] {
        folder.file("out/.gwconform-a1B2c3", "half");
        let ran = folder.ok(&format!("export wizard {TREE} --out out/wizard.json"));
        assert_eq!(ran.stderr, format!("{written} up to date\n"));
        let left = files(&folder.path().join("out"));
        let left: Vec<&str> = left.keys().map(String::as_str).collect();
        assert_eq!(left, [&own[..], &["wizard.json"]].concat());
    }
}

#[test]
fn a_list_agrees_with_the_verdicts() {
    let folder = tree();
    let list = folder.ok("export list").stdout;
    assert_eq!(listed(&list), current(&folder.json("certify")));
}

/// Family, verdict and name of each entry in the lists of a page.
fn listed(page: &str) -> Vec<[String; 3]> {
    let (mut family, mut verdict, mut text) = ("", "", String::new());
    let mut entries = Vec::new();
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::Heading { .. } | Tag::Link { .. }) => text.clear(),
            Event::Text(part) => text.push_str(&part),
            Event::End(TagEnd::Heading(HeadingLevel::H2)) => {
                verdict = "";
                family = match text.trim() {
                    "Gateway Controller Implementation Status" => "gateway",
                    "Service Mesh Implementation Status" => "mesh",
                    _ => "",
                };
            }
            Event::End(TagEnd::Heading(_)) if !family.is_empty() => {
                verdict = match text.as_str() {
                    "Conformant" => "conformant",
                    "Partially Conformant" => "partially-conformant",
                    other => panic!("{other}"),
                };
            }
            Event::End(TagEnd::Link) if !verdict.is_empty() => {
                entries.push([family, verdict, &text].map(str::to_owned));
            }
            _ => {}
        }
    }
    entries.sort();
    entries
}

/// The same entries in the output of `certify --format json`.
fn current(certified: &Value) -> Vec<[String; 3]> {
    let mut entries = Vec::new();
    for one in list(&certified["implementations"]) {
        for family in list(&one["families"]) {
            if family["standing"] != "not-current" {
                let entry = [&family["family"], &family["standing"], &one["name"]];
                entries.push(entry.map(|value| text(value).to_owned()));
            }
        }
    }
    assert!(!entries.is_empty());
    entries.sort();
    entries
}

#[test]
fn a_list_warns_of_details_that_do_not_match_the_reports() {
    let folder = tree();
    for (name, organization, project) in [
        ("acme", "acme", "operator"),
        ("again", "acme", "operator"),
        ("edge", "umbrela", "edge"),
    ] {
        let names = format!("organization: {organization}\nproject: {project}\n");
        let text = format!("kind: ImplementationListDetails\n{names}");
        folder.file(&format!("list/{name}/details.yaml"), text);
    }
    folder.file("list/broken/details.yaml", "kind: [\n");
    let output = folder.ok("export list --details list");
    insta::assert_snapshot!("export_list_details", output.stderr);
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_a_folder_of_details() {
    let folder = tree();
    folder.file("secret/details.yaml", "kind: secret\n");
    folder.file(".git/HEAD", "");
    fs::create_dir_all(folder.path().join("list")).unwrap();
    folder.link("list/out", "../secret");
    let output = folder.ok("export list --details list");
    lacks(&output.stderr, "list/out");
    let direct = folder.ok("export list --details .");
    let unusable = "warning: secret/details.yaml: cannot be used";
    direct.stderr_has(unusable);
}

#[test]
fn a_list_has_full_names_and_descriptions() {
    let folder = tree();
    folder.file(
        "list/edge/details.yaml",
        "kind: ImplementationListDetails\norganization: umbrella\nproject: edge\nfullName: Border Proxy\n\
         description: |\n  One line.\n  Another.\n\n  More.\n",
    );
    folder.ok("export list --details list --out list.md");
    let list = folder.read("list.md");
    has(&list, "### Border Proxy\n");
    has(&list, "\nOne line.\nAnother.\n\nMore.\n");
}

const DETAILS: &str = "kind: ImplementationListDetails\norganization: {o}\nproject: {p}\nfullName: {n}\ndescription: |\n{d}\n";

fn details(names: [&str; 3], description: &str) -> String {
    let lines = description.lines().map(|line| format!("  {line}"));
    let lines = lines.collect::<Vec<_>>().join("\n");
    let [organization, project, name] = names;
    let text = DETAILS.replace("{o}", organization).replace("{p}", project);
    text.replace("{n}", name).replace("{d}", &lines)
}

fn targets(page: &str) -> Vec<(String, String)> {
    let (mut found, mut texts) = (Vec::new(), Vec::new());
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => {
                texts.push((String::new(), dest_url.to_string()))
            }
            Event::Text(text) => (texts.iter_mut()).for_each(|(shown, _)| shown.push_str(&text)),
            Event::End(TagEnd::Link) => found.extend(texts.pop()),
            _ => {}
        }
    }
    found
}

#[test]
fn a_list_keeps_descriptions_and_their_links() {
    let folder = tree();
    let edge = "[Edge][docs] is *fast*.\n\n# Usage\n\nSee the [GAMMA initiative][gamma] and [top].\n\n[docs]: https://edge.example/docs\n[top]: https://edge.example/top";
    let rollouts = "[Rollouts][docs] <script>x</script> {{< x >}}\n\n[docs]: https://rollouts.example\n[gamma]: https://rollouts.example/gamma\n\n```\n### Not closed";
    for (path, names, description) in [
        ("implementations/edge", ["umbrella", "edge", "Edge"], edge),
        ("integrations/b", ["acme", "rollouts", "Rollouts"], rollouts),
        ("integrations/a", ["acme", "edge", "Edge"], "Other."),
    ] {
        let text = details(names, description);
        folder.file(&format!("list/{path}/details.yaml"), text);
    }
    folder
        .file("header.md", "# List\n\n[gamma]: /docs/mesh/\n[top]: /top\n")
        .file("list/integrations/c/details.yaml", "kind: Other\n");
    let command = "export list --details list/implementations --header header.md --out list.md";
    let output = folder.ok(command);
    let unusable = "warning: list/integrations/c/details.yaml: cannot be used: the kind is not ImplementationListDetails\n";
    output.stderr_has(unusable);
    let page = folder.read("list.md");
    insta::assert_snapshot!("export_list_descriptions", page);
    let links = targets(&page);
    let of = |name: &str| {
        let links = links.iter().filter(|(text, _)| text == name);
        links.map(|(_, target)| target.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of("GAMMA initiative")[0], "/docs/mesh/");
    assert_eq!(of("top")[0], "https://edge.example/top");
    let edge = ["#edge", "#acme-edge", "https://edge.example/docs"];
    assert_eq!(of("Edge"), edge);
    assert_eq!(of("Rollouts"), ["#rollouts", "https://rollouts.example"]);
    let site = folder.ok("certify --format json umbrella/edge").stdout;
    lacks(&site, "[Edge]");
    folder.run("export list --integrations none").exits(2);
}

#[test]
fn a_list_has_no_heading_without_entries() {
    let folder = Folder::with_tree();
    folder.submission(&format!("{TREE}/v1.5/acme-operator"));
    let list = folder.ok("export list").stdout;
    let headings: Vec<&str> = list.lines().filter(|line| line.starts_with('#')).collect();
    insta::assert_snapshot!(headings.join("\n"), @r#"
    ## Gateway Controller Implementation Status <a name="gateways"></a>
    ### Conformant
    ## Implementations
    ### acme/operator {#acme-operator}
    "#);
    has(
        &list,
        "(https://github.com/kubernetes-sigs/gateway-api/blob/main/conformance/reports/v1.5/acme-operator/",
    );
}

/// The wizard of the Gateway API (`wasm/main.go`) reads each top-level list as a release, even if
/// it is empty or null. It stops at a key such as `reports`, and `implementations` replaces all
/// releases.
fn fits_the_wizard_of_the_gateway_api(wizard: &Value) {
    let (mut releases, is_text) = (0, |value: &Value| value.is_string() || value.is_null());
    let is_list = |value: &Value| value.as_array().unwrap().iter().all(Value::is_string);
    for (key, value) in wizard.as_object().unwrap() {
        let numbers = key.strip_prefix('v').and_then(|rest| rest.split_once('.'));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let is_release = numbers.is_some_and(|(a, b)| is_number(a) && is_number(b));
        match value {
            Value::Array(entries) if is_release => {
                releases += 1;
                for entry in entries {
                    for field in ["organization", "project", "url", "version", "reportDate"] {
                        assert!(is_text(&entry[field]), "{key}: {entry}");
                    }
                    assert!(is_list(&entry["conformance"]), "{key}: {entry}");
                    assert!(is_list(&entry["features"]), "{key}: {entry}");
                }
            }
            Value::Object(_) | Value::String(_) if !is_release && key != "implementations" => {}
            _ => panic!("the wizard takes {key} for a release: {value}"),
        }
    }
    assert!(releases > 0, "{wizard}");
    let groups = wizard["featureDefinitions"].as_object().unwrap();
    for group in ["httpGateway", "httpRoute", "httpBackendTls", "grpc", "tls"] {
        for feature in groups[group].as_array().unwrap() {
            for field in ["id", "label", "description"] {
                assert!(feature[field].is_string(), "{group}: {feature}");
            }
            // The wizard has its own boxes for core features.
            let core = "Gateway HTTPRoute GRPCRoute TLSRoute ReferenceGrant";
            let is_core = core.split(' ').any(|name| feature["id"] == name);
            assert!(!is_core, "{feature}");
        }
    }
}

fn wizard_of(root: &Path) -> Value {
    let arguments = ["export".into(), "wizard".into(), root.display().to_string()];
    serde_json::from_str(&run(Path::new("."), &arguments).exits(0).stdout).unwrap()
}

#[test]
fn the_wizard_of_the_gateway_api_reads_the_data() {
    let folder = tree();
    let mut roots = vec![folder.path().join(TREE), sample()];
    roots.extend(corpus().map(|root| root.join("gateway-api/conformance/reports")));
    for root in roots {
        let wizard = wizard_of(&root);
        fits_the_wizard_of_the_gateway_api(&wizard);
        fits_schema(&wizard);
    }
}

fn reports_of(wizard: &Value) -> Vec<&Value> {
    let reports = wizard["reports"].as_object().unwrap();
    for (id, report) in reports {
        assert_eq!(report["id"], Value::from(id.as_str()));
    }
    reports.values().collect()
}

#[test]
fn the_wizard_links_to_the_web_only() {
    let folder = Folder::with_tree();
    let wizard = |report: ReportBuilder| -> Value {
        folder.put(&report);
        serde_json::from_str(&folder.ok("export wizard").stdout).unwrap()
    };
    let hostile = ReportBuilder::new().url("javascript:alert(1)");
    assert_eq!(reports_of(&wizard(hostile))[0]["url"], Value::Null);
    let shown = wizard(ReportBuilder::new());
    let shown = &reports_of(&shown)[0]["url"];
    assert!(shown.as_str().unwrap().starts_with("https://"), "{shown}");
}

#[test]
fn the_wizard_takes_no_partial_profile_for_a_conformant_one() {
    let folder = tree();
    let output = folder.ok("export wizard");
    let wizard: Value = serde_json::from_str(&output.stdout).unwrap();
    let named = |project: &str| find(&wizard["v1.5"], "project", project);
    let edge = named("edge");
    assert_eq!(edge["version"], "1.20");
    assert_eq!(edge["reportDate"], "2026-05-20T10:15:30Z");
    for (project, conformance) in [
        ("edge", json!([])),
        ("partial", json!([])),
        ("operator", json!(["GRPCRoute"])),
    ] {
        assert_eq!(named(project)["conformance"], conformance);
    }
    let reports = reports_of(&wizard);
    assert_eq!(reports.len(), 5);
    let mut of_edge = reports.iter().filter(|report| report["version"] == "1.20");
    let of_edge = of_edge.next().unwrap();
    assert_eq!(of_edge["partial"], json!(["Core"]));
    assert_eq!(of_edge["unproved"], json!(["HTTPRoutePathRewrite"]));
    let unsupported = list(&of_edge["unsupported"]);
    assert!(unsupported.contains(&"HTTPRouteCORS".into()));
    let lines = output.stdout.lines();
    let minors: Vec<_> = lines.filter(|line| line.starts_with("  \"v")).collect();
    assert_eq!(minors, ["  \"v1.5\": [", "  \"v1.4\": ["]);
    fits_schema(&wizard);
}

#[test]
fn the_schema_of_the_wizard_has_lists_for_minors_alone() {
    let wizard = wizard_of(&sample());
    for (key, value) in [
        ("reports", json!([])),
        ("conformance", json!(["Core"])),
        ("more", json!([])),
        ("v1", json!([])),
        ("v1.6", Value::Null),
    ] {
        let mut other = wizard.clone();
        other[key] = value;
        assert!(!schema_of_wizard().is_valid(&other), "{key}");
    }
}

fn schema_of_wizard() -> jsonschema::Validator {
    let schema = run(Path::new("."), &["schema".into(), "export-wizard".into()]).stdout;
    let schema: Value = serde_json::from_str(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn fits_schema(wizard: &Value) {
    let validator = schema_of_wizard();
    let errors = validator.iter_errors(wizard).map(|error| error.to_string());
    let errors: Vec<String> = errors.collect();
    assert_eq!(errors, NONE);
}

fn tables(page: &str) -> Vec<Vec<Vec<String>>> {
    let mut tables = Vec::<Vec<Vec<String>>>::new();
    let (mut row, mut cell, mut width) = (Vec::new(), String::new(), 0);
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    for event in Parser::new_ext(page, options) {
        match event {
            Event::Start(Tag::TableCell) => cell.clear(),
            Event::End(TagEnd::TableCell) => row.push(std::mem::take(&mut cell)),
            Event::End(TagEnd::TableHead) => {
                width = std::mem::take(&mut row).len();
                tables.push(Vec::new());
            }
            Event::End(TagEnd::TableRow) => {
                assert_eq!(row.len(), width);
                tables.last_mut().unwrap().push(std::mem::take(&mut row));
            }
            Event::Text(text) | Event::Code(text) | Event::InlineHtml(text) => cell.push_str(&text),
            _ => {}
        }
    }
    let mut bars = 0;
    for line in page.lines().filter(|line| line.starts_with('|')) {
        let here = line.matches('|').count();
        let first = line.split(" |").next().unwrap();
        if ["| Organization", "| Release", "| File"].contains(&first) {
            bars = here;
        }
        assert_eq!(here, bars, "{line}");
    }
    tables
}

fn check_pages(root: &Path, pages: &BTreeMap<String, Vec<u8>>) {
    let mut found: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    for (path, bytes) in pages {
        let page = std::str::from_utf8(bytes).unwrap();
        let page_start = page.strip_prefix("---\n").unwrap();
        let (matter, _) = page_start.split_once("\n---\n").unwrap();
        let matter: serde_yaml::Value = serde_yaml::from_str(matter).unwrap();
        assert!(matter["weight"].as_u64().unwrap() > 0);
        if path != "_index.md" {
            let title = matter["title"].as_str().unwrap();
            assert_eq!(format!("{title}.md"), *path);
            if let Some(minor) = title.strip_prefix("v1.") {
                let behind = 6 - minor.parse::<u64>().unwrap();
                assert_eq!(matter["weight"].as_u64(), Some((behind + 1) * 10), "{path}");
                for flag in ["toc_hide", "hide_summary"] {
                    assert_eq!(matter[flag].as_bool(), Some(behind >= 4), "{path}");
                }
            }
        }
        for rows in tables(page) {
            let of_reports: Vec<_> = rows.iter().filter(|row| row.len() > 2).collect();
            let identities: BTreeSet<_> = of_reports.iter().map(|row| &row[..5]).collect();
            let count = of_reports.len();
            assert_eq!(identities.len(), count, "rows of {path} look the same");
            for row in of_reports {
                let version = row[2].split("<br>").next().unwrap();
                let key = (row[0].clone(), row[1].clone(), version.to_owned());
                *found.entry(key).or_default() += 1;
            }
        }
    }
    let mut expected: BTreeMap<(String, String, String), usize> = BTreeMap::new();
    let mut count = 0;
    for path in yaml_files(root) {
        if path.strip_prefix(root).unwrap().iter().count() != 3 {
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        let report: serde_yaml::Value = serde_yaml::from_str(&text).unwrap();
        let field = |name: &str| match &report["implementation"][name] {
            serde_yaml::Value::String(text) => text.clone(),
            // serde_yaml reads `1.20` as a number.
            _ => {
                let key = format!("  {name}: ");
                let line = text.lines().find_map(|line| line.strip_prefix(&key));
                line.unwrap().trim().to_owned()
            }
        };
        let release = report["gatewayAPIVersion"].as_str().unwrap_or_default();
        let release = release.trim_start_matches('v');
        let key = (field("organization"), field("project"), field("version"));
        let profiles = report["profiles"].as_sequence();
        let profiles = profiles.map_or(&[][..], Vec::as_slice);
        // A second row of a profile counts its features that no release has.
        let rows = profiles.len() + profiles.iter().filter(|one| has_unknown(one)).count();
        // Reports without a release have one row on the page that lists the releases.
        let has_release = release.contains('.');
        *expected.entry(key).or_default() += if has_release { rows.max(1) } else { 1 };
        count += 1;
    }
    assert!(count > 50, "{count}");
    assert_eq!(found, expected);
}

fn has_unknown(profile: &serde_yaml::Value) -> bool {
    let lists = ["supportedFeatures", "unsupportedFeatures"];
    let lists = lists.map(|list| profile["extended"][list].as_sequence());
    let mut names = lists.into_iter().flatten().flatten();
    names.any(|name| !Registry::embedded().is_known(NameKind::Feature, name.as_str().unwrap()))
}

fn check_tree(root: &Path) {
    let out = tempfile::tempdir().unwrap();
    let root_text = root.to_str().unwrap().to_owned();
    let run = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        run(out.path(), &words).exits(0)
    };
    run(&["export", "tables", &root_text, "--out", "pages"]);
    check_pages(root, &files(&out.path().join("pages")));
    run(&["export", "tables", &root_text, "--out", "pages", "--check"]);
    let wizard: Value =
        serde_json::from_str(&run(&["export", "wizard", &root_text]).stdout).unwrap();
    fits_schema(&wizard);
    let list = run(&["export", "list", &root_text]).stdout;
    let certified = run(&["certify", &root_text, "--format", "json"]).stdout;
    let certified: Value = serde_json::from_str(&certified).unwrap();
    assert_eq!(listed(&list), current(&certified));
}

#[test]
fn every_report_of_the_sample_is_a_row() {
    check_tree(&sample());
}

#[test]
fn every_report_of_the_corpus_is_a_row() {
    if let Some(corpus) = corpus() {
        check_tree(&corpus.join("gateway-api/conformance/reports"));
    }
}

const HOSTILE: &str =
    "a | b\\| <script>x</script> {{< x >}} {{% y %}} {% raw %} \"']} ${z} `c` [l](u)";

#[test]
fn what_a_report_says_stays_text_in_all_exports() {
    let folder = Folder::with_tree();
    let report = ReportBuilder::new().project(HOSTILE).version(HOSTILE);
    folder.file(ACME_REPORT, report.mode(HOSTILE).build());
    folder.ok("export tables --out pages");
    folder.ok("export tables-docsy --out docsy");
    folder.ok("export list --out list.md");
    for path in ["pages/v1.5.md", "docsy/v1.5.md", "list.md"] {
        let page = folder.read(path);
        let page = page.replace("{{% alert title=\"Legend\" color=\"info\" %}}", "");
        let page = page.replace("{{% /alert %}}", "");
        assert!(!page.contains("{{") && !page.contains("{%"), "{page}");
        let tags = page.replace("<b>", "").replace("<br>", "");
        let tags = tags.replace("</b>", "").replace("<!-- Generated", "");
        let tags = tags.replace("<a name=\"gateways\"></a>", "");
        assert!(!tags.contains('<'), "{page}");
    }
    let pages = tables(&folder.read("pages/v1.5.md")).concat();
    assert_eq!(pages.len(), 1);
    // Readers see the text of the report, except invisible characters and quotes.
    assert_eq!(pages[0][1], HOSTILE);
    assert_eq!(pages[0][4], HOSTILE);
    let wizard = folder.ok("export wizard").stdout;
    // A page can embed the data.
    assert!(!wizard.contains('<'), "{wizard}");
    let wizard: Value = serde_json::from_str(&wizard).unwrap();
    assert_eq!(reports_of(&wizard)[0]["project"], HOSTILE);
}

#[test]
fn a_check_writes_nothing_and_shows_what_differs() {
    let folder = tree();
    let missing = folder.run("export list --out list.md --check").exits(1);
    missing.stdout_has("new file mode 100644\n--- /dev/null\n+++ b/list.md\n");
    assert!(!folder.exists("list.md"));
    folder.ok("export list --out list.md");
    let same = folder.ok("export list --out list.md --check");
    assert_eq!(same.stdout, "");
    same.stderr_has("1 file up to date");
    let changed = folder
        .read("list.md")
        .replace("### Conformant", "### Great");
    folder.file("list.md", &changed);
    let differs = folder.run("export list --out list.md --check").exits(1);
    differs.stdout_has("\n-### Great\n+### Conformant\n");
    assert_eq!(folder.read("list.md"), changed);
    folder.run("export list --check").exits(2);
}

#[test]
fn a_page_of_a_minor_that_is_gone_is_named() {
    let folder = tree();
    folder.ok("export tables --out pages");
    folder.ok("export tables --out pages --check");
    for (path, bytes) in files(folder.path()) {
        if path.contains("/v1.4.0/") {
            assert!(!bytes.is_empty());
            folder.remove(&path);
        }
    }
    folder.file("pages/v1.3.md", "by hand\n");
    let gone = "stale: pages/v1.4.md: the tree has no reports for it anymore; delete the file\n";
    let written = folder.ok("export tables --out pages");
    written.stderr_has(gone);
    let checked = folder.run("export tables --out pages --check").exits(1);
    assert_eq!(checked.stderr, format!("{gone}2 files up to date\n"));
    folder.remove("pages/v1.4.md");
    folder.ok("export tables --out pages --check");
}

#[test]
fn only_files_of_an_export_are_overwritten() {
    let folder = tree();
    folder.file("pages/v1.4.md", "by hand\n");
    let before = files(folder.path());
    let refused = folder.run("export tables --out pages").exits(2);
    assert_eq!(
        refused.stderr,
        "error: refusing to overwrite pages/v1.4.md: it does not contain `Generated by gwconform export`; move it away, or pass --force\n"
    );
    assert_eq!(files(folder.path()), before, "nothing is written at all");
    folder.ok("export tables --out pages --force");
    let again = folder.ok("export tables --out pages");
    assert_eq!(again.stderr, "0 files written, 3 up to date\n");
}

#[test]
fn all_files_are_written_or_none() {
    let folder = tree();
    folder.file("pages/v1.5.md/file", "a folder is in the way");
    let before = files(folder.path());
    let output = folder.run("export tables --out pages --force");
    assert_ne!(output.code, 0);
    assert_eq!(files(folder.path()), before);
    folder
        .run(&format!("export tables --out {TREE}/pages"))
        .exits(2);
    assert_eq!(files(folder.path()), before);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_or_read_through_a_link() {
    let folder = tree();
    folder
        .file("secret.md", "SECRET")
        .link("list.md", "secret.md");
    for options in ["", " --force", " --check"] {
        let output = folder
            .run(&format!("export list --out list.md{options}"))
            .exits(2);
        assert!(!output.stdout.contains("SECRET"));
    }
    assert_eq!(folder.read("secret.md"), "SECRET");
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let folder = tree();
    let cases = "
        export                           | <WHAT>
        export charts                    | [possible values: tables, tables-docsy, wizard, list]
        export tables                    | expected --out DIR
        export wizard --header header.md | --header is for
        export list --template list.md   | --template
    ";
    for [command, reason] in rows(cases) {
        folder.run(command).exits(2).stderr_has(reason);
    }
}

/// Fences of a page with their info strings.
fn fences(page: &str) -> Vec<(String, String)> {
    let mut fences: Vec<(String, String)> = Vec::new();
    let mut is_inside = false;
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                fences.push((info.to_string(), String::new()));
                is_inside = true;
            }
            Event::End(TagEnd::CodeBlock) => is_inside = false,
            Event::Text(text) if is_inside => fences.last_mut().unwrap().1.push_str(&text),
            _ => {}
        }
    }
    fences
}

#[test]
fn documented_programs_write_the_documented_results() {
    let folder = tempfile::tempdir().unwrap();
    let sample = sample().display().to_string();
    let site = ["site", &sample, "--out", "public"].map(str::to_owned);
    run(folder.path(), &site).exits(0);
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let pages = ["export.md", "api.md"].map(|name| fs::read_to_string(docs.join(name)).unwrap());
    let fences = pages.iter().flat_map(|page| fences(page));
    let fences: Vec<_> = fences.collect();
    let mut programs = Vec::new();
    for example in fences.windows(3) {
        let [program, commands, result] = example else {
            unreachable!();
        };
        let Some((language, file)) = program.0.split_once(' ') else {
            continue;
        };
        programs.push(language.to_owned());
        fs::write(folder.path().join(file), &program.1).unwrap();
        assert_eq!(commands.0, "sh");
        assert!(["csv", "md"].contains(&result.0.as_str()));
        let command = commands.1.lines().last().unwrap();
        let name = command.split(' ').next().unwrap();
        // `tests/summary.rs` prints which programs are missing. TypeScript needs npm packages:
        // `tests/browser/api.test.mjs` runs all examples of `docs/api.md`.
        if language == "ts" || !has_program(name) {
            continue;
        }
        let mut shell = Command::new("bash");
        let output = shell.args(["-c", command]).current_dir(folder.path());
        let output = output.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}: {errors}");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(printed, result.1, "{command}");
    }
    assert_eq!(programs, ["jq", "python", "ts"]);
}
