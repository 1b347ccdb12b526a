//! Questions of every day, one command each, and what is the same in all commands.

use std::fs;

use crate::support::folder::{Folder, NAME, report};
use crate::support::report::ReportBuilder;
use crate::support::{location, run};
use gwconform::check::Selection;
use gwconform::render::{self, RenderInput, Styling};
use gwconform::workspace::{Options, Workspace};

const TREE: &str = "conformance/reports";

/// A tree with two implementations; one of them has a finding of each severity.
fn tree() -> Folder {
    let folder = Folder::with_tree();
    let other = format!("{TREE}/v1.5/umbrella-edge");
    folder.submission(&other);
    let builder = ReportBuilder::new()
        .organization("umbrella")
        .project("edge");
    folder.file(
        &format!("{other}/{NAME}"),
        builder.date("2026-03-21T10:15:30Z").build(),
    );
    folder
}

#[test]
fn verdicts_are_a_line_each_and_have_reasons_where_they_are_asked_for() {
    let folder = tree();
    let short = folder.run("certify").stdout;
    insta::assert_snapshot!("certify_short", short);
    let all = folder.run("certify --all").stdout;
    assert!(all.contains("    conformant in v1.5, one of the 2 newest minors; valid until"));
    assert!(
        all.contains(&format!("\n    {TREE}/v1.5/umbrella-edge/{NAME}\n")),
        "{all}"
    );
}

#[test]
fn one_implementation_is_asked_for_by_any_of_its_names() {
    let folder = tree();
    let one = folder.run("certify --implementation umbrella-edge");
    assert_eq!((one.code, one.stderr.as_str()), (0, ""));
    insta::assert_snapshot!("certify_one", one.stdout);
    for name in ["umbrella-edge", "umbrella/edge", "edge"] {
        let output = folder.run(&format!("certify {name}"));
        assert_eq!((output.code, &output.stdout), (0, &one.stdout), "{name}");
    }
    let json = folder.json("certify edge");
    assert_eq!(json["implementations"].as_array().unwrap().len(), 1);
    let markdown = folder.run("certify edge --format markdown").stdout;
    assert!(!markdown.contains("acme"), "{markdown}");
}

#[test]
fn a_name_that_no_implementation_has_is_an_error_with_a_near_one() {
    let folder = tree();
    let near = folder.run("certify umbrela-edge");
    let expected = "error: umbrela-edge: no such file or folder; expected a reports tree, and no \
                    implementation of this tree is named `umbrela-edge`; did you mean `umbrella-edge`?\n";
    assert_eq!((near.code, near.stderr.as_str()), (3, expected));
    let named = folder.run("certify --implementation umbrela-edge");
    let expected = "error: no implementation of this tree is named `umbrela-edge`; did you mean `umbrella-edge`?\n";
    assert_eq!((named.code, named.stderr.as_str()), (2, expected));
    let without_tree = Folder::new().run("certify umbrella-edge");
    let expected = "error: umbrella-edge: no such file or folder; expected a reports tree\n";
    assert_eq!(
        (without_tree.code, without_tree.stderr.as_str()),
        (3, expected)
    );
}

/// A submission with an error, a warning and an info.
fn with_findings() -> Folder {
    let folder = tree();
    let submission = format!("{TREE}/v1.5/acme-operator");
    let report = report().replace("mode: default", "mode: ''");
    let report = report.replace("https://acme.example\n", "acme.example\n");
    folder.file(&format!("{submission}/{NAME}"), report);
    folder
}

/// The number of findings of each severity that are printed, and the summary's.
fn shown(folder: &Folder, options: &str) -> (i32, [usize; 3], String) {
    let output = folder.run(&format!("check{options}"));
    let count = |severity: &str| {
        let start = format!("{severity}[");
        let lines = output.stdout.lines();
        lines.filter(|line| line.starts_with(&start)).count()
    };
    let counts = ["error", "warning", "info"].map(count);
    let last = output.stdout.lines().last().unwrap_or_default().to_owned();
    (output.code, counts, last)
}

