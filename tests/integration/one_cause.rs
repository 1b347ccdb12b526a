//! Tests that one mistake causes one finding, or several findings with consistent advice.

use std::collections::BTreeSet;
use std::fs;

use gwconform::rules;
use gwconform_base::api::NameKind;
use gwconform_base::release::Registry;

use crate::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, NAME, report};
use crate::support::report::ReportBuilder;
use crate::support::{lines, list, page, rows, run, run_with_input};

const GOOD: &str = include_str!("../../examples/cluster/good.yaml");

const SAMPLE: &str =
    include_str!("../../reports/v1.5/acme-operator/standard-v2.18.3-default-report.yaml");

fn messages(folder: &Folder, arguments: &str) -> Vec<String> {
    lines(
        &folder.json(arguments)["findings"],
        "{rule}: {message}; {help}",
    )
}

fn resources(text: &str, arguments: &[&str]) -> String {
    let words = ["resources", "-", "--all"].iter().chain(arguments);
    let words: Vec<String> = words.map(ToString::to_string).collect();
    run_with_input(&std::env::temp_dir(), &words, text.as_bytes()).stdout
}

#[test]
fn a_blank_line_in_a_table_is_removed_and_no_row_is_written_twice() {
    let folder = Folder::with_tree();
    let readme = ACME_README;
    let right = folder.read(readme);
    let row = right.lines().position(|line| line.contains(NAME)).unwrap();
    let mut lines: Vec<&str> = right.lines().collect();
    lines.insert(row, "");
    folder.file(readme, lines.join("\n") + "\n");
    let found = messages(&folder, "check");
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(
        found[0].starts_with("readme/row-missing: ")
            && found[0].ends_with("; join this line to the table")
    );
    assert!(found[1].starts_with("readme/stray-row: "));
    folder.run("check --fix");
    assert_eq!(folder.read(readme), right);
}

#[test]
fn accepts_rows_that_link_to_the_expected_path() {
    for place in [
        "sub/standard-v2.14.0-default-report.yaml",
        "standard-v2.14.0-default-report.yml",
    ] {
        let folder = Folder::with_tree();
        let right = folder.path().join(ACME).join(NAME);
        let wrong = folder.path().join(ACME).join(place);
        fs::create_dir_all(wrong.parent().unwrap()).unwrap();
        fs::rename(&right, &wrong).unwrap();
        assert_eq!(
            messages(&folder, "check --select readme"),
            [""; 0],
            "{place}"
        );
        let readme = fs::read(folder.path().join(ACME).join("README.md")).unwrap();
        let found = messages(&folder, "check --fix");
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!(
            fs::read(folder.path().join(ACME).join("README.md")).unwrap(),
            readme
        );
        fs::rename(&wrong, &right).unwrap();
        assert_eq!(messages(&folder, "check"), [""; 0], "{place}");
    }
}

#[test]
fn a_misnamed_report_is_one_finding() {
    for wrong in [
        "standard-2.14.0-report.yaml",
        "v2.14.0-report.yaml",
        "Standard-v2.14.0-default-report.yaml",
    ] {
        let folder = Folder::with_tree();
        folder.rename(ACME_REPORT, &format!("{ACME}/{wrong}"));
        let found = messages(&folder, "check");
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(
            found[0].ends_with(&format!("rename `{wrong}` to `{NAME}`")),
            "{found:#?}"
        );
    }
}

#[test]
fn a_misnamed_report_that_another_readme_links_to_keeps_its_name() {
    let folder = Folder::with_tree();
    let wrong = format!("{ACME}/standard-2.14.0-report.yaml");
    folder.rename(ACME_REPORT, &wrong);
    let other = "conformance/reports/v1.4.0/other-operator";
    let text = "# Other\n\nAs [theirs](../../v1.5/acme-operator/standard-2.14.0-report.yaml).\n";
    folder.file(&format!("{other}/README.md"), text);
    for flag in ["--fix", "--unsafe-fixes"] {
        let output = folder.run(&format!("check {flag}"));
        output.stderr_has("not renamed");
        assert!(folder.exists(&wrong));
    }
}

