//! Tests common tasks that need one command each, and behavior that all commands share.

use std::fs;

use crate::support::folder::{ACME_REPORT, Folder, NAME, TREE};
use crate::support::report::ReportBuilder;
use crate::support::{has, lacks, lines, location, rows, run, words_of};
use gwconform::print::{self, RenderInput, Styling};
use gwconform::workspace::{Options, Workspace};
use gwconform_report::rules::check::Selection;

fn tree() -> Folder {
    let folder = Folder::with_tree();
    folder.newest_minor("v1.5");
    folder.submission(&format!("{TREE}/v1.5/umbrella-edge"));
    let other = ReportBuilder::new()
        .organization("umbrella")
        .project("edge");
    folder.put(&other.date("2026-05-21T10:15:30Z"));
    folder
}

#[test]
fn verdicts_have_reasons_only_on_request() {
    let folder = tree();
    let short = folder.run("certify").stdout;
    insta::assert_snapshot!("certify_short", short);
    let all = folder.run("certify --all").stdout;
    assert!(all.contains("    conformant in v1.5, one of the 2 newest minors; valid until"));
    has(&all, &format!("\n    {TREE}/v1.5/umbrella-edge/{NAME}\n"));
}

#[test]
fn accepts_any_name_of_an_implementation() {
    let folder = tree();
    let one = folder.run("certify umbrella/edge");
    assert_eq!((one.code, one.stderr.as_str()), (0, ""));
    insta::assert_snapshot!("certify_one", one.stdout);
    for name in ["umbrella-edge", "umbrella/edge", "edge"] {
        let output = folder.run(&format!("certify {name}"));
        assert_eq!((output.code, &output.stdout), (0, &one.stdout), "{name}");
    }
    let named = folder.ok(&format!("certify {TREE}"));
    assert_eq!(
        folder.ok(&format!("certify --in {TREE}")).stdout,
        named.stdout
    );
    let json = folder.json("certify edge");
    assert_eq!(json["implementations"].as_array().unwrap().len(), 1);
    let markdown = folder.run("certify edge --format markdown").stdout;
    lacks(&markdown, "acme");
}

#[test]
fn a_name_that_no_implementation_has_is_an_error_with_a_near_one() {
    let folder = tree();
    let expected = "error: no implementation in this tree is named `umbrela-edge`; did you mean `umbrella/edge`?\n";
    let output = folder.run("certify umbrela-edge");
    assert_eq!((output.code, output.stderr.as_str()), (2, expected));
    let without_tree = Folder::new().run("certify umbrella/edge").exits(3);
    let expected = "error: no file or folder is named `umbrella/edge`, and no tree contains an \
                    implementation with this name: found neither conformance/reports nor reports in \
                    the working directory, and no reports tree above it; pass the path of a reports \
                    tree, a submission or a report\n";
    assert_eq!(without_tree.stderr, expected);
}

fn with_findings() -> Folder {
    let folder = tree();
    let report = ReportBuilder::new().mode("").url("acme.example");
    folder.file(ACME_REPORT, report.build());
    folder
}

/// A tree with more than 50 findings: the table counts all, and the newest errors come first.
#[test]
fn lists_a_table_and_the_newest_of_many_findings() {
    let folder = Folder::new();
    for minor in ["v1.4.0", "v1.5", "v1.6"] {
        for nth in 10..30 {
            let report = ReportBuilder::new().organization(&format!("acme{nth}"));
            let release = format!("{}.0", minor.trim_end_matches(".0"));
            folder.put(&report.release(&release).url("acme.example"));
        }
    }
    let output = folder.run("check").exits(1).stdout;
    let all = folder.run("check --all").exits(1).stdout;
    let count =
        |text: &str, start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    let listed =
        |text: &str| count(text, "error[") + count(text, "warning[") + count(text, "info[");
    assert_eq!(listed(&output), 20, "{output}");
    assert!(listed(&all) > 60, "{all}");
    lacks(&output, " --> conformance/reports/v1.4.0/");
    let (first, last) = (all.find("/v1.6/").unwrap(), all.find("/v1.4.0/").unwrap());
    assert!(first < last);
    let (table, summary) = output.split_once("\nCOUNT  SEVERITY  RULE\n").unwrap();
    assert!(table.ends_with('\n'), "{output}");
    // Listed and not shown findings add up.
    let (total, hidden) = summary.split_once("; not shown: ").unwrap();
    let sum = |text: &str| -> usize {
        let numbers = text.split(|c: char| !c.is_ascii_digit());
        let numbers = numbers.filter_map(|number| number.parse::<usize>().ok());
        numbers.take(3).sum()
    };
    let total = total.lines().last().unwrap();
    assert!(sum(total) >= sum(hidden) + 20, "{summary}");
    has(hidden, "`-q` lists errors, `--all` everything");
}

