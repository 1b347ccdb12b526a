use std::collections::{BTreeMap, BTreeSet};

use crate::report::facts::ReportFacts;
use crate::report::formats::is_no_snapshot;
use crate::rules::readme::cells::is_spelled;
use crate::rules::readme::listing::is_x;
use crate::rules::readme::version::expected_file_name;
use crate::rules::{ReadmeContext, SubmissionContext};
use crate::tree::readme::Link;
use crate::tree::{LinkTarget, Submission};
use gwconform_base::api::Mode;
use gwconform_base::files::name_of;
use gwconform_base::text::change::Fix;
use gwconform_base::text::source::{Span, is_invisible};

/// Maximum edits of each type in a fix, because each of many reports can need as many.
const MAX_EDITS: usize = 100;

/// Renames of misnamed reports, with the links to them.
pub(super) struct Renames<'c, 'a> {
    submission: &'c Submission,
    readme: Option<&'c ReadmeContext<'a>>,
    /// Printed path of the submission folder.
    path: &'c str,
    /// Lowercase file names, for file systems that ignore case.
    taken: BTreeSet<String>,
    holders: BTreeMap<String, &'c ReportFacts>,
    /// Number of reports that should have each file name.
    wanted: BTreeMap<String, usize>,
    links: BTreeMap<&'c str, Vec<&'c Link>>,
    other_modes: BTreeMap<String, String>,
}

impl<'c, 'a> Renames<'c, 'a> {
    pub fn new(cx: &'c SubmissionContext<'a>) -> Self {
        Self::of(cx.submission, cx.reports, cx.readme, cx.path)
    }

    pub(crate) fn next_to_readme(cx: &'c ReadmeContext<'a>) -> Self {
        let path = cx.source.path().rsplit_once('/');
        let path = path.map_or("", |(path, _)| path);
        let reports = cx.reports.unwrap_or_default();
        Self::of(cx.submission, reports, Some(cx), path)
    }

    fn of(
        submission: &'c Submission,
        reports: &'c [ReportFacts],
        readme: Option<&'c ReadmeContext<'a>>,
        path: &'c str,
    ) -> Self {
        let names = submission.reports.iter();
        let (mut wanted, mut holders) = (BTreeMap::new(), BTreeMap::new());
        for report in reports {
            let name = report.file_name.to_lowercase();
            holders.entry(name).or_insert(report);
            if let Some(name) = expected_file_name(report) {
                *wanted.entry(name.to_lowercase()).or_default() += 1;
            }
        }
        let mut links: BTreeMap<&str, Vec<&Link>> = BTreeMap::new();
        if let Some(readme) = readme {
            for (link, target) in readme.readme.links.iter().zip(readme.link_targets) {
                if let LinkTarget::Inside { own: Some(own), .. } = target {
                    links.entry(own).or_default().push(link);
                }
            }
        }
        Self {
            submission,
            readme,
            path,
            taken: names.map(|path| name_of(path).to_lowercase()).collect(),
            holders,
            wanted,
            links,
            other_modes: readme.map(other_modes).unwrap_or_default(),
        }
    }

    /// Mode in the README row, if the report has the mode `default`. The suite writes `default` if
    /// no mode is set, so the README may name the tested mode.
    pub fn other_mode(&self, report: &ReportFacts) -> Option<&str> {
        self.other_modes.get(&report.file_name).map(String::as_str)
    }