#[test]
fn a_misnamed_readme_is_one_finding() {
    for name in ["readme.md", "README", "README.txt"] {
        let folder = Folder::with_tree();
        folder.rename(ACME_README, &format!("{ACME}/{name}"));
        let found = messages(&folder, "check");
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(
            found[0].starts_with("tree/readme-missing: ")
                && found[0].ends_with("; rename it to `README.md`"),
            "{found:#?}"
        );
    }
    let folder = Folder::with_tree();
    folder.file(&format!("{ACME}/readme.txt"), "text");
    let found = messages(&folder, "check");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with("tree/stray-file: "), "{found:#?}");
}

#[test]
fn a_name_with_spaces_is_suggested_as_a_link_has_it() {
    let folder = Folder::with_tree();
    let spaced = "standard v2.14.0 default report.yaml";
    folder.rename(ACME_REPORT, &format!("{ACME}/{spaced}"));
    // With the expected file name in the link, the advice would be to rename the file.
    let readme = ACME_README;
    let linked = "standard_v2.14.0-default-report.yaml";
    let text = folder.read(readme).replace(NAME, linked);
    folder.file(readme, &text);
    let found = messages(&folder, "check --select readme/row-without-report");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].ends_with(&format!("did you mean `<./{spaced}>`?")),
        "{found:#?}"
    );
    let text = text.replace(&format!("./{linked}"), &format!("<./{spaced}>"));
    folder.file(readme, text);
    assert!(messages(&folder, "check --select readme").is_empty());
}

#[test]
fn a_mode_that_no_file_name_can_hold_is_named() {
    for (mode, is_named) in [
        ("with the lot", true),
        ("a/b", true),
        ("with-the-lot", false),
        ("<mode>", false),
        ("", false),
    ] {
        let folder = Folder::with_tree();
        let text = report().replace("mode: default", &format!("mode: \"{mode}\""));
        folder.file(ACME_REPORT, text);
        let found = messages(&folder, "check --select tree/file-name");
        let named = format!("tree/file-name: mode `{mode}` cannot be part of a file name; ");
        assert_eq!(
            found.iter().any(|one| one.starts_with(&named)),
            is_named,
            "{found:#?}"
        );
    }
}

#[test]
fn the_release_of_a_folder_is_not_named_as_that_of_the_report() {
    let folder = Folder::new();
    folder.submission("conformance/reports/v1.9/acme-operator");
    let found = messages(&folder, "check --select report");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].contains("v1.5.1") && found[0].contains("its folder"),
        "{found:#?}"
    );
}

#[test]
fn a_profile_that_the_release_has_not_is_one_finding() {
    let folder = Folder::with_tree();
    let text = SAMPLE.replace("name: GATEWAY-TLS", "name: GATEWAY-TCP");
    assert_ne!(text, SAMPLE);
    folder.file(ACME_REPORT, text);
    let found = messages(&folder, "check --select report");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with("report/unknown-profile: "));
}

#[test]
fn diff_rejects_files_that_are_no_report() {
    let folder = Folder::with_tree();
    folder
        .file("empty.yaml", " \n")
        .file("other.yaml", "hello: 1\n");
    for (file, expected) in [
        (format!("{ACME}/README.md"), "not a ConformanceReport"),
        ("other.yaml".to_owned(), "not a ConformanceReport"),
        ("empty.yaml".to_owned(), "the file is empty"),
    ] {
        let output = folder.run(&format!("diff {file} {ACME}/{NAME}"));
        assert!(
            output.stderr.contains(expected),
            "{file}: {}",
            output.stderr
        );
    }
}

#[test]
fn an_unknown_patch_that_is_asked_for_is_the_one_that_is_expected() {
    let newer = GOOD.replace("bundle-version: v1.6.1", "bundle-version: v1.6.9");
    let same = resources(&newer, &["--release", "v1.6.9"]);
    assert!(!same.contains("resource/crd-version"), "{same}");
    assert!(same.contains("below v1.6.9, given by --release"), "{same}");
    let other = resources(GOOD, &["--release", "v1.6.9"]);
    assert!(
        other.contains("the CRDs belong to v1.6.1; expected v1.6.9"),
        "{other}"
    );
}

