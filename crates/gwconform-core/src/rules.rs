//! The conformance rules, their inputs, and the engine that runs them.
//!
//! A rule is a `.rs` file with a check and a `.md` file with its page. `gwconform explain` prints
//! the page, and its examples are tests. [`ALL`] lists every rule.

macro_rules! rule {
    (
        $page:literal, $kind:ident($($check:expr),+), $name:ident $(<$lifetime:lifetime>)? $(, $texts:ty)*;
        $($variants:tt)*
    ) => {
        crate::text::message::texts! { enum $name $(<$lifetime>)? { $($variants)* } }
        rule!($page, $kind($($check),+), $name $(, $texts)*);
    };
    ($page:literal, $kind:ident($($check:expr),+), $($texts:ty),+ $(,)?) => {
        /// Rule that this module checks.
        pub static RULE: crate::rules::Rule = {
            use crate::rules::{Check, page};
            const FILE: &str = include_str!($page);
            // A slice of the page would keep the whole page in binaries without the feature
            // `pages`.
            const ID: [u8; page::id(FILE).len()] = page::copy(page::id(FILE));
            page::rule(FILE, &ID, Check::$kind($($check),+), &[$(<$texts>::TEMPLATES),+])
        };
    };
}

macro_rules! rules {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        /// Rules of this group, sorted by id.
        pub const RULES: &[&crate::rules::Rule] = &[$(&$name::RULE),*];
    };
}

pub mod baseline;
pub mod blocking;
pub mod check;
pub mod configuration;
pub mod confusable;
mod configured;
pub mod conflicts;
pub mod context;
pub mod differences;
mod findings;
pub mod names;
mod page;
pub mod recomputed;
pub mod remedy;
mod renames;
pub mod verify;
pub mod words;

pub use configured::ConfiguredNames;
pub use context::{
    Alteration, AlteredInput, ChangeContext, ConfigContext, EntryContext, InputsContext, Known,
    MovedAddress, Owner, Pair, ReadmeContext, ReadmeLinks, Rename, ReportContext,
    SubmissionContext, TextContext, TreeContext, YamlContext,
};
pub use evidence::EvidenceContext;
pub use findings::{Findings, MAX_FINDINGS};
pub use needs::NeedsContext;
pub use readme::Listing;
pub use remedy::Remedy;
pub use resource::{Basis, ReleaseChoice, RequestedRelease, ResourceContext};

use std::sync::LazyLock;

use crate::api::closed_set;
use crate::text::diagnostic::Severity;
use crate::text::message::Template;
use crate::text::suggest;

/// Conformance rule with its page and check function.
#[derive(Debug)]
pub struct Rule {
    /// `group/name`. A released id is never renamed or reused.
    pub id: &'static str,
    /// Default severity in folders for v1.1.0 and later.
    pub severity: Severity,
    /// Severity for folders up to v1.0.x (reports README, "Rules exceptions"). `None` if not
    /// checked.
    pub legacy: Option<Severity>,
    /// True if `--strict` raises findings to errors.
    pub strict: bool,
    /// True if findings prevent a verdict, even if the rule is not selected or has a lower
    /// severity.
    pub blocks_verdict: bool,
    /// `None` if the rule has no fixes.
    pub fixes: Option<Fixes>,
    /// Rule page in Markdown. Empty without the feature `pages`.
    pub doc: &'static str,
    /// Check function, with the input that it requires.
    pub check: Check,
    /// Templates of messages, helps and labels, one list per `texts!` type.
    pub texts: &'static [&'static [Template]],
    /// gwconform version that introduced the rule. Empty without the feature `pages`.
    pub since: &'static str,
    /// Front matter and page. Empty without the feature `pages`.
    file: &'static str,
}

closed_set! {
    /// Kinds of fixes a rule offers. A rule with fixes can also report findings without a fix.
    pub enum Fixes {
        /// Fixes cannot lose or change intended content. `--fix` applies them.
        Safe = "safe",
        /// Fixes may lose or change intended content. Only `--unsafe-fixes` applies them.
        Unsafe = "unsafe",
        /// Some fixes are safe, and others are unsafe.
        SafeOrUnsafe = "safe or unsafe",
    }
}

