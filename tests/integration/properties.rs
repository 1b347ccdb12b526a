//! Changes single characters of valid submissions. Nothing may panic, hang, or report a wrong
//! position.

use crate::support::folder::{NAME, README, report};
use crate::support::has_time;
use crate::support::promises::{check_dump, check_submission, fix_submission};
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Change {
    Delete,
    Double,
    Replace(u8),
    Insert(&'static str),
    Cut,
}

fn change() -> impl Strategy<Value = Change> {
    let texts = [
        "\u{202e}", "\r\n", "\0", "&a ", "*a", "- ", "? ", "|", "`", "<!--", "[", "](", "%2e%2e/",
        "\t", "\u{2028}", "---\n", ": ",
    ];
    prop_oneof![
        Just(Change::Delete),
        Just(Change::Double),
        any::<u8>().prop_map(Change::Replace),
        proptest::sample::select(texts.to_vec()).prop_map(Change::Insert),
        Just(Change::Cut),
    ]
}

fn apply(text: &str, at: usize, change: &Change) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let at = at % bytes.len();
    match change {
        Change::Delete => drop(bytes.remove(at)),
        Change::Double => bytes.insert(at, bytes[at]),
        Change::Replace(byte) => bytes[at] = *byte,
        Change::Insert(text) => drop(bytes.splice(at..at, text.bytes())),
        Change::Cut => bytes.truncate(at),
    }
    bytes
}

/// Dump with every field that rules read.
const DUMP: &str = include_str!("support/dump.yaml");
/// README in which every line has a problem to fix.
const MESSY: &str = "\u{feff}##Reproduce\r
\r
## Reports\r
\r
| Mode | Report | Notes | Implementation version | API channel |\r
|------|--------|-------|------------------------|-------------|\r
| x    | [link](./standard-v2.14.0-report.yaml) | a \\| b | [2.14](https://acme.example/v2.13.0) | Standard |\r
| | | | | |\r
||here|| https://acme.example/v2.14.0 ||\r
text\r
\r
| x | [Report](../acme-operator/standard-v2.14.0-default-report.yaml) | | v2.13.0 | experimental |\r
\r
## Steps\r
\r
make";

/// Number of cases. `.ci/long` runs four times as many.
fn cases(few: u32) -> u32 {
    if has_time() { 4 * few } else { few }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(100)) })]

    #[test]
    fn a_changed_report_keeps_the_promises(at in any::<usize>(), change in change()) {
        check_submission("v1.5", README.as_bytes(), &apply(&report(), at, &change));
    }

    #[test]
    fn a_changed_readme_keeps_the_promises(at in any::<usize>(), change in change()) {
        check_submission("v1.5", &apply(README, at, &change), report().as_bytes());
    }

    #[test]
    fn a_changed_dump_keeps_the_promises(at in any::<usize>(), other in any::<usize>(), change in change()) {
        let changed = apply(DUMP, at, &change);
        if let Ok(text) = String::from_utf8(changed.clone())
            && !text.is_empty()
        {
            check_dump(&apply(&text, other, &change));
        }
        check_dump(&changed);
    }

    #[test]
    fn any_bytes_keep_the_promises(readme in any::<Vec<u8>>(), report in any::<Vec<u8>>()) {
        check_submission("v1.0.0", &readme, &report);
        check_dump(&report);
    }
}

#[test]
fn the_submission_that_is_changed_is_right() {
    let findings = check_submission("v1.5", README.as_bytes(), report().as_bytes());
    assert_eq!(findings, [], "{NAME}");
    assert_eq!(check_dump(DUMP.as_bytes()), []);
}

proptest! {
    // Few cases, because each is checked a few dozen times.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(25)) })]

    #[test]
    fn a_changed_readme_is_fixed_as_promised(changes in proptest::collection::vec((any::<usize>(), change()), 1..5)) {
        for (release, text) in [("v1.5", README), ("v1.5", MESSY), ("v1.0.0", MESSY)] {
            let mut bytes = text.to_owned();
            for (at, change) in &changes {
                if !bytes.is_empty() {
                    bytes = String::from_utf8_lossy(&apply(&bytes, *at, change)).into_owned();
                }
            }
            fix_submission(release, bytes.as_bytes(), report().as_bytes());
        }
    }
}