#[test]
fn crds_of_a_prerelease_are_compared_with_the_release_that_is_out() {
    let earlier = GOOD.replace("bundle-version: v1.6.1", "bundle-version: v1.6.1-rc.1");
    let found = resources(&earlier, &[]);
    assert!(
        found.contains("`v1.6.1-rc.1` is a prerelease; compared with v1.6.1"),
        "{found}"
    );
    let future = GOOD.replace("bundle-version: v1.6.1", "bundle-version: v1.8.0-rc.1");
    assert!(resources(&future, &[]).contains("newer than all known releases"));
}

#[test]
fn an_object_that_is_given_twice_counts_once() {
    let once = resources(GOOD, &[]);
    let twice = resources(&format!("{GOOD}\n---\n{GOOD}"), &[]);
    let passed_over =
        "not checked: <stdin>: 42 objects of the same kind and name as others in the input\n";
    assert!(twice.contains(passed_over), "{twice}");
    assert_eq!(twice.replace(passed_over, ""), once);
}

#[test]
fn the_copy_with_a_status_counts() {
    let folder = Folder::new();
    let class = "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: acme, generation: 1}\nspec: {controllerName: acme.example/gw}\n";
    let status = "status:\n  conditions:\n  - {type: Accepted, status: \"True\", reason: Accepted, message: \"\", observedGeneration: 1, lastTransitionTime: \"2026-01-01T00:00:00Z\"}\n";
    let in_order = |texts: [String; 2]| {
        folder
            .file("in/a.yaml", &texts[0])
            .file("in/b.yaml", &texts[1]);
        run(folder.path(), &["resources".to_owned(), "in".to_owned()]).stdout
    };
    let (plain, live) = (class.to_owned(), format!("{class}{status}"));
    let first = in_order([plain.clone(), live.clone()]);
    let second = in_order([live, plain]).replace("in/a.yaml", "in/b.yaml");
    assert_eq!(first, second);
    assert!(!first.contains("no conditions"), "{first}");
}

#[test]
fn a_missing_permission_is_one_finding() {
    let text = GOOD.replace("reason: RefNotPermitted", "reason: BackendNotFound");
    let found = resources(&text, &[]);
    assert!(
        found.contains("resource/reference-not-permitted"),
        "{found}"
    );
    assert!(!found.contains("resource/backend-not-found"), "{found}");
}

#[test]
fn a_generation_in_quotes_is_there_and_no_number() {
    let text = GOOD.replacen("observedGeneration: 1", "observedGeneration: \"1\"", 1);
    let found = resources(&text, &["--select", "resource/observed-generation"]);
    assert!(found.contains("not a number"), "{found}");
    assert!(!found.contains("has no `observedGeneration`"), "{found}");
}

fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2], mark: bool) -> Vec<u8> {
    let mark = mark.then_some(0xfeff);
    let units = mark.into_iter().chain(text.encode_utf16());
    units.flat_map(bytes).collect()
}

