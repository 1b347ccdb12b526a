//! `gwconform resources`

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::anyhow;

use super::check::{Color, load_config, print};
use super::registry::{RegistryArguments, release};
use super::severity::SeverityArgs;
use super::targets::{Base, Targets};
use super::{Exit, Failure, Streams, diff};
use crate::check::{self, Against, check_resources};
use crate::config::{Config, Ignores};
use crate::diagnostic::Severity;
use crate::files::{Kind, OpenError, open_regular};
use crate::registry::{Minor, Registry};
use crate::render::{Format, RenderInput};
use crate::rules::Wanted;
use crate::source::{MAX_DUMP_BYTES, Source};

/// Check what an implementation publishes in a cluster: CRDs, GatewayClasses, meshes, conditions.
///
/// FILE is what `kubectl get -A -o yaml` or `-o json` prints, or what people write: several
/// documents, lists, any kinds. A rule that needs a kind which is not there is named as not checked;
/// give it CRDs, GatewayClasses, Gateways, Routes, Services and ReferenceGrants of all namespaces.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Files of resources, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Compare with a conformance report: a file, or REV:PATH as git names it
    #[arg(long, value_name = "REPORT")]
    report: Option<String>,
    /// The release whose facts count: v1.5.1, or v1.5; without it that of the CRDs, else that of
    /// the report, else the newest
    #[arg(long, value_name = "RELEASE")]
    release: Option<String>,
    /// How to print findings
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    severity: SeverityArgs,
    /// The configuration; without it the gwconform.toml beside the first file or in a folder above
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    registry: RegistryArguments,
    /// When to use colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    color: Color,
    /// Say on standard error how long it took
    #[arg(long, short)]
    verbose: bool,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let start = Instant::now();
    let selection = arguments.severity.selection()?;
    let base = Base::current()?;
    let targets = targets(&arguments.files, &base)?;
    let loaded = load_config(arguments.config.as_deref(), &targets, &base, streams)?;
    let default = Config::default();
    let config = loaded.as_ref().map_or(&default, |loaded| &loaded.config);
    let settings = arguments.severity.settings(&selection, config);
    if !settings
        .selected()
        .iter()
        .any(|rule| rule.is_about_resources())
    {
        return Err(Failure::Usage(anyhow!(
            "no rule about resources is selected (`gwconform explain resource` lists them)"
        )));
    }
    let read = arguments.registry.load()?;
    let registry = read.get();
    let wanted = arguments.release.as_deref();
    let wanted = wanted
        .map(|text| wanted_release(registry, text))
        .transpose()?;
    let report = arguments.report.as_deref();
    let report = report
        .map(|name| diff::read(name, &base, registry))
        .transpose()?;
    let dump = read_files(&arguments.files, &base, streams)?;
    let against = Against {
        wanted: wanted.as_ref(),
        report: report.as_ref(),
    };
    let mut outcome = check_resources(&dump, against, &settings, registry);
    if let Some(loaded) = &loaded {
        let mut ignores = Ignores::new(loaded, base.path());
        check::apply_ignores(&mut outcome, &mut ignores, &settings, false);
    }
    let fail_on = arguments.severity.fail_on();
    let shown = RenderInput {
        outcome: &outcome,
        config,
        fail_on: fail_on.least().unwrap_or(Severity::Error),
        review: None,
    };
    print(shown, arguments.format, arguments.color, streams)?;
    if arguments.verbose {
        streams.stdout.flush()?;
        let seconds = start.elapsed().as_secs_f64();
        writeln!(streams.stderr, "checked in {seconds:.3} s")?;
    }
    Ok(fail_on.exit(&outcome))
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn targets(files: &[PathBuf], base: &Base) -> Result<Targets, Failure> {
    if files.iter().filter(|path| is_stdin(path)).count() > 1 {
        return Err(Failure::Usage(anyhow!(
            "standard input (-) can be read once only"
        )));
    }
    let named = files.iter().filter(|path| !is_stdin(path));
    Ok(Targets {
        lone: named.map(|path| base.absolute(path)).take(1).collect(),
        ..Targets::default()
    })
}

fn wanted_release<'r>(registry: &'r Registry, text: &str) -> Result<Wanted<'r>, Failure> {
    let is_minor = |text: &str| Minor::parse(text).is_some();
    Ok(Wanted {
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
            let bytes = check::read_up_to(&mut streams.stdin, MAX_DUMP_BYTES);
            ("<stdin>".to_owned(), bytes)
        } else {
            let path = base.absolute(path);
            let bytes = open(&path).and_then(|file| check::read_up_to(file, MAX_DUMP_BYTES));
            (base.display(&path), bytes)
        };
        match bytes {
            Ok(bytes) => Ok(Source::new(shown, bytes)),
            Err(reason) => Err(Failure::CouldNotRun(anyhow!("{shown}: not read: {reason}"))),
        }
    };
    files.iter().map(&mut read).collect()
}

fn open(path: &Path) -> Result<File, String> {
    open_regular(path).map_err(|error| match error {
        OpenError::System(error) => error.to_string(),
        OpenError::NotAFile(Kind::Folder) => "it is a folder; name the files in it".to_owned(),
        error => error.to_string(),
    })
}
