//! `gwconform add`

mod print;

use std::io::Write as _;
use std::path::PathBuf;

use super::fix::{recover, write_changes, write_diff};
use super::registry::RegistryArguments;
use super::{Exit, Failure, Streams, open};
use crate::add;
use crate::workspace::{Options, Target};

/// File fresh reports into a reports tree: folder, name, row of the README.
///
/// The report is checked and copied byte for byte. An implementation that has reports of the release
/// keeps its folder; a new one gets one that is named for its organization and project, with a README
/// that says how to run the suite. Nothing is overwritten, and doing it twice is doing it once. At the end it says what only a
/// person can do.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Reports as the suite wrote them
    #[arg(value_name = "REPORT", required = true)]
    reports: Vec<PathBuf>,
    /// The reports tree, or the repository that holds it; without it conformance/reports, else reports
    #[arg(long, value_name = "DIR")]
    tree: Option<PathBuf>,
    /// The page of the implementation's release, which the README links
    #[arg(long, value_name = "URL", value_parser = web_address)]
    release_url: Option<String>,
    /// Print what would change, as a diff, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// File reports with errors too
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    registry: RegistryArguments,
}

fn web_address(text: &str) -> Result<String, String> {
    let is_web = ["http://", "https://"]
        .iter()
        .any(|scheme| text.starts_with(scheme));
    match fluent_uri::Uri::parse(text) {
        Ok(_) if is_web => Ok(text.to_owned()),
        _ => Err(
            "expected the address of a web page, such as https://acme.example/v1.2.0".to_owned(),
        ),
    }
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let options = Options {
        target: Target::Tree(arguments.tree.clone()),
        registry: arguments.registry.folder(),
        ..Options::default()
    };
    let workspace = open::workspace(options, streams)?;
    let reports = arguments.reports.iter();
    let reports: Result<Vec<_>, _> = reports.map(|path| workspace.read_report(path)).collect();
    let reports = reports?;
    if !arguments.dry_run {
        recover(&workspace, streams)?;
    }
    let options = add::Options {
        release_url: arguments.release_url.clone(),
        is_forced: arguments.force,
    };
    let planned = match workspace.add(reports, &options)? {
        Ok(planned) => planned,
        Err(errors) => {
            for error in &errors {
                print::error(error, workspace.config(), streams)?;
            }
            writeln!(streams.stderr, "nothing was added")?;
            return Ok(Exit::Findings);
        }
    };
    let changes = &planned.plan.changes;
    if arguments.dry_run {
        // What stands before a diff is no part of it.
        print::to_do(&planned.plan, &mut streams.stdout)?;
        write_diff(changes, streams)?;
        return Ok(Exit::Done);
    }
    write_changes(changes, workspace.base(), &planned.roots, streams)?;
    print::filed(&planned, streams)?;
    Ok(Exit::Done)
}