#[test]
fn names_the_type_of_files_that_are_not_yaml() {
    let log = "go: downloading k8s.io/api v0.35.0\n=== RUN   TestConformance\n--- PASS: TestConformance (1.00s)\n";
    let event =
        "{\"Time\":\"2026-03-20T10:15:30Z\",\"Action\":\"run\",\"Test\":\"TestConformance\"}\n";
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n";
    let colored = report().replace('\n', "\u{1b}[0m\n\u{1b}[32m");
    let logged = log.to_owned() + &report();
    let files: [(&str, Vec<u8>); 17] = [
        ("a ZIP archive", b"PK\x03\x04\x14\0\0\0\x08\0".to_vec()),
        ("a gzip file", b"\x1f\x8b\x08\0\0\0\0\0\0\x03".to_vec()),
        ("a log", log.into()),
        ("a log", logged.into()),
        ("a log", event.into()),
        ("a log", b"<?xml version=\"1.0\"?>\n<testsuites>\n".to_vec()),
        (
            "a log",
            log.replace("=== ", "2026-03-20T10:15:30.1Z === ").into(),
        ),
        (
            "a web page",
            b"\n<!DOCTYPE html>\n<html lang=en>\na: b".to_vec(),
        ),
        ("a Git LFS pointer", pointer.into()),
        ("terminal colors", format!("\u{1b}[32m{colored}").into()),
        (
            "Markdown",
            b"# Acme\n\n## Table of contents\n\n| a: b |\n".to_vec(),
        ),
        ("other text", format!("```yaml\n{}```\n", report()).into()),
        ("UTF-16", utf_16(&report(), u16::to_le_bytes, true)),
        ("UTF-16", utf_16(&report(), u16::to_be_bytes, true)),
        ("UTF-16", utf_16(&report(), u16::to_le_bytes, false)),
        ("UTF-16", utf_16(&report(), u16::to_be_bytes, false)),
        ("empty", Vec::new()),
    ];
    for (name, bytes) in files {
        let folder = Folder::with_tree();
        folder.file("lone.yaml", &bytes);
        let lone = messages(&folder, "check lone.yaml");
        assert!(
            lone.len() == 1 && lone[0].contains(name),
            "{name}: {lone:#?}"
        );
        let added = folder.run("add lone.yaml");
        assert_eq!(added.code, 1, "{name}");
        assert_eq!(added.stderr.matches("error[").count(), 1, "{added:?}");
        assert!(added.stderr.contains(name), "{name}: {added:?}");
    }
}

#[test]
fn a_report_behind_a_comment_is_not_another_file() {
    let folder = Folder::with_tree();
    for start in [
        "# Acme\n# === results: all\n\n",
        "\u{feff}",
        "---\n",
        "# a\n---\n",
    ] {
        folder.file("lone.yaml", start.to_owned() + &report());
        let found = messages(&folder, "check lone.yaml --severity error");
        assert_eq!(found, [""; 0], "{start:?}");
    }
}

#[test]
fn a_comment_does_not_make_a_report_a_log() {
    let folder = Folder::with_tree();
    let path = format!("conformance/reports/v1.5/acme-operator/{NAME}");
    folder.file(&path, format!("# === RUN   TestConformance\n{}", report()));
    assert_eq!(folder.findings("check --select text,yaml"), [""; 0]);
}

/// Findings of a report, as `rule: message; help`.
fn of_text(text: &str) -> Vec<String> {
    let folder = Folder::new();
    folder.file("report.yaml", text);
    messages(&folder, "check report.yaml")
}

/// The report as another YAML library writes it, which knows only the names of the fields in Go.
fn with_go_names(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(':') {
        Some(("apiVersion" | "kind", value)) => {
            format!(
                "  {}:{value}",
                line.split(':').next().unwrap().to_lowercase()
            )
        }
        Some(("profiles", _)) => "profilereports:".to_owned(),
        Some((key, value)) if !line.contains("\"") => format!("{}:{value}", key.to_lowercase()),
        _ => line.to_owned(),
    });
    let (types, rest): (Vec<String>, Vec<String>) =
        lines.partition(|line| line.starts_with("  apiversion") || line.starts_with("  kind"));
    format!("typemeta:\n{}\n{}\n", types.join("\n"), rest.join("\n"))
}

