use std::fs;
use std::io;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::{Command, ValueHint};
use clap_mangen::Man;

use super::{Content, Exit, Failure, Streams, write};

/// Print the man page of a command, or write all man pages.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Command, such as check or registry import [default: gwconform itself]
    #[arg(conflicts_with = "out")]
    command: Vec<String>,
    /// Output path: a folder for the man pages of all commands
    #[arg(short, long, value_name = "PATH", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let mut program = super::command(false);
    program.build();
    let Some(out) = &arguments.out else {
        let page = Page::of(find(&program, &arguments.command)?)?;
        streams
            .out(Content::Exact)
            .write_all(page.text.as_bytes())?;
        return Ok(Exit::Done);
    };
    let mut pages = Vec::new();
    all(&program, &mut pages)?;
    fs::create_dir_all(out).with_context(|| format!("{} cannot be made", out.display()))?;
    for page in pages {
        write::text(&out.join(page.name), &page.text)?;
    }
    Ok(Exit::Done)
}

struct Page {
    name: String,
    text: String,
}

impl Page {
    fn of(command: &Command) -> io::Result<Self> {
        let page =
            Man::new(command.clone()).source(concat!("gwconform ", env!("CARGO_PKG_VERSION")));
        let mut text = Vec::new();
        page.render(&mut text)?;
        Ok(Self {
            name: page.get_filename(),
            text: String::from_utf8_lossy(&text).into_owned(),
        })
    }
}

fn find<'c>(program: &'c Command, names: &[String]) -> Result<&'c Command, Failure> {
    names.iter().try_fold(program, |command, name| {
        command.find_subcommand(name).ok_or_else(|| {
            Failure::Usage(anyhow!(
                "unknown command `{name}`; expected one that `gwconform help --all` lists"
            ))
        })
    })
}

fn all(command: &Command, pages: &mut Vec<Page>) -> io::Result<()> {
    pages.push(Page::of(command)?);
    for command in command.get_subcommands() {
        all(command, pages)?;
    }
    Ok(())
}
