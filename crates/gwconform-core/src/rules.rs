//! The rules, and what they are given.
//!
//! A rule is a `.rs` file with its check and a `.md` file beside it, which is its page, its
//! `gwconform explain` text and, through its examples, its test. The list at the end of this file
//! names every rule once.

/// Declares a rule, `RULE`: its page, its check, and the texts that it can print. Its own texts follow as
/// the variants of an enum, as `texts!` has them.
macro_rules! rule {
    (
        $page:literal, $kind:ident($($check:expr),+), $name:ident $(<$lifetime:lifetime>)? $(, $texts:ty)*;
        $($variants:tt)*
    ) => {
        crate::text::message::texts! { enum $name $(<$lifetime>)? { $($variants)* } }
        rule!($page, $kind($($check),+), $name $(, $texts)*);
    };
    ($page:literal, $kind:ident($($check:expr),+), $($texts:ty),+ $(,)?) => {
        /// The rule.
        pub static RULE: crate::rules::Rule = {
            use crate::rules::{Check, page};
            const FILE: &str = include_str!($page);
            // A part of the page would keep all of it in a build that needs no pages.
            const ID: [u8; page::id(FILE).len()] = page::copy(page::id(FILE));
            page::rule(FILE, &ID, Check::$kind($($check),+), &[$(<$texts>::TEMPLATES),+])
        };
    };
}

/// Declares the rules of a group: a module for each, and the list of them.
macro_rules! rules {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        /// The rules of this group, by id.
        pub const RULES: &[&crate::rules::Rule] = &[$(&$name::RULE),*];
    };
}

pub mod baseline;
pub mod blocking;
pub mod check;
pub mod configuration;
pub mod confusable;
mod configured;
pub mod context;
pub mod differences;
mod findings;
mod libyaml;
pub mod names;
pub mod ownership;
mod page;
pub mod recomputed;
pub mod remedy;
pub mod verify;
pub mod words;

pub use configured::ConfiguredNames;
pub use context::{
    Alteration, AlteredInput, ChangeContext, ConfigContext, EntryContext, InputsContext,
    MovedAddress, Owner, Pair, ReadmeContext, ReadmeLinks, ReportContext, SubmissionContext,
    TextContext, TreeContext, YamlContext,
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

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// `group/name`. Once released it is never renamed or reused.
    pub id: &'static str,
    /// How bad a finding is for releases from v1.1.0 on.
    pub severity: Severity,
    /// How bad it is in folders up to v1.0.x, whose reports were gathered before the rules were
    /// made (reports README, "Rules exceptions"); `None`: not checked there.
    pub legacy: Option<Severity>,
    /// True when `--strict` makes an error of it.
    pub strict: bool,
    /// True when a finding leaves the report, or the profile that it is in, without a verdict,
    /// whatever severity it has and whether or not the rule is selected.
    pub blocks_verdict: bool,
    /// Which of its findings it offers to fix; `None`: a person must.
    pub fixes: Option<Fixes>,
    /// Its page: Markdown, the first paragraph after the title is the summary. Empty without the
    /// feature `pages`.
    pub doc: &'static str,
    /// What it looks at.
    pub check: Check,
    /// All that it can print: messages, helps and labels.
    pub texts: &'static [&'static [Template]],
    /// The version of gwconform that it came with. Empty without the feature `pages`.
    pub since: &'static str,
    /// Its file: the front matter and the page. Empty without the feature `pages`.
    file: &'static str,
}

closed_set! {
    /// What a rule's fixes are. Not every finding has one: where only a person knows what was meant,
    /// the help names the decision.
    pub enum Fixes {
        /// None can lose or change anything a person meant: `--fix` makes them.
        Safe = "safe",
        /// Each may: only `--unsafe-fixes` makes them.
        Unsafe = "unsafe",
        /// Some are safe, and some are not.
        SafeOrUnsafe = "safe or unsafe",
    }
}

