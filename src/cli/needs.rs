//! `gwconform needs`

use std::path::PathBuf;
use std::time::Instant;

use anyhow::anyhow;

use super::findings::OutputArguments;
use super::registry::RegistryArguments;
use super::severity::SeverityArgs;
use super::{Exit, Failure, Streams, manifests, open};
use crate::needs::crds::Crds;
use crate::needs_check::Against;
use crate::registry::served::{Served, ServedRelease};
use crate::registry::{Channel, Minor, Registry};
use crate::release::lenient_version;
use crate::render::{self, RenderInput};
use crate::workspace::{Options, Target};

/// List what manifests need of an implementation, who has it, and what breaks on a move.
///
/// PATH is a manifest or the output of `kubectl get -A -o yaml`: several documents, lists, any
/// kinds; or a folder of them.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Files or folders of manifests, or - for standard input
    #[arg(value_name = "PATH", required = true)]
    files: Vec<PathBuf>,
    /// CRDs to hold the manifests against, e.g. v1.6/standard or v1.6.1/experimental
    #[arg(long, value_name = "RELEASE/CHANNEL")]
    crds: Option<String>,
    #[command(flatten)]
    severity: SeverityArgs,
    #[command(flatten, next_help_heading = "Rules")]
    registry: RegistryArguments,
    #[command(flatten, next_help_heading = "Output")]
    output: OutputArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let start = Instant::now();
    let selection = arguments.severity.selection()?;
    let options = Options {
        target: Target::Files(manifests::on_disk(&arguments.files)?),
        registry: arguments.registry.folder(),
        ..Options::default()
    };
    let workspace = open::workspace(options, streams)?;
    let sources = manifests::read(&arguments.files, workspace.base(), streams)?;
    let crds = arguments.crds(workspace.registry())?;
    let against = Against {
        crds: crds.as_ref(),
        ..Against::default()
    };
    let (report, mut findings) = workspace.needs(&sources, &against, &selection)?;
    if !against.is_any() {
        render::needs::write_human(&report, &mut streams.wrapped())?;
        return Ok(Exit::Done);
    }
    let fail_on = arguments.severity.fail_on();
    arguments.output.hide(&mut findings, fail_on);
    let input = RenderInput {
        fail_on: fail_on.severity(),
        width: streams.width,
        manifests: Some(report.counts),
        is_verbose: arguments.output.is_verbose(),
        ..RenderInput::new(&findings, workspace.config())
    };
    arguments.output.write_files(input, workspace.base())?;
    arguments.output.print(input, start, streams)?;
    Ok(fail_on.exit(&findings))
}

impl Arguments {
    fn crds<'r>(&self, registry: &'r Registry) -> Result<Option<Crds<'r>>, Failure> {
        let Some(text) = &self.crds else {
            return Ok(None);
        };
        let wrong = || {
            Failure::Usage(anyhow!(
                "--crds: `{text}` does not name CRDs; expected a release and a channel, such as v1.6/standard"
            ))
        };
        let (release, channel) = text.split_once('/').ok_or_else(wrong)?;
        let channel = Channel::from_text(channel).ok_or_else(wrong)?;
        let served = registry.served();
        let release = release_of(served, release)?;
        Ok(Some(served.crds(release, channel)))
    }
}

/// The release whose CRDs are meant: one that they are known of, or a minor for its newest such patch.
/// Nothing near to it is taken for it, since a patch can change them.
fn release_of<'s>(served: &'s Served, text: &str) -> Result<&'s ServedRelease, Failure> {
    let minor = Minor::parse(text).or_else(|| Minor::parse(&format!("v{text}")));
    let found = match minor {
        Some(minor) => served.newest_patch_of(minor),
        None => lenient_version(text).and_then(|version| served.release(&version)),
    };
    found.ok_or_else(|| {
        let known = served.releases().iter();
        let known: Vec<_> = known.map(|release| release.version.to_string()).collect();
        Failure::Usage(anyhow!(
            "--crds: the CRDs of `{text}` are not known; expected one of {}, or a minor of these",
            known.join(", ")
        ))
    })
}
