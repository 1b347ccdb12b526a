//! Lists the public items of each crate, so that a change of one is seen in review.

use std::fs;
use std::path::Path;

/// `Type::method` and other items that a file declares as public. Code is formatted, so the
/// indentation tells items of modules and of types apart.
fn items(code: &str) -> Vec<String> {
    let code = code.split("#[cfg(test)]").next().unwrap();
    let (mut items, mut of) = (Vec::new(), String::new());
    for line in code.lines() {
        let is_nested = line.starts_with("    ") && !line.starts_with("     ");
        if line.starts_with("impl") || line.starts_with("pub trait") {
            let named = line.split(" for ").last().unwrap();
            let named = named
                .trim_start_matches("impl")
                .trim_start_matches("pub trait");
            let named = match named.strip_prefix('<') {
                Some(generics) => generics.split_once("> ").map_or(generics, |(_, rest)| rest),
                None => named,
            };
            of = name(named.trim()).to_owned();
        }
        let Some(rest) = line.trim_start().strip_prefix("pub ") else {
            continue;
        };
        let kinds = [
            "const fn ",
            "fn ",
            "struct ",
            "enum ",
            "trait ",
            "type ",
            "const ",
            "static ",
        ];
        let declared = kinds.iter().find_map(|kind| rest.strip_prefix(kind));
        match declared {
            Some(rest) if is_nested => items.push(format!("{of}::{}", name(rest))),
            Some(rest) if !line.starts_with(' ') => items.push(name(rest).to_owned()),
            _ => {}
        }
    }
    items
}

fn name(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

fn list(files: &[&Path]) -> String {
    let mut items: Vec<String> = files
        .iter()
        .flat_map(|file| items(&fs::read_to_string(file).unwrap()))
        .collect();
    items.sort();
    items.join("\n")
}

#[test]
fn lists_the_public_items_of_each_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The other modules of `gwconform` are hidden.
    let library = [root.join("src/lib.rs"), root.join("src/tree.rs")];
    let library = list(&library.each_ref().map(AsRef::as_ref));
    assert!(library.lines().count() <= 150);
    insta::assert_snapshot!("items_of_gwconform", library);
    for name in ["types", "yaml", "base", "report", "cluster", "evidence"] {
        let source = root.join(format!("crates/gwconform-{name}/src"));
        let files = walkdir::WalkDir::new(source).into_iter();
        let files: Vec<_> = files.map(|entry| entry.unwrap().into_path()).collect();
        let is_code = |path: &&Path| path.extension().is_some_and(|extension| extension == "rs");
        let files: Vec<&Path> = files.iter().map(AsRef::as_ref).filter(is_code).collect();
        insta::assert_snapshot!(format!("items_of_{name}"), list(&files));
    }
}
