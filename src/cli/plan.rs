use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::registry::{RegistryArguments, known_release, profile_of};
use super::{Exit, Failure, Streams, diff, open};
use crate::cli::format::TextFormat;
use crate::cluster::Kind;
use crate::outlook::plan::{self, Choice, PlanError, Published, Request, published};
use crate::print::plan::{Document, PlanView, ReportView, page};
use crate::release::stated::lenient_version;
use crate::release::{Profile, Registry, Release};
use crate::report::view::Report;
use crate::text::source::{MAX_FILE_BYTES, Source};
use crate::text::visible;
use crate::tree::files::{PathError, read_regular, read_up_to};
use crate::workspace::Workspace;
use anyhow::{Context as _, anyhow};
use gwconform_yaml as yaml;
use gwconform_yaml::{NodeId, Yaml};

/// Show which tests the suite of a release runs, skips and counts, and the command to run it.
///
/// Core features are always supported. Without feature options, the plan uses the extended features
/// of --report, or none. Exit code 1 if the report given with --report does not match the plan.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Profiles to run, e.g. GATEWAY-HTTP,GATEWAY-GRPC [default: the profiles in --report]
    #[arg(long, value_name = "PROFILE", value_delimiter = ',')]
    profile: Vec<String>,
    /// Release to plan for, e.g. v1.5.1, or v1.5 for its latest patch [default: the release in
    /// --report, else the newest]
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
    /// Support all features
    #[arg(long, help_heading = "Features")]
    all_features: bool,
    /// Read the features from the status of the GatewayClass in FILE, or - for standard input
    #[arg(long, value_name = "FILE", help_heading = "Features")]
    class: Option<PathBuf>,
    /// Read the features from the status of the XMesh in FILE, or - for standard input
    #[arg(long, value_name = "FILE", help_heading = "Features")]
    mesh: Option<PathBuf>,
    /// Count provisional tests only if they fail; the suite still runs them
    #[arg(long)]
    skip_provisional_tests: bool,
    /// Skip these tests; the report counts them as skipped
    #[arg(long, value_name = "TESTS", value_delimiter = ',')]
    skip_tests: Vec<String>,
    /// Compare a report with the plan: a file, or REV:PATH for a file in a git revision
    #[arg(long, value_name = "REPORT")]
    report: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    format: TextFormat,
    #[command(flatten)]
    registry: RegistryArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let workspace = open::for_texts(arguments.registry.folder(), streams)?;
    let registry = workspace.registry();
    let source = arguments.read_report(&workspace)?;
    let read = source.as_ref().map(ReadReport::try_new).transpose()?;
    let release = arguments.release(registry, read.as_ref())?;
    let mut choice = arguments.choice(&workspace, streams)?;
    if arguments.chooses_nothing() {
        choice.of_report = read.is_some();
        let stated = read.as_ref().map(|read| read.supported(release));
        choice.supported = Some(stated.unwrap_or_default());
    }
    let request = Request {
        release,
        profiles: arguments.profiles(registry, release, read.as_ref())?,
        choice,
        skip_provisional: arguments.skip_provisional_tests,
        skip_tests: names(&arguments.skip_tests),
    };
    let mut plan = match plan::plan(registry, &request) {
        Ok(plan) => plan,
        Err(errors) => return Err(failure(errors, streams)?),
    };
    if arguments.chooses_nothing() && read.is_none() {
        plan.notes.push(CORE_ONLY.to_owned());
    }
    let differences = read
        .as_ref()
        .map(|read| plan::compare(&read.yaml, read.root, &plan));
    let report = read.as_ref().zip(differences.as_ref());
    let view = PlanView {
        plan: &plan,
        report: report.map(|(read, differences)| ReportView {
            source: read.source,
            differences,
        }),
    };
    arguments
        .format
        .print(streams, || page(view), || Document::new(view))?;
    Ok(match differences {
        Some(differences) if !differences.is_empty() => Exit::Findings,
        _ => Exit::Done,
    })
}

