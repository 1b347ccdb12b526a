//! Tests that `gwconform completions` and `gwconform man` cover all commands in the help.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::{Output, run};

fn gwconform(arguments: &[&str]) -> Output {
    let arguments: Vec<String> = arguments.iter().copied().map(str::to_owned).collect();
    run(Path::new("."), &arguments)
}

pub(crate) fn commands_below(command: &[String]) -> Vec<Vec<String>> {
    let listed = if command.is_empty() {
        let help = gwconform(&["help", "--all"]).stdout;
        let listed = help.split_once("Options:\n");
        listed.map(|(listed, _)| listed.to_owned())
    } else {
        let arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        let help = gwconform(&[&["help"], &arguments[..]].concat()).stdout;
        let listed = help.split_once("\nCommands:\n");
        listed.and_then(|(_, listed)| Some(listed.split("\n\n").next()?.to_owned()))
    };
    let names = listed.iter().flat_map(|listed| listed.lines());
    let names = names.filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| !line.starts_with(' '));
    let names = names.filter_map(|line| line.split_whitespace().next());
    let names: Vec<Vec<String>> = names
        .map(|name| command.iter().cloned().chain([name.to_owned()]).collect())
        .collect();
    let deeper: Vec<Vec<String>> = names.iter().flat_map(|name| commands_below(name)).collect();
    [names, deeper].concat()
}

fn options(help: &str) -> BTreeSet<&str> {
    let starts = help.lines().map(str::trim_start);
    let starts = starts.filter(|line| line.starts_with('-'));
    let words = starts.flat_map(|line| line.split([' ', ',', '[', '=']));
    words.filter(|word| word.starts_with("--")).collect()
}

#[test]
fn each_command_has_a_page_with_its_options() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new/man1");
    let written = gwconform(&["man", "--out", out.to_str().unwrap()]);
    assert_eq!((written.code, written.stdout.as_str()), (0, ""));
    let commands = commands_below(&[]);
    assert!(
        commands.contains(&["registry", "import"].map(str::to_owned).to_vec()),
        "{commands:?}"
    );
    let mut expected = vec!["gwconform.1".to_owned()];
    for command in &commands {
        let name = format!("gwconform-{}.1", command.join("-"));
        let page = fs::read_to_string(out.join(&name)).unwrap();
        let plain = page.replace('\\', "");
        let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        arguments.push("--help");
        let help = gwconform(&arguments).stdout;
        let listed = options(&help);
        assert!(listed.contains("--help"), "{help}");
        for option in listed {
            assert!(plain.contains(option), "{name}: {option}");
        }
        arguments.pop();
        arguments.insert(0, "man");
        assert_eq!(gwconform(&arguments).stdout, page, "{name}");
        expected.push(name);
    }
    expected.sort();
    let files = fs::read_dir(&out).unwrap();
    let mut names: Vec<String> = files
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, expected);
    let page = fs::read_to_string(out.join("gwconform.1")).unwrap();
    assert_eq!(gwconform(&["man"]).stdout, page);
    // The page has no build date, so it is reproducible.
    let version = env!("CARGO_PKG_VERSION");
    let title = format!(".TH gwconform 1  \"gwconform {version}\" ");
    assert!(page.contains(&title), "{page}");
}

#[test]
fn completions_know_each_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = gwconform(&["completions", shell]);
        assert_eq!(output.code, 0, "{}", output.stderr);
        for command in commands_below(&[]) {
            let name = command.last().unwrap();
            assert!(output.stdout.contains(name.as_str()), "{shell}: {name}");
        }
    }
    let output = gwconform(&["completions", "tcsh"]);
    assert_eq!((output.code, output.stdout.as_str()), (2, ""));
}

/// zsh and fish are not run.
#[test]
fn zsh_and_fish_complete_names_of_the_built_in_data() {
    let zsh = gwconform(&["completions", "zsh"]).stdout;
    let releases = zsh.lines().filter(|line| line.contains("'--release=["));
    let releases: Vec<&str> = releases.collect();
    assert!(releases.len() > 8, "{releases:?}");
    for release in releases {
        // A badge is for a minor.
        let has_patches = !release.contains("for this minor");
        assert!(release.contains(":RELEASE:("), "{release}");
        assert_eq!(release.contains(" v1.5.1 "), has_patches, "{release}");
    }
    let rule = zsh.lines().find(|line| line.contains("::rule"));
    assert!(rule.unwrap().contains(" report/date "), "{rule:?}");
    let fish = gwconform(&["completions", "fish"]).stdout;
    let line = |start: &str| {
        let start = format!("complete -c gwconform -n \"__fish_gwconform_using_subcommand {start}");
        let found = fish
            .split("\ncomplete")
            .find(|one| format!("complete{one}").starts_with(&start));
        found.unwrap_or_else(|| panic!("{start}")).to_owned()
    };
    for (start, name) in [
        ("explain\" -f -a", "report/date"),
        ("features\" -f -a", "HTTPRouteCORS"),
        ("tests\" -f -a", "HTTPRouteWeight"),
        ("plan\" -l release", "v1.5.1"),
    ] {
        let line = line(start);
        assert!(line.contains(name) && line.contains(" -f "), "{line}");
    }
    // Other values are accepted.
    assert_eq!(
        gwconform(&["plan", "--release", "1.5", "--profile", "GATEWAY-HTTP"]).code,
        0
    );
}

