//! Findings that prevent a verdict, regardless of selection and configuration.
//!
//! A verdict depends on the implementation's identity, the tested release and channel, and the
//! profiles. Rules that find errors in these fields set [`About::blocks_verdict`]. A test derives
//! the required set from the rule examples.
//!
//! A finding in a profile blocks that profile, and other findings block the report. Parsers may
//! reject YAML that the suite does not write, or read different content. Such YAML, for example a
//! duplicate key, a tab or an anchor, blocks all reports of the file.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;

use super::{
    About, Findings, Input, MAX_FINDINGS, ReportContext, Rule, TreeContext, YamlContext, report,
    tree, yaml,
};
use crate::report::facts::Block;
use crate::rules::tree::block_of_release_folder;
use crate::rules::yaml::rule_of;
use gwconform_base::api::{Level, SUBJECT};
use gwconform_base::text::diagnostic::Diagnostic;
use gwconform_base::text::source::{Position, Span};
use gwconform_yaml::{NodeId, Yaml};

/// If a rule has more findings than the limit, the whole report is blocked.
const MORE_THAN_KEPT: &str = "more findings of this rule than are kept";

/// Collects findings that prevent a verdict. Rules that already ran are added with
/// [`Blocking::take`].
pub(crate) struct Blocking<'c, 'a> {
    cx: &'c ReportContext<'a>,
    parts: OnceCell<VerdictParts>,
    /// Blocked parts and messages by rule id. Rules that have not run yet are missing.
    found: BTreeMap<&'static str, Vec<(ReportPart, String)>>,
}

impl<'c, 'a> Blocking<'c, 'a> {
    /// `None` if the document cannot receive a verdict.
    pub(crate) fn try_new(cx: &'c ReportContext<'a>) -> Option<Self> {
        if !cx.report.is_recognizable() || cx.report.other_project.is_some() {
            return None;
        }
        Some(Self {
            cx,
            parts: OnceCell::new(),
            found: BTreeMap::new(),
        })
    }

    pub(crate) fn take(&mut self, rule: &About, found: &[Diagnostic]) {
        if rule.blocks_verdict {
            self.found.insert(rule.id, self.parts_of(found));
        }
    }

    pub(crate) fn blocks(mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for rule in blocking(report::RULES) {
            let about = rule.about();
            if about.legacy.is_some() || !self.cx.release.is_legacy() {
                let found = self.found.remove(about.id).unwrap_or_else(|| {
                    let mut findings = Findings::new(about, about.severity);
                    rule.check(self.cx, &mut findings);
                    self.parts_of(&findings.finish())
                });
                add(about, found, &mut blocks);
            }
        }
        for rule in blocking(yaml::RULES) {
            self.add_issues(rule, &mut blocks);
        }
        for rule in blocking(tree::ENTRY) {
            let block = block_of_release_folder(self.cx.submission);
            blocks.extend(block.map(|message| Block::new(rule.about(), message.to_string(), None)));
        }
        blocks.sort_by_key(|block| block.rule);
        blocks
    }

    fn parts(&self) -> &VerdictParts {
        self.parts.get_or_init(|| VerdictParts::new(self.cx))
    }

    fn parts_of(&self, found: &[Diagnostic]) -> Vec<(ReportPart, String)> {
        let is_cut = found.iter().any(|one| one.more > 0);
        let found = found.iter().filter(|one| !one.is_verdict_kept);
        let found = found.filter_map(|finding| {
            let part = self.parts().of_finding(finding)?;
            Some((part, finding.message.to_string()))
        });
        found.chain(more(is_cut)).collect()
    }

    fn add_issues(&self, rule: &'static Rule<YamlContext<'static>>, blocks: &mut Vec<Block>) {
        let cx = self.cx;
        let document = cx.yaml.span(cx.root);
        let of_rule = |kind| std::ptr::eq(rule_of(kind), rule);
        let issues = cx.yaml.issues.iter().filter(|issue| {
            let is_in_document = || (document.start..document.end).contains(&issue.span.start);
            of_rule(issue.kind) && (issue.kind.concerns_file() || is_in_document())
        });
        let found = issues.filter_map(|issue| {
            let part = if issue.kind.concerns_file() {
                ReportPart::Report
            } else {
                (self.parts()).at(cx.source.position(issue.span.start as usize))?
            };
            Some((part, issue.message.to_string()))
        });
        let is_cut = cx.yaml.issues_left_out.keys().any(|kind| of_rule(*kind));
        add(rule.about(), found.chain(more(is_cut)), blocks);
    }
}

