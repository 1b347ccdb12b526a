//! Reports trees for users of the library.

use std::fmt;
use std::path::{Path, PathBuf};

use gwconform_base::api::Family;
use gwconform_base::files::MemoryFiles;
use gwconform_base::text::diagnostic::{Diagnostic, Severity};
use gwconform_base::text::source::Source;
use gwconform_cluster::support::{self, OneAnswer};
use gwconform_report::certify::catalog::{Catalog, Nearness};
use gwconform_report::certify::{AsOf, DaySource, Standing};
use gwconform_report::rules::check::Selection;
use jiff::civil::Date;

use crate::workspace::{
    Base, ErrorKind, OpenError, Options, PathBase, RunError, Target, Workspace,
};

/// Reports tree with its configuration and release data.
#[derive(Debug)]
pub struct Tree {
    workspace: Workspace,
}

impl Tree {
    /// Opens a folder with release folders such as `v1.5`, or a folder that has such a tree in
    /// `conformance/reports` or `reports`. A `gwconform.toml` in it or above it applies.
    ///
    /// # Errors
    /// The folder is no reports tree, or the configuration is not valid.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = folder.as_ref();
        let whole = folder.canonicalize().map_err(|error| {
            let is_usage = error.kind() == std::io::ErrorKind::NotFound;
            Error::new(format_args!("{}: {error}", folder.display()), is_usage)
        })?;
        Self::new(whole.clone(), whole)
    }

    /// Reads files from memory, such as `conformance/reports/v1.5/acme-operator/README.md` and its
    /// reports.
    ///
    /// # Errors
    /// As [`Self::open`], or a path is not relative or used twice.
    pub fn in_memory(files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>) -> Result<Self, Error> {
        let files = MemoryFiles::new(files).map_err(OpenError::from)?;
        Self::new(files, MemoryFiles::top())
    }

    fn new(base: impl Into<Base>, folder: PathBuf) -> Result<Self, Error> {
        let options = Options {
            target: Target::Tree(Some(folder)),
            paths: PathBase::Tree,
            ..Options::default()
        };
        let workspace = Workspace::open(base, options)?;
        Ok(Self { workspace })
    }

    /// Runs all rules about reports trees that the configuration does not turn off. Findings are
    /// sorted by path, position and rule.
    ///
    /// # Errors
    /// The system failed.
    pub fn check(&self) -> Result<Vec<Finding>, Error> {
        let report = self.workspace.check(&Selection::default())?;
        Ok(report.findings.into_iter().map(Finding).collect())
    }

    /// Verdicts on all implementations, sorted by organization, project and family. All known
    /// releases count as reviewed.
    ///
    /// # Errors
    /// A part of the tree could not be read, so that a verdict could be wrong.
    pub fn verdicts(&self) -> Result<Vec<Verdict>, Error> {
        self.catalog(AsOf::default(), verdicts)
    }

    /// Verdicts on a day in UTC. Releases whose review is not over only count in favor of an
    /// implementation, and later reports do not count.
    ///
    /// # Errors
    /// As [`Self::verdicts`].
    pub fn verdicts_on(&self, day: Date) -> Result<Vec<Verdict>, Error> {
        let as_of = AsOf {
            day: Some(day),
            from: DaySource::Option,
        };
        self.catalog(as_of, verdicts)
    }

    fn catalog<T>(&self, as_of: AsOf, answer: impl FnOnce(&Catalog<'_>) -> T) -> Result<T, Error> {
        let certified = self.workspace.certify(PathBase::Tree, &|_| {})?;
        let certified = certified
            .whole()
            .map_err(|error| Error::new(error, false))?;
        Ok(answer(&certified.catalog_as_of(as_of)))
    }
}

fn verdicts(catalog: &Catalog<'_>) -> Vec<Verdict> {
    let implementations = catalog.implementations.iter();
    implementations
        .flat_map(|one| {
            one.families.iter().map(|(family, certified)| Verdict {
                implementation: one.slug.clone(),
                family: *family,
                standing: certified.standing,
                reason: certified.reason.clone(),
                report: (one.reports[certified.basis.report].judged.facts.path).clone(),
            })
        })
        .collect()
}

/// Violation of a rule.
#[derive(Debug, Clone)]
pub struct Finding(Diagnostic);

