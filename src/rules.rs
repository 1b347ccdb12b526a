//! The rules, and what they are given.
//!
//! A rule is a `.rs` file with its check and a `.md` file beside it, which is its page, its
//! `gwconform explain` text and, through its examples, its test. The list at the end of this file
//! names every rule once.

pub mod blocking;
pub mod confusable;
pub mod context;
pub mod differences;
mod findings;
pub mod names;
pub mod recomputed;
pub mod words;

pub use context::{
    Alteration, AlteredInput, ChangeContext, ConfigContext, EntryContext, InputsContext,
    MovedAddress, Owner, Pair, ReadmeContext, ReadmeLinks, ReportContext, SubmissionContext,
    TextContext, TreeContext, UnusedAccepted, UnusedIgnore, YamlContext,
};
pub use findings::Findings;
pub use readme::Listing;
pub use resource::{Basis, Known, ResourceContext, Wanted};

use crate::diagnostic::Severity;
use crate::suggest;

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
    /// Which of its findings it offers to mend; `None`: a person must.
    pub fixes: Option<Fixes>,
    /// Its page: Markdown, the first paragraph after the title is the summary.
    pub doc: &'static str,
    /// What it looks at.
    pub check: Check,
}

/// What a rule's fixes are. Not every finding has one: where only a person knows what was meant,
/// the help says what to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixes {
    /// None can lose or change anything a person meant: `--fix` makes them.
    Safe,
    /// Each may: only `--unsafe-fixes` makes them.
    Unsafe,
    /// Some are safe, and some are not.
    SafeOrUnsafe,
}

impl Fixes {
    /// `safe`, `unsafe` or `safe or unsafe`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
            Self::SafeOrUnsafe => "safe or unsafe",
        }
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
    /// All resources of a dump. Of each list of kinds one must be there for the rule to run.
    Resource(
        &'static [&'static [resource::Kind]],
        fn(&ResourceContext<'_>, &mut Findings),
    ),
}

impl Check {
    /// How much must be there for the rule to run: `file`, `submission` or `tree`; `change`, for
    /// which an earlier revision is needed; or the `resources` of a cluster.
    pub fn scope(self) -> &'static str {
        match self {
            Self::Text(_) | Self::Yaml(_) | Self::Report(_) => "file",
            Self::Readme(_) | Self::Entry(_) | Self::Submission(_) => "submission",
            Self::Tree(_) | Self::Config(_) => "tree",
            Self::Change(_) | Self::Inputs(_) => "change",
            Self::Resource(..) => "resources",
        }
    }
}

impl Rule {
    /// True for a rule about resources of a cluster rather than a tree of reports.
    pub fn is_about_resources(&self) -> bool {
        matches!(self.check, Check::Resource(..))
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

    /// What it says in one sentence: the first paragraph of its page, on one line.
    pub fn summary(&self) -> String {
        let mut paragraphs = self.doc.split("\n\n");
        paragraphs
            .nth(1)
            .unwrap_or_default()
            .trim()
            .replace('\n', " ")
    }
}

/// The rule with an id.
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id == id)
}