#[test]
fn another_writer_is_one_finding() {
    let right = report();
    let below = |key: &str, kept: &[&str]| {
        let is_kept = |line: &&str| kept.iter().any(|start| line.starts_with(start));
        let (top, rest): (Vec<&str>, Vec<&str>) = right.lines().partition(is_kept);
        let rest: Vec<String> = rest.iter().map(|line| format!("  {line}")).collect();
        format!(
            "{}\nmetadata:\n  name: acme\n{key}:\n{}\n",
            top.join("\n"),
            rest.join("\n")
        )
    };
    let top = ["apiVersion", "kind"];
    let first = "report/unknown-field: the fields of the report are below";
    let cases = [
        (
            with_go_names(&right),
            "report/field-case: another YAML library wrote the names of the fields: `typemeta`, `profilereports`, `gatewayapichannel` and `gatewayapiversion`",
        ),
        (
            right
                .replace("gatewayAPI", "gateway_api_")
                .replace("apiVersion", "api_version")
                .replace("Passed", "passed"),
            "report/field-case: another YAML library wrote the names of the fields",
        ),
        (below("spec", &top), first),
        (below("status", &["apiVersion", "kind", "date"]), first),
        (below("report", &top), first),
    ];
    for (text, expected) in cases {
        let found = of_text(&text);
        assert!(found[0].starts_with(expected), "{found:#?}\n{text}");
        assert_eq!(found.len(), 1, "{found:#?}\n{text}");
        // It gets no verdict.
        let folder = Folder::with_tree();
        folder.file(ACME_REPORT, text);
        let verdict = folder.json("certify")["implementations"].to_string();
        assert!(!verdict.contains("\"conformant\""), "{verdict}");
    }
    // What does not follow from the writer is still found.
    let partial = with_go_names(&right.replace("@acme/maintainers", "nobody"));
    let found = of_text(&partial);
    assert_eq!(found.len(), 2, "{found:#?}");
}

#[test]
fn a_report_inside_other_text_is_one_finding() {
    let right = report();
    let indented = |from: usize| -> String {
        let lines = right.lines().enumerate();
        lines
            .map(|(at, line)| match at >= from {
                true => format!("        {line}\n"),
                false => format!("{line}\n"),
            })
            .collect()
    };
    let pasted = "a report with other text around it";
    let cases = [
        (format!("```yaml\n{right}```\n"), pasted),
        (format!("{right}```\n"), pasted),
        (format!("Passing on main:\n\n```\n{right}```\n"), pasted),
        (format!("This is our report\n\n{right}"), pasted),
        (indented(0), "a report with indented lines, as in a log"),
        (indented(1), "a report with indented lines, as in a log"),
        (
            format!(
                "    conformance.go:135: Conformance report:\n{}",
                indented(0)
            ),
            "a log of `go test`",
        ),
    ];
    for (text, expected) in cases {
        let found = of_text(&text);
        assert_eq!(found.len(), 1, "{found:#?}\n{text}");
        let start = format!("text/other-format: the file is {expected}; expected a report in YAML");
        assert!(found[0].starts_with(&start), "{found:#?}\n{text}");
    }
    for right in [
        format!("# Written by hand and with care\n{right}"),
        format!("---\n{right}"),
        format!("\n\n{right}"),
    ] {
        let found = of_text(&right);
        assert!(
            !found.iter().any(|one| one.starts_with("text/other-format")),
            "{found:#?}"
        );
    }
}

/// Suites up to v1.0 wrote `TODO`, and the fields of their time.
#[test]
fn a_release_that_no_suite_has_is_one_error() {
    let report = |release: &str, version: &str| {
        let report = ReportBuilder::new().release(release).version(version);
        report.build()
    };
    let first = "TODO | v2.14.0 | `TODO` is not a release of the Gateway API: suites up to v1.0 write it; build the suite from tag v1.6.2";
    let cases = format!(
        "
        {first}
        UNDEFINED | v2.14.0 | `UNDEFINED` is not a release of the Gateway API; expected a release such as `v1.5.1`; run the suite again, without `--allow-crds-mismatch`
        v1.32.3 | v2.14.0 | v1.32.3 is not a release of the Gateway API, whose newest release is v1.6.2
        v0.9.0 | v2.0.0 | v0.9.0 is not a release of the Gateway API, whose newest release is v1.6.2
        v2.3.0 | v1.6.1 | v2.3.0 is not a release of the Gateway API, but the `version` v1.6.1 is; are `gatewayAPIVersion` and `version` swapped?
        v1.32.3 | v1.5.0 | v1.32.3 is not a release of the Gateway API, but the `version` v1.5.0 is; are `gatewayAPIVersion` and `version` swapped?
    "
    );
    for [release, version, expected] in rows(&cases) {
        let text = report(release, version).replace("mode:", "newField: 1\nmode:");
        let found = of_text(&text);
        let start = format!("report/gateway-api-version: {expected}");
        assert!(
            found.iter().any(|one| one.starts_with(&start)),
            "{found:#?}"
        );
        // The field is unknown, not new.
        let unknown = "report/unknown-field: unknown field `newField`";
        let is_known = found.iter().any(|one| one.starts_with(unknown));
        assert!(is_known, "{release}: {found:#?}");
    }
    let of_branch = of_text(&report("v0.0.0-dev", "v1.0.0").replace("mode:", "newField: 1\nmode:"));
    assert!(
        of_branch
            .iter()
            .any(|one| one.contains("may have added the field")),
        "{of_branch:#?}"
    );
    // Date rules stay on.
    let late = ReportBuilder::new()
        .release("v1.8.0")
        .date("2040-01-01T00:00:00Z")
        .build();
    assert!(
        of_text(&late)
            .iter()
            .any(|one| one.starts_with("report/date-in-future"))
    );
}

