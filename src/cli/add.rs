//! `gwconform add`

mod print;

use std::io::Write as _;
use std::path::PathBuf;

use super::fix::{recover, write_changes, write_diff};
use super::registry::RegistryArguments;
use super::{Exit, Failure, Streams, open};
use crate::workspace::add;
use crate::workspace::{Options, Target};

/// File new reports in a reports tree: folder, file name, README row.
///
/// Each report is checked and copied byte for byte. An implementation that already has reports for the
/// release keeps its folder; otherwise a folder is created, named as for its other releases or else
/// for its organization and project, with a README that describes how to run the suite. Nothing is
/// overwritten, and running the command again changes nothing. What `check` would call an error in the
/// result is refused. At the end it lists what to do by hand, and the commands to commit the result.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Reports, as the suite wrote them
    #[arg(value_name = "REPORT", required = true)]
    reports: Vec<PathBuf>,
    /// Reports tree, or the repository that contains it [default: ./conformance/reports, then
    /// ./reports, then the tree around the working directory]
    #[arg(long, value_name = "DIR")]
    tree: Option<PathBuf>,
    /// URL of the implementation's release page, for the README
    #[arg(long, value_name = "URL", value_parser = web_address)]
    release_url: Option<String>,
    /// Print the changes as a diff, without changing files
    #[arg(long)]
    dry_run: bool,
    /// Put the report in the place of its release candidate: the row, and the file, which is removed
    #[arg(long)]
    replace: bool,
    /// Also file reports that have errors, or that cause errors in the tree
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
        _ => Err("expected an absolute URL, such as https://acme.example/v1.2.0".to_owned()),
    }
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let base = open::working_dir()?;
    let root = base.tree(arguments.tree.as_deref())?;
    let reports = arguments
        .reports
        .iter()
        .map(|path| base.read_report(path))
        .collect::<Result<Vec<_>, _>>()?;
    let options = Options {
        target: Target::Tree(Some(root)),
        registry: arguments.registry.folder(),
        ..Options::default()
    };
    let workspace = open::workspace(options, streams)?;
    if !arguments.dry_run {
        recover(&workspace, streams)?;
    }
    let options = add::Options {
        release_url: arguments.release_url.clone(),
        is_forced: arguments.force,
        is_replacing: arguments.replace,
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
    print::findings(&planned.plan, workspace.config(), streams)?;
    if arguments.dry_run {
        // Text before a diff is ignored by tools that apply it.
        print::already_filed(&planned.plan, &mut streams.stdout)?;
        print::to_do(&planned.plan, &mut streams.stdout)?;
        write_diff(changes, streams)?;
        return Ok(Exit::Done);
    }
    write_changes(changes, workspace.base(), &planned.roots, streams)?;
    print::filed(&planned, streams)?;
    Ok(Exit::Done)
}