fn shown(folder: &Folder, options: &str) -> (i32, [usize; 3], String) {
    let output = folder.run(&format!("check{options}"));
    let count = |severity: &str| {
        let start = format!("{severity}[");
        let lines = output.stdout.lines();
        lines.filter(|line| line.starts_with(&start)).count()
    };
    let counts = ["error", "warning", "info"].map(count);
    let summary = output.stdout.split("\n\n").last().unwrap_or_default();
    (output.code, counts, words_of(summary))
}

#[test]
fn hides_and_counts_less_severe_findings() {
    let folder = with_findings();
    let prerelease = ReportBuilder::new().version("v2.15.0-rc.1");
    folder.put(&prerelease.date("2026-05-22T10:15:30Z"));
    let (code, [errors, warnings, infos], all) = shown(&folder, " --all");
    assert!(
        errors > 0 && warnings > 0 && infos > 0,
        "{errors} {warnings} {infos} {all}"
    );
    let (_, counts, last) = shown(&folder, "");
    assert_eq!(counts, [errors, warnings, 0]);
    has(&last, &format!("; not shown: {infos} info"));
    assert!(last.ends_with(" (list them with `--all`)"), "{last}");
    for option in [" -q", " --quiet", " --severity error"] {
        let (quiet_code, counts, last) = shown(&folder, option);
        assert_eq!((quiet_code, counts), (code, [errors, 0, 0]), "{option}");
        assert!(last.starts_with(&all), "{last}");
        has(&last, &format!("; not shown: {warnings} warning"));
    }
    // Findings that cause the exit code are always shown.
    for (options, infos) in [
        (" --severity warning", 0),
        (" --severity info", infos),
        (" -q --severity info", infos),
        (" -q --fail-on warning", 0),
        (" --fail-on info", infos),
    ] {
        assert_eq!(shown(&folder, options).1, [errors, warnings, infos]);
    }
    let of_a_rule = " --select report/version-is-prerelease";
    assert_eq!(shown(&folder, of_a_rule).1, [0, 0, infos]);
    let json = folder.json("check -q");
    assert_eq!(json["findings"].as_array().unwrap().len(), errors);
    assert_eq!(json["summary"]["warnings"], warnings);
    assert_eq!(json["summary"]["not_shown"], warnings + infos);
}

#[test]
fn baseline_includes_hidden_findings() {
    let folder = with_findings();
    folder.run("check -q --write-baseline baseline.json");
    let (code, counts, _) = shown(&folder, " --baseline baseline.json --fail-on info");
    assert_eq!((code, counts), (0, [0, 0, 0]));
}

#[test]
fn statistics_count_the_findings_of_each_rule() {
    let folder = with_findings();
    let json = folder.json("check");
    let output = folder.run("check --statistics").exits(1);
    let found = lines(&json["findings"], "{severity} {rule}");
    let mut in_all = 0;
    for row in statistics(&output.stdout) {
        let count: usize = row[0].parse().unwrap();
        let of_row = found.iter().filter(|one| **one == row[1..].join(" "));
        assert_eq!(of_row.count(), count, "{row:?}");
        in_all += count;
    }
    assert_eq!(in_all, found.len());
}

