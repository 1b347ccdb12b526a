//! Tests that no output contains the content of Secrets in cluster dumps.

use gwconform::print::Format;

use super::bounded::{Call, summary};
use super::support::folder::Folder;
use super::support::{one_in, rows};

use super::table::Case;

const CANARY: &str = "canary7f3a9e";

const AROUND: &str = include_str!("../integration/support/dump.yaml");

fn case(name: &str, what: &str, text: &str) -> Case {
    let text = text.replace("CANARY", CANARY);
    Case::new(name, what, move || {
        let folder = Folder::new();
        folder.file("alone.yaml", &text);
        folder.file("after.yaml", format!("{AROUND}---\n{text}"));
        folder.file("before.yaml", format!("{text}\n---\n{AROUND}"));
        // Without `GWCONFORM_LONG`, each file is printed in another third of the formats. The third
        // depends on the text.
        let step = one_in(3);
        for (nth, file) in ["alone.yaml", "after.yaml", "before.yaml"]
            .iter()
            .enumerate()
        {
            let formats = Format::ALL.map(Format::name).into_iter();
            for format in formats.skip((nth + text.len()) % step).step_by(step) {
                let command = format!("resources {file} --all --format {format}");
                Call::new(folder.path(), &command).run().lacks(CANARY);
            }
        }
        summary(&Call::new(folder.path(), "resources alone.yaml --format json").run())
    })
}

pub fn cases() -> Vec<Case> {
    let head = "apiVersion: v1⏎kind: Secret⏎metadata:⏎  name: a⏎  namespace: b⏎";
    // Name, what is special, and the text with `⏎` for the end of a line. `+` follows the head.
    let table = r#"
        Secret | as it should be | +data:⏎  key: CANARY⏎
        Secret in the clear | `stringData` | +stringData:⏎  key: CANARY⏎
        Secret in an annotation | what `kubectl apply` keeps | +  annotations:⏎    kubectl.kubernetes.io/last-applied-configuration: '{"data": "CANARY"}'⏎
        broken Secret: quote | never closed | +data:⏎  key: "CANARY⏎
        broken Secret: indentation | a line too far left | +data:⏎    a: b⏎  CANARY: CANARY⏎ CANARY⏎
        broken Secret: tab | as indentation | +data:⏎→key: CANARY⏎
        broken Secret: control character | in the value | +data:⏎  key: CANARY␁CANARY⏎
        broken Secret: flow | never closed | +data: {key: CANARY, CANARY⏎
        broken Secret: unknown escape | in the value | +data:⏎  key: "\qCANARY"⏎
        Secret with an anchor | named like its value | +data:⏎  key: &CANARY CANARY⏎  other: *CANARY⏎
        Secret with an unknown alias | named like its value | +data:⏎  key: *CANARY⏎
        Secret with a tag | named like its value | +data:⏎  key: !CANARY x⏎
        Secret with equal keys | named like its value | +data:⏎  CANARY: x⏎  CANARY: y⏎
        Secret with a merge key | of its value | +data:⏎  <<: {CANARY: CANARY}⏎
        Secret with what YAML readers read differently | a number of base 8 | +data:⏎  key: 0777⏎  CANARY: yes⏎
        Secret with a wrong type | a list | +data: [CANARY]⏎
        Secret with a bad name | that is its value | +data:⏎  a: b⏎metadata:⏎  name: CANARY/CANARY⏎
        Secret in a list | `kind: List` | apiVersion: v1⏎kind: List⏎items:⏎- apiVersion: v1⏎  kind: Secret⏎  metadata: {name: a}⏎  data: {key: &CANARY CANARY}⏎
        Secrets in a list | `kind: SecretList` | apiVersion: v1⏎kind: SecretList⏎items:⏎- metadata: {name: a}⏎  data: {key: &CANARY CANARY}⏎
        Secret in JSON | cut off | {"apiVersion": "v1", "kind": "Secret", "data": {"key": "CANARY
        kind behind the value | data come first | data:⏎  key: &CANARY CANARY⏎  k: *CANARY⏎kind: Secret⏎apiVersion: v1⏎
        kind that is never read | broken before it | data:⏎  key: "CANARY⏎kind: Secret⏎apiVersion: v1⏎
        Secret of another spelling | `kind: secret` | apiVersion: v1⏎kind: secret⏎data:⏎  key: &CANARY CANARY⏎
        Secret with two kinds | the last one counts to most readers | apiVersion: v1⏎kind: Secret⏎kind: Gateway⏎data:⏎  key: &CANARY CANARY⏎
        Secret behind a broken object | nothing says what it is | kind: Gateway⏎spec: "⏎---⏎kind: Secret⏎data:⏎  key: CANARY⏎
    "#;
    let case = |[name, what, text]: [&str; 3]| {
        let text = text.replacen('+', head, 1).replace('⏎', "\n");
        case(name, what, &text.replace('→', "\t").replace('␁', "\u{1}"))
    };
    rows(table).into_iter().map(case).collect()
}
