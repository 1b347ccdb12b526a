use std::path::{Path, PathBuf};

use super::catalog::CatalogArguments;
use super::severity::FailOn;
use super::{Exit, Failure, Streams, subject};
use crate::certify::catalog::Catalog;
use crate::certify::details;
use crate::cli::format::TextFormat;
use crate::print::certify::{self, Listing, Verdicts};
use crate::print::list_check::{self, ListCheck};
use crate::review::lists;
use crate::text::source::{MAX_FILE_BYTES, Source};
use crate::tree::files::{FileKind, PathError};
use crate::workspace::{Base, PathBase};
use anyhow::anyhow;

/// Show which implementations in a reports tree are conformant, or explain the verdict of one.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Reports tree [default: ./conformance/reports, then ./reports, then the tree that contains
    /// the working directory]. With --in, or if no such path exists: an implementation, by its
    /// organization/project (acme/operator), another name, or a part of a name
    #[arg(value_name = "TREE|NAME")]
    path: Option<PathBuf>,
    /// Reports tree of the implementation
    #[arg(
        long = "in",
        value_name = "TREE",
        requires = "path",
        conflicts_with = "implementation"
    )]
    tree: Option<PathBuf>,
    /// Former form of NAME, for scripts
    #[arg(long, value_name = "NAME", hide = true)]
    implementation: Option<String>,
    /// Compare a hand-maintained list with the verdicts: a Markdown page, or a folder with one
    /// folder per implementation that contains details.yaml. Exit with 1 if the list needs changes
    #[arg(long, value_name = "LIST", conflicts_with_all = ["implementation", "all"])]
    check: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    format: TextFormat,
    /// Show the reasons, and implementations without a current report; JSON always includes both
    #[arg(long)]
    all: bool,
    /// Exit with 1 if there are findings at or above this severity [default: never]
    #[arg(long, value_enum, value_name = "SEVERITY")]
    fail_on: Option<FailOn>,
    #[command(flatten)]
    catalog: CatalogArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let (path, name) = arguments.subject();
    let opened = arguments.catalog.open(path, streams);
    let workspace = opened.map_err(|failure| arguments.not_a_path(failure))?;
    let (empty, bar) = (
        arguments.catalog.verdicts.empty,
        arguments.format.bar(streams),
    );
    let tree = empty.certify(&workspace, PathBase::WorkingDir, bar, streams)?;
    let mut catalog = arguments.catalog.verdicts.catalog_for_known_minor(&tree)?;
    if let Some(list) = &arguments.check {
        return arguments.check_list(list, &catalog, workspace.base(), streams);
    }
    if let Some(name) = name {
        let found = subject::find(&catalog, name, streams).map(|one| one.slug.clone());
        let slug = found.map_err(|failure| arguments.not_a_path(failure))?;
        catalog.restrict_to(&slug);
    }
    let listing = match arguments.all || name.is_some() {
        true => Listing::All,
        false => Listing::Current,
    };
    let page = || match arguments.format {
        TextFormat::Markdown => {
            let addresses = arguments.catalog.site(tree.config()).addresses;
            certify::list(&catalog, &addresses, listing)
        }
        _ => certify::page(&catalog, listing),
    };
    let verdicts = || Verdicts::new(&catalog, tree.config());
    arguments.format.print(streams, page, verdicts)?;
    let fail_on = arguments.fail_on.unwrap_or(FailOn::Never);
    Ok(fail_on.exit(&tree.report))
}

impl Arguments {
    fn subject(&self) -> (Option<&Path>, Option<&str>) {
        let path = self.path.as_deref();
        if let Some(name) = &self.implementation {
            return (path, Some(name));
        }
        if let Some(tree) = &self.tree {
            return (Some(tree), path.and_then(Path::to_str));
        }
        // `--check` compares a list with all verdicts, so the argument is always a path.
        if self.check.is_some() {
            return (path, None);
        }
        match path.and_then(Path::to_str) {
            Some(name) if !subject::is_path(name) => (None, Some(name)),
            _ => (path, None),
        }
    }

    fn not_a_path(&self, failure: Failure) -> Failure {
        match (&self.path, self.subject()) {
            (Some(_), (None, Some(name))) => subject::not_a_path(name, failure),
            _ => failure,
        }
    }

    fn check_list(
        &self,
        list: &Path,
        catalog: &Catalog<'_>,
        base: &Base,
        streams: &mut Streams<'_>,
    ) -> Result<Exit, Failure> {
        let path = base.absolute(list);
        let shown = base.display(&path);
        let problems = match base.files().kind_of(&path) {
            Ok(FileKind::Folder) => {
                let display = |path: &Path| base.display(path);
                let read = details::load_folder(base.files(), &path, &display);
                let (details, unused) =
                    read.map_err(|error| PathError::new(&shown, error, LIST))?;
                lists::check_details(&details, &unused, &shown, catalog)
            }
            _ => {
                let bytes = base.read(&path, MAX_FILE_BYTES, LIST)?;
                let page = Source::new(shown.clone(), bytes);
                lists::check_page(&page, catalog)
                    .map_err(|error| Failure::Usage(anyhow!("{shown}: {error}")))?
            }
        };
        let check = ListCheck::new(shown, problems);
        self.format
            .print(streams, || list_check::page(&check), || &check)?;
        Ok(match check.is_empty() {
            true => Exit::Done,
            false => Exit::Findings,
        })
    }
}

const LIST: &str = "a list of implementations";