#[test]
fn statistics_are_the_same_in_each_format() {
    let folder = with_findings();
    folder.config("docs-url = \"https://acme.example/rules\"\n");
    let human = folder.run("check --statistics").stdout;
    let json = folder.json("check --statistics");
    let expected = statistics(&human).into_iter().map(|words| {
        format!(
            "{} https://acme.example/rules/{}/",
            words.join(" "),
            words[2]
        )
    });
    let rules = lines(&json["rules"], "{count} {severity} {rule} {rule_url}");
    assert_eq!(rules, expected.collect::<Vec<_>>());
    assert_eq!(json["summary"], folder.json("check")["summary"]);
    let markdown = folder.run("check --statistics --format markdown").exits(1);
    insta::assert_snapshot!("statistics_markdown", markdown.stdout);
    let none = folder.run("check --statistics --format markdown --select report/api-version");
    assert!(!none.stdout.contains('|'), "{none:?}");
    for format in ["sarif", "junit", "github"] {
        let refused = folder.run(&format!("check --statistics --format {format}"));
        let why = format!("cannot be printed as {format}; pass --format human, json or markdown");
        assert_eq!(refused.fails(2), format!("error: --statistics: {why}\n"));
    }
}

/// The words of each row of the statistics.
fn statistics(shown: &str) -> Vec<Vec<&str>> {
    let rows = shown.lines().skip(1).take_while(|line| !line.is_empty());
    rows.map(|row| row.split_whitespace().collect()).collect()
}

#[test]
fn finds_the_tree_from_any_folder_below_it() {
    let folder = with_findings();
    fs::create_dir_all(folder.path().join(".git")).unwrap();
    fs::create_dir_all(folder.path().join("docs/deep")).unwrap();
    let arguments = ["check", "--format", "json"].map(str::to_owned);
    let all = run(folder.path(), &arguments);
    let count = |text: &str| text.matches("\"rule\": ").count();
    for below in ["docs/deep", "conformance", "conformance/reports"] {
        let output = run(&folder.path().join(below), &arguments);
        let found = (output.code, output.stderr.as_str());
        assert_eq!(found, (all.code, ""), "{below}");
        assert_eq!(count(&output.stdout), count(&all.stdout), "{below}");
    }
    // The search stops at the root of a repository.
    fs::create_dir_all(folder.path().join("docs/deep/.git")).unwrap();
    let output = run(&folder.path().join("docs/deep"), &arguments);
    assert_eq!((output.code, output.stdout.as_str()), (3, ""));
    output.stderr_has("and no reports tree above it");
}

/// In a folder of a tree, `check` is the same as `check .`, with a note that names the tree.
#[test]
fn checks_only_the_part_around_the_working_directory() {
    let folder = with_findings();
    fs::create_dir_all(folder.path().join(".git")).unwrap();
    fs::create_dir_all(folder.path().join("docs")).unwrap();
    let words = |arguments: &str| crate::support::folder::words(arguments);
    let root = folder.path().canonicalize().unwrap().join(TREE);
    let root = root.display();
    for (below, has_findings) in [
        ("v1.5", true),
        ("v1.5/acme-operator", true),
        ("v1.5/umbrella-edge", false),
    ] {
        let below = root.to_string() + "/" + below;
        let here = std::path::Path::new(&below);
        let named = run(here, &words("check ."));
        let output = run(here, &words("check"));
        assert_eq!(output.stdout, named.stdout, "{below}");
        assert_eq!(output.code, i32::from(has_findings), "{output:?}");
        let note = format!(
            "checking only the working directory, a part of the reports tree {root}; pass that path to \
             check all of it\n"
        );
        assert_eq!(output.stderr, note);
        assert_eq!(run(here, &words("check -q")).stderr, "");
        assert_eq!(run(here, &words("check --format json")).stderr, "");
        let certified = run(here, &words("certify"));
        assert_eq!(certified.stdout, folder.run("certify").stdout);
    }
    let output = folder.run_in("docs", "check");
    let note = format!("checking {root}, the reports tree around the working directory\n");
    assert_eq!((output.code, output.stderr), (1, note));
    for path in ["", " conformance/reports", " ."] {
        assert_eq!(folder.run(&format!("check{path}")).stderr, "", "{path}");
    }
}

