use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::catalog::VerdictArguments;
use super::registry::{known_release, minor_of, no_release};
use super::{Exit, Failure, Streams, day, diff, git, implementation_name};
use crate::cli::format::TextFormat;
use crate::outlook::{Coming, Outlook};
use crate::print::certify::Listing;
use crate::print::outlook::{self, Content, Detail};
use crate::workspace::{OutlookRequest, Target, Workspace};
use gwconform_base::api::Minor;
use gwconform_base::release::{Registry, Release};
use gwconform_report::certify::Standing;
use gwconform_report::document::Document;

/// Show what a release (--release) changes for implementations.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Implementation, such as acme/operator, or a report
    ///
    /// An implementation is named by its organization/project (acme/operator), another name, or a
    /// part of a name. A report is a file, or REV:PATH for a file in a git revision.
    #[arg(value_name = "NAME|REPORT")]
    subject: Option<String>,
    /// Reports tree
    ///
    /// [default: ./conformance/reports, then ./reports, then the tree that contains the working
    /// directory]
    #[arg(long = "in", value_name = "TREE")]
    tree: Option<PathBuf>,
    /// Gateway API release, e.g. v1.7.0, or v1.7 for its newest known patch or the next minor
    /// [default: the next minor]
    #[arg(long, value_name = "RELEASE")]
    release: Option<String>,
    /// Use the unreleased data of upstream's main branch: compare with it; verdicts do not use it
    #[arg(long)]
    unreleased: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    format: TextFormat,
    /// List everything: also implementations without a current report
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

/// Meaning of the first argument.
enum Subject<'a> {
    /// All implementations of a tree, or one.
    Tree(Option<&'a Path>, Option<&'a str>),
    Report(&'a str),
}

impl Arguments {
    fn subject(&self) -> Subject<'_> {
        let tree = self.tree.as_deref();
        let Some(text) = self.subject.as_deref() else {
            return Subject::Tree(tree, None);
        };
        let path = Path::new(text);
        if tree.is_none() && path.is_dir() {
            return Subject::Tree(Some(path), None);
        }
        let is_report = tree.is_none()
            && (implementation_name::is_path(text) || git::Blob::parse(text).is_some());
        if is_report {
            Subject::Report(text)
        } else {
            Subject::Tree(tree, Some(text))
        }
    }

    fn loaded(&self, workspace: &Workspace) -> Result<Option<Registry>, Failure> {
        let loaded = self
            .unreleased
            .then(|| workspace.registry_with_unreleased());
        Ok(loaded.transpose()?)
    }

    /// The next minor is valid even if its data is unknown. Later minors depend on releases in between.
    fn coming<'r>(&self, registry: &'r Registry) -> Result<Coming<'r>, Failure> {
        let newest = registry.newest().map(|release| release.version().minor());
        let next = newest.map(Minor::next);
        let upcoming = registry.upcoming().map(Coming::Release);
        let Some(text) = self.release.as_deref() else {
            let coming = upcoming.or(next.map(Coming::Minor));
            return coming.ok_or_else(no_release);
        };
        if let Some(minor) = minor_of(text).filter(|minor| Some(*minor) == next)
            && registry.newest_patch_of(minor).is_none()
        {
            return Ok(Coming::Minor(minor));
        }
        known_release("--release", registry, text).map(Coming::Release)
    }

    /// Names the option with more data on standard error, if the built-in data includes the minor.
    fn note_unreleased(
        &self,
        coming: Coming<'_>,
        workspace: &Workspace,
        streams: &mut Streams<'_>,
    ) -> Result<(), Failure> {
        let Coming::Minor(minor) = coming else {
            return Ok(());
        };
        let with_main = workspace.registry_with_unreleased()?;
        let release = with_main.newest_patch_of(minor);
        if let Some(commit) = release.and_then(Release::commit) {
            let source = outlook::source(commit);
            streams.note(format_args!(
                "note: --unreleased also shows what a new run must pass, with the data of {source}"
            ))?;
        }
        Ok(())
    }

    fn of_report(&self, text: &str, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
        let workspace = self.verdicts.open(
            Target::Files(vec![text.into()]),
            self.format.paths(),
            streams,
        )?;
        let loaded = self.loaded(&workspace)?;
        let registry = loaded.as_ref().unwrap_or_else(|| workspace.registry());
        let coming = self.coming(registry)?;
        let request = OutlookRequest {
            coming,
            registry,
            as_of: day::as_of(self.verdicts.day()?, workspace.registry(), || Ok(None))?,
        };
        let facts = diff::read(text, &workspace)?;
        self.note_unreleased(coming, &workspace, streams)?;
        let outlook = workspace.outlook_of_report(facts, request)?;
        let content = || Document::new(registry, None, Content::new(&outlook));
        self.print(&outlook, Detail::Full, content, streams)
    }

    fn not_a_path(&self, failure: Failure) -> Failure {
        match (&self.subject, &self.tree) {
            (Some(text), None) if !implementation_name::is_path(text) => {
                implementation_name::not_a_path(text, failure)
            }
            _ => failure,
        }
    }

    fn of_tree(
        &self,
        tree: Option<&Path>,
        name: Option<&str>,
        streams: &mut Streams<'_>,
    ) -> Result<Exit, Failure> {
        let paths = tree.into_iter().map(Path::to_owned).collect();
        let opened = self
            .verdicts
            .open(Target::Paths(paths), self.format.paths(), streams);
        let workspace = opened.map_err(|failure| self.not_a_path(failure))?;
        let loaded = self.loaded(&workspace)?;
        let registry = loaded.as_ref().unwrap_or_else(|| workspace.registry());
        let coming = self.coming(registry)?;
        let (empty, bar) = (self.verdicts.empty, self.format.bar(streams));
        let tree = empty.certify(&workspace, bar, streams)?;
        let mut catalog = self.verdicts.catalog(&tree)?;
        if let Some(name) = name {
            let found =
                implementation_name::find(&catalog, name, streams).map(|one| one.slug.clone());
            let slug = found.map_err(|failure| self.not_a_path(failure))?;
            catalog.restrict_to(&slug);
        }
        self.note_unreleased(coming, &workspace, streams)?;
        let outlook = Outlook::new(&catalog, registry, coming);
        let detail = match (name, self.all) {
            (Some(_), _) => Detail::Full,
            (None, true) => Detail::Lines(Listing::All),
            (None, false) => Detail::Lines(Listing::Current),
        };
        let content = || Document::new(registry, workspace.printed_tree(), Content::new(&outlook));
        self.print(&outlook, detail, content, streams)
    }

    fn print<'o>(
        &self,
        outlook: &'o Outlook<'o>,
        detail: Detail,
        document: impl FnOnce() -> Document<'o, Content<'o>>,
        streams: &mut Streams<'_>,
    ) -> Result<Exit, Failure> {
        let page = || outlook::page(outlook, detail);
        self.format.print(streams, page, document)?;
        Ok(self.fail_on.unwrap_or(FailOn::Never).exit(outlook))
    }
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    match arguments.subject() {
        Subject::Report(text) => arguments.of_report(text, streams),
        Subject::Tree(tree, name) => arguments.of_tree(tree, name, streams),
    }
}
