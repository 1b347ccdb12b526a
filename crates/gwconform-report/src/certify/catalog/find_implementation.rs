use super::matching_reports::have_same_versions;
use super::{Catalog, Implementation, Report};
use crate::report::facts::ReportFacts;
use gwconform_base::api::Minor;
use gwconform_base::text::suggest;
use gwconform_base::text::{MAX_EXAMPLES, joined, letters};

/// Minimum length of a part of a name, in bytes. One or two letters match at random.
const MIN_PART: usize = 3;

/// Reason why a name does not match exactly one implementation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// No implementation has the name.
    #[error("no implementation in this tree is named `{name}`{}", did_you_mean(.similar.as_deref()))]
    Unknown {
        /// Name that the user typed.
        name: String,
        /// Most similar known name.
        similar: Option<String>,
    },
    /// Several implementations match equally well.
    #[error("`{name}` names {count} implementations; write {}", joined(.candidates, "or"))]
    Ambiguous {
        /// Name that the user typed.
        name: String,
        /// Number of implementations.
        count: usize,
        /// Paths in URLs, with the release of the newest report, newest first; at most five.
        candidates: Vec<String>,
    },
}

fn did_you_mean(similar: Option<&str>) -> String {
    similar.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

fn full_names(one: &Implementation<'_>) -> impl Iterator<Item = String> {
    let names = one.names();
    names.map(|(organization, project)| format!("{organization}/{project}"))
}

/// True if each word of the name starts a word of the implementation's names.
fn has_parts(one: &Implementation<'_>, name: &str) -> bool {
    let names: Vec<String> = one.all_names().map(|name| name.to_lowercase()).collect();
    let is_part = |word: &str| {
        let mut known = names.iter().flat_map(|name| words(name));
        known.any(|known| known.starts_with(word))
    };
    letters(name).len() >= MIN_PART && words(&name.to_lowercase()).all(is_part)
}

/// Version without a leading `v`.
fn plain(version: &str) -> &str {
    version.strip_prefix('v').unwrap_or(version)
}

fn words(name: &str) -> impl Iterator<Item = &str> {
    let words = name.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

impl Implementation<'_> {
    /// Path in URLs, aliases, `organization/project`, project, display name and products.
    pub fn all_names(&self) -> impl Iterator<Item = String> {
        let short = [&self.slug, &self.name].into_iter().cloned();
        short
            .chain(self.aliases.iter().cloned())
            .chain(full_names(self))
            .chain(self.names().map(|(_, project)| project.to_owned()))
            .chain(self.products.iter().cloned())
    }

    /// True for the path in URLs, an alias, `organization/project`, the project and the display name,
    /// exactly as they are written.
    pub fn is_named(&self, name: &str) -> bool {
        self.slug == name
            || self.aliases.iter().any(|alias| alias == name)
            || full_names(self).any(|full| full == name)
            || self.project == name
            || self.name == name
    }

    /// Reports of an `implementation.version`, in the order of [`Implementation::reports`]. A
    /// leading `v` is optional. If no report has exactly this version, `1.28` also finds `1.28.3`.
    pub fn of_version(&self, version: &str) -> Vec<&ReportFacts> {
        let is_asked = self.version_filter(version);
        let facts = self.reports.iter().map(|report| report.judged.facts);
        facts.filter(|facts| is_asked(facts)).collect()
    }

    /// Selects the reports of [`Implementation::of_version`].
    pub(super) fn version_filter<'v>(
        &self,
        version: &'v str,
    ) -> impl Fn(&ReportFacts) -> bool + 'v {
        let wanted = plain(version);
        let mut versions = self
            .reports
            .iter()
            .map(|report| report.judged.facts.version());
        let has_exact = versions.any(|own| plain(own.unwrap_or_default()) == wanted);
        move |facts| {
            let own = plain(facts.version().unwrap_or_default());
            let rest = own.strip_prefix(wanted);
            if has_exact || wanted.is_empty() {
                own == wanted
            } else {
                rest.is_some_and(|rest| rest.starts_with('.'))
            }
        }
    }

    /// True for a report with the release and version of the newest report.
    pub(crate) fn is_newest(&self, report: &Report<'_>) -> bool {
        let newest = self.reports.last();
        newest.is_some_and(|newest| have_same_versions(newest, report))
    }

    /// Reports with the release and version of the newest report.
    pub fn newest(&self) -> Vec<&ReportFacts> {
        let reports = self.reports.iter().filter(|report| self.is_newest(report));
        reports.map(|report| report.judged.facts).collect()
    }

    /// Message for a version without a report, with the known versions.
    pub fn no_version(&self, version: &str) -> String {
        let reports = self.reports.iter();
        let versions = reports.filter_map(|report| report.judged.facts.version());
        let mut known: Vec<String> = versions.map(|known| format!("`{known}`")).collect();
        known.dedup();
        format!(
            "{} has no report of version `{version}`; expected one of {}",
            self.slug,
            joined(&known, "or")
        )
    }

    fn minors(&self) -> impl Iterator<Item = Minor> {
        let reports = self.reports.iter();
        reports.filter_map(|report| report.judged.minor())
    }
}

