//! `gwconform.toml`, the settings of a reports tree. An invalid file stops the command, because a
//! typo must not turn a rule off.

mod about;
mod ignores;
mod implementation;
mod toml_errors;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use crate::rules::{self, About as Rule};
use gwconform_base::api::Minor;
use gwconform_base::files::{FileKind, Files};
use gwconform_base::text::diagnostic::{Anchor, Diagnostic, Place, Severity, Subject, in_code};
use gwconform_base::text::message::Message;
use gwconform_base::text::source::{Source, Span};

pub use about::About;
pub use ignores::Ignores;
pub use implementation::Implementation;
pub use implementation::Pair;
use toml_errors::in_toml_terms;

pub use crate::tree::CONFIG_NAME as FILE_NAME;

/// Configuration of gwconform for one reports tree.
#[derive(Debug, Clone, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(title = "gwconform.toml")]
pub struct Config {
    /// Base URL of the rule pages. Findings link to `<docs-url>/<rule>/`. Defaults to the pages of
    /// gwconform's repository.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("format" = "uri", "examples" = ["https://acme.example/gwconform/rules"]))]
    pub docs_url: Option<Spanned<String>>,
    /// URL of the generated site, for links in badges, lists and feeds.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("format" = "uri", "examples" = ["https://acme.example/gwconform"]))]
    pub site_url: Option<Spanned<String>>,
    /// URL of the reports tree in its repository. The site links to its files.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("format" = "uri", "examples" = ["https://acme.example/repository/tree/main/reports"]))]
    pub source_url: Option<Spanned<String>>,
    /// Folder with additional releases, below this file's folder. It never replaces built-in data.
    /// `--registry` overrides it.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("examples" = ["facts"]))]
    pub registry: Option<Spanned<String>>,
    /// Folder with statements of `gwconform verify`, below this file's folder. `--statements`
    /// overrides it.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("examples" = ["statements"]))]
    pub statements: Option<Spanned<String>>,
    /// Severities by rule or group. Rules override groups, and both override `--strict`.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, RuleSeverity>")]
    pub rules: BTreeMap<Spanned<String>, RuleSeverity>,
    /// Findings to ignore. An entry that matches no finding is reported.
    #[serde(default)]
    #[schemars(length(max = MAX_ENTRIES))]
    pub ignore: Vec<Ignore>,
    /// Facts about the generated site that its page `about/` shows.
    #[serde(default)]
    pub about: About,
    /// Policy for the minors in which reports count toward verdicts.
    #[serde(default)]
    pub policy: Policy,
    /// Names of implementations and how they are displayed.
    #[serde(default)]
    #[schemars(length(max = MAX_ENTRIES))]
    pub implementation: Vec<Implementation>,
    /// Release reviews, after which a minor counts against implementations with only older reports.
    /// By default, a minor is reviewed one month after its release.
    #[serde(default)]
    #[schemars(length(max = MAX_ENTRIES))]
    pub review: Vec<Review>,
}

/// Date on which a minor is reviewed.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// Minor, such as `v1.6`.
    #[schemars(with = "String", extend("examples" = ["v1.6"]))]
    pub minor: Spanned<String>,
    /// Date in the form `YYYY-MM-DD`.
    #[schemars(with = "String", extend("format" = "date", "examples" = ["2026-08-03"]))]
    pub date: Spanned<String>,
}

/// Severity of a rule's findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RuleSeverity {
    /// Findings are errors.
    Error,
    /// Findings are warnings.
    Warning,
    /// Findings are informational.
    Info,
    /// Findings are not reported.
    Off,
}

impl RuleSeverity {
    /// Severity of findings. `None` for `off`.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Info => Some(Severity::Info),
            Self::Off => None,
        }
    }
}

