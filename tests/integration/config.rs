//! Tests lookup, effects, and error messages of gwconform.toml.

use crate::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, NAME, README};
use crate::support::report::ReportBuilder;
use crate::support::{NONE, has};

const REPORTS: &str = "conformance/reports";

fn with_findings() -> Folder {
    let folder = Folder::with_tree();
    folder.acme("notes.txt", "x");
    folder.file(ACME_REPORT, ReportBuilder::new().date("-").build());
    folder
}

fn severities(folder: &Folder, arguments: &str) -> Vec<String> {
    folder.found(arguments, "{severity} {rule}")
}

#[test]
fn a_rule_or_its_group_can_be_another_severity_or_off() {
    let folder = with_findings();
    let found = |arguments: &str| severities(&folder, arguments).join(", ");
    assert_eq!(found("check"), "warning tree/stray-file, error report/date");
    folder.config("[rules]\n\"report/date\" = \"info\"\ntree = \"error\"\n");
    assert_eq!(found("check"), "error tree/stray-file, info report/date");
    folder.config(
        "[rules]\ntree = \"off\"\n\"tree/stray-file\" = \"info\"\n\"report/date\" = \"off\"\n",
    );
    assert_eq!(found("check"), "info tree/stray-file");
    let both = found("check --select report/date,tree/stray-file");
    assert_eq!(both, "info tree/stray-file, error report/date");
    assert_eq!(found("check --ignore tree"), "");
}

#[test]
fn strict_makes_errors_unless_the_configuration_says_otherwise() {
    let folder = Folder::with_tree();
    folder.rename(ACME_REPORT, &format!("{ACME}/default-report.yaml"));
    folder.file(ACME_README, README.replace(NAME, "default-report.yaml"));
    let of = |arguments: &str| severities(&folder, &format!("{arguments} --select tree/file-name"));
    assert_eq!(of("check"), ["warning tree/file-name"]);
    assert_eq!(of("check --strict"), ["error tree/file-name"]);
    folder.config("[rules]\n\"tree/file-name\" = \"info\"\n");
    assert_eq!(of("check --strict"), ["info tree/file-name"]);
}

#[test]
fn an_entry_leaves_out_a_rule_below_a_path_and_must_be_used() {
    let folder = with_findings();
    folder.config(
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
    let unused = "config/unused-ignore gwconform.toml 8:8".to_owned();
    let found = [format!("report/date {ACME_REPORT} 2:7"), unused];
    assert_eq!(folder.findings("check"), found);
    let text = folder.run("check").stdout;
    assert!(
        text.ends_with("(1 release), 1 finding ignored by gwconform.toml\n"),
        "{text}"
    );
    // An `ignore` entry is not reported as unused if the check covers only a part of the tree or
    // other rules.
    assert_eq!(
        folder.findings(&format!("check {REPORTS}/v1.5 --select tree")),
        NONE
    );
    assert_eq!(folder.findings("check --select text,config"), NONE);
    // Paths are relative to the configuration's folder, not to the current folder.
    let output = folder.run_in(ACME, "check . --select tree");
    output.stdout_has("1 finding ignored");
}

#[test]
fn finds_the_configuration_up_to_the_repository_root() {
    let folder = Folder::new();
    folder.file("outer/gwconform.toml", "[rules]\ntree = \"off\"\n");
    folder.submission("outer/repository/reports/v1.5/acme-operator");
    folder.file("outer/repository/reports/v1.5/acme-operator/notes.txt", "x");
    let command = "check outer/repository/reports";
    assert_eq!(folder.findings(command), NONE);
    folder.file("outer/repository/.git/HEAD", "");
    let found = ["tree/stray-file reports/v1.5/acme-operator/notes.txt"];
    assert_eq!(folder.findings(command), found);
    let named = format!("{command} --config outer/gwconform.toml");
    assert_eq!(folder.findings(&named), NONE);
    folder.file("outer/repository/reports/gwconform.toml", "");
    folder.ok(command);
}

#[test]
fn findings_link_to_the_pages_that_docs_url_names() {
    let folder = with_findings();
    let default = folder.json("check")["findings"][1]["rule_url"].take();
    assert_eq!(default.is_null(), gwconform_base::repository().is_none());
    folder.config("docs-url = \"https://acme.example/rules/\"\n");
    let page = folder.json("check")["findings"][1]["rule_url"].take();
    assert_eq!(page, "https://acme.example/rules/report/date/");
}

fn complaint(text: &str) -> String {
    let folder = with_findings();
    folder.config(text);
    folder.run("check").fails(2)
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
    folder.config(&own);
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
    let implementation = |aliases: usize| {
        let aliases = "\"a/b\",".repeat(aliases);
        format!(
            "[[implementation]]\norganization = \"a\"\nproject = \"b\"\naliases = [{aliases}]\n"
        )
    };
    let texts = [
        ignore(&"?".repeat(1025)),
        ignore(&"a".repeat(500_000)),
        ignore("x").repeat(501),
        implementation(0).repeat(501),
        implementation(501),
    ];
    let complaints = texts.map(|text| {
        let text = complaint(&text);
        let lines: Vec<&str> = text.lines().take(2).map(str::trim).collect();
        lines.join(" ")
    });
    insta::assert_snapshot!(complaints.join("\n"), @"
    error[config]: the path has 1025 bytes; expected at most 1024 --> gwconform.toml:3:8
    error[config]: the path has 500000 bytes; expected at most 1024 --> gwconform.toml:3:8
    error[config]: 501 entries of `ignore`; expected at most 500 --> gwconform.toml:2002:8
    error[config]: 501 entries of `implementation`; expected at most 500 --> gwconform.toml:1:1
    error[config]: 501 aliases; expected at most 500 --> gwconform.toml:1:1
    ");
    let rules: String = (0..501).map(|nth| format!("r{nth} = \"off\"\n")).collect();
    let first = complaint(&format!("[rules]\n{rules}"));
    has(first.lines().next().unwrap(), "501 entries of `rules`");
    // The matcher rejects these patterns, including unbounded counts, classes and groups.
    let (groups, stars) = ("{a,b}".repeat(200), "*?".repeat(512));
    for path in ["[", "{a", "a{b,{c,{d}", "[z-a]", &groups, &stars] {
        let folder = with_findings();
        folder.config(ignore(path));
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
    folder.config(text.replace("readme = \"warning\"\n", ""));
    assert_eq!(folder.run("check").code, 1);
    let schema = serde_json::from_str(&folder.run("schema config").stdout).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let value: serde_json::Value = toml::from_str(text).unwrap();
    assert!(validator.is_valid(&value));
    let wrong: serde_json::Value = toml::from_str("[rules]\nreadme = \"fatal\"\n").unwrap();
    assert!(!validator.is_valid(&wrong));
    assert!(README.contains("Acme"));
    let script = text.replace("https://acme.example/docs", "javascript:alert(1)");
    folder.config(script.replace("readme = \"warning\"\n", ""));
    let output = folder.run("check").exits(2);
    output.stderr_has("`javascript:alert(1)` is not a web address");
}
