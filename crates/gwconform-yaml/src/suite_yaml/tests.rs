#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::super::load::{Loader, parse};
use super::super::{MAX_DOCUMENTS, MAX_NODES, Yaml, load, load_manifests};

fn by_lines(text: &str) -> Option<Yaml<'_>> {
    let mut loader = Loader::new(text, MAX_NODES, MAX_DOCUMENTS);
    loader.read_lines(0, text.len()).then(|| {
        loader.tree.read_to = text.len();
        loader.finish()
    })
}

fn is_read_alike(text: &str) {
    if let Some(yaml) = by_lines(text) {
        assert_eq!(yaml, parse(text), "{text}");
    }
    // In debug builds, `load` compares both readers.
    load(text);
    load_manifests(text, 1000);
}

#[test]
fn spaces_at_the_end_of_a_file_are_read_alike() {
    for end in ["", " ", "  ", "    ", "\n  ", "\n", "\n\n", "\n \n "] {
        for header in ["|", "|-"] {
            is_read_alike(&format!("a:\n  b: {header}\n    l1{end}"));
        }
    }
}

fn reports() -> Vec<String> {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports");
    let folders = |folder: &Path| -> Vec<_> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let releases = folders(&tree);
    let submissions = releases.iter().flat_map(|release| folders(release));
    let mut files: Vec<_> = submissions.flat_map(|folder| folders(&folder)).collect();
    files.sort();
    let is_report = |path: &Path| path.extension().is_some_and(|name| name == "yaml");
    files.retain(|path| is_report(path));
    files
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
}

#[test]
fn reads_suite_output_without_the_parser() {
    let reports = reports();
    let by_lines = reports
        .iter()
        .filter(|text| by_lines(text).is_some())
        .count();
    assert!(
        by_lines > 20 && by_lines * 10 > reports.len() * 9,
        "{by_lines}"
    );
    for text in [
        "a: b",
        "a:\n- b\n- c\nd: e f\n  g\n",
        "---\n# comment\na:\n  - b: c\n    d: []\n\n  - {}\n",
        "a: 'b' \n".trim_end(),
        "a: b # c\nd: \"e\"",
        "a: http://b:80/#c\n",
        "a:\nb:\n",
        "a: 'b''c'",
        "a: \"\\n\\u00e4\\\\\"",
        "a: b\u{e4}",
        "'a b': c\n\"d\": e\n",
        "a: [b]",
        "a: {b: c, d: [e, 'f'], g: {}}\nh: i\n",
        "a: |\n  b",
        "a: |\n  b\n\n    c\n\nd:\n- |-\n  e\n",
        "{\"a\": {\"b\": [1, true, null,\n\"c\"\n], \"d\":\"e\"}}\n",
        "---\n{a: b}\n",
    ] {
        assert!(self::by_lines(text).is_some(), "{text}");
        is_read_alike(text);
    }
}

#[test]
fn leaves_other_yaml_to_the_parser() {
    for text in [
        "",
        "a",
        "- ",
        "-",
        "a: |+\n  b",
        "a: >\n  b",
        "a: |\n\n  b",
        "a: |\n  b\n c",
        "a: \"\\x41\"",
        "a: \"\\ud83d\\ude00\"",
        "a: {b}",
        "a: {b: }",
        "a: [b,]",
        "a: [b: c]",
        "a: [b]c",
        "a: [\nb]",
        "{a: b} # c",
        "{a: b}\nc",
        "a: b: c",
        "a: b:",
        "a: &b c",
        "a: *b",
        "a: !b c",
        "? a",
        "a: \u{85}",
        "a:\tb",
        "a: b\r\n",
        "a: b\n\n  c",
        "a: b\n---\nc: d",
        "a: b\n...",
        "a:\n  b: c\n d: e",
        "- a\nb: c",
        "a: b\n- c",
        "a: 'b\n  c'",
        "%YAML 1.2\n---\na: b",
        "a b: c",
        "- - a",
        "a: b ",
        "a: 'b'\n  c: d",
        "<<",
    ] {
        assert!(by_lines(text).is_none(), "{text}");
        is_read_alike(text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn texts_are_read_alike(parts in prop::collection::vec(prop::sample::select(PARTS), 1..16)) {
        is_read_alike(&parts.concat());
    }

    #[test]
    fn changed_reports_are_read_alike(
        report in 0_usize..20,
        at in any::<prop::sample::Index>(),
        length in 0_usize..12,
        part in prop::sample::select(PARTS),
    ) {
        let mut text = reports().swap_remove(report);
        let start = at.index(text.len());
        let end = (start + length).min(text.len());
        prop_assume!(text.is_char_boundary(start) && text.is_char_boundary(end));
        text.replace_range(start..end, part);
        is_read_alike(&text);
    }
}

const PARTS: &[&str] = &[
    "a",
    "b:",
    "a: ",
    "c: d",
    "- e",
    "k: v\n",
    " ",
    "  ",
    "    ",
    "\n",
    "\n  ",
    "\n    ",
    "- ",
    "-",
    "\n- ",
    "\n  - ",
    ": ",
    ":",
    "#",
    " #",
    "\"x\"",
    "'y'",
    "\"",
    "'",
    "[]",
    "{}",
    "---\n",
    "---",
    "...",
    "\n...",
    "\n---\n",
    "1",
    "null",
    "~",
    "yes",
    "0x1",
    "<<: ",
    "a:b",
    "http://x:80/",
    "?",
    "? ",
    "!t ",
    "&a ",
    "*a",
    "|",
    ">",
    "%",
    "@",
    ",",
    "\\",
    "\n\n",
    "\n# c",
    "\n  # c\n",
    "x y",
    "(z)",
    "=",
    ".",
    "\t",
    "\r\n",
    "\u{feff}",
    "\u{e4}",
    "{{",
    "}}",
    "{",
    "}",
    "[",
    "]",
    ", ",
    ",\n",
    "\"x\":",
    "'y': ",
    "|-\n",
    "|\n  ",
    "\"\\n\"",
    "''",
    "{a: b}",
    "[c, {d: 'e'}]",
    "{\"f\": 1}",
];
