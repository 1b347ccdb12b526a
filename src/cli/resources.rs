use std::path::PathBuf;
use std::time::Instant;

use super::findings::FileArguments;
use super::registry::release;
use super::{Exit, Failure, Streams, diff, manifests, open};
use crate::api::Minor;
use crate::print::RenderInput;
use crate::release::Registry;
use crate::release::stated::lenient_version;
use crate::rules::RequestedRelease;
use crate::rules::check::resources::Against;
use crate::workspace::Options;

/// Check the resources that an implementation publishes in a cluster: CRDs, GatewayClasses, meshes
/// and conditions.
///
/// FILE is the output of `kubectl get -A -o yaml` or `-o json`, a manifest, or a folder of such
/// files. Multiple documents, lists and any kinds are allowed. Rules that need a missing kind are
/// skipped and listed as not checked. Include CRDs, GatewayClasses, Gateways, Routes, Services and
/// ReferenceGrants from all namespaces.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Files or folders of resources, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Compare with a conformance report: a file, or REV:PATH for a file in a git revision
    #[arg(long, value_name = "REPORT")]
    report: Option<String>,
    /// Release to check against, e.g. v1.5.1 or v1.5 [default: the release of the CRDs, then of
    /// the report, then the newest]
    #[arg(long, value_name = "RELEASE")]
    release: Option<String>,
    #[command(flatten)]
    common: FileArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let start = Instant::now();
    let selection = arguments.common.severity.selection()?;
    let workspace = open::workspace(arguments.options()?, streams)?;
    arguments
        .common
        .output
        .check_files(workspace.base(), None)?;
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
    let fail_on = arguments.common.severity.fail_on();
    arguments.common.output.hide(&mut found.report, fail_on);
    let input = RenderInput {
        fail_on: fail_on.severity(),
        width: streams.width(),
        is_verbose: arguments.common.output.is_verbose(),
        ..RenderInput::of_resources(&found, workspace.config())
    };
    arguments
        .common
        .output
        .write_files(input, workspace.base())?;
    arguments.common.output.print(input, start, streams)?;
    Ok(fail_on.exit(&found.report))
}

impl Arguments {
    fn options(&self) -> Result<Options, Failure> {
        Ok(self.common.options(manifests::on_disk(&self.files)?))
    }
}

fn wanted_release<'r>(registry: &'r Registry, text: &str) -> Result<RequestedRelease<'r>, Failure> {
    let is_minor = |text: &str| Minor::parse(text).is_some();
    let is_minor = is_minor(text) || is_minor(&format!("v{text}"));
    let release = release(registry, text)?.0;
    let exact = lenient_version(text).filter(|_| !is_minor);
    Ok(RequestedRelease {
        release,
        version: exact.unwrap_or_else(|| release.version().clone()),
        is_minor,
    })
}