/// Accepted findings of one rule in one place.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ignore {
    /// Rule id, such as `report/date`.
    #[schemars(with = "String")]
    pub rule: Spanned<String>,
    /// File or folder relative to this file's folder. `*` matches part of a name, and `**` any
    /// folders. A folder includes its contents.
    #[schemars(with = "String", length(min = 1, max = 1024), extend("examples" = ["reports/v1.2.0/acme-operator"]))]
    pub path: Spanned<String>,
    /// Reason for accepting the findings.
    #[schemars(with = "String", length(min = 1), extend("examples" = ["accepted before the rule was made"]))]
    pub reason: Spanned<String>,
}

/// Policy for verdicts. The numbers of minors are counted back from the newest minor.
#[derive(Debug, Clone, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Policy {
    /// Number of newest minors in which a conformant report makes an implementation conformant.
    #[schemars(range(min = 1))]
    pub conformant_minors: u32,
    /// Number of newest minors in which an at least partially conformant report makes an
    /// implementation partially conformant.
    #[schemars(range(min = 1))]
    pub partially_conformant_minors: u32,
    /// Minor to count from. By default, the newest released minor whose release review is over.
    #[schemars(with = "Option<String>", extend("examples" = ["v1.6"]))]
    pub newest_minor: Option<Spanned<String>>,
    /// For each rule, the minor from which its findings are errors.
    #[schemars(with = "BTreeMap<String, String>")]
    pub error_since: BTreeMap<Spanned<String>, Spanned<String>>,
    /// Date of the next review in the form `YYYY-MM-DD`.
    #[schemars(with = "Option<String>", extend("format" = "date", "examples" = ["2027-01-15"]))]
    pub next_review: Option<Spanned<String>>,
}

impl Default for Policy {
    fn default() -> Self {
        // The numbers match the maintainers' hand-maintained list.
        Self {
            conformant_minors: 2,
            partially_conformant_minors: 3,
            newest_minor: None,
            error_since: BTreeMap::new(),
            next_review: None,
        }
    }
}

impl Policy {
    /// Parsed [`Policy::newest_minor`]. Validation rejects invalid values.
    pub fn configured_newest(&self) -> Option<Minor> {
        Minor::parse(self.newest_minor.as_ref()?.get_ref())
    }
}

/// Maximum entries per list, and aliases per implementation.
pub const MAX_ENTRIES: usize = 500;

/// Parsed configuration and its text.
#[derive(Debug)]
pub struct ConfigFile {
    /// Settings in the file, or their defaults.
    pub config: Config,
    /// Text of the file, to locate errors.
    pub source: Source,
    /// Absolute folder to which paths in the file are relative.
    pub folder: PathBuf,
}

impl ConfigFile {
    /// Absolute folder with additional releases.
    pub fn registry(&self) -> Option<PathBuf> {
        let folder = self.config.registry.as_ref()?;
        Some(self.folder.join(folder.get_ref()))
    }

    /// Absolute folder with statements.
    pub fn statements(&self) -> Option<PathBuf> {
        let folder = self.config.statements.as_ref()?;
        Some(self.folder.join(folder.get_ref()))
    }
}

