//! What rules are given. Each context knows how to turn a node or a field into a place.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::baseline::AcceptedEntry;
use super::configuration::Ignore;
use super::ownership::Rivalry;
use super::readme::Listing;
use super::{ConfiguredNames, Rule};
use crate::api::Version;
use crate::release::stated::{ComparedFacts, ReferenceRelease, lenient_version};
use crate::release::{Registry, Release};
use crate::report::facts::ReportFacts;
use crate::report::fit::SchemaViolation;
use crate::report::formats::day_of_rfc3339;
use crate::report::view::{self, Report};
use crate::rules::names::{self, UnknownName};
use crate::rules::recomputed::Recomputed;
use crate::text::diagnostic::{Anchor, Place, Subject};
use crate::text::node_path::path_to;
use crate::text::source::{Source, Span};
use crate::tree::readme::{Link, Readme};
use crate::tree::{LinkTarget, Submission, Tree, UnexpectedEntry};
use gwconform_yaml::{NodeId, Yaml, YamlIssue, YamlIssueKind};

/// A file's text.
#[derive(Debug)]
pub struct TextContext<'a> {
    /// The text.
    pub source: &'a Source,
    /// True for a report, false for a README.
    pub is_report: bool,
}

impl TextContext<'_> {
    /// The place of a span, in a finding about the file as a whole.
    pub fn span(&self, span: Span) -> Anchor {
        Anchor::new(Place::span(self.source, span), Subject::whole())
    }
}

/// A file as YAML.
#[derive(Debug)]
pub struct YamlContext<'a> {
    /// The text.
    pub source: &'a Source,
    /// Its nodes and issues.
    pub yaml: &'a Yaml<'a>,
    /// True when the file is in a reports tree.
    pub is_in_tree: bool,
}

impl YamlContext<'_> {
    /// The place of an issue, which is about the value or key that begins there. After a stop it is
    /// about the whole file: what it is in is not known.
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

    /// The issues of some kinds, in the order of the text.
    pub fn issues(&self, kinds: &[YamlIssueKind]) -> impl Iterator<Item = &YamlIssue> {
        self.yaml
            .issues
            .iter()
            .filter(|issue| kinds.contains(&issue.kind))
    }

    /// The place of a span.
    pub fn place(&self, span: Span) -> Place {
        Place::span(self.source, span)
    }
}

/// One report.
#[derive(Debug)]
pub struct ReportContext<'a> {
    /// The text of its file.
    pub source: &'a Source,
    /// The nodes of its file.
    pub yaml: &'a Yaml<'a>,
    /// The root of its document.
    pub root: NodeId,
    /// The lenient view.
    pub report: &'a Report<'a>,
    /// What the schema of its release refuses; empty for other documents.
    pub violations: &'a [SchemaViolation],
    /// The release it is compared with; what it states is in the report itself.
    pub release: &'a ReferenceRelease,
    /// Its submission.
    pub submission: &'a Submission,
    /// Facts of the releases.
    pub registry: &'a Registry,
    /// True when the file ended early in this report: missing parts were perhaps there.
    pub is_cut: bool,
    /// What several rules need, worked out when the first of them asks.
    pub(crate) shared: Shared<'a>,
}

/// Answers that rules share. A registry and a report give them, never a rule.
#[derive(Debug, Default)]
pub(crate) struct Shared<'a> {
    unknown_names: OnceCell<Vec<UnknownName<'a>>>,
    recomputed: OnceCell<Option<Recomputed<'a>>>,
}

impl<'a> ReportContext<'a> {
    /// Organization and project, where they are texts, with the names of their fields.
    pub fn implementation_names(&self) -> impl Iterator<Item = (&'static str, view::Text<'a>)> {
        let implementation = &self.report.implementation;
        let fields = [
            ("organization", implementation.organization),
            ("project", implementation.project),
        ];
        let fields = fields.into_iter();
        fields.filter_map(|(field, text)| Some((field, text?)))
    }

    /// The names of features and tests that no release knows, each once, by kind and in the order
    /// of the file. None for reports of releases newer than the registry, which may know more.
    pub fn unknown_names(&self) -> &[UnknownName<'a>] {
        self.shared.unknown_names.get_or_init(|| {
            if self.release.is_newer_than_known {
                return Vec::new();
            }
            names::unknown(self.report, self.registry)
        })
    }