impl Finding {
    /// Id of the rule, such as `report/date`.
    pub fn rule(&self) -> &'static str {
        self.0.rule
    }

    /// Severity after configuration.
    pub fn severity(&self) -> Severity {
        self.0.severity
    }

    /// Path of the file or folder, from the opened folder.
    pub fn path(&self) -> &str {
        &self.0.place.path
    }

    /// Line and column of the first character, from 1. `None` for whole files and folders.
    pub fn position(&self) -> Option<(u32, u32)> {
        let start = self.0.place.region.as_ref()?.start;
        Some((start.line, start.column))
    }

    /// One sentence without a full stop. Values from files are in backticks.
    pub fn message(&self) -> String {
        self.0.message.to_string()
    }

    /// How to correct it.
    pub fn help(&self) -> Option<String> {
        self.0.help.as_ref().map(ToString::to_string)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path())?;
        if let Some((line, column)) = self.position() {
            write!(f, ":{line}:{column}")?;
        }
        let (severity, rule) = (self.severity().as_str(), self.rule());
        write!(f, ": {severity}[{rule}]: {}", self.0.message)
    }
}

/// Verdict on an implementation in one family.
#[derive(Debug, Clone)]
pub struct Verdict {
    implementation: String,
    family: Family,
    standing: Standing,
    reason: String,
    report: String,
}

impl Verdict {
    /// Path of the implementation in URLs, such as `acme/operator`.
    pub fn implementation(&self) -> &str {
        &self.implementation
    }

    /// Gateways or service meshes.
    pub fn family(&self) -> Family {
        self.family
    }

    /// Conformant, partially conformant, or not current.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// Reason as an English phrase.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Path of the report that decides the verdict, from the tree. Without a current verdict, the
    /// last report.
    pub fn report(&self) -> &str {
        &self.report
    }
}

/// Lists the features that `manifests` need, and the implementations of a tree with their support.
/// Each manifest is a path for messages, and YAML.
///
/// # Errors
/// As [`Tree::verdicts`].
pub fn needs(manifests: &[(&str, &str)], tree: &Tree) -> Result<Needs, Error> {
    let sources = manifests.iter();
    let sources: Vec<Source> = sources
        .map(|(path, text)| Source::new(*path, text.as_bytes().to_vec()))
        .collect();
    let registry = tree.workspace.registry();
    tree.catalog(AsOf::default(), |catalog| {
        let mut found = support::list_needs(&sources, None, registry);
        found.answer(catalog, registry);
        Needs {
            features: found.asked.must,
            answers: found.answers.into_iter().flatten().map(Answer).collect(),
        }
    })
}

/// Features that manifests need, and the implementations that support them.
#[derive(Debug)]
pub struct Needs {
    features: Vec<String>,
    answers: Vec<Answer>,
}

impl Needs {
    /// Names of needed features that reports can list, such as `HTTPRouteCORS`, sorted.
    pub fn features(&self) -> &[String] {
        &self.features
    }

    /// Newest report of each implementation, best first.
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }
}

/// Support of one implementation for the needed features.
#[derive(Debug)]
pub struct Answer(OneAnswer);

impl Answer {
    /// Path of the implementation in URLs, such as `acme/operator`.
    pub fn implementation(&self) -> &str {
        &self.0.implementation.implementation
    }

    /// Path of the compared report, from the tree.
    pub fn report(&self) -> &str {
        let report = &self.0.report;
        &report.path
    }

    /// True if the report or the log of its run proves all needed features.
    pub fn is_proved(&self) -> bool {
        self.0.nearness == Nearness::Proved
    }

    /// Features that are unsupported, failed, or not part of the release.
    pub fn lacking(&self) -> impl Iterator<Item = &str> {
        self.0.lacking.iter().map(|one| one.feature.as_str())
    }

    /// Features that the report does not mention. They may be supported.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        self.0.unknown.iter().map(|one| one.feature.as_str())
    }
}

/// Reason why a tree cannot be opened or read.
#[derive(Debug)]
pub struct Error {
    message: String,
    is_usage: bool,
}

impl Error {
    fn new(message: impl fmt::Display, is_usage: bool) -> Self {
        Self {
            message: message.to_string(),
            is_usage,
        }
    }

    /// True for wrong input, such as a folder that is no reports tree. False if the system failed.
    pub fn is_usage(&self) -> bool {
        self.is_usage
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Self {
        let is_usage = error.kind() == ErrorKind::Usage;
        Self::new(error, is_usage)
    }
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Self {
        let is_usage = error.kind() == ErrorKind::Usage;
        Self::new(error, is_usage)
    }
}
