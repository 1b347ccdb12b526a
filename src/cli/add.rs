mod messages;

use std::path::PathBuf;

use anyhow::anyhow;

use super::allow_unread::UnreadArguments;
use super::fix::write_changes;
use super::verify::read_log;
use super::{Content, Exit, Failure, Streams, open};
use crate::workspace::add::{self, Input};
use crate::workspace::{Options, Target, Workspace};

/// Add reports to a tree, or see whether it accepts them (--dry-run).
///
/// Each report is checked and copied byte for byte. If the implementation already has reports for
/// the release, the new report is added to that folder. Otherwise a folder is created, with a
/// README that describes how to run the suite. The new folder is named like the implementation's
/// folders for other releases, or after its organization and project. Existing reports are never
/// overwritten, and running the command again changes nothing. Changes that would cause `check`
/// errors are rejected. The output lists the remaining manual steps and the commands to commit the
/// result.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Reports, as written by the suite
    #[arg(value_name = "REPORT", required_unless_present = "from_log")]
    reports: Vec<PathBuf>,
    /// Extract the report from the log of its run, instead of from a file
    #[arg(long, value_name = "LOG", conflicts_with = "reports")]
    from_log: Vec<PathBuf>,
    /// Which run to use if the logs contain several
    #[arg(long, value_name = "N", requires = "from_log", value_parser = clap::value_parser!(u16).range(1..))]
    run: Option<u16>,
    /// Reports tree
    ///
    /// Or the repository that contains it [default: ./conformance/reports, then ./reports, then the
    /// tree that contains the working directory]
    #[arg(long = "in", value_name = "TREE")]
    tree: Option<PathBuf>,
    /// URL of the implementation's release page, for the README
    #[arg(long, value_name = "URL", value_parser = web_address)]
    release_url: Option<String>,
    /// Only print what would happen: the changes, as a diff
    #[arg(long)]
    dry_run: bool,
    /// Proceed anyway: add reports that have errors, or that cause errors in the tree
    #[arg(long)]
    force: bool,
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

fn from_log(
    arguments: &Arguments,
    workspace: &Workspace,
    streams: &mut Streams<'_>,
) -> Result<Input, Failure> {
    let logs = arguments.from_log.iter();
    let logs = logs
        .map(|path| read_log(path, workspace, streams))
        .collect::<Result<Vec<_>, _>>()?;
    let wanted = arguments.run.map(usize::from);
    let found = gwconform_evidence::printed_report(&logs, wanted).map_err(|error| {
        if error.is_usage() {
            Failure::Usage(error.into())
        } else {
            Failure::CouldNotRun(error.into())
        }
    })?;
    let (log, printed) = found;
    let shown = log.path.clone();
    match printed {
        Some(printed) if !printed.is_cut => Ok(Input {
            bytes: printed.text.clone().into_bytes(),
            shown,
        }),
        Some(_) => Err(Failure::CouldNotRun(anyhow!(
            "{shown}: the log ends inside the report"
        ))),
        None => Err(Failure::CouldNotRun(anyhow!(
            "{shown}: the run prints no report; run the suite with `--report-output=<file>` and add that file"
        ))),
    }
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let base = open::working_dir()?;
    let root = base.tree(arguments.tree.as_deref())?;
    let mut reports = arguments
        .reports
        .iter()
        .map(|path| base.read_report(path))
        .collect::<Result<Vec<_>, _>>()?;
    let options = Options {
        target: Target::Tree(Some(root)),
        ..Options::default()
    };
    let workspace = open::workspace(options, streams)?;
    if !arguments.from_log.is_empty() {
        reports.push(from_log(arguments, &workspace, streams)?);
    }
    let options = add::Options {
        release_url: arguments.release_url.clone(),
        is_forced: arguments.force,
    };
    let planned = workspace.add(reports, &options)?;
    let planned = planned.stating(|parts| UnreadArguments::ALLOWED.name(&parts, streams))?;
    let planned = match planned {
        Ok(planned) => planned,
        Err(errors) => {
            streams.error("Refused: nothing was added.")?;
            for error in &errors {
                writeln!(streams.err(Content::Text))?;
                messages::error(error, workspace.config(), streams)?;
            }
            return Ok(Exit::Findings);
        }
    };
    let plan = &planned.plan;
    if arguments.dry_run {
        // The text can precede the diff, because tools such as `git apply` ignore it.
        messages::decision(plan, "Would be filed", workspace.config(), streams)?;
        messages::to_do(plan, streams.out(Content::Text))?;
        plan.changes.write_diff(streams.patch())?;
        return Ok(Exit::Done);
    }
    write_changes(&plan.changes, workspace.base(), &planned.roots, streams)?;
    messages::decision(plan, "Filed", workspace.config(), streams)?;
    messages::filed(&planned, streams.out(Content::Text))?;
    Ok(Exit::Done)
}
