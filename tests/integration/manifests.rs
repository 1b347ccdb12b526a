//! Tests that `gwconform resources` reads YAML that people and charts write for `kubectl`. Reports
//! accept less syntax.

use std::fmt::Write as _;

use crate::resources::findings;
use crate::support::folder::Folder;
use gwconform_yaml::{MAX_NODES, Yaml, YamlIssueKind, load, load_manifests};
use serde_json::{Value, json};

/// Returns a GatewayClass with a mistake, so that a finding proves that the class was read.
fn class(name: &str) -> String {
    format!(
        "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {{name: {name}}}\nspec: {{controllerName: {name}}}\n"
    )
}

fn of_class(name: &str) -> String {
    format!("error resource/controller-name: `{name}` is not a domain-prefixed path")
}

fn kinds(yaml: &Yaml<'_>) -> Vec<YamlIssueKind> {
    yaml.issues.iter().map(|issue| issue.kind).collect()
}

fn json_of(text: &str) -> Value {
    let yaml = load_manifests(text, 100_000);
    let root = yaml.documents[0].root.expect("a document");
    yaml.to_json(root)
}

#[test]
fn a_quoted_text_may_go_on_in_a_line_that_is_not_indented_deeper() {
    let text = "\
a:
  b: 'one
  two
  three'
  c: |-
    d: 'not
    closed
  e: \"four
five\" # why
f: 'it''s
  six'
";
    let expected = json!({
        "a": {"b": "one two three", "c": "d: 'not\nclosed", "e": "four five"},
        "f": "it's six",
    });
    let yaml = load_manifests(text, 1000);
    assert_eq!(json_of(text), expected);
    assert_eq!((yaml.unread, yaml.issues), (vec![], vec![]));
    // kubectl's YAML parser belongs to the libyaml family.
    let libyaml: Value = serde_yaml::from_str(text).unwrap();
    assert_eq!(libyaml, expected);
    // The suite never writes such YAML, so reports reject it.
    assert_eq!(kinds(&load(text)), [YamlIssueKind::Syntax]);
    let text = format!(
        "{}# more\n",
        class("acme").replace("metadata:", "note: 'a\nb'\nmetadata:")
    );
    let folder = Folder::new();
    folder.file("dump.yaml", text);
    assert_eq!(
        folder.findings("resources dump.yaml"),
        ["resource/controller-name dump.yaml 6:24"]
    );
}

#[test]
fn aliases_and_merge_keys_are_followed_in_their_document() {
    let text = "\
base: &base {a: 1, b: 2}
list: &list [x, &y z]
copy: *list
both: {<<: *base, b: 3, c: *y}
first: {<<: [{a: 7}, *base]}
";
    let expected = json!({
        "base": {"a": 1, "b": 2},
        "list": ["x", "z"],
        "copy": ["x", "z"],
        "both": {"a": 1, "b": 3, "c": "z"},
        "first": {"a": 7, "b": 2},
    });
    assert_eq!(json_of(text), expected);
    let unknown = load_manifests("a: &a b\n---\nc: *a\n", 100);
    assert!(kinds(&unknown).contains(&YamlIssueKind::Alias));
    let own = load_manifests("a: &a [*a]\n", 100);
    assert_eq!(kinds(&own), [YamlIssueKind::Anchor, YamlIssueKind::Alias]);
    let text = load_manifests("a: {<<: b}\n", 100);
    assert_eq!(kinds(&text), [YamlIssueKind::MergeKey]);
    let class = "apiVersion: &v gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: &n acme}\nspec: {controllerName: *n}\n";
    assert_eq!(findings(class, ""), [of_class("acme")]);
    assert_eq!(
        kinds(&load(class)),
        [
            YamlIssueKind::Anchor,
            YamlIssueKind::Anchor,
            YamlIssueKind::Alias
        ]
    );
}