fn is_below(path: &str) -> bool {
    use std::path::Component;
    let mut parts = Path::new(path).components();
    !path.is_empty() && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Searches the folder and its parents for the configuration, up to `.git`.
pub fn find(files: &Files, folder: &Path) -> Option<PathBuf> {
    for folder in folder.ancestors() {
        let path = folder.join(FILE_NAME);
        // Include symbolic links, so that reading a link fails with an error.
        if matches!(files.kind_of(&path), Ok(kind) if kind != FileKind::Folder) {
            return Some(path);
        }
        if files.kind_of(&folder.join(".git")).is_ok() {
            return None;
        }
    }
    None
}

/// Parses a configuration, which can name `all` rules.
///
/// # Errors
/// Returns the first TOML or type error, or else all invalid values.
pub fn parse(
    source: Source,
    folder: PathBuf,
    all: &[&'static Rule],
) -> Result<ConfigFile, Vec<Diagnostic>> {
    let finding = |span: std::ops::Range<usize>, message: &str| {
        let place = Place::span(&source, Span::new(span.start, span.end));
        let anchor = Anchor::new(place, Subject::whole());
        Diagnostic::new("config", Severity::Error, anchor, Message::of_text(message))
    };
    if source.valid_len() < source.text().len() {
        return Err(vec![finding(
            source.valid_len()..source.valid_len() + 1,
            "invalid UTF-8",
        )]);
    }
    let config: Config = toml::from_str(source.text()).map_err(|refused| {
        let span = refused.span().unwrap_or_default();
        vec![finding(span, &in_toml_terms(refused.message()))]
    })?;
    let errors: Vec<Diagnostic> = config
        .errors(all)
        .into_iter()
        .map(|(span, message)| finding(span, &message))
        .collect();
    if errors.is_empty() {
        Ok(ConfigFile {
            config,
            source,
            folder,
        })
    } else {
        Err(errors)
    }
}

type ConfigError = (std::ops::Range<usize>, String);

impl Config {
    /// Review dates by minor.
    pub fn reviews(&self) -> BTreeMap<Minor, jiff::civil::Date> {
        let reviews = self.review.iter().filter_map(|review| {
            let minor = Minor::parse(review.minor.get_ref())?;
            Some((minor, review.date.get_ref().parse().ok()?))
        });
        reviews.collect()
    }

    fn too_many(&self) -> Option<ConfigError> {
        let too_many = |span, count: usize, what: &str| {
            let message = format!("{count} {what}; expected at most {MAX_ENTRIES}");
            (count > MAX_ENTRIES).then_some((span, message))
        };
        let span = |text: Option<&Spanned<String>>| text.map(Spanned::span).unwrap_or_default();
        let rules = span(self.rules.keys().nth(MAX_ENTRIES));
        let ignore = span(self.ignore.get(MAX_ENTRIES).map(|entry| &entry.rule));
        let mut implementations = self.implementation.iter();
        let review = span(self.review.get(MAX_ENTRIES).map(|entry| &entry.minor));
        too_many(rules, self.rules.len(), "entries of `rules`")
            .or_else(|| too_many(review, self.review.len(), "entries of `review`"))
            .or_else(|| too_many(ignore, self.ignore.len(), "entries of `ignore`"))
            .or_else(|| {
                too_many(
                    0..0,
                    self.implementation.len(),
                    "entries of `implementation`",
                )
            })
            .or_else(|| {
                implementations.find_map(|one| {
                    too_many(0..0, one.aliases.len(), "aliases")
                        .or_else(|| too_many(0..0, one.products.len(), "products"))
                })
            })
    }

    fn errors(&self, all: &[&'static Rule]) -> Vec<ConfigError> {
        if let Some(error) = self.too_many() {
            return vec![error];
        }
        let mut errors = Vec::new();
        for name in self.rules.keys() {
            if !rules::is_selector(all, name.get_ref()) {
                errors.push((name.span(), unknown_rule(all, name.get_ref())));
            } else if is_fixed(all, name.get_ref()) {
                errors.push((name.span(), fixed(name.get_ref())));
            }
        }
        for ignore in &self.ignore {
            let rule = ignore.rule.get_ref();
            if !rules::is_selector(all, rule) {
                errors.push((ignore.rule.span(), unknown_rule(all, rule)));
            } else if rules::find(all, rule).is_none() {
                let message = format!(
                    "`{rule}` is a group of rules; expected a single rule, because each entry has its own reason",
                    rule = in_code(&rule)
                );
                errors.push((ignore.rule.span(), message));
            } else if is_fixed(all, rule) {
                errors.push((ignore.rule.span(), fixed(rule)));
            }
            if ignore.reason.get_ref().trim().is_empty() {
                errors.push((
                    ignore.reason.span(),
                    "missing reason; expected why these findings are accepted".to_owned(),
                ));
            }
            if let Err(why) = ignores::matcher(ignore.path.get_ref()) {
                errors.push((ignore.path.span(), why));
            }
        }
        let of_implementations = self.implementation.iter().map(|one| &one.url);
        let urls = [&self.docs_url, &self.site_url, &self.source_url].into_iter();
        let urls = urls.chain(self.about.urls());
        errors.extend(self.about.errors());
        for url in urls.chain(of_implementations).flatten() {
            if !crate::report::formats::is_web_address(url.get_ref()) {
                errors.push((
                    url.span(),
                    format!(
                        "`{}` is not a web address; expected an http or https URL",
                        in_code(&url.get_ref())
                    ),
                ));
            }
        }
        let folders = [&self.registry, &self.statements].into_iter().flatten();
        for folder in folders.filter(|folder| !is_below(folder.get_ref())) {
            errors.push((
                folder.span(),
                format!(
                    "`{}` is not a folder below this file; expected a path such as facts",
                    in_code(&folder.get_ref())
                ),
            ));
        }
        for rule in self.policy.error_since.keys() {
            let name = rule.get_ref();
            if rules::find(all, name).is_none() {
                errors.push((rule.span(), unknown_rule(all, name)));
            } else if is_fixed(all, name) {
                errors.push((rule.span(), fixed(name)));
            }
        }
        let minors = self.policy.error_since.values();
        let reviewed = self.review.iter().map(|review| &review.minor);
        for minor in minors.chain(&self.policy.newest_minor).chain(reviewed) {
            if Minor::parse(minor.get_ref()).is_none() {
                errors.push((
                    minor.span(),
                    format!(
                        "`{}` is not a minor release; expected a name such as v1.6",
                        in_code(&minor.get_ref())
                    ),
                ));
            }
        }
        let mut seen = BTreeSet::new();
        for review in &self.review {
            if !seen.insert(review.minor.get_ref()) {
                let minor = in_code(review.minor.get_ref());
                let message = format!("`{minor}` has more than one review; expected one");
                errors.push((review.minor.span(), message));
            }
        }
        errors.extend(self.name_errors());
        let dates = self.review.iter().map(|review| &review.date);
        for date in dates.chain(&self.policy.next_review) {
            if date.get_ref().parse::<jiff::civil::Date>().is_ok() {
                continue;
            }
            errors.push((
                date.span(),
                format!(
                    "`{}` is not a date; expected a date such as 2027-01-15",
                    in_code(&date.get_ref())
                ),
            ));
        }
        errors.sort_by_key(|(span, _)| span.start);
        errors
    }

    /// Rules with the minor from which their findings are errors.
    pub(crate) fn error_since(&self) -> Vec<(String, Minor)> {
        let entries = self.policy.error_since.iter();
        let entries = entries.filter_map(|(rule, minor)| {
            Some((rule.get_ref().clone(), Minor::parse(minor.get_ref())?))
        });
        entries.collect()
    }

    /// URL of a rule page, below `docs-url` or the pages of the repository of this program.
    pub fn rule_url(&self, rule: &str) -> Option<String> {
        let docs_url = self.docs_url.as_ref().map(|url| url.get_ref().clone());
        let base = docs_url.or_else(|| published_rules(gwconform_base::repository()?))?;
        Some(format!("{}/{rule}/", base.trim_end_matches('/')))
    }
}

/// Folder of the rule pages on the GitHub Pages of `repository`.
fn published_rules(repository: &str) -> Option<String> {
    let (owner, name) = repository
        .strip_prefix("https://github.com/")?
        .split_once('/')?;
    Some(format!("https://{owner}.github.io/{name}/rules"))
}

fn is_fixed(all: &[&'static Rule], rule: &str) -> bool {
    rules::find(all, rule).is_some_and(|rule| !rule.is_configurable)
}

fn fixed(rule: &str) -> String {
    format!("`{rule}` cannot be configured; it always runs and its findings always count")
}

fn unknown_rule(all: &[&Rule], name: &str) -> String {
    format!(
        "unknown rule or group `{name}` (see `gwconform explain`){}",
        rules::hint(all, name),
        name = in_code(&name)
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn rule_pages_are_published_from_a_repository_on_github() {
        let rules = super::published_rules("https://github.com/acme/gwconform").unwrap();
        assert_eq!(rules, "https://acme.github.io/gwconform/rules");
        assert_eq!(super::published_rules("https://git.example/acme"), None);
    }
}