    /// The report compared with what the suite of its release must have written. `None` where
    /// nothing is known of that suite: an unknown release, one newer than the registry, or one
    /// whose suite had no profiles; and for a report that breaks off.
    pub fn recomputed(&self) -> Option<&Recomputed<'a>> {
        let shared = self.shared.recomputed.get_or_init(|| Recomputed::of(self));
        shared.as_ref()
    }

    /// The release that the report itself states; the folder's is never put in its place.
    pub fn stated_version(&self) -> Option<Version> {
        lenient_version(self.report.stated_release?.value)
    }

    /// The release whose facts the report is compared with, and whether its suite is known to have
    /// made the report: it did not for the nearest patch below an unknown one.
    pub fn facts(&self) -> Option<(&'a Release, bool)> {
        let compared = self.compared()?;
        Some((compared.release()?, compared.are_known()))
    }

    /// The facts that the report is compared with; `None` without a release. A folder's release has
    /// nothing to do with the day of the run.
    pub fn compared(&self) -> Option<ComparedFacts<'a>> {
        let version = self.release.version.as_ref()?;
        let is_stated = self.stated_version().as_ref() == Some(version);
        let date = self.report.date.filter(|_| is_stated);
        let day = date.and_then(|date| day_of_rfc3339(date.value));
        Some(ComparedFacts::new(version, day, self.registry))
    }

    /// The place of a field's value; without it, of the report's first key.
    pub fn value_or_root(&self, node: Option<NodeId>) -> Anchor {
        node.map_or_else(|| self.head(self.root), |node| self.value(node))
    }
}

impl ReportContext<'_> {
    /// The place of a node: a key, a scalar or a whole collection.
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

    /// The place of a mapping or list as a whole: its key.
    pub fn head(&self, node: NodeId) -> Anchor {
        let head = Place::span(self.source, self.yaml.span(self.yaml.head(node)));
        Anchor::new(head, Subject::new(path_to(self.yaml, node)))
    }

    /// The place of [`ReportContext::value`], where the subject is of no interest.
    pub fn place_of_value(&self, node: NodeId) -> Place {
        let span = match self.yaml.span(node) {
            span if span.is_empty() => self.yaml.span(self.yaml.head(node)),
            span => span,
        };
        Place::span(self.source, span)
    }

    /// The line on which a node begins, from 1.
    pub fn line(&self, node: NodeId) -> u32 {
        self.source
            .position(self.yaml.span(node).start as usize)
            .line
    }

    /// The place of a scalar that may be empty: then its key.
    pub fn value(&self, node: NodeId) -> Anchor {
        if self.yaml.span(node).is_empty() {
            self.head(node)
        } else {
            self.node(node)
        }
    }
}

/// The README of a submission.
#[derive(Debug)]
pub struct ReadmeContext<'a> {
    /// Its text.
    pub source: &'a Source,
    /// Its headings, tables and links.
    pub readme: &'a Readme,
    /// Its submission.
    pub submission: &'a Submission,
    /// The facts of the submission's reports, by path and document; `None` when only the README's
    /// text was given.
    pub reports: Option<&'a [ReportFacts]>,
    /// Where each of its links leads, in the order of [`Readme::links`]; empty when only the
    /// README's text was given.
    pub link_targets: &'a [LinkTarget],
    /// Its table of contents, row by row.
    pub listing: Listing<'a>,
}

impl ReadmeContext<'_> {
    /// The links with where each leads; none when that is not known.
    pub fn links(&self) -> impl Iterator<Item = (&Link, &LinkTarget)> {
        self.readme.links.iter().zip(self.link_targets)
    }

    /// True without any text. Only one rule reports that.
    pub fn is_empty(&self) -> bool {
        let text = self.source.text().trim_start_matches('\u{feff}');
        text.trim().is_empty()
    }

    /// The place of the title, or the README's path.
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

/// A name that does not belong where it is.
#[derive(Debug)]
pub struct EntryContext<'a> {
    /// The name.
    pub unexpected: &'a UnexpectedEntry,
    /// The tree it is in.
    pub tree: &'a Tree,
}

impl EntryContext<'_> {
    /// The path as it is printed.
    pub fn path(&self) -> String {
        self.tree.display(&self.unexpected.path)
    }
}

/// One submission.
#[derive(Debug)]
pub struct SubmissionContext<'a> {
    /// Its names.
    pub submission: &'a Submission,
    /// The facts of its reports, by path and document.
    pub reports: &'a [ReportFacts],
    /// The names that the configuration has.
    pub names: &'a ConfiguredNames,
    /// The path of its folder as it is printed.
    pub path: &'a str,
    /// Its README, where it has one that was read.
    pub readme: Option<ReadmeLinks<'a>>,
}