/// A clean report of a release candidate has one finding, whatever changed in later patches.
#[test]
fn a_release_candidate_is_compared_with_its_own_release() {
    for (release, features) in [("v1.4.0-rc.1", "v1.4.0"), ("v1.6.0-rc.2", "v1.6.0")] {
        let text = ReportBuilder::new().release(features).build();
        let before = of_text(&text);
        let found = of_text(&text.replace(features, release));
        let others: Vec<_> = found
            .iter()
            .filter(|one| !one.starts_with("report/prerelease"))
            .collect();
        let found_before: Vec<_> = before
            .iter()
            .map(|one| one.replace(features, release))
            .collect();
        assert_eq!(others.len(), found_before.len(), "{found:#?} {before:#?}");
    }
}

/// Every finding about a list of the report names what is in it, in each format.
#[test]
fn findings_about_lists_name_their_items() {
    const LISTS: [&str; 5] = [
        "skippedTests:",
        "failedTests:",
        "supportedFeatures:",
        "unsupportedFeatures:",
        "succeededProvisionalTests:",
    ];
    let mut seen = BTreeSet::new();
    for rule in rules::ALL.iter().filter(|rule| rule.group() == "report") {
        for (example, output) in page::examples_with_json(rule) {
            let Ok(json) = serde_json::from_str::<serde_json::Value>(&output.stdout) else {
                continue;
            };
            for finding in list(&json["findings"]) {
                let labels = finding["labels"].as_array().into_iter().flatten();
                for place in labels.chain([finding]) {
                    let file = example
                        .files
                        .iter()
                        .find(|file| place["path"] == file.path.as_str());
                    let line = place["line"].as_u64();
                    let (Some(file), Some(line)) = (file, line) else {
                        continue;
                    };
                    let lines: Vec<&str> = file.text.lines().collect();
                    let at = usize::try_from(line).unwrap() - 1;
                    let Some(key) = lines.get(at).map(|line| line.trim()) else {
                        continue;
                    };
                    let is_list = LISTS.contains(&key);
                    let items = lines.iter().skip(at + 1);
                    let items = items.map_while(|line| line.trim().strip_prefix("- "));
                    let items: Vec<&str> = items.collect();
                    if !is_list || items.is_empty() {
                        continue;
                    }
                    let shown = format!("{} {}", finding["message"], finding["labels"]);
                    let is_item = |name: &str| items.contains(&name);
                    // The list can lack what the finding names.
                    let registry = Registry::embedded();
                    let is_known = |name| {
                        let kinds = [NameKind::Feature, NameKind::Test];
                        kinds.iter().any(|kind| registry.is_known(*kind, name))
                    };
                    let mut names = shown.split('`').skip(1).step_by(2);
                    let is_named = names.any(|name| is_item(name) || is_known(name));
                    assert!(is_named, "{}: {shown}, not {items:?}", rule.id);
                    seen.insert(rule.id);
                }
            }
        }
    }
    assert!(seen.contains("report/failed-tests"), "{seen:?}");
    assert!(seen.len() > 2, "{seen:?}");
}