/// True when `selector` names at least one rule: by its id or its group.
pub fn is_selector(selector: &str) -> bool {
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
pub mod readme;
pub mod report;
pub mod resource;
pub mod text;
pub mod tree;
pub mod yaml;

/// Every rule, by id.
pub static ALL: &[&Rule] = &[
    &change::address_moved::RULE,
    &change::altered_configuration::RULE,
    &change::deleted_report::RULE,
    &change::edited_results::RULE,
    &change::several_implementations::RULE,
    &change::unexpected_file::RULE,
    &config::unused_baseline_entry::RULE,
    &config::unused_ignore::RULE,
    &readme::alias_link::RULE,
    &readme::column_missing::RULE,
    &readme::dead_link::RULE,
    &readme::html_table::RULE,
    &readme::listener_isolation::RULE,
    &readme::mode_not_described::RULE,
    &readme::placeholder::RULE,
    &readme::report_link::RULE,
    &readme::reproduce_empty::RULE,
    &readme::reproduce_missing::RULE,
    &readme::row_channel::RULE,
    &readme::row_missing::RULE,
    &readme::row_mode::RULE,
    &readme::row_repeated::RULE,
    &readme::row_spelling::RULE,
    &readme::row_version::RULE,
    &readme::row_without_report::RULE,
    &readme::several_tables::RULE,
    &readme::stray_row::RULE,
    &readme::surplus_cells::RULE,
    &readme::table_heading::RULE,
    &readme::table_missing::RULE,
    &readme::text_in_table::RULE,
    &readme::title_missing::RULE,
    &readme::unclosed_comment::RULE,
    &readme::version_link::RULE,
    &readme::version_link_differs::RULE,
    &readme::x_cell::RULE,
    &report::api_version::RULE,
    &report::claimed_feature_skipped::RULE,
    &report::contact::RULE,
    &report::core_tests_missing::RULE,
    &report::date::RULE,
    &report::date_before_release::RULE,
    &report::empty_value::RULE,
    &report::extended_absent::RULE,
    &report::failed_tests::RULE,
    &report::feature_in_both_lists::RULE,
    &report::field_case::RULE,
    &report::gateway_api_version::RULE,
    &report::invisible_character::RULE,
    &report::kind::RULE,
    &report::list_order::RULE,
    &report::lists_contradict_statistics::RULE,
    &report::missing_field::RULE,
    &report::misspelled_name::RULE,
    &report::mixed_script_name::RULE,
    &report::old_feature_name::RULE,
    &report::partial_core::RULE,
    &report::partial_without_skip::RULE,
    &report::release_without_profiles::RULE,
    &report::repeated_name::RULE,
    &report::repeated_profile::RULE,
    &report::result_contradicts_statistics::RULE,
    &report::suite_facts::RULE,
    &report::summary_contradicts_result::RULE,
    &report::unknown_field::RULE,
    &report::unknown_name::RULE,
    &report::unknown_profile::RULE,
    &report::unknown_release::RULE,
    &report::url::RULE,
    &report::value_not_allowed::RULE,
    &report::version_is_branch::RULE,
    &report::version_not_semver::RULE,
    &report::wrong_type::RULE,
    &resource::backend_not_found::RULE,
    &resource::class_undecided::RULE,
    &resource::condition_missing::RULE,
    &resource::condition_own_reason::RULE,
    &resource::condition_polarity::RULE,
    &resource::condition_reason::RULE,
    &resource::condition_repeated::RULE,
    &resource::condition_retired::RULE,
    &resource::condition_status::RULE,
    &resource::condition_type::RULE,
    &resource::conditions_too_many::RULE,
    &resource::controller_name::RULE,
    &resource::crd_annotation_missing::RULE,
    &resource::crd_mixed::RULE,
    &resource::crd_none::RULE,
    &resource::crd_report::RULE,
    &resource::crd_version::RULE,
    &resource::crd_without_annotations::RULE,
    &resource::feature_dropped::RULE,
    &resource::feature_name::RULE,
    &resource::feature_repeated::RULE,
    &resource::feature_unknown::RULE,
    &resource::feature_without_core::RULE,
    &resource::features_absent::RULE,
    &resource::features_order::RULE,
    &resource::features_report::RULE,
    &resource::features_too_many::RULE,
    &resource::gateway_class_missing::RULE,
    &resource::gateway_class_not_accepted::RULE,
    &resource::mesh_accepted::RULE,
    &resource::mesh_api_version::RULE,
    &resource::mesh_namespace::RULE,
    &resource::no_resources::RULE,
    &resource::observed_generation::RULE,
    &resource::parameters_ref::RULE,
    &resource::reference_not_permitted::RULE,
    &resource::route_without_status::RULE,
    &resource::status_outdated::RULE,
    &resource::supported_version::RULE,
    &resource::supported_version_unfounded::RULE,
    &resource::tls_listener::RULE,
    &resource::tls_option_length::RULE,
    &resource::tls_option_name::RULE,
    &resource::tls_secret::RULE,
    &resource::unreadable::RULE,
    &text::byte_order_mark::RULE,
    &text::conflict_marker::RULE,
    &text::encoding::RULE,
    &text::final_newline::RULE,
    &text::line_endings::RULE,
    &tree::copied_elsewhere::RULE,
    &tree::copied_report::RULE,
    &tree::file_name::RULE,
    &tree::file_name_channel::RULE,
    &tree::folder_name::RULE,
    &tree::link::RULE,
    &tree::look_alike_name::RULE,
    &tree::misplaced_report::RULE,
    &tree::no_reports::RULE,
    &tree::project_spelling::RULE,
    &tree::readme_missing::RULE,
    &tree::release_folder::RULE,
    &tree::report_extension::RULE,
    &tree::repository::RULE,
    &tree::same_identity::RULE,
    &tree::same_identity_elsewhere::RULE,
    &tree::stray_file::RULE,
    &tree::unreadable::RULE,
    &yaml::ambiguous_scalar::RULE,
    &yaml::duplicate_key::RULE,
    &yaml::empty::RULE,
    &yaml::several_documents::RULE,
    &yaml::syntax::RULE,
    &yaml::too_complex::RULE,
    &yaml::unexpected_syntax::RULE,
];
