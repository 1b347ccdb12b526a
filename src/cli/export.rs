mod details;
mod files;

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::ValueEnum;

use super::allow_unread::UnreadArguments;
use super::bar::Bar;
use super::catalog::VerdictArguments;
use super::{Content, Exit, Failure, Streams};
use crate::site::export::{self, Layout};
use crate::workspace::{Base, PathBase, Target};
use details::DetailsFiles;
use files::{OutFile, Overwrite};
use gwconform_base::text::counted;
use gwconform_base::text::source::MAX_FILE_BYTES;
use gwconform_report::certify::catalog::Catalog;

/// Generate tables, lists or wizard data for your own site.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What to export
    #[arg(value_enum, value_name = "WHAT")]
    what: What,
    /// Reports tree
    ///
    /// [default: ./conformance/reports, then ./reports, then the tree that contains the working
    /// directory]
    #[arg(value_name = "TREE")]
    tree: Option<PathBuf>,
    /// Output path: a file, or a folder for tables [default: standard output, except for tables]
    #[arg(long, short, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Write nothing; print how existing files differ from the new output. Exit with 1 if files
    /// differ or stale exported files remain
    #[arg(long, conflicts_with = "force", requires = "out")]
    check: bool,
    /// Proceed anyway: overwrite files that `gwconform export` did not write
    #[arg(long, hide_short_help = true)]
    force: bool,
    /// Folder with one folder per implementation that contains details.yaml (list only)
    #[arg(long, value_name = "DIR")]
    details: Option<PathBuf>,
    /// Folder with one folder per integration that contains details.yaml (list only) [default:
    /// integrations next to the --details folder]
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    integrations: Option<PathBuf>,
    /// File with text to insert before the list
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    header: Option<PathBuf>,
    /// File with text to insert after the list
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    footer: Option<PathBuf>,
    #[command(flatten)]
    verdicts: VerdictArguments,
    #[command(flatten)]
    unread: UnreadArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Pages with tables of reports and features, in Markdown
    Tables,
    /// The same tables in the form of the Gateway API website
    TablesDocsy,
    /// Data for the Gateway API wizard, as JSON
    Wizard,
    /// List of implementations, in Markdown
    List,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    arguments.check_options()?;
    let verdicts = &arguments.verdicts;
    let target = arguments.tree.iter().cloned().collect();
    let workspace = verdicts.open(Target::Paths(target), PathBase::default(), streams)?;
    let base = workspace.base();
    let header = text_of(arguments.header.as_deref(), base)?;
    let footer = text_of(arguments.footer.as_deref(), base)?;
    let bar = Bar::new(streams);
    let (empty, unread) = (verdicts.empty, arguments.unread);
    let mut tree = unread.certify(empty, &workspace, PathBase::Tree, bar, streams)?;
    let mut details = DetailsFiles::read(arguments, base)?;
    unread.state(details.take_unread(), streams)?;
    if let Some(implementations) = details.implementations() {
        tree.set_details(implementations.to_vec());
    }
    let catalog = verdicts.catalog(&tree)?;
    details.warn(&catalog, streams)?;
    let outputs = match arguments.what {
        What::Tables => export::tables(&catalog, tree.registry(), Layout::Plain),
        What::TablesDocsy => export::tables(&catalog, tree.registry(), Layout::Docsy),
        What::Wizard => one_file(export::wizard(&catalog, tree.registry())),
        What::List => {
            tell_unlisted(&catalog, streams)?;
            let source = tree.config().source_url.as_ref();
            let list = export::list(
                &catalog,
                tree.registry(),
                source.map(|url| url.get_ref().as_str()),
                details.integrations(),
                &[&header, &footer],
            );
            one_file(framed(&header, list, &footer))
        }
    };
    let Some(out) = &arguments.out else {
        for (_, text) in outputs {
            streams
                .out(arguments.what.content())
                .write_all(text.as_bytes())?;
        }
        return Ok(Exit::Done);
    };
    let files = outputs.into_iter().map(|(name, text)| {
        let path = if name.is_empty() {
            out.clone()
        } else {
            out.join(name)
        };
        OutFile::new(&path, text, base)
    });
    let files: Vec<OutFile> = files.collect();
    for file in &files {
        super::site::overlap::refuse_overlap(file.path(), &tree, base)?;
    }
    let stale = if arguments.what.is_folder() {
        files::stale(&base.destination(out), &files, base)?
    } else {
        Vec::new()
    };
    let overwrite = if arguments.force {
        Overwrite::Anything
    } else {
        Overwrite::Ours
    };
    if arguments.check {
        files::check(&files, &stale, streams)
    } else {
        files::write(&files, &stale, overwrite, streams)
    }
}

impl Arguments {
    fn check_options(&self) -> Result<(), Failure> {
        if self.what.is_folder() && self.out.is_none() {
            return Err(Failure::Usage(anyhow!(
                "tables are several files; expected --out DIR"
            )));
        }
        let of_list = [
            ("--details", &self.details),
            ("--integrations", &self.integrations),
            ("--header", &self.header),
            ("--footer", &self.footer),
        ];
        let mut given = of_list.iter().filter(|(_, value)| value.is_some());
        match given.next() {
            Some((option, _)) if self.what != What::List => Err(Failure::Usage(anyhow!(
                "{option} is for `gwconform export list`"
            ))),
            _ => Ok(()),
        }
    }
}

impl What {
    /// The text of a list is part of a Markdown page, with descriptions as their files contain them.
    fn content(self) -> Content {
        match self {
            Self::Wizard => Content::Json,
            Self::List | Self::Tables | Self::TablesDocsy => Content::Exact,
        }
    }

    fn is_folder(self) -> bool {
        matches!(self, Self::Tables | Self::TablesDocsy)
    }
}

/// A file without a name below `--out`.
fn one_file(text: String) -> Vec<(String, String)> {
    vec![(String::new(), text)]
}

fn framed(header: &str, list: String, footer: &str) -> String {
    if header.is_empty() && footer.is_empty() {
        return list;
    }
    let parts = [header, &list, footer].map(|part| part.trim_matches('\n'));
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n") + "\n"
}

fn text_of(path: Option<&Path>, base: &Base) -> Result<String, Failure> {
    let Some(path) = path else {
        return Ok(String::new());
    };
    let path = base.absolute(path);
    let bytes = base.read(&path, MAX_FILE_BYTES, "a text")?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::Usage(anyhow!("{}: expected UTF-8", base.display(&path))))
}

fn tell_unlisted(catalog: &Catalog<'_>, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let unlisted = catalog.implementations.iter().filter(|one| {
        let mut families = one.families.iter();
        !families.any(|(_, certified)| certified.standing.is_current())
    });
    match unlisted.count() {
        0 => Ok(()),
        count => Ok(streams.note(format_args!(
            "not listed: {} without a current verdict",
            counted(count, "implementation")
        ))?),
    }
}
