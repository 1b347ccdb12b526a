//! gwconform checks Kubernetes Gateway API conformance reports, and tells what they prove.
//!
//! Implementations of the Gateway API submit reports to a tree of folders:
//! `conformance/reports/<release>/<implementation>/`. [`Tree::open`] opens one on disk, and
//! [`Tree::in_memory`] takes the files:
//!
//! ```
//! use gwconform::{Severity, Tree};
//!
//! let report = "kind: ConformanceReport\nmode: [default]\n";
//! let path = "conformance/reports/v1.6/acme-operator/standard-v1.0.0-default-report.yaml";
//! let tree = Tree::in_memory([(path.into(), report.into())])?;
//!
//! let findings = tree.check()?;
//! let found = findings.iter().find(|one| one.rule() == "report/wrong-type");
//! let finding = found.expect("`mode` is a list");
//! assert_eq!(finding.severity(), Severity::Error);
//! assert_eq!(finding.position(), Some((2, 1)));
//! # Ok::<(), gwconform::Error>(())
//! ```
//!
//! Verdicts follow from the reports of the newest releases. Each has a reason:
//!
//! ```
//! use gwconform::{Standing, Tree};
//!
//! let tree = Tree::open("reports")?;
//! let verdicts = tree.verdicts()?;
//! let of_acme = verdicts.iter().find(|one| one.implementation() == "acme/operator");
//! let verdict = of_acme.expect("a report of this implementation");
//! assert_eq!(verdict.standing(), Standing::Conformant);
//! println!("{}: {}", verdict.implementation(), verdict.reason());
//! # Ok::<(), gwconform::Error>(())
//! ```
//!
//! [`needs`] answers which implementations support the features that manifests need:
//!
//! ```
//! use gwconform::{Tree, needs};
//!
//! let manifest = "\
//! apiVersion: gateway.networking.k8s.io/v1
//! kind: HTTPRoute
//! metadata:
//!   name: shop
//! spec:
//!   parentRefs:
//!   - name: edge
//!   rules:
//!   - timeouts:
//!       request: 10s
//! ";
//! let tree = Tree::open("reports")?;
//! let answer = needs(&[("shop.yaml", manifest)], &tree)?;
//! assert_eq!(answer.features(), ["HTTPRouteRequestTimeout"]);
//! assert!(answer.answers()[0].is_proved());
//! # Ok::<(), gwconform::Error>(())
//! ```
//!
//! To read a single report as Rust types, use the crate `gwconform-types`. Findings and verdicts
//! depend only on the files, the day and the version of gwconform, never on the clock or the
//! environment.
//!
//! The rest of this page documents the architecture.
//!
//! # Crates and modules
//!
//! A crate uses only crates above it, and a module uses only modules above it.
//!
//! | Crate | Answers |
//! |---|---|
//! | `gwconform-types` | The report as strict serde types, current and legacy, with their JSON Schema |
//! | `gwconform-yaml` | YAML with byte positions, as kubectl reads it |
//! | `gwconform-base` | Text, positions, messages, findings, files, terms of the API, release data, and `Rule`, which is generic over its input |
//! | `gwconform-report` | Tree, README and report, their rules, checks, fixes, verdicts and reviews |
//! | `gwconform-cluster` | Objects from clusters and manifests, their rules, and the features that manifests need |
//! | `gwconform-evidence` | Logs of the suite, their rules, and verification of a report against its log |
//! | `gwconform` | `src/`: what joins the others, the site, and the program |
//!
//! `gwconform-schema` embeds `schema/`. `tools/facts` is a Go program that reads the facts of a
//! release from its sources. Modules of this crate:
//!
//! | Module | Responsibility |
//! |---|---|
//! | `rules` | The list of all rules |
//! | `outlook` | Effects of a release on each implementation, and tests that its suite will run (`outlook::plan`) |
//! | `print` | Output as terminal text, Markdown, JSON, SARIF, JUnit XML and workflow commands |
//! | `workspace` | Entry points that run the stages, and `workspace::add`, which adds reports to the tree |
//! | `site` | Static site: pages, data, feeds, badges, exports |
//! | `tree` | [`Tree`] and the other items for users of the library |
//! | `cli` | One file per command: arguments, one workspace call, one result. It belongs to the program, `src/main.rs` |
//!
//! The modules of this crate are hidden in its documentation, because they serve the program, the
//! browser modules and the tests. Only the items below are stable (`docs/stability.md`).
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
//! submission is checked, its text is dropped and only compact facts (`gwconform_report::report::facts`) are kept for
//! tree-wide rules, so memory does not grow with file sizes. Submissions are processed in parallel,
//! with results in a stable order.
//!
//! # Where to find the code
//!
//! - Rules: `src/rules/<group>/<name>.rs` in the crate of their input, with a page `<name>.md` and
//!   an entry in `<group>.rs`. The examples on the page are tests.
//! - Conflicts between reports: `crates/gwconform-report/src/rules/conflicts.rs`. Path of an
//!   implementation in URLs: `gwconform_report::report::naming::address`.
//! - Conditions for verdicts: the tables in `crates/gwconform-report/src/certify.rs`.
//! - Output formats: one file per format in `print`.
//! - Changes to files: rules offer fixes (`gwconform_base::text::change::Fix`),
//!   `gwconform_report::rules::check::apply_fixes` selects fixes that add no finding, and
//!   `workspace::add` plans new files. `src/cli/output/apply.rs` applies the resulting `ChangeSet`.
//! - Site pages: `src/site/pages/`, with templates in `templates/`. Data: `src/site/model/`. URLs:
//!   `src/site/paths.rs`. Styles, scripts and the preview image (made by `.ci/preview`): `site/`.
//! - Code for browsers: the crate in `wasm/`, which is this library without the command line, and
//!   `site/worker.js`. `dist/browser` builds the crate, and `site::Module` loads it.
//! - Exports for other sites: `src/site/export/`, with templates in `templates/export/`.
//! - Commands: `src/cli/`.
//! - Closed sets such as levels, channels, results and verdicts: `gwconform_types::closed_set`,
//!   which defines the text of each value.
//! - Data about releases, manifests and statuses: `schema/registry/` and `schema/resources/`. Links
//!   to documentation: `schema/registry/references.json`, which `registry import` updates.
//! - Selection of the git repository: `src/cli/git/repository.rs`. Changed files that affect the
//!   check: `src/workspace/since/earlier_inputs.rs`. Runs of git and kubectl: `src/cli/program.rs`.
//! - Quoting of printed commands: `gwconform_base::text::shell`. JSON output:
//!   `gwconform_base::text::json`.
//! - Tests with hostile inputs: `tests/hostile/`. Verified guarantees: `SECURITY.md`.
//!
//! # Invariants
//!
//! A test verifies each invariant. Names in parentheses are files in `tests/integration`, in this
//! folder or in a crate.
//!
//! 1. Only `cli` prints, exits, and reads the environment or the clock (`clippy.toml`, `[lints]`).
//!    It prints through one writer (`src/cli/streams.rs`, `tests/hostile/commands.rs`).
//! 2. Loaders never fail on bad input. An error means that the system or the configuration failed
//!    (`properties.rs`).
//! 3. Rules are pure. The same input gives the same findings, independent of other rules
//!    (`laws.rs`).
//! 4. In every format, the printed line and column point to the text that the finding refers to
//!    (`rule_pages.rs`, `check.rs`, `formats.rs`).
//! 5. Output depends only on input bytes and the date of the verdicts (`certify::AsOf`), not on
//!    hash order, the clock, or directory order (`check.rs`). No report affects the date
//!    (`verdict_dates.rs`).
//! 6. Changes never modify the bytes of a report (`text::change`, `laws.rs`, `change.rs`). Fixes
//!    add no finding and are idempotent (`fix.rs`, `properties.rs`).
//! 7. Every report of a tree is counted, or listed as left out with a reason (`corpus.rs`,
//!    `certify.rs`, `pages.rs`). A caller gets verdicts only with what could not be read
//!    (`workspace::PartlyRead`, `tests/hostile/commands.rs`).
//! 8. *Unsupported* and *not stated* are different states, because a missing statement is not a
//!    denial (`report::suite`, `certify::catalog::State`, `suite.rs`).
//! 9. Strings from files are treated as hostile. They are escaped for terminals (`text::visible`,
//!    `check.rs`), Markdown, HTML and SVG (`text::escape`, `escape.rs`, `badges.rs`, `pages.rs`),
//!    JSON, CSV and XML (`site`, `site_data.rs`), workflow commands and SARIF (`formats.rs`).
//! 10. Each file of the site is replaced atomically. Only files in the manifest of an earlier run
//!     are replaced or deleted, and the next run completes an interrupted one (`site_data.rs`).
//! 11. A change cannot affect how it is checked, or move the URL of another implementation
//!     (`since.rs`). An alias moves a URL only if the change contains only configuration; the site
//!     then redirects the old URL (`aliases.rs`).

/// Version of the library and the program, from `Cargo.toml`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

#[doc(hidden)]
pub mod rules;
#[doc(hidden)]
pub mod outlook;
#[doc(hidden)]
pub mod print;
#[doc(hidden)]
pub mod workspace;
#[doc(hidden)]
pub mod site;
mod tree;
#[cfg(test)]
mod schemas;

pub use gwconform_base::api::Family;
pub use gwconform_base::text::diagnostic::Severity;
pub use gwconform_report::certify::Standing;
pub use tree::{Answer, Error, Finding, Needs, Tree, Verdict, needs};