#[test]
fn less_bad_findings_are_hidden_and_counted() {
    let folder = with_findings();
    let (code, [errors, warnings, infos], all) = shown(&folder, "");
    assert!(
        errors > 0 && warnings > 0,
        "{errors} {warnings} {infos} {all}"
    );
    for option in [" -q", " --quiet", " --severity error"] {
        let (quiet_code, counts, last) = shown(&folder, option);
        assert_eq!((quiet_code, counts), (code, [errors, 0, 0]), "{option}");
        assert!(last.starts_with(&all), "{last}");
        assert!(
            last.contains(&format!("; not shown: {warnings} warning")),
            "{last}"
        );
    }
    assert_eq!(
        shown(&folder, " --severity warning").1,
        [errors, warnings, 0]
    );
    assert_eq!(
        shown(&folder, " --severity info").1,
        [errors, warnings, infos]
    );
    // What makes the command fail is not hidden.
    assert_eq!(
        shown(&folder, " -q --fail-on warning").1,
        [errors, warnings, 0]
    );
    let json = folder.json("check -q");
    assert_eq!(json["findings"].as_array().unwrap().len(), errors);
    assert_eq!(json["summary"]["warnings"], warnings);
    assert_eq!(json["summary"]["not_shown"], warnings + infos);
    let both = folder.run("check -q --severity info");
    assert_eq!(both.code, 2, "{both:?}");
}

#[test]
fn a_baseline_holds_what_is_hidden_too() {
    let folder = with_findings();
    folder.run("check -q --write-baseline baseline.json");
    let (code, counts, _) = shown(&folder, " --baseline baseline.json --fail-on info");
    assert_eq!((code, counts), (0, [0, 0, 0]));
}

#[test]
fn statistics_count_the_findings_of_each_rule() {
    let folder = with_findings();
    let json = folder.json("check");
    let output = folder.run("check --statistics");
    assert_eq!(output.code, 1);
    let rows = output
        .stdout
        .lines()
        .skip(1)
        .take_while(|line| !line.is_empty());
    let mut in_all = 0;
    for row in rows {
        let words: Vec<&str> = row.split_whitespace().collect();
        let count: usize = words[0].parse().unwrap();
        let findings = json["findings"].as_array().unwrap().iter();
        let found = findings.filter(|one| one["rule"] == words[2] && one["severity"] == words[1]);
        assert_eq!(found.count(), count, "{row}");
        in_all += count;
    }
    assert_eq!(in_all, json["findings"].as_array().unwrap().len());
    let refused = folder.run("check --statistics --format json");
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""));
}

#[test]
fn below_a_tree_or_a_repository_the_tree_is_found() {
    let folder = with_findings();
    fs::create_dir_all(folder.path().join(".git")).unwrap();
    fs::create_dir_all(folder.path().join("docs/deep")).unwrap();
    let arguments = ["check", "--format", "json"].map(str::to_owned);
    let all = run(folder.path(), &arguments);
    let count = |text: &str| text.matches("\"rule\": ").count();
    for below in [
        "docs/deep",
        "conformance",
        "conformance/reports",
        "conformance/reports/v1.5",
        "conformance/reports/v1.5/umbrella-edge",
    ] {
        let output = run(&folder.path().join(below), &arguments);
        assert_eq!(
            (output.code, output.stderr.as_str()),
            (all.code, ""),
            "{below}"
        );
        assert_eq!(count(&output.stdout), count(&all.stdout), "{below}");
    }
    // The tree around a repository is another one's.
    fs::create_dir_all(folder.path().join("docs/deep/.git")).unwrap();
    let output = run(&folder.path().join("docs/deep"), &arguments);
    assert_eq!((output.code, output.stdout.as_str()), (3, ""));
    assert!(
        output.stderr.contains("and no reports tree above it"),
        "{output:?}"
    );
}

#[test]
fn a_path_that_is_not_there_has_one_wording() {
    let folder = tree();
    let report = format!("{TREE}/v1.5/umbrella-edge/{NAME}");
    for (command, expected) in [
        (
            "check nowhere",
            "a reports tree, a release or submission in one, or a report",
        ),
        ("certify nowhere", "a reports tree"),
        (
            "badge x --path nowhere",
            "a reports tree, a release or submission in one, or a report",
        ),
        ("diff nowhere x", "a report"),
        ("outlook nowhere --for v1.6", "a report"),
        ("add nowhere", "a report"),
        (
            &format!("add {report} --tree nowhere"),
            "the folder of a reports tree",
        ),
        (
            "resources nowhere",
            "a file with resources, or a folder of them",
        ),
        ("check --config nowhere", "a configuration file"),
        ("check --baseline nowhere", "a baseline"),
        ("features --registry nowhere", "a folder of release data"),
        (
            "registry import --checkout nowhere --release v1.99.0 --date 2026-01-01",
            "a checkout of the Gateway API",
        ),
        ("registry check --checkout nowhere", "a git directory"),
        ("certify --check nowhere", "a list of implementations"),
    ] {
        let output = folder.run(command);
        let expected = format!("nowhere: no such file or folder; expected {expected}");
        assert!(output.stderr.contains(&expected), "{command}: {output:?}");
        assert!(output.code >= 2, "{command}: {output:?}");
    }
}