/// What a rule looks at, and the function that does.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// The text of one file, README or report.
    Text(fn(&TextContext<'_>, &mut Findings)),
    /// One file as YAML.
    Yaml(fn(&YamlContext<'_>, &mut Findings)),
    /// One report; a file with several documents holds several.
    Report(fn(&ReportContext<'_>, &mut Findings)),
    /// The README of a submission, with the facts of its reports.
    Readme(fn(&ReadmeContext<'_>, &mut Findings)),
    /// One name in the tree that does not belong where it is.
    Entry(fn(&EntryContext<'_>, &mut Findings)),
    /// One submission: its names and the facts of its reports.
    Submission(fn(&SubmissionContext<'_>, &mut Findings)),
    /// What differs from an earlier revision (`check --since`).
    Change(fn(&ChangeContext<'_>, &mut Findings)),
    /// What a change does to the configuration and its like. Such a rule always runs, and nothing
    /// leaves out its findings: else a change could do so.
    Inputs(fn(&InputsContext<'_>, &mut Findings)),
    /// The configuration and the baseline, after all other rules.
    Config(fn(&ConfigContext<'_>, &mut Findings)),
    /// The whole tree, by the facts of its reports.
    Tree(fn(&TreeContext<'_>, &mut Findings)),
    /// The reports that are checked together, by their facts: those of the whole tree, or of the parts
    /// of it that were named.
    SideBySide(fn(&TreeContext<'_>, &mut Findings)),
    /// All resources of a dump. Of each list of kinds one must be there for the rule to run.
    Resource(
        &'static [&'static [resource::Kind]],
        fn(&ResourceContext<'_>, &mut Findings),
    ),
    /// Manifests and what they are compared with (`gwconform needs`).
    Needs(fn(&NeedsContext<'_>, &mut Findings)),
    /// A report and the log of its run (`gwconform verify`).
    Evidence(fn(&EvidenceContext<'_>, &mut Findings)),
}

closed_set! {
    /// How much must be there for a rule to run.
    pub enum Scope {
        /// One file.
        File = "file",
        /// The files of a submission.
        Submission = "submission",
        /// The whole tree.
        Tree = "tree",
        /// An earlier revision.
        Change = "change",
        /// Resources of a cluster.
        Resources = "resources",
        /// Manifests and what they are compared with.
        Manifests = "manifests",
        /// A report and the log of its run.
        Log = "log",
    }
}

impl Scope {
    /// What rules that need no tree are about, the command that runs them, and their group.
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
    /// How much must be there for the rule to run.
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
    /// What it follows: a section of a GEP, of the reports README or of the implementer's guide, a
    /// function of the suite.
    pub fn sources(&self) -> Vec<&'static str> {
        page::list(self.file, "sources")
    }

    /// Ids of rules about the same.
    pub fn related(&self) -> Vec<&'static str> {
        page::list(self.file, "related")
    }

    /// The summary of the rule: the first paragraph of *What it does*, one sentence on one line.
    pub fn summary(&self) -> String {
        let mut paragraphs = self.doc.split("\n\n");
        paragraphs
            .nth(2)
            .unwrap_or_default()
            .trim()
            .replace('\n', " ")
    }

    /// False for a rule that always runs, whose severity is fixed and whose findings are never left
    /// out.
    pub fn is_configurable(&self) -> bool {
        !matches!(self.check, Check::Inputs(_))
    }

    /// The part of the id before the slash.
    pub fn group(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(group, _)| group)
    }

    /// The templates of all texts that it can print.
    pub fn messages(&self) -> impl Iterator<Item = &'static str> {
        let texts = self.texts.iter().copied().flatten();
        texts.map(|template| template.text)
    }
}

/// The rule with an id.
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id == id)
}

/// True when `selector` names at least one rule: by its id or its group.
fn is_selector(selector: &str) -> bool {
    ALL.iter().any(|rule| rule.is_named_by(selector))
}

/// `; did you mean …?` for a name that is nearly a rule's or a group's, else nothing.
pub fn hint(name: &str) -> String {
    let known = ALL.iter().flat_map(|rule| [rule.id, rule.group()]);
    let nearest = suggest::nearest(name, known);
    nearest
        .map(|nearest| format!("; did you mean `{nearest}`?"))
        .unwrap_or_default()
}

impl Rule {
    /// True when `selector` is this rule's id or its group.
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

/// The rules of each group, groups and rules by name.
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

/// Every rule, by id.
pub static ALL: LazyLock<Vec<&Rule>> = LazyLock::new(|| GROUPS.concat());
