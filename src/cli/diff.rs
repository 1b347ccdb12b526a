use std::path::{Path, PathBuf};

use super::allow_unread::EmptyArguments;
use super::{Exit, Failure, Streams, day, git, implementation_name, open};
use crate::cli::format::TextFormat;
use crate::print::diff::{Changes, page};
use crate::workspace::Workspace;
use anyhow::anyhow;
use gwconform_base::api::Mode;
use gwconform_base::files::{PathError, read_regular};
use gwconform_base::text::source::MAX_FILE_BYTES;
use gwconform_report::report::facts::ReportFacts;

/// Show what changed between two reports, regressions first.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Older report: a file, REV:PATH for a file in a git revision, or NAME@VERSION for a report in
    /// a tree
    #[arg(value_name = "OLD")]
    old: String,
    /// Newer report, in the same forms
    #[arg(value_name = "NEW")]
    new: String,
    /// Reports tree: contains the reports of NAME@VERSION
    ///
    /// [default: ./conformance/reports, then ./reports, then the tree that contains the working
    /// directory]
    #[arg(long = "in", value_name = "TREE")]
    tree: Option<PathBuf>,
    /// Exit with 1 if the newer report has regressions
    #[arg(long)]
    fail_on_loss: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    format: TextFormat,
    #[command(flatten)]
    empty: EmptyArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let names = [arguments.old.as_str(), arguments.new.as_str()];
    let of_tree = names.map(is_name);
    if !of_tree.contains(&true) {
        let workspace = open::for_texts(arguments.format.paths(), streams)?;
        let [old, new] = names.map(|name| read(name, &workspace));
        return arguments.print(&workspace, &old?, &new?, streams);
    }
    let workspace = open::tree(arguments.tree.as_deref(), arguments.format.paths(), streams)?;
    let (empty, bar) = (arguments.empty, arguments.format.bar(streams));
    let tree = empty.certify(&workspace, bar, streams)?;
    let catalog = tree.catalog_as_of(day::of_tree(None, &tree)?);
    let read_side = |name: &str, is_name: bool| {
        if is_name {
            Ok(implementation_name::reports(&catalog, name)?
                .into_iter()
                .cloned()
                .collect())
        } else {
            read(name, &workspace).map(|facts| vec![facts])
        }
    };
    let old: Vec<ReportFacts> = read_side(names[0], of_tree[0])?;
    let new: Vec<ReportFacts> = read_side(names[1], of_tree[1])?;
    let (old, new) = alike(&old, &new).ok_or_else(|| {
        Failure::Usage(anyhow!(
            "{} and {}: no report to compare",
            names[0],
            names[1]
        ))
    })?;
    streams.note(format_args!("comparing {} with {}", new.path, old.path))?;
    arguments.print(&workspace, old, new, streams)
}

/// Of several reports of a version, the pair with the same channel and mode. Mode `default` and
/// newer reports are preferred.
fn alike<'f>(
    old: &'f [ReportFacts],
    new: &'f [ReportFacts],
) -> Option<(&'f ReportFacts, &'f ReportFacts)> {
    let pairs = old.iter().rev().flat_map(|old| {
        let new = new.iter().rev();
        new.map(move |new| (old, new))
    });
    pairs.min_by_key(|(old, new)| {
        (
            old.channel() != new.channel(),
            old.mode() != new.mode(),
            new.mode() != Some(Mode::Default.as_str()),
        )
    })
}

fn is_name(text: &str) -> bool {
    !implementation_name::is_path(text) && git::Blob::parse(text).is_none()
}

impl Arguments {
    fn print(
        &self,
        workspace: &Workspace,
        old: &ReportFacts,
        new: &ReportFacts,
        streams: &mut Streams<'_>,
    ) -> Result<Exit, Failure> {
        let changes = workspace.diff(old, new);
        let names = [old.path.as_str(), new.path.as_str()];
        let document = || workspace.document(Changes::new(&changes, names));
        self.format.print(streams, || page(&changes), document)?;
        if self.fail_on_loss && !changes.regressions.is_empty() {
            return Ok(Exit::Findings);
        }
        Ok(Exit::Done)
    }
}

pub(super) fn read(name: &str, workspace: &Workspace) -> Result<ReportFacts, Failure> {
    let (path, bytes) = read_bytes(name, workspace)?;
    let shown = if path.is_absolute() {
        workspace.base().display(&path)
    } else {
        name.to_owned()
    };
    let facts = workspace.facts(&shown, &path, bytes);
    facts.map_err(|error| Failure::Usage(anyhow!("{name}: {error}")))
}

pub(super) fn read_bytes(name: &str, workspace: &Workspace) -> Result<(PathBuf, Vec<u8>), Failure> {
    let base = workspace.base();
    Ok(match git::Blob::parse(name) {
        // A path can contain a colon, so an existing file takes precedence over REV:PATH.
        Some(blob) if !Path::new(name).exists() => {
            let bytes = blob.read(base.path())?;
            (Path::new(blob.path).to_owned(), bytes)
        }
        _ => {
            let path = base.absolute(Path::new(name));
            let bytes = read_regular(&path, MAX_FILE_BYTES)
                .map_err(|reason| PathError::new(name, reason, "a report"))?;
            (path, bytes)
        }
    })
}