const CORE_ONLY: &str = "to add extended features, use --supported-features with names that \
                         `gwconform features --profile PROFILE` lists, --all-features, or --class with the \
                         GatewayClass";

fn failure(mut errors: Vec<PlanError>, streams: &mut Streams<'_>) -> io::Result<Failure> {
    let last = errors.pop();
    for error in errors {
        writeln!(streams.stderr, "error: {}", visible(&error.to_string()))?;
    }
    Ok(Failure::Usage(match last {
        Some(last) => last.into(),
        None => anyhow!("the plan failed"),
    }))
}

struct ReadReport<'s> {
    source: &'s Source,
    yaml: Yaml<'s>,
    root: NodeId,
}

impl<'s> ReadReport<'s> {
    fn try_new(source: &'s Source) -> Result<Self, Failure> {
        let text = source.text().get(..source.valid_len()).unwrap_or_default();
        let yaml = yaml::load(text);
        let mut roots = yaml.documents.iter().filter_map(|document| document.root);
        let is_cut = text.len() < source.text().len()
            || yaml.issues.iter().any(|issue| issue.kind.stops_reading());
        let root = match (roots.next(), roots.next()) {
            (Some(root), None) if !is_cut && Report::read(&yaml, root).is_recognizable() => root,
            _ => {
                return Err(Failure::Usage(anyhow!(
                    "--report: {}: not a single readable report; `gwconform check` lists the errors",
                    source.path()
                )));
            }
        };
        Ok(Self { source, yaml, root })
    }

    fn view(&self) -> Report<'_> {
        Report::read(&self.yaml, self.root)
    }

    fn supported(&self, release: &Release) -> Vec<String> {
        let view = self.view();
        let levels = view.profiles.iter().filter_map(|one| one.extended.as_ref());
        let lists = levels.filter_map(|level| level.supported_features.as_ref());
        let names = lists.flat_map(|list| &list.items).map(|item| item.value);
        names
            .filter(|name| release.feature(name).is_some())
            .map(str::to_owned)
            .collect()
    }
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

    fn read_report(&self, workspace: &Workspace) -> Result<Option<Source>, Failure> {
        let Some(name) = &self.report else {
            return Ok(None);
        };
        let (_, bytes) = diff::read_bytes(name, workspace)?;
        Ok(Some(Source::new(name.clone(), bytes)))
    }

    fn release<'r>(
        &self,
        registry: &'r Registry,
        report: Option<&ReadReport<'_>>,
    ) -> Result<&'r Release, Failure> {
        if let Some(text) = &self.release {
            return known_release("--release", registry, text);
        }
        let Some(report) = report else {
            return registry
                .newest()
                .ok_or_else(|| Failure::Usage(anyhow!("the registry has no releases")));
        };
        let view = report.view();
        let stated = view.stated_release.as_ref();
        let stated = stated.map_or("", |stated| stated.value);
        let found =
            lenient_version(stated).and_then(|version| registry.release(&version).release());
        let found = found.filter(|release| release.extended_when().is_some());
        found.ok_or_else(|| {
            Failure::Usage(anyhow!(
                "--report: the suite of its release `{stated}` is unknown; pass --release"
            ))
        })
    }

    fn profiles<'r>(
        &self,
        registry: &'r Registry,
        release: &'r Release,
        report: Option<&ReadReport<'_>>,
    ) -> Result<Vec<&'r Profile>, Failure> {
        let mut names: Vec<String> = self.profile.clone();
        if let (true, Some(report)) = (names.is_empty(), report) {
            let view = report.view();
            let profiles = view.profiles.iter();
            names = profiles
                .map(|profile| profile.name_or_empty().to_owned())
                .collect();
        }
        if names.is_empty() {
            let known: Vec<&str> = release.profiles().map(|one| one.name.as_str()).collect();
            return Err(Failure::Usage(anyhow!(
                "no profile; pass --profile with one or more of {}",
                known.join(", ")
            )));
        }
        let mut profiles: Vec<&Profile> = Vec::new();
        for name in names {
            let profile = profile_of(registry, release, &name)?;
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
            of_report: false,
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
