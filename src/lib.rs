//! gwconform checks Kubernetes Gateway API conformance reports, and the Gateway API objects that
//! implementations create or serve in a cluster.
//!
//! ```
//! use gwconform::rules::check::Selection;
//! use gwconform::tree::files::MemoryFiles;
//! use gwconform::workspace::{Options, PathBase, Workspace};
//!
//! // Files in memory. Use `Workspace::open(folder, …)` to read from disk.
//! let report = "kind: ConformanceReport\nmode: [default]\n";
//! let path = "conformance/reports/v1.6/acme-operator/standard-v1.0.0-default-report.yaml";
//! let files = MemoryFiles::new([(path.into(), report.into())])?;
//! let workspace = Workspace::open(files, Options::default())?;
//!
//! let found = workspace.check(&Selection::default())?;
//! assert!(found.findings.iter().any(|finding| finding.rule == "report/wrong-type"));
//!
//! let tree = workspace.certify(PathBase::WorkingDir, &|_| {})?.whole()?;
//! assert!(tree.catalog(None).implementations.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rest of this page documents the architecture.
//!
//! # Modules
//!
//! Modules use only modules above them. [`text`] to [`rules`] form the crate `gwconform-core`,
//! because two crates need half the memory to compile. `cli` belongs to the program, `src/main.rs`.
//!
//! | Module | Responsibility |
//! |---|---|
//! | [`text`] | Sources, positions, messages, findings, changes, and escaping |
//! | [`api`] | Terms of the API: versions, channels, levels, families, results |
//! | [`tree`] | Reports tree: releases, submissions, READMEs. Only [`tree::files`] opens files that a pull request may have added |
//! | [`release`] | Release data: features, profiles, tests, CRDs. [`release::import`] imports it from the output of `tools/facts` |
//! | [`report`] | Report contents: strict types and their JSON Schema, the lenient [`report::view`], compact [`report::facts`] for later stages, and expected counts ([`report::suite`]) |
//! | [`cluster`] | Objects from clusters and manifests: conditions, references, and needed features ([`cluster::needs`]) |
//! | [`evidence`] | Verification of a report against the log of its run |
//! | [`rules`] | Rules, [`rules::check`], which runs them, configuration and baselines |
//! | [`certify`] | Verdicts, and [`certify::catalog`] with all data about each implementation |
//! | [`needs`] | Implementations that support the features manifests need |
//! | [`outlook`] | Effects of a release on each implementation, and tests that its suite will run ([`outlook::plan`]) |
//! | [`review`] | Effects of a change on verdicts, and differences between reports ([`review::diff`]) |
//! | [`mod@print`] | Output as terminal text, Markdown, JSON, SARIF, JUnit XML and workflow commands |
//! | [`workspace`] | Entry points that run the stages, and [`workspace::add`], which adds reports to the tree |
//! | [`site`] | Static site: pages, data, feeds, badges, exports |
//! | `cli` | One file per command: arguments, one workspace call, one result |
//!
//! Two engines in `crates/` are independent of conformance: `gwconform-yaml` (YAML with byte
//! positions) and `gwconform-testlog` (output of `go test`). `gwconform-schema` embeds `schema/`.
//! `tools/facts` is a Go program that reads the facts of a release from its sources.
//!
//! # Stages
//!
//! ```text
//! discover -> load -> check -> certify -> print
//! tree        tree     rules    certify    findings: one file per format
//!             report                       results:  one file per command
//!                                          pages, data and feeds: site
//! ```
//!
//! Stages are pure functions. A broken file is data, not an error: the loader returns what it could
//! read, and the problems.
//!
//! **The unit of work is a submission**, one `<release>/<implementation>/` folder. After a
//! submission is checked, its text is dropped and only compact [facts](report::facts) are kept for
//! tree-wide rules, so memory does not grow with file sizes. Submissions are processed in parallel,
//! with results in a stable order.
//!
//! # Where to find the code
//!
//! - Rules: `crates/gwconform-core/src/rules/<group>/<name>.rs`, with a page `<name>.md` and an
//!   entry in `<group>.rs`. The examples on the page are tests.
//! - Conflicts between reports: `crates/gwconform-core/src/rules/conflicts.rs`. Path of an
//!   implementation in URLs: [`report::naming::address`].
//! - Conditions for verdicts: the tables of [`certify`].
//! - Output formats: one file per format in [`mod@print`].
//! - Changes to files: rules offer fixes ([`text::change::Fix`]), [`rules::check::apply_fixes`]
//!   selects fixes that add no finding, and [`workspace::add`] plans new files.
//!   `src/cli/output/apply.rs` applies the resulting [`text::change::ChangeSet`].
//! - Site pages: `src/site/pages/`, with templates in `templates/`. Data: `src/site/model/`. URLs:
//!   `src/site/paths.rs`. Styles, scripts and the preview image (made by `.ci/preview`): `site/`.
//! - Code for browsers: the crate in `wasm/`, which is this library without the command line, and
//!   `site/worker.js`. `dist/browser` builds the crate, and [`site::Module`] loads it.
//! - Exports for other sites: `src/site/export/`, with templates in `templates/export/`.
//! - Commands: `src/cli/`.
//! - Closed sets such as levels, channels, results and verdicts: `api::closed_set`, which defines
//!   the text of each value.
//! - Data about releases, manifests and statuses: `schema/registry/` and `schema/resources/`. Links
//!   to documentation: `schema/registry/references.json`, which `registry import` updates.
//! - Selection of the git repository: `src/cli/git/repository.rs`. Changed files that affect the
//!   check: `src/workspace/since/inputs.rs`. Runs of git and kubectl: `src/cli/program.rs`.
//! - Quoting of printed commands: [`text::shell`]. JSON output: `text::json`.
//! - Tests with hostile inputs: `tests/hostile/`. Verified guarantees: `SECURITY.md`.
//!
//! # Invariants
//!
//! A test verifies each invariant. Names in parentheses are files in `tests/integration`.
//!
//! 1. Only `cli` prints, exits, and reads the environment or the clock (`clippy.toml`, `[lints]`).
//!    It prints through one writer (`src/cli/streams.rs`, `tests/hostile/commands.rs`).
//! 2. Loaders never fail on bad input. An error means that the system or the configuration failed
//!    (`properties.rs`).
//! 3. Rules are pure. The same input gives the same findings, independent of other rules
//!    (`laws.rs`).
//! 4. In every format, the printed line and column point to the text that the finding refers to
//!    (`rule_pages.rs`, `check.rs`, `formats.rs`).
//! 5. Output depends only on input bytes and the date of the verdicts ([`certify::AsOf`]), not on
//!    hash order, the clock, or directory order (`check.rs`). No report affects the date
//!    (`verdict_dates.rs`).
//! 6. Changes never modify the bytes of a report ([`text::change`], `laws.rs`, `change.rs`). Fixes
//!    add no finding and are idempotent (`fix.rs`, `properties.rs`).
//! 7. Every report of a tree is counted, or listed as left out with a reason (`corpus.rs`,
//!    `certify.rs`, `pages.rs`). A caller gets verdicts only with what could not be read
//!    ([`workspace::PartlyRead`], `tests/hostile/commands.rs`).
//! 8. *Unsupported* and *not stated* are different states, because a missing statement is not a
//!    denial ([`report::suite`], [`certify::catalog::State`], `suite.rs`).
//! 9. Strings from files are treated as hostile. They are escaped for terminals ([`text::visible`],
//!    `check.rs`), Markdown, HTML and SVG ([`text::escape`], `escape.rs`, `badges.rs`, `pages.rs`),
//!    JSON, CSV and XML ([`site`], `site_data.rs`), workflow commands and SARIF (`formats.rs`).
//! 10. Each file of the site is replaced atomically. Only files in the manifest of an earlier run
//!     are replaced or deleted, and the next run completes an interrupted one (`site_data.rs`).
//! 11. A change cannot affect how it is checked, or move the URL of another implementation
//!     (`since.rs`). An alias moves a URL only if the change contains only configuration; the site
//!     then redirects the old URL (`aliases.rs`).

/// Version of the library and the program, from `Cargo.toml`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

pub use gwconform_base::{api, release, text};
pub use gwconform_report::{certify, report, review, tree};
pub mod rules;
pub mod outlook;
pub mod print;
pub mod workspace;
pub mod site;
#[cfg(test)]
mod schemas;
