//! Tests that no output contains the content of Secrets in cluster dumps.

use gwconform::print::Format;

use super::bounded::{Call, summary};
use super::support::folder::Folder;
use super::table::Case;

const CANARY: &str = "canary7f3a9e";

const AROUND: &str = include_str!("../integration/support/dump.yaml");

fn case(name: &str, what: &str, text: &'static str) -> Case {
    let text = text.replace("CANARY", CANARY);
    Case::new(name, what, move || {
        let folder = Folder::new();
        folder.file("alone.yaml", &text);
        folder.file("after.yaml", format!("{AROUND}---\n{text}"));
        folder.file("before.yaml", format!("{text}\n---\n{AROUND}"));
        for file in ["alone.yaml", "after.yaml", "before.yaml"] {
            for format in Format::ALL.map(Format::name) {
                let ran = Call::new(
                    folder.path(),
                    &format!("resources {file} -v --format {format}"),
                )
                .run();
                ran.lacks(CANARY);
            }
        }
        summary(&Call::new(folder.path(), "resources alone.yaml --format json").run())
    })
}

pub fn cases() -> Vec<Case> {
    let head = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  namespace: b\n";
    let with = |name: &str, what: &str, body: &str| {
        let text: &'static str = Box::leak(format!("{head}{body}").into_boxed_str());
        case(name, what, text)
    };
    vec![
        with("Secret", "as it should be", "data:\n  key: CANARY\n"),
        with(
            "Secret in the clear",
            "`stringData`",
            "stringData:\n  key: CANARY\n",
        ),
        with(
            "Secret in an annotation",
            "what `kubectl apply` keeps",
            "  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: '{\"data\": \"CANARY\"}'\n",
        ),
        with(
            "broken Secret: quote",
            "never closed",
            "data:\n  key: \"CANARY\n",
        ),
        with(
            "broken Secret: indentation",
            "a line too far left",
            "data:\n    a: b\n  CANARY: CANARY\n CANARY\n",
        ),
        with(
            "broken Secret: tab",
            "as indentation",
            "data:\n\tkey: CANARY\n",
        ),
        with(
            "broken Secret: control character",
            "in the value",
            "data:\n  key: CANARY\u{1}CANARY\n",
        ),
        with(
            "broken Secret: flow",
            "never closed",
            "data: {key: CANARY, CANARY\n",
        ),
        with(
            "broken Secret: unknown escape",
            "in the value",
            "data:\n  key: \"\\qCANARY\"\n",
        ),
        with(
            "Secret with an anchor",
            "named like its value",
            "data:\n  key: &CANARY CANARY\n  other: *CANARY\n",
        ),
        with(
            "Secret with an unknown alias",
            "named like its value",
            "data:\n  key: *CANARY\n",
        ),
        with(
            "Secret with a tag",
            "named like its value",
            "data:\n  key: !CANARY x\n",
        ),
        with(
            "Secret with equal keys",
            "named like its value",
            "data:\n  CANARY: x\n  CANARY: y\n",
        ),
        with(
            "Secret with a merge key",
            "of its value",
            "data:\n  <<: {CANARY: CANARY}\n",
        ),
        with(
            "Secret with what YAML readers read differently",
            "a number of base 8",
            "data:\n  key: 0777\n  CANARY: yes\n",
        ),
        with("Secret with a wrong type", "a list", "data: [CANARY]\n"),
        with(
            "Secret with a bad name",
            "that is its value",
            "data:\n  a: b\nmetadata:\n  name: CANARY/CANARY\n",
        ),
        case(
            "Secret in a list",
            "`kind: List`",
            "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: a}\n  data: {key: &CANARY CANARY}\n",
        ),
        case(
            "Secrets in a list",
            "`kind: SecretList`",
            "apiVersion: v1\nkind: SecretList\nitems:\n- metadata: {name: a}\n  data: {key: &CANARY CANARY}\n",
        ),
        case(
            "Secret in JSON",
            "cut off",
            "{\"apiVersion\": \"v1\", \"kind\": \"Secret\", \"data\": {\"key\": \"CANARY",
        ),
        case(
            "kind behind the value",
            "data come first",
            "data:\n  key: &CANARY CANARY\n  k: *CANARY\nkind: Secret\napiVersion: v1\n",
        ),
        case(
            "kind that is never read",
            "broken before it",
            "data:\n  key: \"CANARY\nkind: Secret\napiVersion: v1\n",
        ),
        case(
            "Secret of another spelling",
            "`kind: secret`",
            "apiVersion: v1\nkind: secret\ndata:\n  key: &CANARY CANARY\n",
        ),
        case(
            "Secret with two kinds",
            "the last one counts to most readers",
            "apiVersion: v1\nkind: Secret\nkind: Gateway\ndata:\n  key: &CANARY CANARY\n",
        ),
        case(
            "Secret behind a broken object",
            "nothing says what it is",
            "kind: Gateway\nspec: \"\n---\nkind: Secret\ndata:\n  key: CANARY\n",
        ),
    ]
}
