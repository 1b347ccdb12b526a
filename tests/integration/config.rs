//! Tests lookup, effects, and error messages of gwconform.toml.

use crate::support::folder::{Folder, NAME, README, report};
use crate::support::lines;

const REPORTS: &str = "conformance/reports";

fn with_findings() -> Folder {
    let folder = Folder::with_tree();
    folder
        .file(&format!("{REPORTS}/v1.5/acme-operator/notes.txt"), "x")
        .file(
            &format!("{REPORTS}/v1.5/acme-operator/{NAME}"),
            report().replace("2026-05-20T10:15:30Z", "-"),
        );
    folder
}

fn severities(folder: &Folder, arguments: &str) -> Vec<String> {
    lines(&folder.json(arguments)["findings"], "{severity} {rule}")
}

#[test]
fn a_rule_or_its_group_can_be_another_severity_or_off() {
    let folder = with_findings();
    let both = ["warning tree/stray-file", "error report/date"];
    assert_eq!(severities(&folder, "check"), both);
    folder.file(
        "gwconform.toml",
        "[rules]\n\"report/date\" = \"info\"\ntree = \"error\"\n",
    );
    assert_eq!(
        severities(&folder, "check"),
        ["error tree/stray-file", "info report/date"]
    );
    folder.file(
        "gwconform.toml",
        "[rules]\ntree = \"off\"\n\"tree/stray-file\" = \"info\"\n\"report/date\" = \"off\"\n",
    );
    assert_eq!(severities(&folder, "check"), ["info tree/stray-file"]);
    assert_eq!(
        severities(&folder, "check --select report/date,tree/stray-file"),
        ["info tree/stray-file", "error report/date"]
    );
    assert_eq!(
        severities(&folder, "check --ignore tree"),
        Vec::<String>::new()
    );
}

#[test]
fn strict_makes_errors_unless_the_configuration_says_otherwise() {
    let folder = Folder::with_tree();
    let submission = format!("{REPORTS}/v1.5/acme-operator");
    std::fs::rename(
        folder.path().join(&submission).join(NAME),
        folder.path().join(&submission).join("default-report.yaml"),
    )
    .unwrap();
    let readme = README.replace(NAME, "default-report.yaml");
    folder.file(&format!("{submission}/README.md"), readme);
    let of = |arguments: &str| severities(&folder, &format!("{arguments} --select tree/file-name"));
    assert_eq!(of("check"), ["warning tree/file-name"]);
    assert_eq!(of("check --strict"), ["error tree/file-name"]);
    folder.file("gwconform.toml", "[rules]\n\"tree/file-name\" = \"info\"\n");
    assert_eq!(of("check --strict"), ["info tree/file-name"]);
}

#[test]
fn an_entry_leaves_out_a_rule_below_a_path_and_must_be_used() {
    let folder = with_findings();
    folder.file(
        "gwconform.toml",
        "\
[[ignore]]
rule = \"tree/stray-file\"
path = \"conformance/reports/*/acme-operator\"
reason = \"notes of ours\"

[[ignore]]
rule = \"report/date\"
path = \"conformance/reports/v1.4.0\"
reason = \"gone by now\"
",
    );
    assert_eq!(
        folder.findings("check"),
        [
            format!("report/date {REPORTS}/v1.5/acme-operator/{NAME} 2:7"),
            "config/unused-ignore gwconform.toml 8:8".to_owned(),
        ]
    );
    assert!(
        folder
            .run("check")
            .stdout
            .ends_with("(1 release), 1 finding ignored by gwconform.toml\n")
    );
    // An `ignore` entry is not reported as unused if the check covers only a part of the tree or
    // other rules.
    assert_eq!(
        folder.findings(&format!("check {REPORTS}/v1.5 --select tree")),
        Vec::<String>::new()
    );
    assert_eq!(
        folder.findings("check --select text,config"),
        Vec::<String>::new()
    );
    // Paths are relative to the configuration's folder, not to the current folder.
    let inside = folder.path().join(format!("{REPORTS}/v1.5/acme-operator"));
    let output = crate::support::run(
        &inside,
        &["check".into(), ".".into(), "--select".into(), "tree".into()],
    );
    output.stdout_has("1 finding ignored");
}

