use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::ValueEnum;

use super::catalog::VerdictArguments;
use super::registry::known_release;
use super::{Exit, Failure, Streams, diff};
use crate::certify::Standing;
use crate::cli::format::TextFormat;
use crate::outlook::Outlook;
use crate::print::certify::Listing;
use crate::print::outlook::{self, Detail};
use crate::workspace::{OutlookRequest, Target};

/// Show the effects of a release: which verdicts change, and what a new run must pass.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Reports tree, or one report: a file, or REV:PATH for a file in a git revision [default:
    /// ./conformance/reports, then ./reports, then the tree that contains the working directory]
    #[arg(value_name = "TREE|REPORT")]
    path: Option<String>,
    /// Release, e.g. v1.7.0, or v1.7 for its newest known patch
    #[arg(long = "for", value_name = "RELEASE")]
    release: String,
    /// Show details for one implementation: its URL slug (acme-operator), a former name, or
    /// organization/project
    #[arg(long, value_name = "NAME")]
    implementation: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    format: TextFormat,
    /// Also list implementations without a current report; JSON always does
    #[arg(long)]
    all: bool,
    /// Exit with 1 if a verdict drops to this standing or lower [default: never]
    #[arg(long, value_enum, value_name = "STANDING")]
    fail_on: Option<FailOn>,
    #[command(flatten)]
    verdicts: VerdictArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    PartiallyConformant,
    NotCurrent,
    Never,
}

impl FailOn {
    fn exit(self, outlook: &Outlook<'_>) -> Exit {
        let highest = match self {
            Self::PartiallyConformant => Standing::PartiallyConformant,
            Self::NotCurrent => Standing::NotCurrent,
            Self::Never => return Exit::Done,
        };
        match outlook.lowest_drop() {
            Some(lowest) if lowest <= highest => Exit::Findings,
            _ => Exit::Done,
        }
    }
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let is_report = |path: &&str| !Path::new(path).is_dir();
    let report = arguments.path.as_deref().filter(is_report);
    if report.is_some() && arguments.implementation.is_some() {
        return Err(Failure::Usage(anyhow!(
            "--implementation selects one of a tree; a report contains only one"
        )));
    }
    let paths = arguments.path.iter().map(PathBuf::from).collect();
    let target = match report {
        Some(_) => Target::Files(paths),
        None => Target::Paths(paths),
    };
    let workspace = arguments.verdicts.open(target, streams)?;
    let request = OutlookRequest {
        release: known_release("--for", workspace.registry(), &arguments.release)?,
        latest: arguments.verdicts.latest()?,
        as_of: arguments.verdicts.as_of()?,
        implementation: arguments.implementation.as_deref(),
    };
    let outlook = match report {
        Some(path) => {
            let facts = diff::read(path, &workspace)?;
            workspace.outlook_of_report(facts, request)?
        }
        None => {
            let bar = arguments.format.bar(streams);
            workspace.outlook(request, &|progress| bar.draw(progress))?
        }
    };
    let listing = match arguments.all {
        true => Listing::All,
        false => Listing::Current,
    };
    let detail = match report.is_some() || arguments.implementation.is_some() {
        true => Detail::Full,
        false => Detail::Lines(listing),
    };
    let page = || outlook::page(&outlook, detail);
    let document = || outlook::Document::new(&outlook);
    arguments.format.print(streams, page, document)?;
    Ok(arguments.fail_on.unwrap_or(FailOn::Never).exit(&outlook))
}
