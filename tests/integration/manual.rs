//! Tests that `gwconform completions` and `gwconform man` cover all commands in the help.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::{Output, run};

fn gwconform(arguments: &[&str]) -> Output {
    let arguments: Vec<String> = arguments.iter().copied().map(str::to_owned).collect();
    run(Path::new("."), &arguments)
}

fn commands_below(command: &[String]) -> Vec<Vec<String>> {
    let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
    arguments.push("--help");
    let help = gwconform(&arguments).stdout;
    let Some((_, listed)) = help.split_once("Commands:\n") else {
        return Vec::new();
    };
    let names = listed.lines().take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| !line.starts_with(' '));
    let names = names.filter_map(|line| line.split_whitespace().next());
    let names = names.filter(|name| *name != "help");
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
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(complete("gwconform chec", 1), "check\n");
    assert_eq!(complete("gwconform check --sinc", 2), "--since\n");
}

#[test]
fn an_unknown_command_has_no_page() {
    let output = gwconform(&["man", "registry", "chekc"]);
    assert_eq!((output.code, output.stdout.as_str()), (2, ""));
    output.stderr_has("unknown command `chekc`");
}
