//! Tests Markdown that a workflow posts as a comment. Text from reports and READMEs stays text,
//! mentions nobody, and cannot close a collapsed section.

use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::Value;

use crate::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, NAME, README};
use crate::support::report::{Level, Profile, ReportBuilder};

const HOSTILE: [(&str, &str); 8] = [
    ("@acme", "@acme"),
    ("@acme/maintainers", "@acme/maintainers"),
    ("`` ` ``` @acme", "@acme"),
    ("#12 acme/operator#12 GH-12", "GH-12"),
    ("acme/operator@4d5e6f7a8b9c", "4d5e6f7a8b9c"),
    ("</details>@acme<details open>", "</details>@acme"),
    ("<!-- @acme <img src=evil> -->", "<img src=evil>"),
    (
        "[@acme](https://evil.example) ![x](https://evil.example)",
        "https://evil.example",
    ),
];

fn hostile(text: &str) -> ReportBuilder {
    let core = Level::result("partial").counts(32, 1, 0).skipped(&[text]);
    let extended = Level::success(1).supported(&["GatewayPort8080", text]);
    let profile = Profile::new("GATEWAY-HTTP").core(core).extended(extended);
    ReportBuilder::new()
        .version(text)
        .contact(text)
        .url(text)
        .profiles([profile.summary("x")])
}

/// Returns the visible text and code. Panics on markup that the program does not write.
fn shown(markdown: &str, about: &str) -> String {
    let options = Options::ENABLE_GFM | Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut shown = String::new();
    let mut open = 0;
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => {
                let html = html.trim();
                match html {
                    "</details>" => open -= 1,
                    "<br>" => {}
                    "<!-- Written by `gwconform certify --format markdown`. -->" => {}
                    _ => {
                        let closed = html.strip_prefix("<details><summary>");
                        let ours = closed.or(html.strip_prefix("<details open><summary>"));
                        let title = ours.and_then(|rest| rest.strip_suffix("</summary>"));
                        let title = title.unwrap_or_else(|| panic!("{about}: {html}"));
                        let is_plain = |c: char| c.is_ascii_alphanumeric() || " :,".contains(c);
                        assert!(title.chars().all(is_plain), "{about}: {title}");
                        open += 1;
                    }
                }
                assert!((0..=1).contains(&open), "{about}: {markdown}");
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                assert!(!dest_url.contains("evil.example"), "{about}: {dest_url}");
            }
            // GitHub detects mentions, issues and commits outside of code.
            Event::Text(text) => {
                for name in ["@acme", "#12", "GH-12", "4d5e6f7"] {
                    assert!(!text.contains(name), "{about}: {text}");
                }
                shown.push_str(&text);
            }
            Event::Code(code) => shown.push_str(&code),
            Event::SoftBreak | Event::HardBreak | Event::End(_) => shown.push('\n'),
            _ => {}
        }
    }
    assert_eq!(open, 0, "{about}: {markdown}");
    assert!(markdown.chars().count() < 60_000, "{about}");
    shown.replace('\u{200b}', "")
}

#[test]
fn names_and_backticks_of_reports_are_text_in_every_page_that_is_posted() {
    for (text, expected) in HOSTILE {
        let folder = Folder::with_tree();
        folder.commit();
        let path = format!("{ACME}/{NAME}");
        let new = hostile(text).mode(text);
        folder
            .file(&path, new.build())
            .file("old.yaml", ReportBuilder::new().build())
            .file("new.yaml", new.build());
        for command in [
            "check --since HEAD --fail-on never --format markdown",
            "check --since HEAD --fail-on never --format markdown --all",
            "check --fail-on never --format markdown",
            "diff old.yaml new.yaml --format markdown",
            "diff new.yaml old.yaml --format markdown",
            "certify --all --format markdown",
            "outlook --release v1.6 acme/operator --format markdown",
        ] {
            let output = folder.run(command);
            assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{command}");
            let page = shown(&output.stdout, command);
            let names_it = command.starts_with("check") || command.starts_with("diff");
            assert!(!names_it || page.contains(expected), "{command}: {page}");
        }
    }
}

