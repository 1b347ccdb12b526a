//! What the README of this repository shows is what the program prints.
//! `GWCONFORM_UPDATE=1 cargo test --test integration readme::` writes it anew.

use std::fs;
use std::path::Path;

use crate::support::{page, run};

#[test]
fn its_examples_print_what_it_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("README.md");
    let text = fs::read_to_string(&path).unwrap();
    let examples = page::examples(&text);
    assert!(examples.len() >= 3);
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
            "README.md is stale: GWCONFORM_UPDATE=1 cargo test --test integration readme::"
        );
    }
}

#[test]
fn its_two_commands_are_those_of_ci_and_of_the_sample_tree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("README.md")).unwrap();
    let commands: Vec<&str> = text
        .split("```sh\n")
        .skip(1)
        .map(|fence| fence.lines().next().unwrap())
        .collect();
    assert_eq!(
        commands,
        [
            "cargo run --release -- site --out target/site",
            "cargo test"
        ]
    );
    assert!(
        fs::read_to_string(root.join(".ci/run"))
            .unwrap()
            .contains("\ncargo test\n")
    );
    let out = tempfile::tempdir().unwrap();
    let out = out.path().join("site").to_str().unwrap().to_owned();
    let output = run(root, &["site".to_owned(), "--out".to_owned(), out.clone()]);
    assert_eq!(output.code, 0, "{}", output.stdout);
    assert!(
        output.stdout.contains(&format!("look at {out}/index.html")),
        "{}",
        output.stdout
    );
}