#[test]
fn finds_the_configuration_up_to_the_repository_root() {
    let folder = Folder::new();
    folder.file("outer/gwconform.toml", "[rules]\ntree = \"off\"\n");
    folder.submission("outer/repository/reports/v1.5/acme-operator");
    folder.file("outer/repository/reports/v1.5/acme-operator/notes.txt", "x");
    assert_eq!(
        folder.findings("check outer/repository/reports"),
        Vec::<String>::new()
    );
    folder.file("outer/repository/.git/HEAD", "");
    let found = ["tree/stray-file reports/v1.5/acme-operator/notes.txt"];
    assert_eq!(folder.findings("check outer/repository/reports"), found);
    assert_eq!(
        folder.findings("check outer/repository/reports --config outer/gwconform.toml"),
        Vec::<String>::new()
    );
    folder.file("outer/repository/reports/gwconform.toml", "");
    assert_eq!(folder.run("check outer/repository/reports").code, 0);
}

#[test]
fn findings_link_to_the_pages_that_docs_url_names() {
    let folder = with_findings();
    assert!(folder.json("check")["findings"][1]["rule_url"].is_null());
    folder.file(
        "gwconform.toml",
        "docs-url = \"https://acme.example/rules/\"\n",
    );
    assert_eq!(
        folder.json("check")["findings"][1]["rule_url"],
        "https://acme.example/rules/report/date/"
    );
}

fn complaint(text: &str) -> String {
    let folder = with_findings();
    folder.file("gwconform.toml", text);
    let output = folder.run("check");
    assert_eq!(
        (output.stdout.as_str(), output.code),
        ("", 2),
        "{}",
        output.stderr
    );
    output.stderr
}

#[test]
fn locates_errors_of_the_configuration() {
    insta::assert_snapshot!(complaint("[rules]\n\"report/dat\" = \"error\"\n"));
    insta::assert_snapshot!(complaint("[rules]\n\"report/date\" = \"fatal\"\n"));
    insta::assert_snapshot!(complaint("doc-url = \"https://acme.example\"\n"));
    insta::assert_snapshot!(complaint("docs-url = \"acme.example\"\n"));
    insta::assert_snapshot!(complaint(
        "[[ignore]]\nrule = \"report/date\"\npath = \"x\"\n"
    ));
    insta::assert_snapshot!(complaint(
        "[[ignore]]\nrule = \"report\"\npath = \"a[\"\nreason = \" \"\n"
    ));
    insta::assert_snapshot!(complaint(
        "[policy]\nnewest-minor = \"1.6\"\nnext-review = \"soon\"\n"
    ));
    insta::assert_snapshot!(complaint("[policy\n"));
}

fn entry(organization: &str, project: &str, aliases: &str) -> String {
    format!(
        "[[implementation]]\norganization = '{organization}'\nproject = '{project}'\naliases = [{aliases}]\n"
    )
}

#[test]
fn rejects_aliases_that_are_no_name() {
    let aliases = "'acmeinc/operator', 'acmeinc-gate', 'old', '/gate', 'acmeinc/ '";
    insta::assert_snapshot!(complaint(&entry("acme", "operator", aliases)));
}

/// Names that differ only in case and punctuation are one implementation.
#[test]
fn rejects_names_in_several_entries() {
    let own = entry(
        "acme",
        "operator",
        "'Acme/Oper-ator', 'old/gate', 'old/gate'",
    );
    let folder = with_findings();
    folder.file("gwconform.toml", &own);
    assert_eq!(folder.run("check").code, 1);
    for other in [
        entry("Acme", "oper.ator", ""),
        entry("umbrella", "gate", "'ac me/operator'"),
        entry("Old", "gate", ""),
        entry("umbrella", "gate", "'umbrella/gate', 'OLD/gate'"),
    ] {
        insta::assert_snapshot!(complaint(&format!("{own}{other}")));
    }
}

