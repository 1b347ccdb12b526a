use std::io::{self};
use std::path::{Path, PathBuf};

use super::registry::{known_release, profile_of};
use super::{Exit, Failure, Streams, open};
use crate::cli::format::TextFormat;
use crate::outlook::plan::{self, Choice, PlanError, Published, Request, published};
use crate::print::plan::{Content, page};
use crate::workspace::Workspace;
use anyhow::{Context as _, anyhow};
use gwconform_base::files::{PathError, read_regular, read_up_to};
use gwconform_base::release::{Profile, Registry, Release};
use gwconform_base::text::source::{MAX_FILE_BYTES, Source};
use gwconform_cluster::Kind;

/// Show which tests the suite will run, and the command to run it.
///
/// The plan lists the tests that the suite of a release runs, skips and counts.
/// Core features are always supported. Without feature options, the plan has no extended features.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Conformance profile, e.g. GATEWAY-HTTP: run it; separate several with commas
    #[arg(long, value_name = "PROFILE", value_delimiter = ',')]
    profile: Vec<String>,
    /// Gateway API release, e.g. v1.5.1, or v1.5 for its latest patch [default: the newest]
    #[arg(long, value_name = "RELEASE")]
    release: Option<String>,
    /// Supported extended features; an empty value selects none
    #[arg(
        long,
        value_name = "FEATURES",
        value_delimiter = ',',
        help_heading = "Features"
    )]
    supported_features: Option<Vec<String>>,
    /// Support all extended features except these
    #[arg(
        long,
        value_name = "FEATURES",
        value_delimiter = ',',
        help_heading = "Features"
    )]
    unsupported_features: Option<Vec<String>>,
    /// Remove these from the features selected by other options
    #[arg(
        long,
        value_name = "FEATURES",
        value_delimiter = ',',
        help_heading = "Features"
    )]
    exempt_features: Vec<String>,
    /// Support all features of the profiles
    #[arg(long, help_heading = "Features")]
    all_features: bool,
    /// File with a GatewayClass: read the features from its status; - for standard input
    #[arg(long, value_name = "FILE", help_heading = "Features")]
    class: Option<PathBuf>,
    /// File with an XMesh: read the features from its status; - for standard input
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Features",
        hide_short_help = true
    )]
    mesh: Option<PathBuf>,
    /// Count provisional tests only if they fail; the suite still runs them
    #[arg(long, hide_short_help = true)]
    skip_provisional_tests: bool,
    /// Skip these tests; the report counts them as skipped
    #[arg(long, value_name = "TESTS", value_delimiter = ',')]
    skip_tests: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    format: TextFormat,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let workspace = open::for_texts(arguments.format.paths(), streams)?;
    let registry = workspace.registry();
    let release = match &arguments.release {
        Some(text) => known_release("--release", registry, text)?,
        None => (registry.newest())
            .ok_or_else(|| Failure::Usage(anyhow!("the registry has no releases")))?,
    };
    let mut choice = arguments.choice(&workspace, streams)?;
    if arguments.chooses_nothing() {
        choice.supported = Some(Vec::new());
    }
    let request = Request {
        release,
        profiles: arguments.profiles(registry, release)?,
        choice,
        skip_provisional: arguments.skip_provisional_tests,
        skip_tests: names(&arguments.skip_tests),
    };
    let mut plan = match plan::plan(registry, &request) {
        Ok(plan) => plan,
        Err(errors) => return Err(failure(errors, streams)?),
    };
    if arguments.chooses_nothing() {
        plan.notes.push(CORE_ONLY.to_owned());
    }
    arguments.format.print(
        streams,
        || page(&plan),
        || workspace.document(Content::new(&plan)),
    )?;
    Ok(Exit::Done)
}

const CORE_ONLY: &str = "to add extended features, use --supported-features with names that \
                         `gwconform features --profile PROFILE` lists, --all-features, or --class with the \
                         GatewayClass";

fn failure(mut errors: Vec<PlanError>, streams: &mut Streams<'_>) -> io::Result<Failure> {
    let last = errors.pop();
    for error in errors {
        streams.error(format_args!("error: {error}"))?;
    }
    Ok(Failure::Usage(match last {
        Some(last) => last.into(),
        None => anyhow!("the plan failed"),
    }))
}

impl Arguments {
    fn chooses_nothing(&self) -> bool {
        self.supported_features.is_none()
            && self.unsupported_features.is_none()
            && self.exempt_features.is_empty()
            && !self.all_features
            && self.class.is_none()
            && self.mesh.is_none()
    }

    fn profiles<'r>(
        &self,
        registry: &'r Registry,
        release: &'r Release,
    ) -> Result<Vec<&'r Profile>, Failure> {
        if self.profile.is_empty() {
            let known: Vec<&str> = release.profiles().map(|one| one.name.as_str()).collect();
            return Err(Failure::Usage(anyhow!(
                "no profile; pass --profile with one or more of {}",
                known.join(", ")
            )));
        }
        let mut profiles: Vec<&Profile> = Vec::new();
        for name in &self.profile {
            let profile = profile_of(registry, release, name)?;
            if !profiles.iter().any(|one| one.name == profile.name) {
                profiles.push(profile);
            }
        }
        Ok(profiles)
    }

    fn choice(&self, workspace: &Workspace, streams: &mut Streams<'_>) -> Result<Choice, Failure> {
        let files = [&self.class, &self.mesh].into_iter().flatten();
        if files.filter(|path| is_stdin(path)).count() > 1 {
            return Err(Failure::Usage(anyhow!(
                "standard input (-) can be read only once"
            )));
        }
        let mut published = |option, path: &Option<PathBuf>, kind| {
            let path = path.as_deref();
            path.map(|path| read_published(option, path, kind, workspace, streams))
                .transpose()
        };
        Ok(Choice {
            supported: self.supported_features.as_deref().map(names),
            unsupported: self.unsupported_features.as_deref().map(names),
            exempt: names(&self.exempt_features),
            all: self.all_features,
            class: published("--class", &self.class, Kind::GatewayClass)?,
            mesh: published("--mesh", &self.mesh, Kind::Mesh)?,
        })
    }
}

fn names(list: &[String]) -> Vec<String> {
    let names = list.iter().map(|name| name.trim());
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn read_published(
    option: &str,
    path: &Path,
    kind: Kind,
    workspace: &Workspace,
    streams: &mut Streams<'_>,
) -> Result<Published, Failure> {
    let source = if is_stdin(path) {
        let bytes = read_up_to(&mut streams.stdin, MAX_FILE_BYTES)
            .map_err(|error| Failure::CouldNotRun(anyhow!("{option}: <stdin>: {error}")))?;
        Source::new("<stdin>", bytes)
    } else {
        let absolute = workspace.base().absolute(path);
        let shown = workspace.base().display(&absolute);
        let bytes = read_regular(&absolute, MAX_FILE_BYTES)
            .map_err(|reason| PathError::new(&shown, reason, format!("a {}", kind.as_str())));
        let bytes = bytes.with_context(|| option.to_owned())?;
        Source::new(shown, bytes)
    };
    published(&source, kind).map_err(|error| Failure::Usage(anyhow!("{option}: {error}")))
}