#[test]
fn bounds_the_expansion_of_aliases() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..20 {
        let below = format!("*a{}, ", level - 1).repeat(9);
        let _ = writeln!(bomb, "a{level}: &a{level} [{below}]");
    }
    let yaml = load_manifests(&bomb, 100_000);
    let found = kinds(&yaml);
    let aliases = found.iter().filter(|kind| **kind == YamlIssueKind::Alias);
    assert_eq!(aliases.count(), 1, "one for the document");
    let text = yaml.to_json(yaml.documents[0].root.unwrap()).to_string();
    assert!(text.len() < 8 * MAX_NODES, "{}", text.len());
    let found = findings(&format!("{bomb}---\n{}", class("acme")), "");
    assert!(found.contains(&of_class("acme")), "{found:?}");
}

#[test]
fn continues_with_the_next_document_after_a_syntax_error() {
    let (one, two, three) = (class("one"), class("two"), class("three"));
    for broken in [
        "a: 'b\n",
        "a: [b\n",
        "a: b: c\n",
        "'\n",
        "}\n",
        "- a\nb: c\n",
    ] {
        let text = format!("{one}---\n{broken}---\n{two}---\n{broken}--- # next\n{three}");
        let found = findings(&text, "");
        let named: Vec<&str> = found.iter().map(String::as_str).collect();
        let unreadable = named.iter().filter(|text| text.contains("unreadable"));
        assert_eq!(unreadable.count(), 2, "{broken}: {named:?}");
        for name in ["one", "two", "three"] {
            assert!(found.contains(&of_class(name)), "{broken}: {named:?}");
        }
    }
    // The `kind` field may come after the syntax error, so the part before the error is not used.
    let cut = format!("{}x: [\n---\n{two}", class("one"));
    assert!(!findings(&cut, "").contains(&of_class("one")));
}

#[test]
fn a_template_of_helm_is_named_once_for_each_file() {
    let template = "\
{{- if .Values.enabled }}
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata:
  name: {{ .Values.name }}
{{- end }}
";
    let unquoted = "apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}\n";
    let message = "error resource/unreadable: a Helm template, which is not YAML".to_owned();
    let own = class("acme");
    for text in [
        template.to_owned(),
        format!("{own}---\n{template}---\n{unquoted}---\n{template}"),
        unquoted.to_owned(),
    ] {
        let found = findings(&text, "");
        assert_eq!(
            found.iter().filter(|text| **text == message).count(),
            1,
            "{found:?}"
        );
        assert!(
            !found.iter().any(|text| text.contains("valid YAML")),
            "{found:?}"
        );
    }
    let folder = Folder::new();
    folder.file("chart/templates/a.yaml", template);
    let output = folder.run("resources chart");
    output.stdout_has("render the chart first: `helm template . | gwconform resources -`");
    // A quoted template is a string.
    let text = format!("{own}metadata2: '{{{{ x }}}}'\n");
    assert_eq!(findings(&text, ""), [of_class("acme")]);
    // Templates are not reported if another error makes the document unreadable.
    let alert = "kind: ConfigMap\ndata:\n  rule: 'job {{ $labels.job }}'\n  other: [a\n  bad: b\n";
    let found = findings(alert, "");
    assert!(!found.contains(&message), "{found:?}");
    assert!(found[0].contains("closing `]`"), "{found:?}");
}

#[test]
fn a_folder_is_all_its_files_in_order() {
    let folder = Folder::new();
    folder
        .file("dump/b.yml", class("b"))
        .file("dump/a/c.json", "{\"apiVersion\": \"gateway.networking.k8s.io/v1\", \"kind\": \"GatewayClass\", \"metadata\": {\"name\": \"c\"}, \"spec\": {\"controllerName\": \"c\"}}")
        .file("dump/a.yaml", class("a"))
        .file("dump/a/.git/d.yaml", class("d"))
        .file("dump/notes.md", "# e\n")
        .file("none/notes.md", "# e\n");
    assert_eq!(
        folder.findings("resources dump"),
        [
            "resource/controller-name dump/a.yaml 4:24",
            "resource/controller-name dump/a/c.json 1:126",
            "resource/controller-name dump/b.yml 4:24",
        ]
    );
    let output = folder.run("resources none");
    assert_eq!(
        (output.code, output.stderr.as_str()),
        (
            3,
            "error: no object of the Gateway API in 0 files; expected files .yaml, .yml or .json; to accept this, pass --allow-empty\n"
        )
    );
}