#[test]
fn rejects_oversized_lists_at_their_position() {
    let ignore = |path: &str| {
        format!("[[ignore]]\nrule = \"report/date\"\npath = \"{path}\"\nreason = \"x\"\n")
    };
    let complaint = |text: &str| {
        let text = complaint(text);
        let lines: Vec<&str> = text.lines().take(2).map(str::trim).collect();
        lines.join(" ")
    };
    assert_eq!(
        complaint(&ignore(&"?".repeat(1025))),
        "error[config]: the path has 1025 bytes; expected at most 1024 --> gwconform.toml:3:8"
    );
    assert_eq!(
        complaint(&ignore(&"a".repeat(500_000))),
        "error[config]: the path has 500000 bytes; expected at most 1024 --> gwconform.toml:3:8"
    );
    assert_eq!(
        complaint(&ignore("x").repeat(501)),
        "error[config]: 501 entries of `ignore`; expected at most 500 --> gwconform.toml:2002:8"
    );
    let implementation = |aliases: usize| {
        let aliases = "\"a/b\",".repeat(aliases);
        format!(
            "[[implementation]]\norganization = \"a\"\nproject = \"b\"\naliases = [{aliases}]\n"
        )
    };
    assert_eq!(
        complaint(&implementation(0).repeat(501)),
        "error[config]: 501 entries of `implementation`; expected at most 500 --> gwconform.toml:1:1"
    );
    assert_eq!(
        complaint(&implementation(501)),
        "error[config]: 501 aliases; expected at most 500 --> gwconform.toml:1:1"
    );
    let rules: String = (0..501).map(|nth| format!("r{nth} = \"off\"\n")).collect();
    assert!(complaint(&format!("[rules]\n{rules}")).contains("501 entries of `rules`"));
    // The matcher rejects these patterns, including unbounded counts, classes and groups.
    for path in [
        "[",
        "{a",
        "a{b,{c,{d}",
        "[z-a]",
        &"{a,b}".repeat(200),
        &"*?".repeat(512),
    ] {
        let folder = with_findings();
        folder.file("gwconform.toml", ignore(path));
        let output = folder.run("check");
        assert!([1, 2].contains(&output.code), "{path}: {output:?}");
        assert!(!output.stderr.contains("panicked"), "{path}: {output:?}");
    }
}

#[test]
fn a_full_configuration_is_read_and_fits_its_schema() {
    let text = "\
docs-url = \"https://acme.example/rules\"
site-url = \"https://acme.example\"

[rules]
readme = \"warning\"
\"report/date\" = \"error\"

[[ignore]]
rule = \"tree/stray-file\"
path = \"conformance/reports/v1.5/acme-operator/notes.txt\"
reason = \"notes of ours\"

[policy]
conformant-minors = 2
partially-conformant-minors = 3
newest-minor = \"v1.6\"
next-review = \"2027-01-15\"

[[implementation]]
organization = \"acme\"
project = \"operator\"
name = \"Acme Operator\"
description = \"An operator.\"
url = \"https://acme.example/docs\"
aliases = [\"acmeinc/operator\"]
";
    let folder = with_findings();
    folder.file("gwconform.toml", text.replace("readme = \"warning\"\n", ""));
    assert_eq!(folder.run("check").code, 1);
    let schema = serde_json::from_str(&folder.run("schema config").stdout).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let value: serde_json::Value = toml::from_str(text).unwrap();
    assert!(validator.is_valid(&value));
    let wrong: serde_json::Value = toml::from_str("[rules]\nreadme = \"fatal\"\n").unwrap();
    assert!(!validator.is_valid(&wrong));
    assert!(README.contains("Acme"));
    let script = text.replace("https://acme.example/docs", "javascript:alert(1)");
    folder.file(
        "gwconform.toml",
        script.replace("readme = \"warning\"\n", ""),
    );
    let output = folder.run("check");
    assert_eq!(output.code, 2);
    output.stderr_has("`javascript:alert(1)` is not a web address");
}
