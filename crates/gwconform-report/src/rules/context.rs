//! The inputs of rules. Contexts convert nodes and spans to places.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::baseline::AcceptedEntry;
use super::check::Settings;
use super::configuration::Ignore;
use super::conflicts::Conflict;
use super::readme::Listing;
use super::readme::row_differences::{Difference, differences};
use super::{ConfiguredNames, Input, Scope};
use crate::report::facts::ReportFacts;
use crate::report::fit::SchemaViolation;
use crate::report::formats::day_of_rfc3339;
use crate::report::view::{self, Report};
use crate::rules::recomputed::Recomputed;
use crate::rules::unknown_names::{self, UnknownName};
use crate::tree::readme::{Link, Readme};
use crate::tree::{LinkTarget, Submission, Tree, UnexpectedEntry};
use gwconform_base::api::Version;
use gwconform_base::release::stated::{
    ComparedFacts, ReferenceRelease, is_legacy_folder, lenient_version,
};
use gwconform_base::release::{Registry, Release};
use gwconform_base::text::diagnostic::{Anchor, Place, Subject};
use gwconform_base::text::node_path::path_to;
use gwconform_base::text::source::{Source, Span};
use gwconform_yaml::{NodeId, Yaml, YamlIssue, YamlIssueKind};

/// Text of a README or report.
#[derive(Debug)]
pub struct TextContext<'a> {
    /// File with its path, for places in findings.
    pub source: &'a Source,
    /// True for a report, false for a README.
    pub is_report: bool,
}

impl TextContext<'_> {
    /// Place of a span, for a finding about the whole file.
    pub fn span(&self, span: Span) -> Anchor {
        Anchor::new(Place::span(self.source, span), Subject::whole())
    }
}

/// Parsed YAML file.
#[derive(Debug)]
pub struct YamlContext<'a> {
    /// File with its path, for places in findings.
    pub source: &'a Source,
    /// Nodes and issues of the file.
    pub yaml: &'a Yaml<'a>,
}

impl YamlContext<'_> {
    /// The subject is the node, or the whole file if parsing stopped.
    pub fn issue(&self, issue: &YamlIssue) -> Anchor {
        let place = Place::span(self.source, issue.span);
        let node = self
            .yaml
            .node_from(issue.span.start)
            .filter(|_| !issue.kind.stops_reading() && !issue.span.is_empty());
        let Some(node) = node else {
            let written = self.source.slice(issue.span).trim();
            let subject = match written {
                "" => Subject::whole(),
                written => Subject::new(format!("from {written}")),
            };
            return Anchor::new(place, subject);
        };
        let written = self.source.slice(issue.span);
        let subject = Subject::new(path_to(self.yaml, node));
        Anchor::new(place, subject.with_value(written))
    }

    /// Issues of the given kinds, in text order.
    pub fn issues(&self, kinds: &[YamlIssueKind]) -> impl Iterator<Item = &YamlIssue> {
        self.yaml
            .issues
            .iter()
            .filter(|issue| kinds.contains(&issue.kind))
    }

    /// Place of a span, without a subject.
    pub fn place(&self, span: Span) -> Place {
        Place::span(self.source, span)
    }
}

/// Report, with the release and submission to compare it with.
#[derive(Debug)]
pub struct ReportContext<'a> {
    /// File with its path, for places in findings.
    pub source: &'a Source,
    /// Nodes of the file.
    pub yaml: &'a Yaml<'a>,
    /// Root node of the report's document.
    pub root: NodeId,
    /// Lenient view, in which invalid fields are missing.
    pub report: &'a Report<'a>,
    /// Violations of the report schema of the release.
    pub violations: &'a [SchemaViolation],
    /// Release to compare with; may differ from the stated one.
    pub release: &'a ReferenceRelease,
    /// Submission that contains the report.
    pub submission: &'a Submission,
    /// Release data for comparisons.
    pub registry: &'a Registry,
    /// True if the file is truncated within this report.
    pub is_cut: bool,
    pub(crate) shared: Shared<'a>,
}

/// Computed on first use, from only the report and the registry.
#[derive(Debug, Default)]
pub(crate) struct Shared<'a> {
    unknown_names: OnceCell<Vec<UnknownName<'a>>>,
    recomputed: OnceCell<Option<Recomputed<'a>>>,
}

impl<'a> ReportContext<'a> {
    /// Organization and project with their field names.
    pub(crate) fn implementation_names(
        &self,
    ) -> impl Iterator<Item = (&'static str, view::Text<'a>)> {
        let implementation = &self.report.implementation;
        let fields = [
            ("organization", implementation.organization),
            ("project", implementation.project),
        ];
        let fields = fields.into_iter();
        fields.filter_map(|(field, text)| Some((field, text?)))
    }

