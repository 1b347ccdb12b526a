//! Every example of the rule pages is run, and its output must be exactly as shown.
//! `GWCONFORM_UPDATE=1 cargo test --test integration rule_pages::` writes the outputs; review them
//! before committing.
//!
//! A fence with a path after its language creates a file: `yaml reports/…`, `markdown reports/…`,
//! `link reports/…` (its text is the target), `escaped reports/…` (with `\r`, `\n`, `\xFF`,
//! `\u{FEFF}`; actual line ends are ignored). A `console` fence runs its first line on the files
//! since the last `console` fence; the rest is the expected output. ` before` after a path commits
//! the file and then removes it, for `--since`. ` committed` commits all current files.

use std::fmt::Write as _;
use std::fs;

use crate::support::{keep, location, page, run};
use gwconform::rules::{self, About};

#[test]
fn each_example_of_report_rules_prints_what_its_page_says() {
    print_what_their_pages_say(|rule| rule.group() == "report");
}

#[test]
fn each_example_of_resource_rules_prints_what_its_page_says() {
    print_what_their_pages_say(|rule| rule.group() == "resource");
}

#[test]
fn each_example_of_readme_and_tree_rules_prints_what_its_page_says() {
    print_what_their_pages_say(|rule| ["readme", "tree"].contains(&rule.group()));
}

#[test]
fn each_example_of_other_rules_prints_what_its_page_says() {
    let others = ["report", "resource", "readme", "tree"];
    print_what_their_pages_say(|rule| !others.contains(&rule.group()));
}

fn print_what_their_pages_say(is_meant: impl Fn(&About) -> bool) {
    let is_update = std::env::var_os("GWCONFORM_UPDATE").is_some();
    let mut failures = String::new();
    for rule in rules::ALL.iter().filter(|rule| is_meant(rule)) {
        let examples = page::examples_with_json(rule);
        if examples.is_empty() {
            let _ = writeln!(failures, "{}: no example", rule.id);
        }
        let mut updated = String::new();
        let mut rest = rule.doc;
        for (example, json) in examples {
            let folder = tempfile::tempdir().expect("a folder for the example");
            page::write_files(folder.path(), example);
            keep::keep(folder.path(), "rules");
            let output = run(folder.path(), &example.arguments);
            // Search only after the previous example, because fences can be equal.
            let (before, after) = rest
                .split_once(&page::body(example))
                .expect("the fence of the example");
            updated.push_str(before);
            updated.push_str(&page::body_with(example, &output.stdout));
            rest = after;
            // Without findings, `needs` names the report.
            let notes = ["compared with ", "could not be read: "];
            if !notes.iter().any(|note| output.stderr.starts_with(note)) {
                assert_eq!(output.stderr, "", "{}", rule.id);
            }
            if output.stdout != example.expected {
                let _ = writeln!(
                    failures,
                    "{}: `{}` prints\n{}",
                    rule.id, example.command, output.stdout
                );
            }
            location::hold(folder.path(), &json.stdout, &output.stdout);
        }
        updated.push_str(rest);
        if is_update && updated != rule.doc {
            let page = fs::read_to_string(page::rule_file(rule, "md")).expect("the page");
            let front_matter = page
                .strip_suffix(rule.doc)
                .expect("the page that was compiled");
            let page = format!("{front_matter}{updated}");
            fs::write(page::rule_file(rule, "md"), page).expect("the page can be written");
        }
    }
    assert!(is_update || failures.is_empty(), "{failures}");
}

#[test]
fn each_page_shows_the_rule_failing_and_passing() {
    for rule in rules::ALL.iter() {
        let examples = page::examples(
            &fs::read_to_string(page::rule_file(rule, "md")).expect("the rule's page"),
        );
        let finds = |example: &page::Example| example.expected.contains(&format!("[{}]", rule.id));
        assert!(
            examples.iter().any(finds),
            "{}: no example in which it finds something",
            rule.id
        );
        let selects =
            |example: &page::Example| example.command.contains(&format!("--select {}", rule.id));
        let passes = |example: &page::Example| {
            selects(example) && example.expected.contains("no findings in")
        };
        assert!(
            examples.iter().any(passes),
            "{}: no example in which it is content",
            rule.id
        );
    }
}

/// The References section is generated from the front matter, so it is not checked.
#[test]
fn each_page_has_the_same_sections_and_is_short() {
    let sections = [
        "## What it does",
        "## Why is this bad?",
        "## Example",
        "## Use instead",
        "## Exceptions",
    ];
    for rule in rules::ALL.iter() {
        let id = rule.id;
        let (prose, headings) = outside_of_fences(rule.doc);
        let (title, headings) = headings.split_first().expect("a title");
        assert_eq!(*title, format!("# {id}"));
        let required = &sections[..4];
        assert!(
            headings == required || headings == sections,
            "{id}: {headings:?}"
        );
        assert!(prose <= 60, "{id}: {prose} lines besides examples");
        let summary = rule.summary();
        assert!(
            summary.ends_with('.') && summary.len() < 120,
            "{id}: summary {summary:?}"
        );
    }
}

fn outside_of_fences(page: &str) -> (usize, Vec<&str>) {
    let mut is_fenced = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        } else if !is_fenced {
            lines.push(line);
        }
    }
    let headings = lines.iter().filter(|line| line.starts_with('#'));
    (lines.len(), headings.copied().collect())
}

#[test]
fn each_file_of_a_rule_is_in_the_list_and_each_id_stays() {
    let mut files = Vec::new();
    for group in page::rule_folders().flat_map(|folder| fs::read_dir(folder).expect("rules")) {
        let group = group.expect("an entry").path();
        if !group.is_dir() {
            continue;
        }
        for file in fs::read_dir(&group).expect("a group") {
            let file = file.expect("an entry").path();
            if file.extension().is_some_and(|extension| extension == "md") {
                let name = file
                    .file_stem()
                    .expect("a name")
                    .to_string_lossy()
                    .replace('_', "-");
                let group = group
                    .file_name()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned();
                files.push(format!("{group}/{name}"));
            }
        }
    }
    files.sort();
    let ids: Vec<&str> = rules::ALL.iter().map(|rule| rule.id).collect();
    assert_eq!(ids, files);
    insta::assert_snapshot!("rule_ids", ids.join("\n"));
}

#[test]
fn front_matter_has_known_keys_only() {
    let keys = [
        "severity", "legacy", "strict", "blocks", "fixes", "since", "sources", "related",
    ];
    for rule in rules::ALL.iter() {
        let page = fs::read_to_string(page::rule_file(rule, "md")).unwrap();
        let (front_matter, _) = page[4..].split_once("---\n").unwrap();
        for line in front_matter.lines().filter(|line| !line.starts_with("- ")) {
            let (key, _) = line.split_once(':').unwrap();
            assert!(keys.contains(&key), "{}: {line}", rule.id);
        }
    }
}
