use std::path::{Path, PathBuf};

use super::catalog::CatalogArguments;
use super::severity::FailOn;
use super::{Exit, Failure, Streams, implementation_name};
use crate::cli::format::TextFormat;
use crate::print::certify::{self, Listing, Verdicts};
use crate::workspace::PathBase;

/// Show which implementations are conformant, or explain one verdict.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Reports tree, or an implementation such as acme/operator
    ///
    /// [default: ./conformance/reports, then ./reports, then the tree that contains the working
    /// directory]. With --in, or if no such path exists: an implementation, by its
    /// organization/project (acme/operator), another name, or a part of a name.
    #[arg(value_name = "TREE|NAME")]
    path: Option<PathBuf>,
    /// Reports tree
    #[arg(long = "in", value_name = "TREE")]
    tree: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    format: TextFormat,
    /// List everything: also the reasons, and implementations without a current report
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
    let opened = arguments
        .catalog
        .open(path, arguments.format.paths(), streams);
    let workspace = opened.map_err(|failure| arguments.not_a_path(failure))?;
    let bar = arguments.format.bar(streams);
    let (empty, unread) = (arguments.catalog.verdicts.empty, arguments.catalog.unread);
    let tree = unread.certify(empty, &workspace, PathBase::default(), bar, streams)?;
    let mut catalog = arguments.catalog.verdicts.catalog(&tree)?;
    if let Some(name) = name {
        let found = implementation_name::find(&catalog, name, streams).map(|one| one.slug.clone());
        let slug = found.map_err(|failure| arguments.not_a_path(failure))?;
        catalog.restrict_to(&slug);
    }
    let listing = if arguments.all || name.is_some() {
        Listing::All
    } else {
        Listing::Current
    };
    let page = || match arguments.format {
        TextFormat::Markdown => {
            let addresses = arguments.catalog.site(tree.config()).addresses;
            certify::list(&catalog, &addresses, listing)
        }
        _ => certify::page(&catalog, listing),
    };
    let verdicts = || workspace.document(Verdicts::new(&catalog, tree.config()));
    arguments.format.print(streams, page, verdicts)?;
    let fail_on = arguments.fail_on.unwrap_or(FailOn::Never);
    Ok(fail_on.exit(&tree.report))
}

impl Arguments {
    fn subject(&self) -> (Option<&Path>, Option<&str>) {
        let path = self.path.as_deref();
        if let Some(tree) = &self.tree {
            return (Some(tree), path.and_then(Path::to_str));
        }
        match path.and_then(Path::to_str) {
            Some(name) if !implementation_name::is_path(name) => (None, Some(name)),
            _ => (path, None),
        }
    }

    fn not_a_path(&self, failure: Failure) -> Failure {
        match (&self.path, self.subject()) {
            (Some(_), (None, Some(name))) => implementation_name::not_a_path(name, failure),
            _ => failure,
        }
    }
}