    /// Distinct unknown features and tests, by kind. Empty for newer releases.
    pub(crate) fn unknown_names(&self) -> &[UnknownName<'a>] {
        self.shared.unknown_names.get_or_init(|| {
            if self.release.is_newer_than_known {
                return Vec::new();
            }
            unknown_names::unknown(self.report, self.registry)
        })
    }

    /// `None` for unknown releases, suites without profiles, and truncated reports.
    pub fn recomputed(&self) -> Option<&Recomputed<'a>> {
        let shared = self.shared.recomputed.get_or_init(|| {
            let (release, _) = self.facts().filter(|_| !self.is_cut)?;
            Recomputed::of(self.report, self.unknown_names(), release, self.registry)
        });
        shared.as_ref()
    }

    /// Release in the report, never the release of the folder.
    pub(crate) fn stated_version(&self) -> Option<Version> {
        lenient_version(self.report.stated_release?.value)
    }

    /// Release to compare with. The flag is false for the nearest patch below an unknown patch.
    pub fn facts(&self) -> Option<(&'a Release, bool)> {
        let compared = self.compared()?;
        Some((compared.release()?, compared.are_known()))
    }

    /// Release data to compare with. The date helps to select a patch only if the report itself
    /// states the release.
    pub fn compared(&self) -> Option<ComparedFacts<'a>> {
        let version = self.release.version.as_ref()?;
        let is_stated = self.stated_version().as_ref() == Some(version);
        let date = self.report.date.filter(|_| is_stated);
        let day = date.and_then(|date| day_of_rfc3339(date.value));
        Some(ComparedFacts::new(version, day, self.registry))
    }

    /// Anchor of the value or, if the field is missing, of the report.
    pub(crate) fn value_or_root(&self, node: Option<NodeId>) -> Anchor {
        node.map_or_else(|| self.head(self.root), |node| self.value(node))
    }
}

impl ReportContext<'_> {
    /// Place of a key, scalar or whole collection.
    pub fn node(&self, node: NodeId) -> Anchor {
        let subject = Subject::new(path_to(self.yaml, node));
        let is_key = self.yaml.is_key(node);
        Anchor::new(
            Place::span(self.source, self.yaml.span(node)),
            match self.yaml.text(node).filter(|_| !is_key) {
                Some(value) => subject.with_value(value),
                None => subject,
            },
        )
    }

    /// Place of the key of a mapping or list.
    pub fn head(&self, node: NodeId) -> Anchor {
        let head = Place::span(self.source, self.yaml.span(self.yaml.head(node)));
        Anchor::new(head, Subject::new(path_to(self.yaml, node)))
    }

    /// Like [`ReportContext::value`], but without a subject.
    pub(crate) fn place_of_value(&self, node: NodeId) -> Place {
        let span = match self.yaml.span(node) {
            span if span.is_empty() => self.yaml.span(self.yaml.head(node)),
            span => span,
        };
        Place::span(self.source, span)
    }

    /// Line on which a node begins, from 1.
    pub fn line(&self, node: NodeId) -> u32 {
        self.source
            .position(self.yaml.span(node).start as usize)
            .line
    }

    /// Anchor of the scalar, or of its key if the scalar is empty.
    pub fn value(&self, node: NodeId) -> Anchor {
        if self.yaml.span(node).is_empty() {
            self.head(node)
        } else {
            self.node(node)
        }
    }
}

/// README, with the reports of its submission.
#[derive(Debug)]
pub struct ReadmeContext<'a> {
    /// File with its path, for places in findings.
    pub source: &'a Source,
    /// Parsed headings, tables and links.
    pub readme: &'a Readme,
    /// Submission that contains the README.
    pub submission: &'a Submission,
    /// Facts by path and document. `None` if only the README was passed.
    pub reports: Option<&'a [ReportFacts]>,
    /// Targets of [`Readme::links`]. Empty if only the README was passed.
    pub link_targets: &'a [LinkTarget],
    /// Rows of the table of contents, with their reports.
    pub listing: Listing<'a>,
    row_differences: OnceCell<Vec<Vec<Difference<'a>>>>,
}

impl<'a> ReadmeContext<'a> {
    /// Finds the rows. `reports` is `None` if only the README was passed.
    pub fn new(
        source: &'a Source,
        readme: &'a Readme,
        link_targets: &'a [LinkTarget],
        submission: &'a Submission,
        reports: Option<&'a [ReportFacts]>,
    ) -> Self {
        Self {
            source,
            readme,
            submission,
            reports,
            link_targets,
            listing: Listing::new(readme, link_targets, source.path(), submission, reports),
            row_differences: OnceCell::new(),
        }
    }

