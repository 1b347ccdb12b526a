//! Help of the program: commands by task, examples, and tips for commands of other programs.

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// Print the help of a command, or list the commands.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Command, such as check or registry import [default: gwconform itself]
    #[arg(value_name = "COMMAND", conflicts_with = "all")]
    command: Vec<OsString>,
    /// List everything: also commands for packagers and other tools
    #[arg(long)]
    pub all: bool,
}

impl Arguments {
    /// The command line with the option that clap answers.
    pub fn as_option(&self, program: Option<&OsString>) -> Vec<OsString> {
        let words = program.into_iter().chain(&self.command).cloned();
        words.chain(["--help".into()]).collect()
    }
}

type Group = (&'static str, &'static [&'static str]);

const GROUPS: &[Group] = &[
    (
        "Submit a report",
        &["plan", "check", "verify", "add", "diff"],
    ),
    ("Keep a tree", &["certify", "site", "badge", "export"]),
    ("Choose and run a gateway", &["needs", "resources"]),
    (
        "Look up",
        &[
            "features", "tests", "profiles", "releases", "explain", "outlook",
        ],
    ),
];

/// Only `help --all` lists these commands.
const OTHERS: Group = (
    "Other commands",
    &["help", "registry", "schema", "completions", "man"],
);

/// Two examples for each command, and six for the program.
const EXAMPLES: &str = "\
gwconform
  gwconform plan --profile GATEWAY-HTTP --all-features
  gwconform add report.yaml --dry-run
  gwconform check --since origin/main
  gwconform check --format concise
  gwconform certify acme/operator
  gwconform needs manifests --in conformance/reports

gwconform add
  gwconform add report.yaml --dry-run
  gwconform add --from-log conformance.log

gwconform badge
  gwconform badge acme/operator --format markdown
  gwconform badge acme/operator --profile GATEWAY-HTTP > badge.svg

gwconform certify
  gwconform certify
  gwconform certify acme/operator

gwconform check
  gwconform check conformance/reports --fix
  gwconform check --since origin/main

gwconform completions
  gwconform completions bash > gwconform.bash
  gwconform completions zsh > _gwconform

gwconform diff
  gwconform diff acme/operator@v2.18.0 acme/operator@v2.18.3
  gwconform diff origin/main:report.yaml report.yaml

gwconform explain
  gwconform explain report/date
  gwconform explain report

gwconform export
  gwconform export tables --out content/comparison
  gwconform export list --details conformance/list/implementations --out list.md

gwconform features
  gwconform features --release v1.5 --profile GATEWAY-HTTP
  gwconform features HTTPRouteCORS --in conformance/reports

gwconform help
  gwconform help check
  gwconform help --all

gwconform man
  gwconform man check > check.1
  gwconform man --out man1

gwconform needs
  gwconform needs manifests --in conformance/reports
  gwconform needs manifests --crds v1.6/standard

gwconform outlook
  gwconform outlook
  gwconform outlook acme/operator --release v1.7

gwconform plan
  gwconform plan --profile GATEWAY-HTTP --all-features
  gwconform plan --profile GATEWAY-HTTP --class class.yaml

gwconform profiles
  gwconform profiles
  gwconform profiles --release v1.5

gwconform registry
  gwconform help registry import
  gwconform help registry check

gwconform registry check
  gwconform registry check facts.json --release v1.6.1
  gwconform registry check facts.json --registry facts

gwconform registry import
  gwconform registry import facts.json --release v1.7.0 --date 2026-11-02 -o facts/v1.7.0.json
  gwconform registry import facts.json --release v1.7.0-rc.1 --out v1.7.0-rc.1.json

gwconform registry served
  gwconform registry served v1.5.1 v1.6.1 --out facts
  gwconform registry served SOURCES/* --out schema/registry

gwconform releases
  gwconform releases
  gwconform releases diff v1.5 v1.6

gwconform releases diff
  gwconform releases diff v1.5 v1.6
  gwconform releases diff v1.5.0 v1.5.1 --format markdown

gwconform resources
  kubectl get gatewayclasses -o yaml | gwconform resources -
  gwconform resources dump.yaml --crds v1.6/standard

gwconform schema
  gwconform schema > report.schema.json
  gwconform schema config

gwconform site
  gwconform site --out public
  gwconform site --out public --base-url https://gateways.example/

gwconform tests
  gwconform tests HTTPRouteWeight
  gwconform tests --most-skipped --in conformance/reports

gwconform verify
  gwconform verify report.yaml --log conformance.log
  gwconform verify --log conformance.log --out statement.json";

/// Commands of other programs, and what to do here.
const TIPS: &[(&str, &str)] = &[
    (
        "compare",
        "to compare two reports, run `gwconform diff OLD NEW`",
    ),
    (
        "fix",
        "to fix READMEs and names, run `gwconform check --fix`",
    ),
    (
        "init",
        "no setup is needed; to add a report, run `gwconform add REPORT`",
    ),
    ("lint", "to check reports, run `gwconform check`"),
    (
        "list",
        "to list implementations, run `gwconform certify`; to list features, run `gwconform features`",
    ),
    ("rules", "to list all rules, run `gwconform explain`"),
    (
        "show",
        "to show an implementation, run `gwconform certify NAME`; to show a feature, run `gwconform features NAME`",
    ),
    ("status", "to show the verdicts, run `gwconform certify`"),
    (
        "submit",
        "to add a report to a reports tree, run `gwconform add REPORT`",
    ),
    ("validate", "to check reports, run `gwconform check`"),
    ("verdicts", "to show the verdicts, run `gwconform certify`"),
    ("version", "to print the version, run `gwconform --version`"),
];

/// Options under the names that other commands and programs have, and the names here.
const OPTION_TIPS: &[(&str, &str)] = &[
    ("--errors", "--quiet"),
    ("--file", "PATH without an option"),
    ("--for", "--release RELEASE"),
    ("--implementation", "NAME without an option"),
    ("--in", "PATH without an option"),
    ("--json", "--format json"),
    ("--markdown", "--format markdown"),
    ("--minor", "--release RELEASE"),
    ("--output", "--also FORMAT=FILE"),
    ("--output", "--out PATH"),
    ("--statement", "--out PATH"),
    ("--tree", "--in TREE"),
    ("--upgrade", "--crds RELEASE/CHANNEL"),
];

/// `error` with the tip for the command or option that it names, if a list of tips has it.
pub fn with_tip(mut error: Error, program: &Command, arguments: &[OsString]) -> Error {
    let named = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => name.as_str(),
        _ => "",
    };
    let invalid = named(ContextKind::InvalidSubcommand);
    let words = arguments.iter().skip(1);
    let mut words = words.take_while(|word| *word != invalid);
    let command = words.find_map(|word| program.find_subcommand(word));
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand => match command.map(Command::get_name) {
            None => {
                let tip = TIPS.iter().find(|(other, _)| *other == invalid);
                tip.map(|(_, tip)| (*tip).to_owned())
            }
            Some("releases") => {
                Some("to compare two releases, run `gwconform releases diff OLD NEW`".to_owned())
            }
            Some(_) => None,
        },
        ErrorKind::UnknownArgument => {
            let option = named(ContextKind::InvalidArg);
            let has = |tip: &str| {
                let word = tip.split(' ').next().unwrap_or_default();
                let known = command.into_iter().flat_map(Command::get_arguments);
                known
                    .into_iter()
                    .any(|known| match word.strip_prefix("--") {
                        Some(long) => known.get_long() == Some(long),
                        None => known.is_positional() && known.to_string().contains(word),
                    })
            };
            let mut tips = OPTION_TIPS.iter();
            let tip = tips.find(|(other, name)| *other == option && has(name));
            // clap would propose to pass the option as a value.
            error.remove(ContextKind::Suggested);
            tip.map(|(_, name)| format!("use {name}"))
        }
        _ => None,
    };
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        let tips = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tips);
    }
    error
}

/// `command` with examples, and the list of commands in the help of the program.
pub fn arranged(command: Command, is_all: bool) -> Command {
    let header = *command.get_styles().get_header();
    let others = is_all.then_some(&OTHERS);
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (title, names) in GROUPS.iter().chain(others) {
        let _ = writeln!(template, "\n{header}{title}:{header:#}");
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(template, "  {name:<11}  {about}");
        }
    }
    let _ = write!(
        template,
        "\n{header}Options:{header:#}\n{{options}}{{after-help}}"
    );
    let repository = gwconform_base::repository();
    let examples = examples().fold(command, |command, (path, examples)| {
        let mut text = format!("{header}Examples:{header:#}\n{examples}");
        if path.is_empty() {
            text.push_str(
                "\n\n`gwconform help COMMAND` describes a command; `gwconform help --all` lists all.",
            );
        }
        let page = page(path).zip(repository);
        text.extend(page.map(|(page, repository)| address(repository, page)));
        with_end(command, path, text)
    });
    examples.help_template(template)
}

/// Pages in `docs/`, and the commands that they describe.
const PAGES: &[(&str, &[&str])] = &[
    ("README", &[""]),
    ("checking", &["check", "explain", "schema"]),
    ("clusters", &["resources"]),
    ("export", &["export"]),
    ("installing", &["completions", "man"]),
    ("needs", &["needs"]),
    ("planning", &["plan"]),
    (
        "releases",
        &[
            "features", "tests", "profiles", "releases", "outlook", "registry",
        ],
    ),
    ("site", &["site", "badge"]),
    ("submitting", &["add"]),
    ("verdicts", &["certify", "diff"]),
    ("verifying", &["verify"]),
];

/// Page about the command at `path`, if there is one.
fn page(path: &str) -> Option<&'static str> {
    let command = path.split(' ').next()?;
    let mut pages = PAGES.iter();
    let found = pages.find(|(_, commands)| commands.contains(&command));
    found.map(|(page, _)| *page)
}

/// Address of a page in the version of this program.
fn address(repository: &str, page: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("\n\n{repository}/blob/v{version}/docs/{page}.md")
}

/// The path of each command, without the program, and its examples.
fn examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    let blocks = EXAMPLES.split("\n\n");
    let blocks = blocks.filter_map(|block| block.split_once('\n'));
    blocks.map(|(command, examples)| {
        (
            command.strip_prefix("gwconform ").unwrap_or_default(),
            examples,
        )
    })
}

/// Adds a text to the end of the help of the command at `path`.
fn with_end(command: Command, path: &str, text: String) -> Command {
    let (name, rest) = path.split_once(' ').unwrap_or((path, ""));
    if name.is_empty() {
        command.after_help(text)
    } else {
        command.mut_subcommand(name, |command| with_end(command, rest, text))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn paths(command: &Command, above: &str, all: &mut Vec<String>) {
        for command in command.get_subcommands() {
            let path = format!("{above} {}", command.get_name());
            paths(command, &path, all);
            all.push(path.trim_start().to_owned());
        }
    }

    /// An unknown command has no tip if a command has its name.
    #[test]
    fn each_tip_names_commands() {
        let program = super::super::Arguments::command();
        for (other, tip) in TIPS {
            assert!(program.find_subcommand(other).is_none(), "{other}");
            let named: Vec<&str> = tip.split("`gwconform ").skip(1).collect();
            assert!(!named.is_empty(), "{tip}");
            for named in named {
                let name = named.split([' ', '`']).next().unwrap();
                let is_known = name == "--version" || program.find_subcommand(name).is_some();
                assert!(is_known, "{tip}");
            }
        }
    }

    /// The index of the documentation lists the same commands for each page.
    #[test]
    fn pages_describe_their_commands() {
        let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");
        let read = |name| std::fs::read_to_string(format!("{docs}/{name}.md")).unwrap();
        let index = read("README");
        for (name, commands) in PAGES {
            let text = read(name);
            let mut rows = index.lines();
            let row =
                rows.find(|row| row.starts_with("| [") && row.contains(&format!("({name}.md)")));
            for command in *commands {
                assert_eq!(page(command), Some(*name));
                let example = format!("gwconform {command}");
                assert!(text.contains(example.trim_end()), "{name}: {command}");
                let is_listed = row.is_none_or(|row| row.contains(&format!("`{command}`")));
                assert!(
                    is_listed && (row.is_some() || command.is_empty()),
                    "{row:?}: {command}"
                );
            }
        }
        let one = "\n\nhttps://github.com/acme/gwconform/blob/v";
        assert!(address("https://github.com/acme/gwconform", "needs").starts_with(one));
    }

    #[test]
    fn each_command_is_in_one_group_and_has_examples() {
        let program = super::super::Arguments::command();
        let mut listed: Vec<&str> = GROUPS
            .iter()
            .chain([&OTHERS])
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        listed.sort_unstable();
        let mut names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        names.sort_unstable();
        assert_eq!(listed, names);
        let mut expected = vec![String::new()];
        paths(&program, "", &mut expected);
        expected.sort();
        let with_examples: Vec<&str> = examples().map(|(path, _)| path).collect();
        assert_eq!(with_examples, expected);
        for (path, examples) in examples() {
            let count = if path.is_empty() { 6 } else { 2 };
            assert_eq!(examples.lines().count(), count, "{path}");
        }
    }
}
