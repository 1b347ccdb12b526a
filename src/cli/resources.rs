//! `gwconform resources`

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::anyhow;

use super::findings::OutputArguments;
use super::registry::{RegistryArguments, release};
use super::severity::SeverityArgs;
use super::{Exit, Failure, Streams, diff, open};
use crate::files::{Kind, OpenError, open_regular, read_up_to};
use crate::registry::{Minor, Registry};
use crate::render::RenderInput;
use crate::resource_check::Against;
use crate::rules::RequestedRelease;
use crate::source::{MAX_DUMP_BYTES, Source};
use crate::workspace::{Base, Options, Target};

/// Check what an implementation publishes in a cluster: CRDs, GatewayClasses, meshes, conditions.
///
/// FILE is the output of `kubectl get -A -o yaml` or `-o json`, or a manifest: several documents,
/// lists, any kinds. Rules that need a missing kind are listed as not checked; include CRDs,
/// GatewayClasses, Gateways, Routes, Services and ReferenceGrants of all namespaces.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Files of resources, or - for standard input
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
    let release = arguments.release.as_deref();
    let wanted = release
        .map(|text| wanted_release(workspace.registry(), text))
        .transpose()?;
    let report = arguments
        .report
        .as_deref()
        .map(|name| diff::read(name, &workspace))
        .transpose()?;
    let dump = read_files(&arguments.files, workspace.base(), streams)?;
    let against = Against {
        wanted: wanted.as_ref(),
        report: report.as_ref(),
    };
    let found = workspace.resources(&dump, against, &selection)?;
    let fail_on = arguments.severity.fail_on();
    let input = RenderInput {
        fail_on: fail_on.severity(),
        ..RenderInput::of_resources(&found, workspace.config())
    };
    arguments.output.print(input, start, streams)?;
    Ok(fail_on.exit(&found.report))
}

impl Arguments {
    fn options(&self) -> Result<Options, Failure> {
        if self.files.iter().filter(|path| is_stdin(path)).count() > 1 {
            return Err(Failure::Usage(anyhow!(
                "standard input (-) can be read only once"
            )));
        }
        let files = self.files.iter().filter(|path| !is_stdin(path));
        Ok(Options {
            target: Target::Files(files.cloned().collect()),
            config: self.config.clone().into(),
            baseline: None,
            registry: self.registry.folder(),
        })
    }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn wanted_release<'r>(registry: &'r Registry, text: &str) -> Result<RequestedRelease<'r>, Failure> {
    let is_minor = |text: &str| Minor::parse(text).is_some();
    Ok(RequestedRelease {
        release: release(registry, text)?.0,
        is_minor: is_minor(text) || is_minor(&format!("v{text}")),
    })
}

/// Reads all files; who names a file wants all of them checked.
fn read_files(
    files: &[PathBuf],
    base: &Base,
    streams: &mut Streams<'_>,
) -> Result<Vec<Source>, Failure> {
    let mut read = |path: &PathBuf| {
        let (shown, bytes) = if is_stdin(path) {
            let bytes =
                read_up_to(&mut streams.stdin, MAX_DUMP_BYTES).map_err(|error| error.to_string());
            ("<stdin>".to_owned(), bytes)
        } else {
            let absolute = base.absolute(path);
            let bytes = open_file(&absolute).and_then(|file| {
                read_up_to(file, MAX_DUMP_BYTES).map_err(|error| error.to_string())
            });
            (base.display(&absolute), bytes)
        };
        match bytes {
            Ok(bytes) => Ok(Source::new(shown, bytes)),
            Err(reason) => Err(Failure::CouldNotRun(anyhow!("{shown}: not read: {reason}"))),
        }
    };
    files.iter().map(&mut read).collect()
}

fn open_file(path: &Path) -> Result<File, String> {
    open_regular(path).map_err(|error| match error {
        OpenError::System(error) => error.to_string(),
        OpenError::NotAFile(Kind::Folder) => "it is a folder; pass the files in it".to_owned(),
        error => error.to_string(),
    })
}
