//! `gwconform certify`

use std::path::PathBuf;

use clap::ValueEnum;

use super::catalog::CatalogArguments;
use super::findings::Bar;
use super::severity::FailOn;
use super::{Exit, Failure, Streams};
use crate::render::certify::{self, Listing};
use crate::workspace::PathBase;

/// Show which implementations of a reports tree are conformant, and why.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Reports tree [default: ./conformance/reports, then ./reports]
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Also list implementations without a current report; JSON always does
    #[arg(long)]
    all: bool,
    /// Exit with 1 if there are findings at or above this severity [default: never]
    #[arg(long, value_enum, value_name = "SEVERITY")]
    fail_on: Option<FailOn>,
    #[command(flatten)]
    catalog: CatalogArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// For programs; `gwconform schema certify` describes it
    Json,
    /// A page that lists them, with badges
    Markdown,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let path = arguments.path.as_deref();
    let workspace = arguments.catalog.open(path, streams)?;
    let is_human = arguments.format == Format::Human;
    let bar = Bar::new(is_human && streams.is_terminal);
    let tree = workspace.certify(PathBase::WorkingDir, &|progress| bar.draw(progress))?;
    drop(bar);
    let catalog = arguments.catalog.catalog(&tree)?;
    let listing = match arguments.all {
        true => Listing::All,
        false => Listing::Current,
    };
    let out = &mut streams.stdout;
    match arguments.format {
        Format::Human => certify::write_human(&catalog, listing, out)?,
        Format::Json => certify::write_json(&catalog, tree.config(), out)?,
        Format::Markdown => {
            let addresses = arguments.catalog.site(tree.config()).addresses;
            certify::write_markdown(&catalog, &addresses, listing, out)?;
        }
    }
    let fail_on = arguments.fail_on.unwrap_or(FailOn::Never);
    Ok(fail_on.exit(&tree.report))
}
