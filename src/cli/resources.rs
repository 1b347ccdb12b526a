//! `gwconform resources`

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::anyhow;

use super::findings::OutputArguments;
use super::registry::{RegistryArguments, release};
use super::severity::SeverityArgs;
use super::{Exit, Failure, Streams, diff, open};
use crate::files::{
    Entry, Folder, Kind, OpenError, ReadError, open_regular, path_error, read_up_to,
};
use crate::registry::{Minor, Registry};
use crate::render::RenderInput;
use crate::resource_check::Against;
use crate::rules::RequestedRelease;
use crate::source::{MAX_DUMP_BYTES, Source};
use crate::workspace::{Base, Options, Target};

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
    let dump = read_files(&arguments.files, workspace.base(), streams)?;
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
            statements: None,
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

/// Files of a folder that are read; other files in it are passed over.
const EXTENSIONS: &[&str] = &["yaml", "yml", "json"];

/// How deep folders are walked, and how many files they may hold together.
const MAX_FOLDERS: usize = 32;
const MAX_FILES: usize = 10_000;

/// Reads all files, at most [`MAX_DUMP_BYTES`] together; who names a file wants all of it checked.
fn read_files(
    named: &[PathBuf],
    base: &Base,
    streams: &mut Streams<'_>,
) -> Result<Vec<Source>, Failure> {
    let mut room = MAX_DUMP_BYTES;
    let mut sources = Vec::new();
    let not_read =
        |shown: &str, reason: String| Failure::CouldNotRun(anyhow!("{shown}: not read: {reason}"));
    for path in named {
        if is_stdin(path) {
            let bytes = read_up_to(&mut streams.stdin, room)
                .map_err(|error| not_read("<stdin>", too_large(&error)))?;
            room -= bytes.len() as u64;
            sources.push(Source::new("<stdin>", bytes));
            continue;
        }
        let absolute = base.absolute(path);
        let shown = base.display(&absolute);
        absolute.symlink_metadata().map_err(|error| {
            let expected = "a file with resources, or a folder of them";
            Failure::CouldNotRun(anyhow!(path_error(&shown, &error, expected)))
        })?;
        let files =
            files_of(&absolute).map_err(|reason| not_read(&base.display(&absolute), reason))?;
        if sources.len() + files.len() > MAX_FILES {
            let reason = format!("more than {MAX_FILES} files");
            return Err(not_read(&base.display(&absolute), reason));
        }
        for file in files {
            let shown = base.display(&file);
            let bytes = open_file(&file)
                .and_then(|file| read_up_to(file, room).map_err(|error| too_large(&error)))
                .map_err(|reason| not_read(&shown, reason))?;
            room -= bytes.len() as u64;
            sources.push(Source::new(shown, bytes));
        }
    }
    Ok(sources)
}

/// Why a file was not read, where all together may have a size.
fn too_large(error: &ReadError) -> String {
    match error {
        ReadError::TooLarge { .. } => format!(
            "the files are larger than {} MiB together",
            MAX_DUMP_BYTES / (1024 * 1024)
        ),
        error => error.to_string(),
    }
}

fn is_hidden(entry: &Entry) -> bool {
    let name = entry.path().file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".")
}

/// A file; of a folder all files of resources in it and below, in the order of their names. Hidden
/// folders are not entered and links not followed.
fn files_of(path: &Path) -> Result<Vec<PathBuf>, String> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let folder = Folder::open(path).map_err(|error| error.to_string())?;
    let mut files = Vec::new();
    for entry in folder.walk(MAX_FOLDERS, |entry| !is_hidden(entry)) {
        let entry = entry.map_err(|(path, error)| format!("{}: {error}", path.display()))?;
        let extension = entry.path().extension().and_then(|name| name.to_str());
        let is_named = extension.is_some_and(|name| EXTENSIONS.contains(&name));
        if entry.kind() == Kind::File && is_named && !is_hidden(&entry) {
            files.push(entry.path().to_owned());
        }
    }
    match files.is_empty() {
        true => Err("no files .yaml, .yml or .json in this folder".to_owned()),
        false => Ok(files),
    }
}

fn open_file(path: &Path) -> Result<File, String> {
    open_regular(path).map_err(|error| match error {
        OpenError::System(error) => error.to_string(),
        error => error.to_string(),
    })
}