impl<'a> Catalog<'a> {
    /// Finds an implementation by the first kind of name that matches:
    ///
    /// 1. path in URLs
    /// 2. alias
    /// 3. `organization/project`, also a former one
    /// 4. project or display name
    /// 5. any of these or a configured product name, without regard to case and punctuation
    /// 6. parts: each word starts a word of these names
    ///
    /// If several implementations match, only implementations with a report for a current minor
    /// count.
    pub fn find(&self, name: &str) -> Result<&Implementation<'a>, FindError> {
        let wanted = letters(name);
        let alike = |known: String| !wanted.is_empty() && letters(&known) == wanted;
        let kinds: [&dyn Fn(&Implementation<'_>) -> bool; 6] = [
            &|one| one.slug == name,
            &|one| one.aliases.iter().any(|alias| alias == name),
            &|one| full_names(one).any(|full| full == name),
            &|one| one.project == name || one.name == name,
            &|one| one.all_names().any(alike),
            &|one| has_parts(one, name),
        ];
        for matches in kinds {
            let all = self.implementations.iter();
            let found: Vec<_> = all.filter(|one| matches(one)).collect();
            if !found.is_empty() {
                return self.only_one(name, found);
            }
        }
        Err(self.unknown(name))
    }

    fn only_one<'c>(
        &self,
        name: &str,
        mut found: Vec<&'c Implementation<'a>>,
    ) -> Result<&'c Implementation<'a>, FindError> {
        if let [one] = found.as_slice() {
            return Ok(one);
        }
        let current = self.current_minors();
        let newest = |one: &Implementation<'_>| one.minors().max();
        let is_current =
            |one: &&&Implementation<'_>| one.minors().any(|minor| current.contains(&minor));
        let mut current = found.iter().filter(is_current);
        if let (Some(one), None) = (current.next(), current.next()) {
            return Ok(one);
        }
        found.sort_by_key(|one| std::cmp::Reverse(newest(one)));
        let candidates = found.iter().take(MAX_EXAMPLES);
        Err(FindError::Ambiguous {
            name: name.to_owned(),
            count: found.len(),
            candidates: candidates
                .map(|one| match newest(one) {
                    Some(newest) => format!("`{}` (newest report for {newest})", one.slug),
                    None => format!("`{}`", one.slug),
                })
                .collect(),
        })
    }

    fn unknown(&self, name: &str) -> FindError {
        let all = self.implementations.iter();
        let names: Vec<String> = all.flat_map(Implementation::all_names).collect();
        let similar = suggest::nearest(name, names.iter().map(String::as_str));
        FindError::Unknown {
            name: name.to_owned(),
            similar: similar.map(str::to_owned),
        }
    }
}
