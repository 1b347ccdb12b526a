//! Whatever a byte of a right submission becomes, nothing panics, hangs or points elsewhere.

// Helpers of tests may stop at once too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use proptest::prelude::*;
use support::folder::{NAME, README, report};
use support::promises::{check_dump, check_submission};

/// What happens to a text at one place.
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

/// A Gateway with what belongs to it, as short as it can be with every field that rules read.
const DUMP: &str = include_str!("support/dump.yaml");

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

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
