//! Renders `/rules/` and `/rules/<id>/` from the Markdown file next to each rule.

use askama::Template;
use rayon::prelude::*;

use super::Out;
use super::finding;
use super::layout::{self, Head, SiteContext};
use crate::rules::{self, About};
use crate::site::File;
use crate::site::paths;
use gwconform_base::text::diagnostic::Severity;
use gwconform_report::tree::readme;

#[derive(Template)]
#[template(path = "rules.html")]
struct RulesPage<'s> {
    head: Head<'s>,
    /// Rules with findings in the tree.
    found: Vec<RuleRow>,
    /// Other rules by group.
    groups: Vec<(&'static str, Vec<RuleRow>)>,
}

struct RuleRow {
    page: String,
    id: &'static str,
    /// Search text.
    words: String,
    severity: &'static str,
    legacy: &'static str,
    summary: Vec<(bool, String)>,
    found: usize,
    anchor: String,
}

#[derive(Template)]
#[template(path = "rule.html")]
struct RulePage<'s> {
    head: Head<'s>,
    rule: &'static About,
    severity: &'static str,
    legacy: &'static str,
    later: Vec<(String, &'static str)>,
    html: String,
    found: usize,
    anchor: String,
}

pub(super) fn make(site: &SiteContext<'_>, out: &Out<'_>) {
    out(vec![rules_page(site)]);
    let rules = rules::ALL.par_iter();
    rules.for_each(|rule| out(vec![rule_page(site, rule)]));
}

fn rules_page(site: &SiteContext<'_>) -> File {
    let row = |rule: &About| RuleRow {
        page: paths::rule_page(rule.id),
        id: rule.id,
        words: format!("{} {}", rule.id, rule.summary()).to_lowercase(),
        severity: rule.severity.as_str(),
        legacy: legacy(rule),
        summary: inline(&rule.summary()),
        found: found(site, rule),
        anchor: finding::anchor(rule.id),
    };
    let (with_findings, others): (Vec<&About>, Vec<&About>) =
        rules::ALL.iter().partition(|rule| found(site, rule) > 0);
    let groups = others.chunk_by(|a, b| a.group() == b.group());
    let groups = groups.filter_map(|rules| {
        let rows = rules.iter().map(|rule| row(rule)).collect();
        Some((rules.first()?.group(), rows))
    });
    let about =
        "The rules for Gateway API conformance reports, and the severity of their findings.";
    let page = RulesPage {
        head: site.head(paths::RULES_PAGE, "Rules", about),
        found: with_findings.into_iter().map(row).collect(),
        groups: groups.collect(),
    };
    layout::file(paths::RULES_PAGE, &page)
}

fn rule_page(site: &SiteContext<'_>, rule: &'static About) -> File {
    let path = paths::rule_page(rule.id);
    let later = site.model.registry.severities(rule.id);
    // The first line is the rule ID, which the template already shows.
    let text = rule.doc.split_once('\n').map_or("", |(_, text)| text);
    let page = RulePage {
        head: site.head(&path, rule.id, &rule.summary()),
        severity: rule.severity.as_str(),
        legacy: legacy(rule),
        later: later
            .map(|(minor, severity)| (minor.to_string(), severity.as_str()))
            .collect(),
        html: readme::to_html(text, 2, &|target| link(target)),
        found: found(site, rule),
        anchor: finding::anchor(rule.id),
        rule,
    };
    layout::file(&path, &page)
}

fn link(target: &str) -> Option<String> {
    let is_web = target.starts_with("https://");
    is_web.then(|| target.to_owned())
}

fn legacy(rule: &About) -> &'static str {
    rule.legacy.map_or("not checked", Severity::as_str)
}

fn found(site: &SiteContext<'_>, rule: &About) -> usize {
    site.found_by_rule.get(rule.id).copied().unwrap_or_default()
}

/// Splits Markdown into text (false) and code (true).
fn inline(text: &str) -> Vec<(bool, String)> {
    let parts = text
        .split('`')
        .enumerate()
        .filter(|(_, part)| !part.is_empty());
    parts
        .map(|(nth, part)| (nth % 2 == 1, part.to_owned()))
        .collect()
}
