//! Renders `/findings/`, and the findings on other pages.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use super::MAX_ROWS;
use super::layout::{self, Head, SiteContext};
use crate::site::File;
use crate::site::model::FindingView;
use crate::site::paths;
use gwconform_base::text::counted;
use gwconform_base::text::diagnostic::{Diagnostic, Severity};
use gwconform_base::text::message::{Message, Part};

#[derive(Template)]
#[template(path = "findings.html")]
struct FindingsPage<'s> {
    head: Head<'s>,
    counts: String,
    implementations: Vec<ImplementationRow<'s>>,
    rules: Vec<RuleFindings<'s>>,
    has_all: bool,
}

struct ImplementationRow<'s> {
    slug: &'s str,
    name: &'s str,
    page: String,
    counts: String,
}

struct RuleFindings<'s> {
    rule: &'static str,
    id: String,
    page: String,
    severity: &'static str,
    counts: String,
    files: Vec<FileFindings<'s>>,
    more: usize,
}

struct FileFindings<'s> {
    severity: &'static str,
    path: &'s str,
    target: Option<String>,
    slug: &'s str,
    count: usize,
    /// Distinct messages, with positions such as `line 4, column 3; line 9, column 3`.
    messages: Vec<(Text<'s>, String)>,
}

/// Parts of a message, with true for a quoted value.
type Text<'s> = Vec<(bool, &'s str)>;

pub(super) struct Finding<'s> {
    pub(super) severity: &'static str,
    pub(super) rule: &'static str,
    pub(super) page: String,
    pub(super) place: String,
    pub(super) message: Text<'s>,
    pub(super) help: Text<'s>,
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let all = &site.model.findings;
    let mut by_rule: BTreeMap<(Reverse<Severity>, &'static str), Vec<&FindingView<'_>>> =
        BTreeMap::new();
    let mut worst: BTreeMap<&'static str, Severity> = BTreeMap::new();
    for view in all {
        let severity = *worst
            .entry(view.finding.rule)
            .or_insert(view.finding.severity);
        let rule = (Reverse(severity), view.finding.rule);
        by_rule.entry(rule).or_default().push(view);
    }
    let views = site.model.implementations.iter();
    let implementations = views.filter_map(|implementation| {
        let own = site.findings_of.get(implementation.slug)?;
        Some(ImplementationRow {
            slug: implementation.slug,
            name: implementation.name,
            page: implementation.page.clone(),
            counts: counts(own),
        })
    });
    let mut implementations: Vec<_> = implementations.collect();
    implementations.sort_by_cached_key(|row| row.name.to_lowercase());
    let mut left = 4 * MAX_ROWS;
    let rules = by_rule.into_iter().map(|((Reverse(worst), rule), own)| {
        let most = left.min(MAX_ROWS);
        let shown = &own[..own.len().min(most)];
        left -= shown.len();
        RuleFindings {
            rule,
            id: anchor(rule),
            page: paths::rule_page(rule),
            severity: worst.as_str(),
            counts: counts(&own),
            more: own.len() - shown.len(),
            files: files_of(shown),
        }
    });
    let rules: Vec<_> = rules.collect();
    let about = "The findings of gwconform check in these Gateway API conformance reports, by severity, rule and implementation.";
    let page = FindingsPage {
        head: site.head(paths::FINDINGS_PAGE, "Findings", about),
        counts: counts(&all.iter().collect::<Vec<_>>()),
        has_all: rules.iter().all(|rule| rule.more == 0),
        implementations,
        rules,
    };
    vec![layout::file(paths::FINDINGS_PAGE, &page)]
}

pub(super) fn anchor(rule: &str) -> String {
    rule.replace('/', "-")
}

pub(super) fn counts(views: &[&FindingView<'_>]) -> String {
    let severities: BTreeSet<Severity> = views.iter().map(|view| view.finding.severity).collect();
    let count = |severity: &Severity| {
        let own = views
            .iter()
            .filter(|view| view.finding.severity == *severity);
        counted(own.count(), severity.as_str())
    };
    let counts: Vec<_> = severities.iter().rev().map(count).collect();
    if counts.is_empty() {
        "no findings".to_owned()
    } else {
        counts.join(", ")
    }
}

fn files_of<'s>(views: &[&FindingView<'s>]) -> Vec<FileFindings<'s>> {
    let mut files: Vec<FileFindings<'_>> = Vec::new();
    let mut known: BTreeMap<(Severity, &str), usize> = BTreeMap::new();
    for view in views {
        let path = &*view.finding.place.path;
        let at = *known
            .entry((view.finding.severity, path))
            .or_insert(files.len());
        if at == files.len() {
            let implementation = view.implementation;
            let page = implementation.map(|one| paths::implementation_page(&one.slug));
            files.push(FileFindings {
                severity: view.finding.severity.as_str(),
                path,
                target: view.report.map(|report| report.page()).or(page),
                slug: implementation.map_or("", |one| &one.slug),
                count: 0,
                messages: Vec::new(),
            });
        }
        let Some(file) = files.get_mut(at) else {
            continue;
        };
        let shown = finding(view.finding);
        file.count += 1;
        match file.messages.last_mut() {
            Some((message, places)) if *message == shown.message && !places.is_empty() => {
                places.push_str("; ");
                places.push_str(&shown.place);
            }
            _ => file.messages.push((shown.message, shown.place)),
        }
    }
    files
}

pub(super) fn finding(finding: &Diagnostic) -> Finding<'_> {
    let region = finding.place.region.as_ref();
    Finding {
        severity: finding.severity.as_str(),
        rule: finding.rule,
        page: paths::rule_page(finding.rule),
        place: region.map_or_else(String::new, |region| {
            format!("line {}, column {}", region.start.line, region.start.column)
        }),
        message: parts(&finding.message),
        help: finding.help.as_ref().map(parts).unwrap_or_default(),
    }
}

fn parts(message: &Message) -> Text<'_> {
    let parts = message.parts().iter();
    parts
        .map(|part| match part {
            Part::Words(words) => (false, words.as_ref()),
            Part::Code(value) => (true, value.as_ref()),
        })
        .collect()
}
