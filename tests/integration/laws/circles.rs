//! Finds circles of files: files of a crate that use each other.
//!
//! - A file uses another file if a path in its code, in a `use` line or elsewhere, leads to an item
//!   that the other file defines. A path may start with `crate`, `self`, `super`, a child module,
//!   or an imported name.
//! - An imported or re-exported name belongs to the file that defines the item. For example,
//!   `super::X` uses a sibling if the parent re-exports `X` from it.
//! - A declaration of a module is not a use. A re-export is a use only if the file itself also
//!   needs the name.
//! - A file is part of the modules that contain it, so it may use their items.
//! - Test modules do not count.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;

/// Names from the root of the crate.
type Module = Vec<String>;

#[derive(Default)]
struct File {
    /// Paths of imported names, as written.
    imports: BTreeMap<String, Module>,
    /// Paths that the code needs, as written.
    paths: BTreeSet<Module>,
}

type Files = BTreeMap<Module, File>;

fn product_code(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" {
            lines.find(|line| *line == "}" || line.ends_with(';') && !line.starts_with(' '));
        } else if !line.trim_start().starts_with("//") {
            code.extend([line, "\n"]);
        }
    }
    code
}

/// Names, `::`, strings, and other single characters.
fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let length = match name.unwrap_or(rest.len()) {
            _ if rest.starts_with("r#\"") => rest.find("\"#").unwrap() + 2,
            0 if rest.starts_with("::") => 2,
            0 if rest.starts_with("'\"'") => 3,
            0 if first == '"' => end_of_string(rest),
            0 => first.len_utf8(),
            length => length,
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

fn end_of_string(code: &str) -> usize {
    let mut is_escaped = false;
    let end = code[1..].find(|c| {
        let is_end = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    end.unwrap() + 2
}

/// Reads a `use` line after `use`, or a part of it in braces.
fn read_imports<'c>(
    tokens: &mut impl Iterator<Item = &'c str>,
    before: &[String],
    imports: &mut BTreeMap<String, Module>,
) {
    let mut path = before.to_owned();
    let mut name: Option<&str> = None;
    while let Some(token) = tokens.next() {
        match token {
            "::" => {}
            "as" => name = tokens.next(),
            "self" if !before.is_empty() => name = before.last().map(String::as_str),
            "{" => {
                read_imports(tokens, &path, imports);
                path.clear();
            }
            "," | "}" | ";" => {
                let own = path.last().filter(|_| path.len() > before.len());
                if let Some(name) = name.or(own.map(String::as_str)) {
                    imports.insert(name.to_owned(), path.clone());
                }
                if token != "," {
                    return;
                }
                (path, name) = (before.to_owned(), None);
            }
            part => path.push(part.to_owned()),
        }
    }
}

fn read(text: &str) -> File {
    let code = product_code(text);
    let tokens = tokens(&code);
    let is_name = |token: &&&str| token.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut file = File::default();
    let mut exports = BTreeMap::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "use" {
            let mut imports = BTreeMap::new();
            read_imports(&mut tokens[at + 1..].iter().copied(), &[], &mut imports);
            file.imports.extend(imports.clone());
            // After `pub` or `pub(…)`.
            if at > 0 && ["pub", ")"].contains(&tokens[at - 1]) {
                exports.extend(imports);
            } else {
                file.paths.extend(imports.into_values());
            }
            at += tokens[at..].iter().position(|token| *token == ";").unwrap();
        }
        let mut path = Module::new();
        while let Some(name) = tokens.get(at).filter(is_name) {
            path.push((*name).to_owned());
            let is_longer = tokens.get(at + 1) == Some(&"::");
            if !is_longer || tokens.get(at + 2).filter(is_name).is_none() {
                break;
            }
            at += 2;
        }
        if !path.is_empty() {
            file.paths.insert(path);
        }
        at += 1;
    }
    let is_needed = |(name, _): &(String, _)| file.paths.contains(&[name.clone()][..]);
    let needed: Vec<_> = exports.into_iter().filter(is_needed).collect();
    file.paths.extend(needed.into_iter().map(|(_, path)| path));
    file.paths.retain(|path| path.len() > 1);
    file
}

/// Module whose file defines the item at a path in the code of `module`. `None` for modules, items
/// of other crates, and local names.
fn definer(files: &Files, module: &[String], path: &[String]) -> Option<Module> {
    let first = &path[0];
    let import = files[module].imports.get(first);
    let is_import = import.is_some_and(|import| import[0] != *first);
    let is_child = files.contains_key(&[module, &path[..1]].concat());
    match first.as_str() {
        "crate" => item(files, &[], &path[1..]),
        "self" | "super" => item(files, module, path),
        _ if is_import || is_child => item(files, module, path),
        _ => None,
    }
}

/// Like [`definer`], for a path that starts at a name in `module`.
fn item(files: &Files, module: &[String], path: &[String]) -> Option<Module> {
    let (name, below) = path.split_first()?;
    let import = files[module].imports.get(name);
    let child = [module, &path[..1]].concat();
    match name.as_str() {
        "self" => item(files, module, below),
        "super" => item(files, &module[..module.len() - 1], below),
        _ if files.contains_key(&child) && !(below.is_empty() && import.is_some()) => {
            item(files, &child, below)
        }
        _ => match import {
            None => Some(module.to_owned()),
            Some(import) if import == path => None,
            Some(import) => definer(files, module, &[import, below].concat()),
        },
    }
}

/// Each circle as `a uses PATH, b uses PATH`.
fn circles(sources: &[(Module, String)]) -> BTreeSet<String> {
    let files = sources
        .iter()
        .map(|(module, text)| (module.clone(), read(text)));
    let files: Files = files.collect();
    let uses: BTreeMap<&Module, BTreeMap<Module, &Module>> = (files.iter())
        .map(|(module, file)| {
            let used = file
                .paths
                .iter()
                .map(|path| (definer(&files, module, path), path));
            let used = used.filter_map(|(used, path)| Some((used?, path)));
            (
                module,
                used.filter(|(used, _)| !module.starts_with(used)).collect(),
            )
        })
        .collect();
    let shortest = |from: &Module, to: &Module| {
        let mut ways = VecDeque::from([vec![from.clone()]]);
        let mut seen = BTreeSet::new();
        while let Some(way) = ways.pop_front() {
            let last = way.last().unwrap();
            if last == to {
                return Some(way);
            }
            if seen.insert(last.clone()) {
                ways.extend(
                    uses[last]
                        .keys()
                        .map(|next| [&way[..], std::slice::from_ref(next)].concat()),
                );
            }
        }
        None
    };
    let mut found = BTreeSet::new();
    for (module, used) in &uses {
        for mut circle in used.keys().filter_map(|used| shortest(used, module)) {
            let first = circle
                .iter()
                .position(|module| Some(module) == circle.iter().min());
            circle.rotate_left(first.unwrap());
            let next = circle.iter().cycle().skip(1);
            let steps = circle.iter().zip(next).map(|(module, next)| {
                format!(
                    "{} uses {}",
                    module.join("/"),
                    uses[module][next].join("::")
                )
            });
            found.insert(steps.collect::<Vec<_>>().join(", "));
        }
    }
    found
}

fn sources(root: &Path, is_part: impl Fn(&Path) -> bool) -> Vec<(Module, String)> {
    let mut sources = Vec::new();
    for entry in walkdir::WalkDir::new(root).sort_by_file_name() {
        let path = entry.unwrap().into_path();
        let below = path.strip_prefix(root).unwrap().with_extension("");
        let is_test = below.iter().any(|part| part == "tests");
        if path.extension().is_some_and(|extension| extension == "rs")
            && !is_test
            && is_part(&below)
        {
            let names = below.iter().map(|name| name.to_str().unwrap().to_owned());
            let module = names
                .filter(|name| name != "lib" && name != "main")
                .collect();
            sources.push((module, fs::read_to_string(&path).unwrap()));
        }
    }
    sources
}

#[test]
fn no_crate_has_circles_of_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_program = |path: &Path| path.starts_with("cli") || path == Path::new("main");
    let mut crates = vec![
        ("program".into(), sources(&root.join("src"), is_program)),
        (
            "library".into(),
            sources(&root.join("src"), |path| !is_program(path)),
        ),
        ("wasm".into(), sources(&root.join("wasm/src"), |_| true)),
    ];
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        crates.push((name, sources(&entry.path().join("src"), |_| true)));
    }
    assert!(crates.len() > 7, "{}", crates.len());
    for (name, sources) in crates {
        assert!(!sources.is_empty(), "{name}");
        let found: Vec<_> = circles(&sources).into_iter().collect();
        assert!(found.is_empty(), "{name}:\n{}", found.join("\n"));
    }
}

