//! Parses the front matter of rule pages at compile time.
//!
//! ```text
//! ---
//! severity: error
//! legacy: warning
//! since: 0.1.0
//! sources:
//! - GEP-1709, Reports
//! ---
//!
//! # report/date
//! ```
//!
//! | key | value |
//! |---|---|
//! | `severity` | `error`, `warning` or `info` |
//! | `legacy` | severity in folders up to v1.0.x (default: `severity`); `off` if not checked there |
//! | `strict` | `error`: an error with `--strict` |
//! | `blocks` | `verdict`: findings prevent a verdict |
//! | `fixes` | `safe`, `unsafe`, or `safe or unsafe` |
//! | `since` | version that introduced the rule |
//! | `sources`, `related` | lists of sources and related rules |
//!
//! Invalid values fail to compile, and a test rejects unknown keys.
#![allow(clippy::panic, reason = "a page with a mistake must not compile")]

use super::{About, Fixes, Scope};
use crate::text::diagnostic::Severity;
use crate::text::message::Template;

pub(super) const fn about(
    file: &'static str,
    id: &'static [u8],
    texts: &'static [&'static [Template]],
    scope: Scope,
    is_configurable: bool,
) -> About {
    let severity = match value(file, "severity") {
        Some(text) => severity(text),
        None => panic!("a page without a severity"),
    };
    About {
        id: match str::from_utf8(id) {
            Ok(id) => id,
            Err(_) => panic!("an id that is not UTF-8"),
        },
        severity,
        legacy: match value(file, "legacy") {
            None => Some(severity),
            Some(text) if is(text, "off") => None,
            Some(text) => Some(self::severity(text)),
        },
        strict: is_set(file, "strict", "error"),
        blocks_verdict: is_set(file, "blocks", "verdict"),
        fixes: match value(file, "fixes") {
            None => None,
            Some(text) if is(text, "safe") => Some(Fixes::Safe),
            Some(text) if is(text, "unsafe") => Some(Fixes::Unsafe),
            Some(text) if is(text, "safe or unsafe") => Some(Fixes::SafeOrUnsafe),
            Some(_) => panic!("expected `safe`, `unsafe` or `safe or unsafe`"),
        },
        doc: if_pages(after_front_matter(file)),
        scope,
        is_configurable,
        texts: if cfg!(feature = "pages") { texts } else { &[] },
        since: match value(file, "since") {
            Some(version) => if_pages(version),
            None => panic!("a page without the version that its rule came with"),
        },
        file: if_pages(file),
    }
}

const fn if_pages(text: &'static str) -> &'static str {
    if cfg!(feature = "pages") { text } else { "" }
}

/// Title of a page, which is the id of the rule.
pub const fn id(file: &'static str) -> &'static str {
    line(after_front_matter(file), 2)
}

/// Bytes of a text whose length is known at compile time.
pub const fn copy<const LENGTH: usize>(text: &str) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    bytes.copy_from_slice(text.as_bytes());
    bytes
}

const fn severity(text: &str) -> Severity {
    match text.as_bytes() {
        b"error" => Severity::Error,
        b"warning" => Severity::Warning,
        b"info" => Severity::Info,
        _ => panic!("expected `error`, `warning` or `info`"),
    }
}

const fn is_set(file: &'static str, key: &str, expected: &str) -> bool {
    match value(file, key) {
        None => false,
        Some(text) if is(text, expected) => true,
        Some(_) => panic!("a value that its key does not have"),
    }
}

const MARK: &str = "---\n";

const fn after_front_matter(file: &'static str) -> &'static str {
    assert!(begins(file, 0, MARK), "a page begins with its front matter");
    let mut at = MARK.len();
    while !begins(file, at, MARK) {
        at += line(file, at).len() + 1;
    }
    let at = at + MARK.len();
    assert!(begins(file, at, "\n# "), "a blank line and a title follow");
    file.split_at(at + 1).1
}

const fn value(file: &'static str, key: &str) -> Option<&'static str> {
    let mut at = MARK.len();
    while !begins(file, at, MARK) {
        let text = line(file, at);
        let end = at + key.len();
        if begins(file, at, key) && begins(file, end, ": ") {
            return Some(text.split_at(key.len() + 2).1);
        }
        at += text.len() + 1;
    }
    None
}

pub(super) fn list(file: &'static str, key: &str) -> Vec<&'static str> {
    let rest = file.split_once(&format!("\n{key}:\n"));
    let lines = rest.into_iter().flat_map(|(_, rest)| rest.lines());
    lines.map_while(|line| line.strip_prefix("- ")).collect()
}

const fn line(text: &'static str, at: usize) -> &'static str {
    let bytes = text.as_bytes();
    let mut end = at;
    while end < bytes.len() && bytes[end] != b'\n' {
        end += 1;
    }
    text.split_at(end).0.split_at(at).1
}

const fn begins(text: &str, at: usize, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let mut nth = 0;
    while nth < word.len() {
        if at + nth >= text.len() {
            panic!("the front matter of a page has no end");
        }
        if text[at + nth] != word[nth] {
            return false;
        }
        nth += 1;
    }
    true
}

const fn is(text: &str, word: &str) -> bool {
    text.len() == word.len() && begins(text, 0, word)
}
