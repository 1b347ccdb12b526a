//! Tests that the README and `docs/` show the actual output of the program. `GWCONFORM_UPDATE=1
//! cargo test --test integration readme::` updates them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{page, run};

pub fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = fs::read_dir(root.join("docs")).unwrap();
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    pages.push(root.join("README.md"));
    pages.sort();
    pages
}

#[test]
fn examples_print_what_the_page_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for path in pages() {
        let text = fs::read_to_string(&path).unwrap();
        let examples = page::examples(&text);
        count += examples.len();
        let mut updated = text.clone();
        for example in &examples {
            let output = run(root, &example.arguments);
            assert_eq!(output.stderr, "", "{}", example.command);
            updated = updated.replacen(
                &page::body(example),
                &page::body_with(example, &output.stdout),
                1,
            );
        }
        if std::env::var_os("GWCONFORM_UPDATE").is_some() {
            fs::write(&path, &updated).unwrap();
        } else {
            assert!(
                updated == text,
                "{} is stale: GWCONFORM_UPDATE=1 cargo test --test integration readme::",
                path.display()
            );
        }
    }
    assert!(count >= 9, "{count}");
}

/// Each page says for whom it is, begins with a command, and ends with the next page.
#[test]
fn pages_lead_their_readers() {
    for path in pages() {
        if path.ends_with("README.md") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let blocks: Vec<&str> = text.trim_end().split("\n\n").collect();
        let reader = blocks[1];
        let is_reader = reader.starts_with("*For ") && reader.ends_with('*');
        let has_command = blocks[3].starts_with("```");
        let last = blocks[blocks.len() - 1];
        let leads_on = last.starts_with("Next: [") && !last.contains('\n');
        assert!(is_reader && has_command && leads_on, "{}", path.display());
    }
}

#[test]
fn links_of_documentation_resolve() {
    let heading = |text: &str, id: &str| {
        let headings = text.lines().filter_map(|line| line.strip_prefix("## "));
        headings
            .map(str::to_lowercase)
            .any(|heading| heading.replace(' ', "-") == id)
    };
    let mut linked = Vec::new();
    for path in pages() {
        let text = fs::read_to_string(&path).unwrap();
        let folder = path.parent().unwrap();
        for event in pulldown_cmark::Parser::new_ext(&text, pulldown_cmark::Options::ENABLE_TABLES)
        {
            use pulldown_cmark::{Event, Tag};
            let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event
            else {
                continue;
            };
            if dest_url.starts_with("https://") {
                continue;
            }
            let (target, id) = dest_url.split_once('#').unwrap_or((&dest_url, ""));
            let target = if target.is_empty() {
                path.clone()
            } else {
                folder.join(target)
            };
            assert!(target.exists(), "{}: {dest_url}", path.display());
            if !id.is_empty() {
                let text = fs::read_to_string(&target).unwrap();
                assert!(heading(&text, id), "{}: {dest_url}", path.display());
            }
            if path.ends_with("docs/README.md") {
                linked.push(target);
            }
        }
    }
    let mut expected = pages();
    expected.retain(|path| !path.ends_with("README.md"));
    linked.sort();
    linked.dedup();
    assert_eq!(linked, expected);
}

#[test]
fn readme_commands_are_those_of_ci_and_the_sample_tree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("README.md")).unwrap();
    let commands: Vec<&str> = text
        .split("```sh\n")
        .skip(1)
        .map(|fence| fence.lines().next().unwrap())
        .collect();
    assert_eq!(
        commands,
        ["cargo run -- site --out target/site", "cargo test"]
    );
    let script = fs::read_to_string(root.join(".ci/run")).unwrap();
    assert!(script.lines().any(|line| line.trim() == "cargo test"));
    let out = tempfile::tempdir().unwrap();
    let out = out.path().join("site").to_str().unwrap().to_owned();
    let output = run(root, &["site".to_owned(), "--out".to_owned(), out.clone()]);
    assert_eq!(output.code, 0, "{}", output.stdout);
    output.stdout_has(&format!("open {out}/index.html"));
}
