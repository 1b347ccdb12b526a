//! Tests page sizes, and the reference data for the scripts. `GWCONFORM_UPDATE=1 cargo test --test
//! integration site_pages::` updates `tests/browser/escapes.json`.

use std::fs;
use std::path::Path;

use crate::support::site;
use gwconform::site::badge::{Markup, snippet};
use gwconform_base::text::escape::{markdown, markdown_address};
use serde_json::{Value, json};

/// Maximum bytes of a page about the real tree.
const MOST: usize = 400_000;
const MOST_OF_MATRIX: usize = 271_000;
const MOST_OF_HOME: usize = 73_000;

#[test]
fn pages_of_the_real_tree_are_light() {
    let Some(files) = site::of_corpus(&[]) else {
        return;
    };
    let (mut pages, mut matrices, mut heavy) = (0, 0, Vec::new());
    for (path, html) in files {
        if path != "index.html" && !path.ends_with("/index.html") {
            continue;
        }
        let bytes = html.len();
        let is_matrix = path.starts_with("matrix/");
        let most = match path.as_str() {
            "index.html" => MOST_OF_HOME,
            _ if is_matrix => MOST_OF_MATRIX,
            _ => MOST,
        };
        pages += 1;
        matrices += usize::from(is_matrix);
        if bytes >= most {
            heavy.push(format!("{path}: {bytes} of {most}"));
        }
    }
    assert!(heavy.is_empty(), "{heavy:#?}");
    assert!(pages > 146 && matrices > 10, "{pages} {matrices}");
}

const TEXTS: &[&str] = &[
    "Acme Operator 2.0",
    "- a - b + c = d",
    "+1",
    "=1",
    "1. one 2. two",
    "12) x",
    ".",
    "www.evil.example WWW.evil.example xwww.y",
    "http://evil.example a: b c:",
    "[x](javascript:alert(1)) ![y](z)",
    "| a | `b` *c* _d_ ~e~ {f} $g$ ^h^ @i #j !k & <l> \"m\" 'n' \\o",
    "a\nb\tc\rd",
    "\u{0}\u{1b}[31m\u{7f}\u{85}\u{9f}\u{ad}\u{61c}\u{180e}\u{200b}\u{200f}\u{2028}\u{202e}\u{2060}\u{206f}\u{feff}\u{fff9}\u{fffb}\u{e0000}\u{e007f}",
    "\u{a0}\u{3000}:\u{a0}: \u{2003}:x",
    "é 漢字 🦀 ı İ ﬁ",
    "<script>alert(1)</script>&amp;&#60;",
    "",
];

const ADDRESSES: &[&str] = &[
    "https://acme.example/a_b/(c)?d=e&f=g#h",
    "https://acme.example/[x]|*`'\"<>\\ \u{e9}\u{a0}",
    "badges/acme.svg",
];

/// Scripts read report texts only from pages, which show them in one line.
fn is_one_line(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control) && !text.contains('\u{ad}')
}

#[test]
fn expected_data_of_script_tests_is_current() {
    let texts = TEXTS.iter();
    let texts: Vec<Value> = texts
        .map(|text| json!({"text": text, "markdown": markdown(text)}))
        .collect();
    let addresses = ADDRESSES.iter();
    let addresses: Vec<Value> = addresses
        .map(|address| json!({"address": address, "markdown": markdown_address(address)}))
        .collect();
    let long = "Bracket [".repeat(20);
    let names = TEXTS.iter().copied().filter(|text| is_one_line(text));
    let bases = [
        "https://acme.example/gwconform/",
        "http://localhost:8000/a_b/(c)*[d]'e,f+g~h/",
    ];
    let mut snippets = Vec::new();
    for name in names.chain([long.as_str()]) {
        // The alternative text must be the same as in src/site/badge.rs.
        let words: Vec<_> = name.split_whitespace().collect();
        let alternative = format!("Gateway API v1.5 conformance of {}", words.join(" "));
        for base in bases {
            for (key, markup) in [
                ("markdown", Markup::Markdown),
                ("rst", Markup::Rst),
                ("asciidoc", Markup::AsciiDoc),
                ("html", Markup::Html),
            ] {
                let image = format!("{base}badges/acme/v1.5.svg");
                let link = format!("{base}implementations/acme/");
                snippets.push(json!({
                    "markup": key,
                    "alternative": alternative,
                    "snippet": snippet(markup, &alternative, &image, &link),
                    "image": image,
                    "link": link,
                }));
            }
        }
    }
    let all = json!({"texts": texts, "addresses": addresses, "snippets": snippets});
    let written = format!("{all:#}\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/escapes.json");
    if std::env::var_os("GWCONFORM_UPDATE").is_some() {
        fs::write(&path, &written).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == written,
        "tests/browser/escapes.json is stale: GWCONFORM_UPDATE=1 cargo test --test integration site_pages::"
    );
}