#[cfg(unix)]
#[test]
fn bash_completes_a_command_and_an_option() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("completions");
    fs::write(&path, gwconform(&["completions", "bash"]).stdout).unwrap();
    let complete = |words: &str, count: usize| -> String {
        let script = format!(
            "source \"$1\"; COMP_WORDS=({words}); COMP_CWORD={count}; _gwconform gwconform \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let output = std::process::Command::new("bash")
            .args(["--noprofile", "--norc", "-c", &script, "bash"])
            .arg(&path)
            .current_dir(folder.path())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(complete("gwconform chec", 1), "check\n");
    assert_eq!(complete("gwconform check --sinc", 2), "--since\n");
    // Names of the built-in data, and not the files in the working directory.
    fs::write(folder.path().join("v1.5.1-file"), "").unwrap();
    assert_eq!(
        complete("gwconform explain report/date-in", 2),
        "report/date-in-future\n"
    );
    assert_eq!(
        complete("gwconform check --select report/date-in", 3),
        "report/date-in-future\n"
    );
    assert_eq!(
        complete("gwconform features HTTPRouteCOR", 2),
        "HTTPRouteCORS\n"
    );
    assert_eq!(
        complete("gwconform tests HTTPRouteWeigh", 2),
        "HTTPRouteWeight\n"
    );
    assert_eq!(
        complete("gwconform plan --profile GATEWAY-H", 3),
        "GATEWAY-HTTP\n"
    );
    assert_eq!(
        complete("gwconform plan --release v1.5", 3),
        "v1.5\nv1.5.1\nv1.5.0\n"
    );
    assert_eq!(complete("gwconform plan --release zz", 3), "\n");
}

#[test]
fn an_unknown_command_has_no_page() {
    let output = gwconform(&["man", "registry", "chekc"]);
    assert_eq!((output.code, output.stdout.as_str()), (2, ""));
    output.stderr_has("unknown command `chekc`");
}

#[test]
fn the_help_lists_commands_by_task_on_one_line_each() {
    let help = gwconform(&["--help"]).stdout;
    for other in [&["-h"][..], &["help"]] {
        assert_eq!(gwconform(other).stdout, help, "{other:?}");
    }
    let titles: Vec<&str> = help
        .lines()
        .filter_map(|line| line.strip_suffix(':'))
        .collect();
    let expected = [
        "Submit a report",
        "Keep a tree",
        "Choose and run a gateway",
        "Look up",
        "Options",
        "Examples",
    ];
    assert_eq!(titles, expected);
    let all = gwconform(&["help", "--all"]).stdout;
    for line in all.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        let name = line
            .strip_prefix("  ")
            .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()))
            .and_then(|line| line.split_once("  "));
        assert!(
            name.is_none_or(|(_, about)| !about.trim().is_empty()),
            "{line}"
        );
    }
    for name in ["help", "registry", "schema", "completions", "man"] {
        assert!(!help.contains(&format!("\n  {name}  ")), "{name}");
        assert!(all.contains(&format!("\n  {name}  ")), "{name}");
    }
    assert_eq!(examples(&help).len(), 6);
    assert_eq!(
        gwconform(&["help", "registry", "import"]).stdout,
        gwconform(&["registry", "import", "--help"]).stdout
    );
    assert_eq!(gwconform(&["help", "chekc"]).code, 2);
}

#[test]
fn each_short_help_has_at_most_30_lines_and_ends_with_two_examples() {
    let commands = commands_below(&[]);
    assert!(commands.len() > 25, "{commands:?}");
    let long: Vec<String> = commands
        .iter()
        .filter_map(|command| {
            let help = short_help(command);
            let count = help.lines().count();
            (count > 30).then(|| format!("{count} lines\n{help}"))
        })
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
    for command in commands {
        let help = short_help(&command);
        let examples = examples(&help);
        assert_eq!(examples.len(), 2, "{help}");
        assert!(help.ends_with(&format!("\n  {}\n", examples[1])), "{help}");
    }
}

pub(crate) fn examples(help: &str) -> Vec<String> {
    let listed = help.split_once("\nExamples:\n").unwrap().1;
    let lines = listed.lines().map_while(|line| line.strip_prefix("  "));
    lines.map(str::to_owned).collect()
}

pub(crate) fn short_help(command: &[String]) -> String {
    help(command, "-h")
}

pub(crate) fn long_help(command: &[String]) -> String {
    help(command, "--help")
}

fn help(command: &[String], option: &str) -> String {
    let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
    arguments.push(option);
    gwconform(&arguments).stdout
}