    /// Differences between each row of the listing and its report.
    pub(crate) fn row_differences(&self) -> &[Vec<Difference<'a>>] {
        self.row_differences.get_or_init(|| {
            let is_legacy = is_legacy_folder(self.submission.release.as_ref());
            let rows = self.listing.rows.iter();
            rows.map(|row| differences(self.source, row, is_legacy))
                .collect()
        })
    }
}

impl ReadmeContext<'_> {
    /// Empty if the targets are unknown.
    pub fn links(&self) -> impl Iterator<Item = (&Link, &LinkTarget)> {
        self.readme.links.iter().zip(self.link_targets)
    }

    /// True for empty READMEs, which only `readme/table-missing` reports.
    pub fn is_empty(&self) -> bool {
        let text = self.source.text().trim_start_matches('\u{feff}');
        text.trim().is_empty()
    }

    /// Place of the title, or else of the file.
    pub fn title(&self) -> Place {
        self.readme
            .title()
            .filter(|title| !title.span.is_empty())
            .map_or_else(
                || Place::path(self.source.path()),
                |title| self.place(title.span),
            )
    }
}

/// Unexpected file or folder, with its tree.
#[derive(Debug)]
pub struct EntryContext<'a> {
    /// File or folder that does not belong in the tree.
    pub unexpected: &'a UnexpectedEntry,
    /// Tree that contains the entry.
    pub tree: &'a Tree,
}

impl EntryContext<'_> {
    /// Printed path.
    pub fn path(&self) -> String {
        self.tree.display(&self.unexpected.path)
    }
}

/// Names in a submission, with its reports.
#[derive(Debug)]
pub struct SubmissionContext<'a> {
    /// Submission with the paths of its files.
    pub submission: &'a Submission,
    /// Facts of the reports, sorted by path and document.
    pub reports: &'a [ReportFacts],
    /// Configured implementation names.
    pub names: &'a ConfiguredNames,
    /// Printed path of the submission folder.
    pub path: &'a str,
    /// README, if it was read.
    pub readme: Option<&'a ReadmeContext<'a>>,
}

/// Unused entries of the configuration and baseline.
#[derive(Debug)]
pub struct ConfigContext<'a> {
    /// Ignores that matched no finding, with their places.
    pub unused_ignores: &'a [(Place, &'a Ignore)],
    /// Unused baseline entries, with their places and number of unused acceptances.
    pub unused_accepted: &'a [(&'a Place, &'a AcceptedEntry, usize)],
    /// Rules that ran. Entries for other rules can be unused.
    pub settings: &'a Settings,
}

/// Differences from an earlier revision.
#[derive(Debug)]
pub struct ChangeContext<'a> {
    /// Earlier revision as named by the user.
    pub revision: &'a str,
    /// Printed path of the tree.
    pub root: &'a str,
    /// Reports that the change touches.
    pub pairs: &'a [Pair<'a>],
    /// Printed paths of changed files outside of submissions.
    pub others: &'a [&'a str],
    /// Printed paths of changed `.gitattributes` files.
    pub attributes: &'a [&'a str],
    /// Organizations and projects in touched submissions, before and after.
    pub implementations: &'a BTreeSet<(&'a str, &'a str)>,
    /// Site URLs that no longer show what they showed before.
    pub moved: &'a [MovedAddress],
    /// Implementations that the change renames in all of their reports.
    pub renames: &'a [Rename<'a>],
    /// Implementations of the earlier revision, by [`ConfiguredNames::folded`].
    pub known: &'a BTreeMap<(String, String), Known<'a>>,
    /// Implementation names in the earlier configuration.
    pub names: &'a ConfiguredNames,
    /// Printed path, if the change contains only the configuration.
    pub config_alone: Option<&'a str>,
    /// Time of the commit. `None` for uncommitted changes.
    pub committed: Option<jiff::Timestamp>,
    /// Release data, to name renamed features.
    pub registry: &'a Registry,
}

impl<'a> ChangeContext<'a> {
    /// Touched reports of implementations that the earlier revision has.
    pub(crate) fn of_known(&self) -> impl Iterator<Item = (&'a ReportFacts, &'a Known<'a>)> {
        let reports = self.pairs.iter().filter_map(|pair| pair.after);
        let reports = reports.filter(|report| report.other_project.is_none());
        reports.filter_map(|report| {
            let known = self.known.get(&self.names.folded(report)?)?;
            Some((report, known))
        })
    }
}