    /// Renames a report, or reports that exchange names, and updates links in the README. Unsafe
    /// unless the README already has the new name, because other pages may link to the old names.
    pub fn fix(&self, report: &'c ReportFacts, to: &str) -> Option<Fix> {
        let first = (report, to.to_owned());
        if self.has_right_link(report, to) && !self.taken.contains(&to.to_lowercase()) {
            let fix = Fix::safe(format!("rename {} to {to}", report.file_name));
            let can_be_named = self.can_be_named(report, to) && self.is_whole();
            return can_be_named.then(|| fix.rename(&report.path, to, report.digest));
        }
        let (renames, title) = if self.taken.contains(&to.to_lowercase()) {
            (
                self.round(first)?,
                format!("rename it to {to} and the report there likewise, and the links to them"),
            )
        } else {
            (
                vec![first],
                format!("rename it to {to}, and the links to it"),
            )
        };
        let mut fix = Fix::unsafe_(title);
        for (report, to) in &renames {
            if !self.can_be_named(report, to) {
                return None;
            }
            fix = self.relink(fix, report, to)?;
        }
        Some(renames.iter().fold(fix, |fix, (report, to)| {
            fix.rename(&report.path, to, report.digest)
        }))
    }

    fn round(&self, first: (&'c ReportFacts, String)) -> Option<Vec<(&'c ReportFacts, String)>> {
        let mut round = vec![first];
        while round.len() <= MAX_EDITS {
            let (first, (_, wanted)) = (round.first()?.0, round.last()?);
            let holder = *self.holders.get(&wanted.to_lowercase())?;
            if holder.path == first.path {
                return (round.len() > 1).then_some(round);
            }
            let to = expected_file_name(holder).filter(|name| *name != holder.file_name)?;
            round.push((holder, to));
        }
        None
    }

    fn can_be_named(&self, report: &ReportFacts, to: &str) -> bool {
        let name = report.file_name.as_str();
        let is_next_to_readme = format!("{}/{name}", self.path) == report.path;
        let version = report.version.as_ref();
        let is_fixed = version.is_some_and(|version| !is_no_snapshot(&version.value));
        let is_plain = to.chars().all(|c| !is_invisible(c) && !c.is_whitespace());
        let wanted = self.wanted.get(&to.to_lowercase());
        !self.submission.is_standalone()
            && is_next_to_readme
            && is_fixed
            && is_plain
            && wanted.is_some_and(|count| *count <= 1)
            && !names_more(name, to)
            && self.other_mode(report).is_none()
    }

    pub(crate) fn has_right_link(&self, report: &ReportFacts, to: &str) -> bool {
        self.links.contains_key(to) && !self.links.contains_key(report.file_name.as_str())
    }

    /// False if a truncated part of the README may contain more links.
    fn is_whole(&self) -> bool {
        let mut readme = self.readme.iter();
        readme.all(|readme| readme.readme.truncated.is_empty())
    }

    fn relink(&self, mut fix: Fix, report: &ReportFacts, to: &str) -> Option<Fix> {
        let Some(readme) = self.readme else {
            return Some(fix);
        };
        if !self.is_whole() {
            return None;
        }
        let name = report.file_name.as_str();
        let links = self.links.get(name).into_iter().flatten();
        if links.clone().count() > MAX_EDITS {
            return None;
        }
        for link in links {
            // Links with escapes or percent-encoding are not supported.
            let at = readme.source.slice(link.target_span).rfind(name)?;
            let start = link.target_span.start as usize + at;
            let span = Span::new(start, start + name.len());
            fix = readme.fix(fix, span, to)?;
        }
        Some(fix)
    }
}

fn names_more(name: &str, to: &str) -> bool {
    let [name, to] = [name, to].map(|name| name.trim_end_matches("report.yaml"));
    name.len() > to.len() && name.starts_with(to)
}

fn other_modes(cx: &ReadmeContext<'_>) -> BTreeMap<String, String> {
    let rows = cx.listing.rows_with_reports();
    let named = rows.filter_map(|(row, report)| {
        let text = row.text(row.columns.mode)?;
        let mode = report.mode()?;
        let is_other = Mode::from_text(mode) == Some(Mode::Default)
            && !text.is_empty()
            && !is_x(text)
            && !is_spelled(text, mode);
        is_other.then(|| (report.file_name.clone(), text.to_owned()))
    });
    named.collect()
}
