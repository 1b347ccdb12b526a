//! Compares hand-maintained lists of implementations with the verdicts.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::folder::{Folder, NAME};
use crate::support::git::commit_all;
use crate::support::report::{Level, Profile, ReportBuilder};

const TREE: &str = "conformance/reports";

const PAGE: &str = "\
# Implementations

## Gateway Implementation Status

### Conformant

- [Acme Operator][1]
- [Gone Gateway][2]
- [Old][4]

### Partially Conformant

- [Edge](#umbrella-edge)

## Mesh Implementation Status

### Conformant

[1]: #acme-operator
[2]: #gone-gateway
[4]: #old

## Implementations

### Acme Operator

[![Conformance](https://img.example/badge/Gateway_API_Conformance_v1.4.0-Acme-green)](https://github.example/reports/tree/main/conformance/reports/v1.4.0/acme-operator)

### Umbrella Edge

[![Conformance](https://img.example/badge/Gateway_API_Conformance_v1.5.1-Edge-green)](https://github.example/blob/main/conformance/reports/v1.5/umbrella-edge/standard-v2.14.0-default-report.yaml)
";

fn tree_for_lists() -> Folder {
    let folder = Folder::with_tree();
    for (organization, project, release, minute) in [
        ("umbrella", "edge", "v1.5.1", 0),
        ("old", "old", "v1.2.1", 1),
        ("new", "new", "v1.5.1", 2),
    ] {
        let submission = match release {
            "v1.5.1" => "v1.5",
            release => release,
        };
        let path = format!("{TREE}/{submission}/{organization}-{project}");
        folder.submission(&path);
        let report = ReportBuilder::new()
            .organization(organization)
            .project(project);
        let report = report
            .release(release)
            .date(&format!("2026-05-22T10:{minute:02}:30Z"));
        folder.file(&format!("{path}/{NAME}"), report.build());
    }
    folder
}

#[test]
fn a_page_kept_by_hand_is_compared_with_the_verdicts() {
    let folder = tree_for_lists();
    folder.file("list.md", PAGE);
    let output = folder.run("certify --check list.md");
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    insta::assert_snapshot!("list_page", output.stdout);
    let json = folder.json("certify --check list.md");
    let problems = json["problems"].as_array().unwrap();
    for problem in problems {
        let line = usize::try_from(problem["line"].as_u64().unwrap()).unwrap();
        let text = PAGE.lines().nth(line - 1).unwrap();
        let expected = match problem["kind"].as_str().unwrap() {
            "stale-badge" => "[![Conformance]",
            "missing" => "### Conformant",
            _ => "- [",
        };
        assert!(text.starts_with(expected), "{problem}: {text}");
    }

    let mut page: Vec<&str> = PAGE.lines().collect();
    let stale = problems
        .iter()
        .find(|one| one["kind"] == "stale-badge")
        .unwrap();
    let at = usize::try_from(stale["line"].as_u64().unwrap()).unwrap() - 1;
    page[at] = stale["write"].as_str().unwrap();
    page.retain(|line| {
        !line.contains("][2]") && !line.contains("][4]") && !line.contains("[Edge]")
    });
    let first = page
        .iter()
        .position(|line| line.starts_with("- [Acme"))
        .unwrap();
    for missing in problems
        .iter()
        .filter(|one| one["write"].is_string() && one["kind"] != "stale-badge")
    {
        page.insert(first, missing["write"].as_str().unwrap());
    }
    folder.file("list.md", page.join("\n"));
    let right = folder.run("certify --check list.md");
    assert_eq!(
        (right.code, right.stdout.as_str()),
        (0, "list.md agrees with the verdicts\n")
    );
}

#[test]
fn a_page_without_a_list_and_hostile_pages_are_refused_or_read() {
    let folder = tree_for_lists();
    folder.file("none.md", "# Nothing\n");
    let none = folder.run("certify --check none.md");
    assert_eq!((none.code, none.stdout.as_str()), (2, ""));
    assert!(
        none.stderr
            .contains("none.md: not a list of implementations"),
        "{none:?}"
    );
    let hostile = "## Status\n### Conformant\n- [\u{1b}[2J`x`][1]\n-\n- \n- [](#)\n* [![v1.5 Conformance](/reports/)](//reports/v/)\n";
    folder.file("hostile.md", hostile);
    let output = folder.run("certify --check hostile.md");
    assert_eq!(output.code, 1, "{output:?}");
    assert!(!output.stdout.contains('\u{1b}'));
}

#[test]
fn a_folder_of_details_is_compared_with_the_verdicts() {
    let folder = tree_for_lists();
    let list = "conformance/list/implementations";
    let details = |organization: &str, project: &str| {
        format!(
            "kind: ImplementationListDetails\norganization: {organization}\nproject: {project}\n"
        )
    };
    for (name, text) in [
        ("acme", details("acme", "operator")),
        ("again", details("acme", "operator")),
        ("edge", details("umbrela", "edge")),
        ("broken", "kind: [\n".to_owned()),
    ] {
        folder.file(&format!("{list}/{name}/details.yaml"), text);
    }
    let output = folder.run(&format!("certify --check {list}"));
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    insta::assert_snapshot!("list_details", output.stdout);
}

const SITE_PAGE: &str = r##"# Implementations

Those of [gateways][gateways] and of meshes.

## Gateway Controller Implementation Status <a name="gateways"></a>

### Conformant (latest releases)

1. [**Acme Operator** \[beta\]][1]
2) [![Conformance](https://img.example/badge/Conformance%20v1.5.1-Edge-green)][edge-report] [Umbrella][2]
* New

### Partially Conformant

## Service Mesh Implementation Status <a name="meshes"></a>

### Partially Conformant

- [Both](/implementations/#both "gateway and mesh")

### Conformant

[1]:#acme
[2]: <#edge>
[gateways]:#gateways

<!-- ### Template
<img src="https://img.example/badge/Conformance%20v1.0.0-x"> -->

## Implementations

### The Acme Operator <a id="acme"></a>

[![Gateway API Conformance][acme-badge]][acme-report]

### Edge {#edge}
<a href="https://reports.example/tree/main/conformance/reports/v1.4.0/umbrella-edge"><IMG alt="Conformance"
src='https://img.example/badge/Conformance%20v1.4.0-Edge-green'></a>

### Both
[![Conformance](https://img.example/badge/Gateway%20API%20Partial%20Conformance%20v1.5.1-Both-orange)](../../conformance/reports/v1.5/both-both)
[![Mesh](https://img.example/badge/Gateway%20API%20Mesh%20Conformance%20v1.5.1-Both-green)](../../conformance/reports/v1.5/both-both/gone.yaml)

### New
![Conformance](https://img.example/badge/Gateway%20API%20Conformance%20v1.3.0-Service%20Mesh-green)
[![Conformance](https://img.example/badge/Conformance_v1.5.1-New-green)](/reports/v1.5/umbrella-edge/)

### Nobody
[![Conformance](https://img.example/badge/Conformance_v1.5.1-x-green)](/reports/v1.5/no-body/)

[acme-badge]: https://img.example/badge/Gateway%20API%20Conformance%20v1.4.0-Acme-green
[acme-report]: https://reports.example/blob/main/conformance/reports/v1.4.0/acme-operator
[edge-report]: /reports/v1.5/umbrella-edge
"##;

#[test]
fn a_page_of_a_site_is_read_with_its_anchors_references_and_html() {
    let folder = tree_for_lists();
    let path = format!("{TREE}/v1.5/both-both");
    folder.submission(&path);
    let report = ReportBuilder::new().organization("both").project("both");
    let report = report.date("2026-05-23T10:15:30Z").profiles([
        Profile::new("GATEWAY-HTTP")
            .core(Level::success(33))
            .summarized(),
        Profile::new("MESH-HTTP")
            .core(Level::success(7))
            .summarized(),
    ]);
    folder.file(&format!("{path}/{NAME}"), report.build());
    folder.file("site.md", SITE_PAGE);
    let output = folder.run("certify --check site.md");
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    insta::assert_snapshot!("list_site_page", output.stdout);
    let markdown = folder.run("certify --check site.md --format markdown");
    assert_eq!(markdown.code, 1);
    insta::assert_snapshot!("list_site_markdown", markdown.stdout);

    let mut page = SITE_PAGE.to_owned();
    for problem in folder.json("certify --check site.md")["problems"]
        .as_array()
        .unwrap()
    {
        let (Some(text), "stale-badge") =
            (problem["write"].as_str(), problem["kind"].as_str().unwrap())
        else {
            continue;
        };
        for line in text.lines().filter(|line| line.starts_with("[acme-")) {
            let label = &line[..=line.find(':').unwrap()];
            let old = page.lines().find(|old| old.starts_with(label)).unwrap();
            page = page.replace(old, line);
        }
    }
    assert_ne!(page, SITE_PAGE);
    folder.file("site.md", page);
    let rest = folder.run("certify --check site.md").stdout;
    assert!(!rest.contains("acme"), "{rest}");
}

#[test]
fn several_implementations_with_one_name_are_told_apart() {
    let folder = tree_for_lists();
    for (organization, minute) in [("first", 3), ("second", 4)] {
        let path = format!("{TREE}/v1.5/{organization}-edge");
        folder.submission(&path);
        let report = ReportBuilder::new()
            .organization(organization)
            .project("edge");
        let report = report.date(&format!("2026-05-24T10:{minute:02}:30Z"));
        folder.file(&format!("{path}/{NAME}"), report.build());
    }
    let page = "## Gateway Status\n### Conformant\n- New\n- Acme/Operator\n- Edge\n- [First](#first)\n- umbrella/edge\n- second-edge\n\n## First\n[![Conformance v1.5](x)](/reports/v1.5/first-edge)\n";
    folder.file("list.md", page);
    let json = folder.json("certify --check list.md");
    let problems = json["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 1, "{json}");
    assert_eq!(
        problems[0]["message"],
        "`Edge`: `first/edge`, `second/edge` and `umbrella/edge` have this name; link it to a section \
         with a badge that links to the reports of one"
    );
    let own = format!("{TREE}/v1.5/edge");
    folder.submission(&own);
    let report = ReportBuilder::new().organization("edge").project("edge");
    folder.file(
        &format!("{own}/{NAME}"),
        report.date("2026-05-25T10:15:30Z").build(),
    );
    assert_eq!(folder.run("certify --check list.md").code, 0);
}

#[test]
fn hostile_pages_are_bounded() {
    let folder = tree_for_lists();
    let check = |page: &str| {
        folder.file("list.md", page);
        folder.run("certify --check list.md")
    };
    let start = "## Gateway Status\n### Conformant\n";
    let many = |count: usize, line: &str| start.to_owned() + &line.repeat(count);
    for (page, expected) in [
        (
            many(100_000, "- Acme\n"),
            "list.md: the lists have more than 5000 items",
        ),
        (
            many(20_000, "- [A](#a)\n"),
            "list.md: the page is too large or too deeply nested: some links would not be read",
        ),
        (
            many(3_000, "## A\n"),
            "list.md: the page is too large or too deeply nested: some headings would not be read",
        ),
        (
            many(1, &(">".repeat(50_000) + "\n")),
            "list.md: the page is too large or too deeply nested: some text after a deeply nested line",
        ),
    ] {
        let output = check(&page);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{expected}");
        assert!(
            output.stderr.contains(expected),
            "{expected}: {}",
            output.stderr
        );
    }
    // The suggested line would be too long, so `write` is null.
    let long = format!(
        "## New\n[![Conformance v1.4.0{0}](x)](/reports/v1.4.0/new-new?{0})\n{1}\n<a href=/reports/v1.4.0/new-new><img src=v1.4.0-Conformance-{0}></a>\n{2}",
        "v1.".repeat(50_000),
        "[![Conformance v1.4.0](x)](/reports/v1.4.0/new-new)".repeat(3_000),
        "<".repeat(100_000)
    );
    folder.file("list.md", many(1, &format!("- New\n{long}")));
    let json = folder.json("certify --check list.md");
    let problems = json["problems"].as_array().unwrap();
    let badges = problems.iter().filter(|one| one["kind"] == "stale-badge");
    assert_eq!(badges.clone().count(), 3_002);
    assert!(badges.clone().all(|one| one["write"] == Value::Null));
    assert!(badges.clone().all(|one| text(one).len() < 200));
    let markdown = folder
        .run("certify --check list.md --format markdown")
        .stdout;
    assert!(markdown.chars().count() < 61_000);
    let mut lines = markdown.lines();
    assert!(lines.any(|line| line.ends_with(" more; `--format json` lists all")));
}

fn text(problem: &Value) -> &str {
    problem["message"].as_str().unwrap()
}

#[test]
fn names_in_a_list_never_become_markup() {
    let folder = tree_for_lists();
    let name = "@acme/team `x` \u{202e} <b> ``` | [x](https://evil.example) \u{1b}[2J";
    let mut page = String::from("## Gateway Status\n### Conformant\n");
    writeln!(page, "- {name}\n- [{name}][1]\n\n[1]: #x").unwrap();
    folder.file("list.md", page);
    let markdown = folder
        .run("certify --check list.md --format markdown")
        .stdout;
    for hostile in ["@acme", "<b>", "\u{1b}", "\u{202e}", "](https"] {
        let outside = markdown.lines().filter(|line| line.starts_with("- "));
        let found: Vec<&str> = outside.filter(|line| line.contains(hostile)).collect();
        assert_eq!(found, [""; 0], "{hostile}");
    }
    let human = folder.run("certify --check list.md").stdout;
    assert!(!human.contains(['\u{1b}', '\u{202e}']), "{human}");
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_a_list() {
    let folder = tree_for_lists();
    folder.file("secret/details.yaml", "kind: secret\n");
    folder.file(".git/HEAD", "");
    folder.file("page.md", PAGE);
    folder.link("link.md", "page.md");
    let linked = folder.run("certify --check link.md");
    assert_eq!((linked.code, linked.stdout.as_str()), (2, ""), "{linked:?}");
    std::fs::create_dir_all(folder.path().join("list")).unwrap();
    folder.link("list/out", "../secret");
    let output = folder.run("certify --check list");
    assert!(!output.stdout.contains("secret"), "{output:?}");
    folder.link("linked", "list");
    let linked = folder.run("certify --check linked");
    assert_eq!((linked.code, linked.stdout.as_str()), (2, ""), "{linked:?}");
    let empty = folder.run("certify --check secret");
    assert_eq!(empty.code, 1, "{empty:?}");
}

#[test]
fn a_folder_with_too_many_entries_says_so() {
    let folder = tree_for_lists();
    for number in 0..10_001 {
        let path = format!("list/{number:05}");
        std::fs::create_dir_all(folder.path().join(path)).unwrap();
    }
    let output = folder.run("certify --check list");
    assert_eq!(output.code, 1);
    let line = "list: more than 10000 entries; only the first are read\n";
    assert!(output.stdout.starts_with(line), "{output:?}");
}

#[test]
fn a_list_is_compared_with_a_tree_and_not_with_one_name() {
    let folder = tree_for_lists();
    folder.file("list.md", PAGE);
    let output = folder.run("certify umbrella/edge --check list.md");
    assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{output:?}");
    assert!(
        output
            .stderr
            .contains("umbrella/edge: no such file or folder"),
        "{output:?}"
    );
    let named = folder.run(&format!("certify {TREE} --check list.md"));
    assert_eq!(named.stdout, folder.run("certify --check list.md").stdout);
}

#[test]
fn a_list_that_a_change_deletes_is_named_in_the_first_line() {
    let folder = tree_for_lists();
    folder.file("gwconform.toml", "list = 'implementations.md'\n");
    folder.file("implementations.md", PAGE);
    commit_all(folder.path());
    let first_line = |format: &str| {
        let output = folder.run(&format!("check --since HEAD --format {format}"));
        output.stdout.lines().next().unwrap().to_owned()
    };
    let text = "the list of implementations could not be checked";
    assert!(!first_line("human").contains(text));
    std::fs::remove_file(folder.path().join("implementations.md")).unwrap();
    for format in ["human", "markdown"] {
        let line = first_line(format);
        assert!(line.ends_with(&format!("; {text}")), "{line}");
    }
}