/// A README and where its links lead.
#[derive(Debug, Clone, Copy)]
pub struct ReadmeLinks<'a> {
    /// Its text.
    pub source: &'a Source,
    /// Its headings, tables and links.
    pub readme: &'a Readme,
    /// Where each of its links leads, in the order of [`Readme::links`].
    pub link_targets: &'a [LinkTarget],
}

/// The configuration, and the baseline.
#[derive(Debug, Default)]
pub struct ConfigContext<'a> {
    /// The entries that left out nothing, and where their paths are.
    pub unused_ignores: &'a [(Place, &'a Ignore)],
    /// The entries of the baseline that accepted fewer findings than they list: where they are, and how
    /// many more there could be.
    pub unused_accepted: &'a [(&'a Place, &'a AcceptedEntry, usize)],
    /// The rules that were run.
    pub selected: &'a [&'static Rule],
}

/// What differs from an earlier revision.
#[derive(Debug)]
pub struct ChangeContext<'a> {
    /// The revision, as it was named.
    pub revision: &'a str,
    /// The path of the tree as it is printed.
    pub root: &'a str,
    /// The reports that the change touches.
    pub pairs: &'a [Pair<'a>],
    /// The files it touches that are of no submission and do not come with one, as printed.
    pub others: &'a [&'a str],
    /// The `.gitattributes` files it touches that can apply to files of the tree, as printed.
    pub attributes: &'a [&'a str],
    /// Organization and project of the reports, now or before, in the submissions it touches.
    pub implementations: &'a BTreeSet<(&'a str, &'a str)>,
    /// The addresses that lead elsewhere.
    pub moved: &'a [MovedAddress],
    /// The configuration, if the change touches no other file: its path as it is printed.
    pub config_alone: Option<&'a str>,
    /// When the change was committed; `None` when a part of it is not.
    pub committed: Option<jiff::Timestamp>,
    /// Facts of the releases.
    pub registry: &'a Registry,
}

/// An address of the site that no longer leads to what it led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedAddress {
    /// Whose address it was.
    pub owner: Owner,
    /// The address, below the folder that such addresses are in.
    pub address: String,
    /// Whose it is now; `None` when it leads nowhere.
    pub new_owner: Option<Owner>,
    /// Where the owner is found now; `None` when there is nothing left of it.
    pub new_address: Option<String>,
    /// True when the change gave the owner another name or release, from which its address follows.
    pub is_renamed: bool,
    /// True when an alias of the configuration keeps the address: the site redirects it.
    pub is_kept: bool,
    /// What of the change did that, else where the owner is named.
    pub place: Place,
    /// Where the owner is named, when it is not there.
    pub owner_place: Option<Place>,
}

/// Whose an address is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// An implementation, by organization and project.
    Implementation(String, String),
    /// A report, by its path as it is printed.
    Report(String),
}

/// What a change does to the files that decide how it is checked.
#[derive(Debug)]
pub struct InputsContext<'a> {
    /// The earlier revision, as it was named.
    pub revision: &'a str,
    /// The files that it alters, those that decide most first.
    pub altered: &'a [AlteredInput],
    /// The statements of logs that it alters.
    pub statements: &'a [AlteredInput],
}

/// A file that decides how reports are checked or shown, and that a change alters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlteredInput {
    /// The path as it is printed.
    pub path: String,
    /// What the change does to it.
    pub alteration: Alteration,
}

/// What a change does to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alteration {
    /// It adds the file.
    Added,
    /// It deletes the file.
    Deleted,
    /// It changes the file.
    Changed,
    /// It changes the file, whose earlier version cannot be used.
    Repaired,
}

/// A report as it was and as it is.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// In the earlier revision.
    pub before: Option<&'a ReportFacts>,
    /// Now.
    pub after: Option<&'a ReportFacts>,
}

impl Pair<'_> {
    /// True when one report takes the place of another one: neither its earlier version nor the same
    /// run.
    pub fn is_replacement(&self) -> bool {
        let (Some(before), Some(after)) = (self.before, self.after) else {
            return false;
        };
        let is_same_run = before.ran_at.is_some() && before.ran_at == after.ran_at;
        before.path != after.path && !is_same_run && before.identity() != after.identity()
    }
}

/// The whole tree.
#[derive(Debug)]
pub struct TreeContext<'a> {
    /// Its names.
    pub tree: &'a Tree,
    /// The facts of all its reports, by path and document.
    pub reports: &'a [ReportFacts],
    /// The names that the configuration has.
    pub names: &'a ConfiguredNames,
    /// The implementations that claim one name or one run.
    pub(crate) rivalries: &'a [Rivalry<'a>],
}
