//! `gwconform resources`

use std::path::PathBuf;
use std::time::Instant;

use super::findings::OutputArguments;
use super::registry::{RegistryArguments, release};
use super::severity::SeverityArgs;
use super::{Exit, Failure, Streams, diff, manifests, open};
use crate::registry::{Minor, Registry};
use crate::render::RenderInput;
use crate::resource_check::Against;
use crate::rules::RequestedRelease;
use crate::workspace::{Options, Target};

/// Check what an implementation publishes in a cluster: CRDs, GatewayClasses, meshes, conditions.
///
/// FILE is the output of `kubectl get -A -o yaml` or `-o json`, or a manifest: several documents,
/// lists, any kinds; or a folder of them. Rules that need a missing kind are listed as not checked; include CRDs,
/// GatewayClasses, Gateways, Routes, Services and ReferenceGrants of all namespaces.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Files or folders of resources, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Compare with a conformance report: a file, or REV:PATH for a file of a git revision
    #[arg(long, value_name = "REPORT")]
    report: Option<String>,
    /// Release to check against, e.g. v1.5.1 or v1.5 [default: that of the CRDs, then that of the
    /// report, then the newest]
    #[arg(long, value_name = "RELEASE")]
    release: Option<String>,
    #[command(flatten)]
    severity: SeverityArgs,
    /// Configuration file [default: gwconform.toml beside the first file or in a folder above it]
    #[arg(long, value_name = "FILE", help_heading = "Rules")]
    config: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Rules")]
    registry: RegistryArguments,
    #[command(flatten, next_help_heading = "Output")]
    output: OutputArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let start = Instant::now();
    let selection = arguments.severity.selection()?;
    let workspace = open::workspace(arguments.options()?, streams)?;
    arguments.output.check_files(workspace.base(), None)?;
    arguments.output.refuse_suggestions()?;
    let release = arguments.release.as_deref();
    let wanted = release
        .map(|text| wanted_release(workspace.registry(), text))
        .transpose()?;
    let report = arguments
        .report
        .as_deref()
        .map(|name| diff::read(name, &workspace))
        .transpose()?;
    let dump = manifests::read(&arguments.files, workspace.base(), streams)?;
    let against = Against {
        wanted: wanted.as_ref(),
        report: report.as_ref(),
    };
    let mut found = workspace.resources(&dump, against, &selection)?;
    let fail_on = arguments.severity.fail_on();
    arguments.output.hide(&mut found.report, fail_on);
    let input = RenderInput {
        fail_on: fail_on.severity(),
        width: streams.width(),
        is_verbose: arguments.output.is_verbose(),
        ..RenderInput::of_resources(&found, workspace.config())
    };
    arguments.output.write_files(input, workspace.base())?;
    arguments.output.print(input, start, streams)?;
    Ok(fail_on.exit(&found.report))
}

impl Arguments {
    fn options(&self) -> Result<Options, Failure> {
        Ok(Options {
            target: Target::Files(manifests::on_disk(&self.files)?),
            config: self.config.clone().into(),
            baseline: None,
            registry: self.registry.folder(),
            statements: None,
        })
    }
}

fn wanted_release<'r>(registry: &'r Registry, text: &str) -> Result<RequestedRelease<'r>, Failure> {
    let is_minor = |text: &str| Minor::parse(text).is_some();
    Ok(RequestedRelease {
        release: release(registry, text)?.0,
        is_minor: is_minor(text) || is_minor(&format!("v{text}")),
    })
}
