//! gwconform checks Kubernetes Gateway API conformance reports, and what implementations publish in
//! a cluster.
//!
//! ```
//! use gwconform::rules::check::Selection;
//! use gwconform::tree::files::MemoryFiles;
//! use gwconform::workspace::{Options, PathBase, Workspace};
//!
//! // Files in memory; `Workspace::open(folder, …)` takes those of a disk.
//! let report = "kind: ConformanceReport\nmode: [default]\n";
//! let path = "conformance/reports/v1.6/acme-operator/standard-v1.0.0-default-report.yaml";
//! let files = MemoryFiles::new([(path.into(), report.into())])?;
//! let workspace = Workspace::open(files, Options::default())?;
//!
//! let found = workspace.check(&Selection::default())?;
//! assert!(found.findings.iter().any(|finding| finding.rule == "report/wrong-type"));
//!
//! let tree = workspace.certify(PathBase::WorkingDir, &|_| {})?;
//! assert!(tree.catalog(None).implementations.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This page is the map.
//!
//! # Rooms
//!
//! Each module of the library is a room. The table lists them in reading order. A room uses only rooms
//! above it. The rooms from [`text`] to [`rules`] are the crate `gwconform-core` in `crates/`, so that each half
//! compiles in half the memory. This library re-exports them. `cli` belongs to the program, `src/main.rs`.
//!
//! | room | what it answers |
//! |---|---|
//! | [`text`] | what a text is, where something stands in it, and how it is shown: sources, messages, findings, changes, escaping |
//! | [`api`] | what the API's words are: versions, channels, levels, families, results |
//! | [`tree`] | what is in a reports tree: releases, submissions, files, READMEs. [`tree::files`] alone opens what a pull request may have put there |
//! | [`release`] | what a release has: features, profiles, tests, CRDs; [`release::import`] reads it from sources |
//! | [`report`] | what a report says: strict types and their JSON Schema, the lenient [`report::view`], [`report::facts`] for everything after the check, and what its suite must have counted ([`report::suite`]) |
//! | [`cluster`] | what objects say, of a cluster or in manifests: conditions, references, and the features that they need ([`cluster::needs`]) |
//! | [`evidence`] | what the log of a run proves about a report |
//! | [`rules`] | what is wrong: the rules, [`rules::check`], which runs them, configuration and baselines |
//! | [`certify`] | what is conformant: verdicts, and the [`certify::catalog`] of what is known of each implementation |
//! | [`needs`] | who runs what manifests need |
//! | [`outlook`] | what a release asks of implementations; [`outlook::plan`]: what its suite will run |
//! | [`review`] | what a change does: to verdicts, between two reports ([`review::diff`]), to lists kept by hand ([`review::lists`]) |
//! | [`mod@print`] | how an answer looks as terminal text, Markdown, JSON, SARIF, JUnit XML and workflow commands |
//! | [`workspace`] | what a program asks, in which order the steps come, and [`workspace::add`], which files reports |
//! | [`site`] | the static site: pages, data, feeds, badges, exports |
//! | `cli` | one file per command: arguments, one question to the workspace, one answer printed |
//!
//! Three engines in `crates/` know nothing of conformance: `gwconform-yaml` (YAML with byte positions),
//! `gwconform-testlog` (the output of `go test`), and `gwconform-go` (constants and literals of Go packages).
//! The crate `gwconform-schema` in `schema/` embeds the files of its folder.
//!
//! # Stages
//!
//! ```text
//! discover -> load -> check -> certify -> print
//! tree        tree     rules    certify    findings: one file per format
//!             report                       answers:  one file per answer
//!                                          pages, data and feeds: site
//! ```
//!
//! Each stage is a pure function of the one before. A broken file is data, not an error: the loader
//! returns what it could read and what was wrong, and goes on.
//!
//! **The unit of work is a submission**, one `<release>/<implementation>/` folder. It is loaded and
//! checked, its findings get their lines and columns, its text is dropped, and compact
//! [facts](report::facts) are kept. Rules over the whole tree run on those, so memory does not grow
//! with the bytes of the tree, and submissions are worked on in parallel, in a stable order.
//!
//! # Where things live
//!
//! - A rule: `crates/gwconform-core/src/rules/<group>/<name>.rs`, its page `<name>.md` beside it, and its line in the list
//!   of its group, `crates/gwconform-core/src/rules/<group>.rs`. The page's examples are its test.
//! - Who owns a name, a run or an address that two implementations claim: `crates/gwconform-core/src/rules/ownership.rs`.
//! - What makes an implementation conformant: the tables of [`certify`].
//! - An output format: one file in [`mod@print`].
//! - What is changed: rules offer fixes ([`text::change::Fix`]), [`rules::check::apply_fixes`] chooses those that add no
//!   finding, [`workspace::add`] plans new files. Both make one [`text::change::ChangeSet`], which is shown as a diff or
//!   applied in one place, `src/cli/output/apply.rs`.
//! - A page of the site: a file in `src/site/pages/`, its template of the same name in `templates/`,
//!   and its line in the list of `src/site/pages.rs`. What it shows: `src/site/model/`; its address:
//!   `src/site/paths.rs`; style, scripts and the picture for previews (`.ci/preview`): `site/`.
//! - What pages of the site run in a browser: the crate in `wasm/`, which is this library without the command
//!   line, and `site/worker.js`, which calls it. `dist/browser` builds it, [`site::Module`] takes it.
//! - Files made of the data of the site by templates, also those of users: `src/site/export/`; the templates
//!   that come with the program are in `templates/export/`.
//! - A command: one file in `src/cli/`.
//! - Closed sets (level, channel, result, verdict, state) are enums made by `api::closed_set`, which
//!   spells each text once.
//! - Facts of releases, of manifests and of statuses: `schema/registry/` and `schema/resources/`. Where
//!   features and tests can be looked up: `schema/registry/references.json`, which `.ci/references.py`
//!   finds in the sources.
//! - Which repository git is asked about: `src/cli/git/repository.rs`; what of a change decides how it is
//!   checked: `src/workspace/since/inputs.rs`. A printed command is quoted by [`text::shell`], JSON is
//!   written by `text::json`. Hostile inputs: `tests/hostile/`, the promises about them: `SECURITY.md`.
//!
//! # Laws
//!
//! Each has a test; the name in brackets is its file in `tests/integration`.
//!
//! 1. Below `cli` nothing prints, exits, reads the environment or the clock (`clippy.toml`, `[lints]`).
//! 2. Loaders never fail for bad input; an error means that the system or the configuration failed
//!    (`properties.rs`).
//! 3. A rule is pure: the same input, the same findings, whatever else runs (`laws.rs`).
//! 4. The text at a printed line and column is the text that the finding is about, in each format
//!    (`rule_pages.rs`, `check.rs`, `formats.rs`).
//! 5. Output depends on input bytes alone: no hash order, no clock, no order of folders
//!    (`check.rs`).
//! 6. No change ever touches the bytes of a report ([`text::change`], `laws.rs`, `change.rs`).
//!    Fixing adds no finding, and doing it twice is doing it once (`fix.rs`,
//!    `properties.rs`).
//! 7. Nothing disappears: every report of a tree is counted, or named as left out with the reason
//!    (`corpus.rs`, `certify.rs`, `pages.rs`).
//! 8. What a report does not say is not "no": unsupported and not stated are two things
//!    ([`report::suite`], [`certify::catalog::State`], `suite.rs`).
//! 9. Strings from files are hostile: they reach a terminal without control characters
//!    ([`text::visible`], `check.rs`), and Markdown, HTML and SVG as text
//!    ([`text::escape`], `escape.rs`, `badges.rs`, `pages.rs`), JSON,
//!    CSV and XML as data ([`site`], `site_data.rs`), and workflow commands and SARIF as text (`formats.rs`).
//! 10. Output folders are written beside and swapped in; a manifest marks what is ours, and nothing
//!     else is ever deleted (`site_data.rs`).
//! 11. A change does not decide how it is checked, and moves no address (`since.rs`). An alias moves one
//!     if the change touches the configuration alone, and the site redirects it (`aliases.rs`).

/// The version of this library and of its program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

pub use gwconform_core::{api, cluster, evidence, release, report, rules, text, tree};
pub mod certify;
pub mod needs;
pub mod outlook;
pub mod review;
pub mod print;
pub mod workspace;
pub mod site;
#[cfg(test)]
mod schemas;