#[test]
fn a_fix_in_a_part_of_a_tree_changes_that_part() {
    let folder = tree();
    fs::create_dir_all(folder.path().join(".git")).unwrap();
    let readme = |name: &str| format!("{TREE}/v1.5/{name}/README.md");
    for name in ["acme-operator", "umbrella-edge"] {
        let text = folder.read(&readme(name));
        folder.file(&readme(name), text.trim_end());
    }
    let here = folder.path().join(TREE).join("v1.5/umbrella-edge");
    let output = run(&here, &["check", "--fix"].map(str::to_owned));
    assert_eq!(output.code, 0, "{output:?}");
    let ends = |name: &str| folder.read(&readme(name)).ends_with('\n');
    assert!(ends("umbrella-edge") && !ends("acme-operator"));
}

#[test]
fn missing_paths_have_one_message() {
    let folder = tree();
    let cases = "
        check nowhere | a reports tree, a folder with reports, or a report
        certify ./nowhere | a reports tree, a folder with reports, or a report
        badge x --in nowhere | a reports tree, a folder with reports, or a report
        diff ./nowhere x.yaml | a report
        outlook ./nowhere --release v1.6 | a report
        add nowhere | a report
        add REPORT --in nowhere | the folder of a reports tree
        resources nowhere | a file with resources, or a folder of them
        check --config nowhere | a configuration file
        check --baseline nowhere | a baseline
        features --registry nowhere | a folder of release data
        registry import nowhere --release v1.99.0 | the output of tools/facts
        registry served nowhere -o . | a checkout of the Gateway API
    ";
    let report = format!("{TREE}/v1.5/umbrella-edge/{NAME}");
    for [command, expected] in rows(cases) {
        let output = folder.run(&command.replace("REPORT", &report)).exits(2);
        output.stderr_has(&format!(
            "nowhere: no such file or folder; expected {expected}"
        ));
    }
}

#[test]
fn help_takes_the_name_of_a_command() {
    let folder = Folder::new();
    let help = folder.run("help certify");
    assert_eq!((help.code, help.stderr.as_str()), (0, ""));
    assert_eq!(help.stdout, folder.run("certify --help").stdout);
    folder.ok("help releases diff");
    let unknown = folder.run("help certfy").exits(2);
    unknown.stderr_has("certfy");
}

#[test]
fn a_feature_is_shown_with_who_supports_it() {
    let folder = tree();
    let one = folder.run("features GRPCRoute --in conformance/reports --release v1.5");
    assert_eq!((one.code, one.stderr.as_str()), (0, ""));
    assert!(one.stdout.starts_with("In v1.5.1\n"), "{}", one.stdout);
    one.stdout_has("Supported, proved by tests: 2\n  acme/operator v2.14.0 (v1.5.1, standard, default): GATEWAY-GRPC: proved,");
    let json = folder.json("features GRPCRoute --in conformance/reports");
    assert_eq!(json["features"].as_array().unwrap().len(), 1);
    let all = lines(
        &json["implementations"],
        "{implementation} {profiles.0.state}",
    );
    assert_eq!(all[1], "umbrella/edge proved");
    let old = folder.run("features HTTPResponseHeaderModification").stdout;
    assert!(old.starts_with("In v0.8.1\n"), "{old}");
    has(&old, "renamed to: HTTPRouteResponseHeaderModification\n");
    let cases = "
        HTTPRoutCORS                 | unknown feature `HTTPRoutCORS`; did you mean `HTTPRouteCORS`?
        Nothing                      | unknown feature `Nothing`; `gwconform features` lists them
        HTTPRouteCORS --release v1.3 | v1.3.0 has no feature `HTTPRouteCORS`: it is there since v1.4.0, standard since v1.5.0
    ";
    for [name, expected] in rows(cases) {
        let output = folder.run(&format!("features {name}")).exits(2);
        assert_eq!(output.stderr, format!("error: {expected}\n"), "{name}");
    }
}