/// Implementation in the earlier revision.
#[derive(Debug, Default)]
pub struct Known<'a> {
    /// Reports of all releases, refused ones included.
    pub reports: Vec<&'a ReportFacts>,
    /// Organizations and projects, as the reports and the configuration spell them.
    pub spellings: BTreeSet<(&'a str, &'a str)>,
    /// Newest report with a verdict.
    pub newest: Option<&'a ReportFacts>,
}

/// New organization or project in all reports of an implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rename<'a> {
    /// Former organization and project.
    pub old: (&'a str, &'a str),
    /// New organization and project.
    pub new: (&'a str, &'a str),
    /// Number of changed reports.
    pub reports: usize,
}

/// Site URL that no longer shows what it showed before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedAddress {
    /// Implementation or report that had the URL.
    pub owner: Owner,
    /// Former path of the URL, below the URL prefix of all implementations or reports.
    pub address: String,
    /// `None` if the owner no longer has a report.
    pub new_address: Option<String>,
    /// Printed path of the report that has the URL now.
    pub taken_by: Option<String>,
    /// Current name, and the former name that keeps the URL as its alias.
    pub alias: Option<[String; 2]>,
    /// True if the change renamed the report or changed its release.
    pub is_renamed: bool,
    /// True if a configured alias redirects the URL to the owner.
    pub is_kept: bool,
    /// Place of the change that moved the URL or, if unknown, of the owner.
    pub place: Place,
    /// Place of the owner, if different from `place`.
    pub owner_place: Option<Place>,
}

/// Owner of a site URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// Implementation, as `organization/project`.
    Implementation(String),
    /// Report, by printed path.
    Report(String),
}

/// Changes to the files that control checks.
#[derive(Debug)]
pub struct InputsContext<'a> {
    /// Earlier revision as named by the user.
    pub revision: &'a str,
    /// Changed files, most important first.
    pub altered: &'a [AlteredInput],
    /// Changed log statements.
    pub statements: &'a [AlteredInput],
}

/// Changed file that affects how the change is checked or displayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlteredInput {
    /// Printed path.
    pub path: String,
    /// Type of the change.
    pub alteration: Alteration,
}

/// Kind of change to a file that controls checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alteration {
    /// Only the current tree has the file.
    Added,
    /// Only the earlier revision has the file.
    Deleted,
    /// Both revisions have the file, with different content.
    Changed,
    /// The earlier version of the file is invalid.
    Repaired,
}

/// Report before and after a change.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// `None` for a new report.
    pub before: Option<&'a ReportFacts>,
    /// Current report. `None` for a deleted report.
    pub after: Option<&'a ReportFacts>,
}

impl Pair<'_> {
    /// True if the report replaces another report that is neither its earlier version nor the same
    /// run.
    pub(crate) fn is_replacement(&self) -> bool {
        let (Some(before), Some(after)) = (self.before, self.after) else {
            return false;
        };
        let is_same_run = before.ran_at.is_some() && before.ran_at == after.ran_at;
        before.path != after.path && !is_same_run && before.identity() != after.identity()
    }
}

/// Tree, with all reports that were checked.
#[derive(Debug)]
pub struct TreeContext<'a> {
    /// Files and folders of the tree.
    pub tree: &'a Tree,
    /// Facts of the reports, sorted by path and document.
    pub reports: &'a [ReportFacts],
    /// Configured implementation names.
    pub names: &'a ConfiguredNames,
    /// Conflicts between the reports.
    pub conflicts: &'a [Conflict],
}

/// Reports that are compared with each other, even if only a part of the tree is checked.
#[derive(Debug)]
pub enum SideBySide {}

macro_rules! inputs {
    ($($input:ident: $scope:ident $(, $configurable:literal)?;)*) => {
        $(
            impl Input for $input<'static> {
                type Of<'a> = $input<'a>;
                const SCOPE: Scope = Scope::$scope;
                $(const IS_CONFIGURABLE: bool = $configurable;)?
            }
        )*
    };
}

inputs! {
    TextContext: File;
    YamlContext: File;
    ReportContext: File;
    ReadmeContext: Submission;
    EntryContext: Submission;
    SubmissionContext: Submission;
    TreeContext: Tree;
    ConfigContext: Tree;
    ChangeContext: Change;
    // A change could otherwise disable its own review.
    InputsContext: Change, false;
}

impl Input for SideBySide {
    type Of<'a> = TreeContext<'a>;
    const SCOPE: Scope = Scope::Tree;
}