fn blocking<C: Input>(rules: &[&'static Rule<C>]) -> impl Iterator<Item = &'static Rule<C>> {
    let rules = rules.iter().copied();
    rules.filter(|rule| rule.about().blocks_verdict)
}

fn more(is_cut: bool) -> Option<(ReportPart, String)> {
    is_cut.then(|| (ReportPart::Report, MORE_THAN_KEPT.to_owned()))
}

fn add(
    rule: &About,
    found: impl IntoIterator<Item = (ReportPart, String)>,
    blocks: &mut Vec<Block>,
) {
    blocks.extend(found.into_iter().map(|(part, message)| {
        let profile = match part {
            ReportPart::Report => None,
            ReportPart::Profile(at) => Some(at),
        };
        Block::new(rule, message, profile)
    }));
}

impl Block {
    fn new(rule: &About, message: impl Into<String>, profile: Option<usize>) -> Self {
        Self {
            rule: rule.id,
            message: message.into(),
            profile,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReportPart {
    Report,
    Profile(usize),
}

/// Fields outside of profiles that a verdict depends on, besides unknown fields that hold profiles.
const FIELDS: [&str; 7] = [
    "apiVersion",
    SUBJECT.channel_field,
    SUBJECT.release_field,
    "implementation/organization",
    "implementation/project",
    "kind",
    "profiles",
];

struct VerdictParts {
    profiles: Vec<Range<Position>>,
    fields: Vec<Range<Position>>,
}

impl VerdictParts {
    fn new(cx: &ReportContext<'_>) -> Self {
        let range = |span: Span| {
            let end = cx.source.position(span.end as usize);
            cx.source.position(span.start as usize)..end
        };
        let profiles = cx.report.profiles.iter();
        let mut fields = Vec::new();
        for_each_field(cx, cx.root, "", &mut |key, value| {
            let (key, value) = (cx.yaml.span(key), cx.yaml.span(value));
            fields.push(range(Span::new(
                key.start as usize,
                key.end.max(value.end) as usize,
            )));
        });
        Self {
            profiles: profiles
                .map(|profile| range(cx.yaml.span(profile.node)))
                .collect(),
            fields,
        }
    }

    fn at(&self, position: Position) -> Option<ReportPart> {
        let is_in = |range: &Range<Position>| range.contains(&position);
        if let Some(at) = self.profiles.iter().position(is_in) {
            return Some(ReportPart::Profile(at));
        }
        self.fields.iter().any(is_in).then_some(ReportPart::Report)
    }

    /// Missing fields have no position of their own, so their findings are matched by subject. A
    /// finding about the kind concerns the whole report, wherever it is.
    fn of_finding(&self, finding: &Diagnostic) -> Option<ReportPart> {
        if finding.subject.as_str() == "/kind" {
            return Some(ReportPart::Report);
        }
        let region = finding.place.region.as_ref();
        let part = region.and_then(|region| self.at(region.start));
        let is_missing = || {
            let subject = finding.subject.as_str().strip_prefix('/');
            subject.is_some_and(|field| FIELDS.contains(&field) || field == "implementation")
        };
        part.or_else(|| is_missing().then_some(ReportPart::Report))
    }
}

fn for_each_field(
    cx: &ReportContext<'_>,
    mapping: NodeId,
    above: &str,
    found: &mut impl FnMut(NodeId, NodeId),
) {
    for entry in cx.yaml.entries(mapping) {
        let Some(key) = cx.yaml.text(entry.key) else {
            continue;
        };
        let path = format!("{above}/{key}");
        if FIELDS
            .iter()
            .any(|field| field.eq_ignore_ascii_case(path.trim_start_matches('/')))
        {
            found(entry.key, entry.value);
        } else if above.is_empty() && key.eq_ignore_ascii_case("implementation") {
            for_each_field(cx, entry.value, &path, found);
        } else if holds_profiles(cx.yaml, entry.value) {
            found(entry.key, entry.value);
        }
    }
}

/// True if the results of a profile are below a node, at any depth.
fn holds_profiles(yaml: &Yaml<'_>, node: NodeId) -> bool {
    let mut items = yaml.items(node).iter();
    let mut entries = yaml.entries(node).iter();
    let is_level = |key: &str| {
        let mut levels = Level::ALL.iter();
        levels.any(|level| level.as_str().eq_ignore_ascii_case(key))
    };
    items.any(|item| holds_profiles(yaml, *item))
        || entries.any(|entry| {
            yaml.text(entry.key).is_some_and(is_level) || holds_profiles(yaml, entry.value)
        })
}

fn all_findings<C: Input>(
    rules: &[&'static Rule<C>],
    input: &C::Of<'_>,
) -> impl Iterator<Item = (&'static About, Vec<Diagnostic>)> {
    blocking(rules).map(|rule| {
        // Otherwise, many findings in some reports could block other reports.
        let mut findings = Findings::new(rule.about(), rule.about().severity).without_limit();
        rule.check(input, &mut findings);
        (rule.about(), findings.finish())
    })
}

/// Findings of tree-wide rules, with the indexes of blocked reports.
pub(crate) fn tree_blocks(cx: &TreeContext<'_>) -> Vec<(usize, Block)> {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, report) in cx.reports.iter().enumerate() {
        places.entry(&report.path).or_default().push(at);
    }
    let mut blocks = Vec::new();
    let side_by_side = all_findings(tree::SIDE_BY_SIDE, cx);
    for (rule, found) in side_by_side.chain(all_findings(tree::TREE, cx)) {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for one in found.into_iter().filter(|one| !one.is_verdict_kept) {
            let count = counts.entry(one.place.path.to_string()).or_default();
            *count += 1;
            let message = match *count {
                ..=MAX_FINDINGS => one.message.to_string(),
                count if count == MAX_FINDINGS + 1 => MORE_THAN_KEPT.to_owned(),
                _ => continue,
            };
            let block = |at: &usize| (*at, Block::new(rule, message.clone(), None));
            let at = places.get(&*one.place.path).into_iter().flatten();
            blocks.extend(at.map(block));
        }
    }
    blocks
}