#[test]
fn features_are_found_by_their_fields() {
    let folder = tree();
    // Core fields belong to the feature of their kind. Names of features come first.
    let cases = "
        timeouts | HTTPRouteBackendTimeout HTTPRouteRequestTimeout HTTPRouteRetryBackendTimeout
        spec.rules[].timeouts.request | HTTPRouteRequestTimeout
        httproute.spec.rules.timeouts.request | HTTPRouteRequestTimeout
        rules[0].retry | HTTPRouteRetry HTTPRouteRetryConnectionError
        retry.attempts | HTTPRouteRetry
        filters.CORS | HTTPRouteCORS
        requestMirror | HTTPRouteRequestMirror HTTPRouteRequestPercentageMirror
        backendRefs.filters.requestHeaderModifier | GRPCRoute HTTPRouteBackendRequestHeaderModification
        urlRewrite.path.type | HTTPRoutePathRewrite
        subjectAltNames | BackendTLSPolicySANValidation
        matches.headers | GRPCRoute HTTPRoute
        parentRefs.port | HTTPRouteParentRefPort
        HTTPRoute | HTTPRoute
    ";
    for [field, expected] in rows(cases) {
        let json = folder.json(&format!("features {field}"));
        let found = lines(&json["features"], "{feature}").join(" ");
        assert_eq!(found, expected, "{field}");
    }
    let cases = "
        sessionPersistence | GRPCRoute, HTTPRoute and XBackendTrafficPolicy
        rules[].sessionPersistence.cookieConfig | GRPCRoute and HTTPRoute
        externalAuth | HTTPRoute
        backendRefs.filters.cors | HTTPRoute
        filters.extensionRef | GRPCRoute and HTTPRoute
        listeners.tls.options | Gateway, ListenerSet and XListenerSet
        retryConstraint | XBackendTrafficPolicy
    ";
    for [field, kinds] in rows(cases) {
        let output = folder.run(&format!("features {field} --in conformance/reports"));
        let expected = format!(
            "error: no feature covers the field `{field}` of {kinds}, so no report shows support for it; check the documentation of each implementation\n"
        );
        assert_eq!((output.code, output.stderr), (2, expected), "{field}");
    }
    let of = |name: &str| {
        folder
            .run(&format!("features {name} --in conformance/reports"))
            .stdout
    };
    assert_eq!(of("filters.cors"), of("HTTPRouteCORS"));
    let several = of("timeouts");
    for expected in [
        "3 features of v1.6.2",
        "features of the field `timeouts`; to list the implementations that support one of them,",
        "gwconform features HTTPRouteBackendTimeout --in TREE",
    ] {
        assert!(several.contains(expected), "{expected}: {several}");
    }
    let older = folder.run("features timeouts --release v1.0");
    lacks(&older.stdout, "HTTPRouteRetry");
    let none = folder.run("features timeouts --release v0.8");
    let expected = "v0.8.1 has no feature `HTTPRouteBackendTimeout`: it is there since v1.0.0";
    none.stderr_has(expected);
}

fn on_terminal(folder: &Folder, width: usize) -> String {
    let workspace = Workspace::open(folder.path(), Options::default()).unwrap();
    let report = workspace.check(&Selection::default()).unwrap();
    let input = RenderInput {
        width,
        ..RenderInput::new(&report, workspace.config())
    };
    let mut out = Vec::new();
    print::human::write(input, Styling::Plain, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn wraps_messages_but_not_code_on_terminals() {
    let folder = with_findings();
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    let whole = on_terminal(&folder, 500);
    let narrow = on_terminal(&folder, 60);
    assert!(narrow.lines().count() > whole.lines().count());
    location::check(folder.path(), &["check".to_owned()], &narrow);
    let wide = |line: &&str| {
        let is_prose = line.starts_with(char::is_alphabetic) || line.contains("= help: ");
        is_prose && line.chars().count() > 60 && !line.contains('`') && !line.contains('/')
    };
    assert_eq!(narrow.lines().find(wide), None, "{narrow}");
    assert_eq!(on_terminal(&folder, 100), folder.run("check").stdout);
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
