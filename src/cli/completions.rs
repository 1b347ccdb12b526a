use std::collections::BTreeSet;
use std::fmt::Write as _;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory as _};
use clap_complete::Shell;

use super::{Content, Exit, Failure, Streams};
use crate::rules;
use gwconform_base::api::NameKind;
use gwconform_base::release::Registry;

/// Print shell completions.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Target shell
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    // The generator panics if the writer fails, so the script is written to memory.
    let mut text = Vec::new();
    let mut command = with_values(super::command(false), "");
    clap_complete::generate(arguments.shell, &mut command, "gwconform", &mut text);
    if arguments.shell == Shell::Fish {
        text.extend(fish_positionals().into_bytes());
    }
    streams.out(Content::Exact).write_all(&text)?;
    Ok(Exit::Done)
}

/// Adds the names of the built-in data to `command`, which completes but does not parse arguments:
/// it would reject other names. `above` is the path of its parent.
fn with_values(command: Command, above: &str) -> Command {
    let path = format!("{above} {}", command.get_name());
    let command = command.mut_args(|arg| match values(&path, &arg) {
        Some(values) => arg.value_parser(PossibleValuesParser::new(values)),
        None => arg,
    });
    command.mut_subcommands(|command| with_values(command, &path))
}

fn values(path: &str, arg: &Arg) -> Option<Vec<&'static str>> {
    let registry = Registry::embedded();
    let value = arg.get_value_names()?.first()?.as_str();
    Some(match (path, value) {
        (_, "RULE") => {
            let ids: Vec<&str> = rules::ALL.iter().map(|rule| rule.id).collect();
            let groups = ids.iter().filter_map(|id| Some(id.split_once('/')?.0));
            let groups: BTreeSet<&str> = groups.collect();
            groups.into_iter().chain(ids.iter().copied()).collect()
        }
        (_, "PROFILE") => registry.names(NameKind::Profile).into_iter().collect(),
        (_, "FEATURES") | (" gwconform features", "NAME") => {
            registry.names(NameKind::Feature).into_iter().collect()
        }
        (_, "TESTS") | (" gwconform tests", "NAME") => {
            registry.names(NameKind::Test).into_iter().collect()
        }
        (" gwconform badge", "RELEASE") => releases(false),
        (_, "RELEASE") | (" gwconform releases diff", "OLD" | "NEW") => releases(true),
        _ => return None,
    })
}

/// The program ends after it prints the names, so they are never freed.
fn releases(has_patches: bool) -> Vec<&'static str> {
    let releases = Registry::embedded().releases().iter().rev();
    let mut names: Vec<&str> = Vec::new();
    for version in releases.map(|release| release.version()) {
        let minor: &str = version.minor().to_string().leak();
        if names.iter().all(|name| *name != minor) {
            names.push(minor);
        }
        if has_patches {
            names.push(version.to_string().leak());
        }
    }
    names
}

/// `clap_complete` completes only the options in fish.
fn fish_positionals() -> String {
    let program = super::Arguments::command();
    let mut text = String::new();
    for command in program.get_subcommands() {
        let name = command.get_name();
        let path = format!(" gwconform {name}");
        for values in command
            .get_positionals()
            .filter_map(|arg| values(&path, arg))
        {
            let values = values.join(" ");
            let _ = writeln!(
                text,
                "complete -c gwconform -n \"__fish_gwconform_using_subcommand {name}\" -f -a \"{values}\""
            );
        }
    }
    text
}