#[test]
fn circles_of_files_are_found() {
    for (files, expected) in [
        (
            &[
                ("", ""),
                ("a", "use super::b::X;"),
                ("b", "fn f() { super::a::g() }"),
            ][..],
            "a uses super::b::X, b uses super::a::g",
        ),
        (
            &[
                ("", "pub use b::X;"),
                ("a", "use crate::X;"),
                ("b", "use super::a::{Y, Z};"),
            ],
            "a uses crate::X, b uses super::a::Z",
        ),
        (
            &[
                ("", ""),
                ("a", "use super::b;\nfn f() { b::g() }"),
                ("b", "use crate::a::Y;"),
            ],
            "a uses b::g, b uses crate::a::Y",
        ),
        (
            &[
                ("", ""),
                ("a", "pub use super::b::X;\nfn f(x: X) {}"),
                ("b", "use super::a::Y;"),
            ],
            "a uses super::b::X, b uses super::a::Y",
        ),
        (
            &[
                ("", ""),
                ("a", "use super::b::c::X;"),
                ("b", ""),
                ("b/c", "use crate::a::Y;"),
            ],
            "a uses super::b::c::X, b/c uses crate::a::Y",
        ),
        // A re-export.
        (
            &[
                ("", ""),
                ("a", "pub use super::b::X;"),
                ("b", "use super::a::Y;"),
            ],
            "",
        ),
        // An item of the parent.
        (&[("", "use a::X;"), ("a", "use super::Y;")], ""),
        (
            &[
                ("", ""),
                ("a", "#[cfg(test)]\nuse super::b::X;"),
                ("b", "use super::a::Y;"),
            ],
            "",
        ),
        (
            &[("", ""), ("a", "// super::b::X"), ("b", "use super::a::Y;")],
            "",
        ),
        (
            &[
                ("", ""),
                ("a", r#"f("\"; use x"); super::b::f();"#),
                ("b", "use super::a::Y;"),
            ],
            "a uses super::b::f, b uses super::a::Y",
        ),
    ] {
        let files = files.iter().map(|(path, code)| {
            let names = path.split('/').filter(|name| !name.is_empty());
            (names.map(str::to_owned).collect(), (*code).to_owned())
        });
        let found: Vec<_> = circles(&files.collect::<Vec<_>>()).into_iter().collect();
        assert_eq!(found.join("\n"), expected);
    }
}
