//! Rules, their documentation, and the inputs that they check.

use std::fmt;

use crate::api::closed_set;
use crate::text::diagnostic::Severity;
use crate::text::message::Template;
use crate::text::suggest;

mod findings;
#[doc(hidden)]
pub mod front_matter;

pub use findings::{Findings, MAX_FINDINGS};

/// What a rule checks.
pub trait Input: 'static {
    /// Value that the check function reads.
    type Of<'a>;
    /// Part of the repository or cluster that the rule requires.
    const SCOPE: Scope;
    /// False if rules about this input always run and cannot be ignored.
    const IS_CONFIGURABLE: bool = true;
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

closed_set! {
    /// Kinds of fixes a rule offers. A rule with fixes can also report findings without a fix.
    pub enum Fixes {
        /// Fixes cannot lose or change intended content. `--fix` applies them.
        Safe = "safe",
        /// Fixes may lose or change intended content. Only `--unsafe-fixes` applies them.
        Unsafe = "unsafe",
        /// Some fixes are safe, and others are unsafe.
        SafeOrUnsafe = "safe-or-unsafe",
    }
}

/// Conformance rule: what its page states, and the function that checks one kind of input.
pub struct Rule<C: Input> {
    about: &'static About,
    check: for<'a> fn(&C::Of<'a>, &mut Findings),
}

impl<C: Input> Rule<C> {
    /// Creates a rule from what [`Self::page`] read. A list of pages does not keep the functions in
    /// programs that do not check this input.
    pub const fn new(about: &'static About, check: for<'a> fn(&C::Of<'a>, &mut Findings)) -> Self {
        Self { about, check }
    }

    /// Reads a page about this input. `id` is the title of the page.
    pub const fn page(
        page: &'static str,
        id: &'static [u8],
        texts: &'static [&'static [Template]],
    ) -> About {
        front_matter::about(page, id, texts, C::SCOPE, C::IS_CONFIGURABLE)
    }

    /// What the page of the rule states.
    pub const fn about(&self) -> &'static About {
        self.about
    }

    /// Adds the findings in `input`.
    pub fn check(&self, input: &C::Of<'_>, out: &mut Findings) {
        (self.check)(input, out);
    }
}

impl<C: Input> fmt::Debug for Rule<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.about.fmt(f)
    }
}

/// What the page of a rule states.
#[derive(Debug)]
pub struct About {
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
    /// Input that the check function requires.
    pub scope: Scope,
    /// False if the rule always runs and cannot be ignored.
    pub is_configurable: bool,
    /// Templates of messages, helps and labels, one list per `texts!` type. Empty without the feature
    /// `pages`.
    pub texts: &'static [&'static [Template]],
    /// gwconform version that introduced the rule. Empty without the feature `pages`.
    pub since: &'static str,
    /// Front matter and page. Empty without the feature `pages`.
    file: &'static str,
}

impl About {
    /// Sources, such as sections of GEPs or functions of the suite.
    pub fn sources(&self) -> Vec<&'static str> {
        front_matter::list(self.file, "sources")
    }

    /// Ids of related rules.
    pub fn related(&self) -> Vec<&'static str> {
        front_matter::list(self.file, "related")
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

    /// Part of the id before the slash, such as `report`.
    pub fn group(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(group, _)| group)
    }

    /// Template texts of all messages, helps and labels.
    pub fn messages(&self) -> impl Iterator<Item = &'static str> {
        let texts = self.texts.iter().copied().flatten();
        texts.map(|template| template.text)
    }

    /// True if `selector` is the rule's id or group.
    pub fn is_named_by(&self, selector: &str) -> bool {
        selector == self.id || selector == self.group()
    }
}

/// Rules of several groups, sorted by id.
pub fn joined(groups: &[&[&'static About]]) -> Vec<&'static About> {
    let mut all = groups.concat();
    all.sort_by_key(|rule| rule.id);
    all
}

/// Finds a rule by id, such as `report/date`.
pub fn find(rules: &[&'static About], id: &str) -> Option<&'static About> {
    rules.iter().copied().find(|rule| rule.id == id)
}

/// True if `selector` is the id or group of a rule.
pub fn is_selector(rules: &[&About], selector: &str) -> bool {
    rules.iter().any(|rule| rule.is_named_by(selector))
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
pub fn hint(rules: &[&About], name: &str) -> String {
    match replacement(name) {
        Some(Some(by)) => return format!("; replaced by `{by}`"),
        Some(None) => return "; the rule was removed".to_owned(),
        None => {}
    }
    let of_name = |rule: &&&About| rule.id.rsplit('/').next() == Some(name);
    let same: Vec<_> = rules.iter().filter(of_name).map(|rule| rule.id).collect();
    if !same.is_empty() {
        return suggest::did_you_mean(&same);
    }
    suggest::hint(name, rules.iter().flat_map(|rule| [rule.group(), rule.id]))
}

/// Creates a [`Rule`] from its page, input, check function and texts.
#[macro_export]
macro_rules! rule_of {
    ($page:literal, $input:ty, $check:expr, $($texts:ty),+ $(,)?) => {{
        const FILE: &str = include_str!($page);
        // A slice of the page would keep the whole page in binaries without the feature `pages`.
        const ID: [u8; $crate::rules::front_matter::id(FILE).len()] =
            $crate::rules::front_matter::copy($crate::rules::front_matter::id(FILE));
        <$crate::rules::Rule<$input>>::new(
            const { &<$crate::rules::Rule<$input>>::page(FILE, &ID, &[$(<$texts>::TEMPLATES),+]) },
            $check,
        )
    }};
}

/// Declares the rule of a module, with its texts.
#[macro_export]
macro_rules! rule {
    (
        $page:literal, $input:ident($check:expr), $name:ident $(<$lifetime:lifetime>)? $(, $texts:ty)*;
        $($variants:tt)*
    ) => {
        $crate::text::message::texts! { enum $name $(<$lifetime>)? { $($variants)* } }
        $crate::rules::rule!($page, $input($check), $name $(, $texts)*);
    };
    ($page:literal, $input:ident($check:expr), $($texts:ty),+ $(,)?) => {
        /// Rule that this module checks.
        pub static RULE: $crate::rules::Rule<$input> =
            $crate::rules::rule_of!($page, $input, $check, $($texts),+);
    };
}

/// Lists the rules of a group: those of each input, and what all pages state.
#[macro_export]
macro_rules! rules {
    ($($list:ident: $rule:ty { $($name:ident),* $(,)? })+) => {
        $($(mod $name;)*)+

        $(
            /// Rules about this input, sorted by id.
            pub const $list: &[&$rule] = &[$(&$name::RULE),*];
        )+

        /// All rules of this group.
        pub const ABOUT: &[&$crate::rules::About] = &[$($($name::RULE.about()),*),+];
    };
}

pub use crate::{rule, rule_of, rules};