/// Check function of a rule. The variant determines the input.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// Checks the text of a README or report.
    Text(fn(&TextContext<'_>, &mut Findings)),
    /// Checks a file that is parsed as YAML.
    Yaml(fn(&YamlContext<'_>, &mut Findings)),
    /// Checks one report. A file can contain several reports.
    Report(fn(&ReportContext<'_>, &mut Findings)),
    /// Checks a README against the facts of its reports.
    Readme(fn(&ReadmeContext<'_>, &mut Findings)),
    /// Checks an unexpected file or folder in the tree.
    Entry(fn(&EntryContext<'_>, &mut Findings)),
    /// Checks the names in a submission against the facts of its reports.
    Submission(fn(&SubmissionContext<'_>, &mut Findings)),
    /// Checks the differences from an earlier revision (`check --since`).
    Change(fn(&ChangeContext<'_>, &mut Findings)),
    /// Checks changes to files that control checks. These rules cannot be ignored, because a change
    /// could otherwise disable its own review.
    Inputs(fn(&InputsContext<'_>, &mut Findings)),
    /// Checks the configuration and baseline after all other rules.
    Config(fn(&ConfigContext<'_>, &mut Findings)),
    /// Checks a tree. Not run for parts of a tree.
    Tree(fn(&TreeContext<'_>, &mut Findings)),
    /// Compares reports with each other, even if only part of a tree is checked.
    SideBySide(fn(&TreeContext<'_>, &mut Findings)),
    /// Checks a cluster dump, if the dump contains a kind from each list.
    Resource(
        &'static [&'static [resource::Kind]],
        fn(&ResourceContext<'_>, &mut Findings),
    ),
    /// Checks manifests against a target (`gwconform needs`).
    Needs(fn(&NeedsContext<'_>, &mut Findings)),
    /// Checks a report against the log of its run (`gwconform verify`).
    Evidence(fn(&EvidenceContext<'_>, &mut Findings)),
}

closed_set! {
    /// Input that a rule requires.
    pub enum Scope {
        /// One README or report.
        File = "file",
        /// All files of a submission.
        Submission = "submission",
        /// Whole reports tree.
        Tree = "tree",
        /// Reports tree and an earlier revision.
        Change = "change",
        /// Resources of a cluster.
        Resources = "resources",
        /// Manifests and their target, such as an implementation.
        Manifests = "manifests",
        /// Report and the log of its run.
        Log = "log",
    }
}

impl Scope {
    /// Input, command and rule group, for scopes that do not check reports trees.
    pub fn apart(self) -> Option<[&'static str; 3]> {
        match self {
            Self::Resources => Some(["cluster resources", "resources", "resource"]),
            Self::Manifests => Some(["manifests", "needs", "needs"]),
            Self::Log => Some(["logs of runs", "verify", "evidence"]),
            _ => None,
        }
    }
}

impl Check {
    /// Input that the check function requires.
    pub fn scope(self) -> Scope {
        match self {
            Self::Text(_) | Self::Yaml(_) | Self::Report(_) => Scope::File,
            Self::Readme(_) | Self::Entry(_) | Self::Submission(_) => Scope::Submission,
            Self::Tree(_) | Self::SideBySide(_) | Self::Config(_) => Scope::Tree,
            Self::Change(_) | Self::Inputs(_) => Scope::Change,
            Self::Resource(..) => Scope::Resources,
            Self::Needs(_) => Scope::Manifests,
            Self::Evidence(_) => Scope::Log,
        }
    }
}

impl Rule {
    /// Sources, such as sections of GEPs or functions of the suite.
    pub fn sources(&self) -> Vec<&'static str> {
        page::list(self.file, "sources")
    }

    /// Ids of related rules.
    pub fn related(&self) -> Vec<&'static str> {
        page::list(self.file, "related")
    }

    /// First paragraph of the section *What it does*.
    pub fn summary(&self) -> String {
        let mut paragraphs = self.doc.split("\n\n");
        paragraphs
            .nth(2)
            .unwrap_or_default()
            .trim()
            .replace('\n', " ")
    }

    /// False if the rule always runs and cannot be ignored.
    pub fn is_configurable(&self) -> bool {
        !matches!(self.check, Check::Inputs(_))
    }

    /// Part of the id before the slash, such as `report`.
    pub fn group(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(group, _)| group)
    }

    /// Template texts of all messages, helps and labels.
    pub fn messages(&self) -> impl Iterator<Item = &'static str> {
        let texts = self.texts.iter().copied().flatten();
        texts.map(|template| template.text)
    }
}

/// Finds a rule by id, such as `report/date`.
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id == id)
}

fn is_selector(selector: &str) -> bool {
    ALL.iter().any(|rule| rule.is_named_by(selector))
}

/// Former rules with the rule that replaced them, if any.
const REPLACED: [(&str, Option<&str>); 11] = [
    ("readme/html-table", Some("readme/table-missing")),
    ("readme/report-link", None),
    ("readme/report-link-version", Some("readme/row-link")),
    ("readme/report-not-linked", Some("readme/row-link")),
    ("readme/row-channel", Some("readme/row-value")),
    ("readme/row-version", Some("readme/row-value")),
    ("readme/surplus-cells", Some("readme/row-link")),
    ("readme/unclosed-comment", Some("readme/table-missing")),
    ("readme/version-link", Some("readme/row-link")),
    ("readme/version-link-differs", Some("readme/row-link")),
    ("readme/x-cell", Some("readme/row-mode")),
];

/// ID of the rule that replaced a former rule, which is named with or without its group. The inner
/// `None` means that no rule replaced it.
pub fn replacement(former: &str) -> Option<Option<&'static str>> {
    let is_named = |id: &str| id == former || id.rsplit('/').next() == Some(former);
    let found = REPLACED.iter().find(|(id, _)| is_named(id));
    found.map(|(_, by)| *by)
}

/// Suggestion such as `; did you mean …?`, or empty if no name is similar.
pub fn hint(name: &str) -> String {
    match replacement(name) {
        Some(Some(by)) => return format!("; replaced by `{by}`"),
        Some(None) => return "; the rule was removed".to_owned(),
        None => {}
    }
    let of_name = |rule: &&&Rule| rule.id.rsplit('/').next() == Some(name);
    let same: Vec<_> = ALL.iter().filter(of_name).map(|rule| rule.id).collect();
    if !same.is_empty() {
        return suggest::did_you_mean(&same);
    }
    suggest::hint(name, ALL.iter().flat_map(|rule| [rule.group(), rule.id]))
}

impl Rule {
    /// True if `selector` is the rule's id or group.
    pub fn is_named_by(&self, selector: &str) -> bool {
        selector == self.id || selector == self.group()
    }
}

pub mod change;
pub mod config;
pub mod evidence;
pub mod needs;
pub mod readme;
pub mod report;
pub mod resource;
pub mod text;
pub mod tree;
pub mod yaml;

const GROUPS: [&[&Rule]; 10] = [
    change::RULES,
    config::RULES,
    evidence::RULES,
    needs::RULES,
    readme::RULES,
    report::RULES,
    resource::RULES,
    text::RULES,
    tree::RULES,
    yaml::RULES,
];

/// Every rule, sorted by id.
pub static ALL: LazyLock<Vec<&Rule>> = LazyLock::new(|| GROUPS.concat());
