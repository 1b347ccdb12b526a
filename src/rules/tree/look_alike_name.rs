//! `tree/look-alike-name`

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::facts::{Fact, ReportFacts};
use crate::naming::folded;
use crate::registry::Version;
use crate::rules::confusable::looks;
use crate::rules::{Check, Findings, Rule, TreeContext};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/look-alike-name",
    include_str!("look_alike_name.md"),
    Check::Tree(check),
);

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    let mut projects: BTreeMap<Name<'_>, Known<'_>> = BTreeMap::new();
    let mut organizations: BTreeMap<Name<'_>, Known<'_>> = BTreeMap::new();
    for report in cx.reports {
        let (Some(organization), Some(project)) = (&report.organization, &report.project) else {
            continue;
        };
        let whole = Name {
            organization: &organization.value,
            project: Some(&project.value),
        };
        let organization = Name {
            project: None,
            ..whole
        };
        projects.entry(whole).or_default().add(report);
        organizations.entry(organization).or_default().add(report);
    }
    let projects_alike = alike(&projects);
    let told: BTreeSet<_> = projects_alike.iter().map(of_organizations).collect();
    for (name, usual) in &projects_alike {
        report(*name, *usual, &projects, out);
    }
    // Those whose projects look alike too are found already.
    for (name, usual) in alike(&organizations) {
        if !told.contains(&of_organizations(&(name, usual))) {
            report(name, usual, &organizations, out);
        }
    }
}

fn of_organizations<'f>((name, usual): &(Name<'f>, Name<'f>)) -> (&'f str, &'f str) {
    (name.organization, usual.organization)
}

/// A project of an organization, or an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Name<'f> {
    organization: &'f str,
    project: Option<&'f str>,
}

/// The reports with a name: how many, and the oldest.
#[derive(Default)]
struct Known<'f> {
    count: usize,
    oldest: Option<&'f ReportFacts>,
}

impl<'f> Known<'f> {
    fn add(&mut self, report: &'f ReportFacts) {
        self.count += 1;
        let is_older = self.oldest.is_none_or(|oldest| age(report) < age(oldest));
        if is_older {
            self.oldest = Some(report);
        }
    }
}

/// Reports of an unknown release come last.
fn age(report: &ReportFacts) -> (bool, Option<&Version>) {
    let version = report.release.version.as_ref();
    (version.is_none(), version)
}

type Names<'f> = BTreeMap<Name<'f>, Known<'f>>;

/// Each name that looks like another one, with the one that has most reports, of several the one
/// with the oldest report. Names that differ in spelling only are for `tree/project-spelling`.
fn alike<'f>(names: &Names<'f>) -> BTreeSet<(Name<'f>, Name<'f>)> {
    let mut groups: BTreeMap<_, Vec<Name<'f>>> = BTreeMap::new();
    for &name in names.keys() {
        for look in name.looks() {
            groups.entry(look).or_default().push(name);
        }
    }
    let mut alike = BTreeSet::new();
    for group in groups.into_values() {
        let precedence = |name: &&Name<'f>| {
            let known = names.get(name);
            let oldest = known.and_then(|known| known.oldest).map(age);
            (Reverse(known.map(|known| known.count)), oldest, **name)
        };
        let Some(&usual) = group.iter().min_by_key(precedence) else {
            continue;
        };
        let others = group.iter().filter(|name| name.folded() != usual.folded());
        alike.extend(others.map(|name| (*name, usual)));
    }
    alike
}

fn report<'f>(name: Name<'f>, usual: Name<'f>, names: &Names<'f>, out: &mut Findings) {
    let field = |of: Name<'f>| {
        let report = names.get(&of)?.oldest?;
        name.field_that_differs(usual, report)
    };
    let Some(place) = field(name).map(|field| field.place.clone()) else {
        return;
    };
    let message = format!(
        "{}{name} and {usual} look alike and are different names{}",
        name.project.map_or("the organizations ", |_| ""),
        difference(name, usual)
    );
    let finding = out.at(place, message);
    if let Some(other) = field(usual) {
        finding.label(other.place.clone(), "looks like this name");
    }
    finding.help(
        "expected names that a reader can tell apart: if it is the same project, run the suite with the name of its other reports, else with another `--organization` or `--project`",
    );
}

/// The first characters that differ, where they can be told.
fn difference(name: Name<'_>, usual: Name<'_>) -> String {
    let (a, b) = if name.organization == usual.organization {
        let project = |of: Name<'_>| of.project.unwrap_or_default().to_owned();
        (project(name), project(usual))
    } else {
        (name.organization.to_owned(), usual.organization.to_owned())
    };
    let shown = |c: char| {
        if c.is_ascii() {
            format!("`{c}`")
        } else {
            format!("U+{:04X}", u32::from(c))
        }
    };
    let mut pairs = a.chars().zip(b.chars());
    let pair = pairs.find(|(a, b)| a != b);
    pair.map_or_else(String::new, |(a, b)| {
        format!(": {} is not {}", shown(a), shown(b))
    })
}

impl<'f> Name<'f> {
    fn looks(self) -> [(usize, String, Option<String>); 2] {
        let [organization, read] = looks(self.organization);
        let [project, project_read] = self
            .project
            .map(looks)
            .map_or([None, None], |looks| looks.map(Some));
        [(0, organization, project), (1, read, project_read)]
    }

    /// Equal for names that differ in case, spaces, hyphens, dots or underscores only.
    fn folded(self) -> (String, Option<String>) {
        (folded(self.organization), self.project.map(folded))
    }

    fn field_that_differs(self, other: Self, report: &'f ReportFacts) -> Option<&'f Fact> {
        if folded(self.organization) == folded(other.organization) {
            report.project.as_ref()
        } else {
            report.organization.as_ref()
        }
    }
}

impl std::fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.project {
            Some(project) => write!(f, "`{}/{project}`", self.organization),
            None => write!(f, "`{}`", self.organization),
        }
    }
}
