//! Which reports of a submission can be given their right names, and what must change with them.

use std::collections::{BTreeMap, BTreeSet};

use super::file_name::expected_name;
use crate::change::Fix;
use crate::facts::ReportFacts;
use crate::readme::{Link, manner};
use crate::rules::SubmissionContext;
use crate::rules::report::version_is_branch::is_branch;
use crate::source::{Span, is_invisible};
use crate::tree::{Lead, name_of};

/// Most links that are corrected with a name; one that is not hostile has one or two.
const MAX_LINKS: usize = 100;

/// The names of a submission, before and after, and the links to them.
pub(super) struct Renames<'c> {
    cx: &'c SubmissionContext<'c>,
    /// Names of files, in one case: where that does not matter, they are one name.
    taken: BTreeSet<String>,
    /// How many reports should have a name.
    wanted: BTreeMap<String, usize>,
    /// The links of the README to each file.
    links: BTreeMap<&'c str, Vec<&'c Link>>,
}

impl<'c> Renames<'c> {
    pub fn of(cx: &'c SubmissionContext<'c>) -> Self {
        let names = cx.submission.reports.iter();
        let mut wanted = BTreeMap::new();
        for report in cx.reports {
            if let Some(name) = expected_name(report) {
                *wanted.entry(name.to_lowercase()).or_default() += 1;
            }
        }
        let mut links: BTreeMap<&str, Vec<&Link>> = BTreeMap::new();
        if let Some(readme) = cx.readme {
            for (link, lead) in readme.readme.links.iter().zip(readme.leads) {
                if let Lead::Inside { own: Some(own), .. } = lead {
                    links.entry(own).or_default().push(link);
                }
            }
        }
        Self {
            cx,
            taken: names.map(|path| name_of(path).to_lowercase()).collect(),
            wanted,
            links,
        }
    }

    /// Renames a report and corrects the links of the README to it; `None` where the name is taken
    /// or wanted by another report, or a link cannot be corrected. Other pages may link the report
    /// too, which nobody here can know: that is for a person to decide.
    pub fn fix(&self, report: &ReportFacts, to: &str) -> Option<Fix> {
        let name = report.file_name.as_str();
        let folded = to.to_lowercase();
        let is_beside_readme = format!("{}/{name}", self.cx.path) == report.path;
        let version = report.version.as_ref();
        let is_branch = version.is_none_or(|version| is_branch(&version.value));
        let is_plain = to.chars().all(|c| !is_invisible(c) && !c.is_whitespace());
        if self.cx.submission.stands_alone()
            || !is_beside_readme
            || is_branch
            || !is_plain
            || self.taken.contains(&folded)
            || self.wanted.get(&folded).is_none_or(|count| *count > 1)
        {
            return None;
        }
        let mut fix = Fix::risky(format!("rename it to {to}, and the links to it"));
        if let Some(readme) = self.cx.readme {
            let links = self.links.get(name).into_iter().flatten();
            if links.clone().count() > MAX_LINKS {
                return None;
            }
            for link in links {
                // What is escaped or percent-encoded in a link is left to a person.
                let at = readme.source.slice(link.target_span).rfind(name)?;
                let start = link.target_span.start as usize + at;
                let span = Span::new(start, start + name.len());
                let text = readme.source.text();
                let (span, text) = manner::replacing(text, readme.readme, span, to);
                fix = fix.replace(readme.source, span, text)?;
            }
        }
        Some(fix.rename(&report.path, to, report.digest))
    }
}