#[test]
fn names_of_implementations_are_text_in_the_page_that_lists_them() {
    for (text, expected) in HOSTILE {
        let folder = Folder::new();
        let report = ReportBuilder::new().organization(text).project(text);
        folder.file(ACME_REPORT, report.build());
        folder.file(ACME_README, README);
        for command in [
            "certify --all --format markdown",
            "outlook --release v1.6 --all --format markdown",
        ] {
            let output = folder.run(command);
            assert_eq!(output.code, 0, "{output:?}");
            let page = shown(&output.stdout, command);
            assert!(page.contains(expected), "{command}: {page}");
        }
    }
}

#[test]
fn long_values_and_many_changes_fit_a_comment() {
    let folder = Folder::with_tree();
    folder.commit();
    let names: Vec<String> = (0..1500)
        .map(|nth| format!("HTTPRouteNumber{nth:04}{}", "x".repeat(40)))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let profile = Profile::new("GATEWAY-HTTP").core(Level::success(33));
    let profile = profile
        .extended(Level::success(1).supported(&names))
        .summary("x");
    let long = "y".repeat(200_000);
    let old = ReportBuilder::new().profiles([Profile::new("GATEWAY-HTTP")
        .core(Level::success(33))
        .summary("x")]);
    let new = ReportBuilder::new().version(&long).profiles([profile]);
    folder
        .file("old.yaml", old.build())
        .file("new.yaml", new.build())
        .file(ACME_REPORT, new.build());
    for command in [
        "diff old.yaml new.yaml --format markdown",
        "check --since HEAD --fail-on never --format markdown",
    ] {
        let output = folder.run(command);
        let page = shown(&output.stdout, command);
        assert!(page.contains("yyy…"), "{page}");
    }
    let cut = folder
        .run("diff old.yaml new.yaml --format markdown")
        .stdout;
    let items = cut.lines().filter_map(|line| line.strip_prefix("- "));
    let count = |item: &str| {
        let more = item.strip_suffix(" more; `gwconform diff` shows all");
        more.map_or(1, |count| count.parse().unwrap())
    };
    assert!(items.clone().any(|item| count(item) > 1000), "{cut}");
    let counted: usize = items.map(count).sum();
    let all = folder.json("diff old.yaml new.yaml");
    let all: usize = ["regressions", "gains", "metadata"]
        .iter()
        .map(|group| all[group].as_array().unwrap().len())
        .sum();
    assert_eq!(counted, all);
    let human = folder.run("diff old.yaml new.yaml").stdout;
    assert!(human.lines().all(|line| line.chars().count() < 1000));
    assert!(human.contains("HTTPRouteNumber1499"));
}

#[test]
fn suggestions_are_one_block_for_any_line() {
    for (text, _) in HOSTILE {
        let folder = Folder::with_tree();
        folder.commit();
        // A bare link has a safe fix, which keeps the other cells.
        let row = README.lines().find(|line| line.contains(NAME)).unwrap();
        let bare = row
            .replace("[v2.14.0 report](./", "./")
            .replace("yaml)", "yaml");
        assert_ne!(bare, row);
        let text = text.replace('|', " ");
        let line = format!("{bare} {text} |");
        folder.file(ACME_README, README.replace(row, &line));
        let output = folder.run("check --since HEAD --fail-on never --format suggestions");
        let review: Value = serde_json::from_str(&output.stdout).unwrap();
        let comments = review["comments"].as_array().unwrap();
        assert_eq!(comments.len(), 1, "{text}: {review}");
        let body = comments[0]["body"].as_str().unwrap();
        let blocks: Vec<String> = Parser::new(body)
            .filter_map(|event| match event {
                Event::Start(Tag::CodeBlock(kind)) => Some(format!("{kind:?}")),
                _ => None,
            })
            .collect();
        assert_eq!(blocks.len(), 1, "{body}");
        assert!(blocks[0].contains("suggestion"), "{body}");
        // Everything after the fence's info string belongs to the block.
        let (words, block) = body.split_once("suggestion\n").unwrap();
        shown(words.trim_end_matches('`'), &text);
        let path = format!("{ACME}/README.md");
        folder.run("check --fix --fail-on never");
        let fixed = folder.read(&path);
        let fixed = fixed.lines().find(|line| line.contains(NAME)).unwrap();
        let (line, fence) = block.split_once('\n').unwrap();
        assert_eq!(line, fixed);
        assert!(
            fence.chars().all(|c| c == '`') && fence.len() >= 3,
            "{body}"
        );
    }
}