#[test]
fn help_takes_the_name_of_a_command() {
    let folder = Folder::new();
    let help = folder.run("help certify");
    assert_eq!((help.code, help.stderr.as_str()), (0, ""));
    assert_eq!(help.stdout, folder.run("certify --help").stdout);
    assert_eq!(folder.run("help releases diff").code, 0);
    let unknown = folder.run("help certfy");
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("certfy"), "{unknown:?}");
}

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

/// [`tree`] with an implementation that is not current, and one that is on no list.
fn tree_for_lists() -> Folder {
    let folder = tree();
    for (organization, project, release, minute) in
        [("old", "old", "v1.2.1", 1), ("new", "new", "v1.5.1", 2)]
    {
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
            .date(&format!("2026-03-22T10:{minute:02}:30Z"));
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

    // What is written as it says is right.
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
    let folder = tree();
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

#[test]
fn a_feature_is_shown_with_who_supports_it() {
    let folder = tree();
    let one = folder.run("features GRPCRoute --in conformance/reports --release v1.5");
    assert_eq!((one.code, one.stderr.as_str()), (0, ""));
    assert!(one.stdout.starts_with("In v1.5.1\n"), "{}", one.stdout);
    assert!(
        one.stdout.contains(
            "Supported, proved by tests: 2\n  acme/operator (v1.5.1): GATEWAY-GRPC: supported,"
        ),
        "{}",
        one.stdout
    );
    let json = folder.json("features GRPCRoute --in conformance/reports");
    assert_eq!(json["features"].as_array().unwrap().len(), 1);
    assert_eq!(json["implementations"][1]["slug"], "umbrella-edge");
    assert_eq!(json["implementations"][1]["profiles"][0]["state"], "proved");
    // The newest release that has it, and what is known of its name.
    let old = folder.run("features HTTPResponseHeaderModification").stdout;
    assert!(old.starts_with("In v0.8.1\n"), "{old}");
    assert!(
        old.contains("renamed to: HTTPRouteResponseHeaderModification\n"),
        "{old}"
    );
    for (command, expected) in [
        (
            "features HTTPRoutCORS",
            "error: unknown feature `HTTPRoutCORS`; did you mean `HTTPRouteCORS`?\n",
        ),
        (
            "features Nothing",
            "error: unknown feature `Nothing`; `gwconform features` lists them\n",
        ),
        (
            "features HTTPRouteCORS --release v1.3",
            "error: v1.3.0 has no feature `HTTPRouteCORS`: it is there since v1.4.0\n",
        ),
    ] {
        let output = folder.run(command);
        assert_eq!(
            (output.code, output.stderr.as_str()),
            (2, expected),
            "{command}"
        );
    }
}

/// What a terminal of a width shows of a check.
fn on_terminal(folder: &Folder, width: usize) -> String {
    let workspace = Workspace::open(folder.path(), Options::default()).unwrap();
    let report = workspace.check(&Selection::default()).unwrap();
    let input = RenderInput {
        width,
        ..RenderInput::new(&report, workspace.config())
    };
    let mut out = Vec::new();
    render::human::write(input, Styling::Plain, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn on_a_terminal_messages_are_broken_and_places_and_code_are_not() {
    let folder = with_findings();
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    let whole = on_terminal(&folder, 500);
    let narrow = on_terminal(&folder, 60);
    assert!(narrow.lines().count() > whole.lines().count());
    // The location law holds: places, source lines and carets are as they were.
    location::check(folder.path(), &["check".to_owned()], &narrow);
    let wide = |line: &&str| {
        let is_prose = line.starts_with(char::is_alphabetic) || line.contains("= help: ");
        is_prose && line.chars().count() > 60 && !line.contains('`') && !line.contains('/')
    };
    assert_eq!(narrow.lines().find(wide), None, "{narrow}");
    // Without a terminal, lines have 100 columns.
    assert_eq!(on_terminal(&folder, 100), folder.run("check").stdout);
    // No word is lost, whatever the width.
    for width in [0, 1, 60, 79, 100] {
        let text = on_terminal(&folder, width);
        let titles = |text: &str| -> Vec<String> {
            let is_frame = |line: &&str| line.contains(" | ") || line.trim_end().ends_with('|');
            let lines = text.lines().filter(|line| !is_frame(line));
            lines.flat_map(words).collect()
        };
        assert_eq!(titles(&text), titles(&whole), "{width}");
    }
}
