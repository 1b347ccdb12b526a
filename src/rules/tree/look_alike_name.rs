//! `tree/look-alike-name`

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Anchor, Subject};
use crate::facts::{Fact, ReportFacts};
use crate::message::{Message, texts};
use crate::naming::folded;
use crate::registry::{Minor, Version};
use crate::rules::confusable::looks;
use crate::rules::{Check, ConfiguredNames, Findings, Remedy, Rule, TreeContext};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/look-alike-name",
    include_str!("look_alike_name.md"),
    Check::Tree(check),
)
.sources(&["Unicode Technical Standard 39, Confusable Detection"])
.related(&["tree/project-spelling", "report/mixed-script-name"])
.blocks_verdict()
.texts(&[Text::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text {
        Projects { name: String, usual: String, difference: Message } => "{name} looks like {usual} but is a different name{difference}",
        Organizations { name: String, usual: String, difference: Message } => "organization {name} looks like {usual} but is a different name{difference}",
        Characters { found: Message, usual: Message } => ": {found} instead of {usual}",
        Similar => "similar name",
        SameOrOther { remedy: Message } => "if both are the same project, {remedy}; otherwise choose a name that readers can distinguish",
    }
}

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    let mut projects: BTreeMap<Name<'_>, KnownName<'_>> = BTreeMap::new();
    let mut organizations: BTreeMap<Name<'_>, KnownName<'_>> = BTreeMap::new();
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
        add(&mut projects, whole, report, cx.names);
        // A former name says nothing of its organization.
        let (own, _) = cx.names.usual((organization.organization, &project.value));
        if own == organization.organization {
            add(&mut organizations, organization, report, cx.names);
        }
    }
    let is_one = |(name, usual): &(Name<'_>, Name<'_>)| match (name.project, usual.project) {
        (Some(project), Some(usual_project)) => {
            cx.names.usual((name.organization, project))
                == cx.names.usual((usual.organization, usual_project))
        }
        _ => false,
    };
    let mut projects_alike = alike(&projects);
    projects_alike.retain(|pair| !is_one(pair));
    let reported: BTreeSet<_> = projects_alike.iter().map(of_organizations).collect();
    for (name, usual) in &projects_alike {
        report(*name, *usual, &projects, out);
    }
    // Those whose projects look alike too are found already.
    for (name, usual) in alike(&organizations) {
        if !reported.contains(&of_organizations(&(name, usual))) {
            report(name, usual, &organizations, out);
        }
    }
}

fn add<'f>(names: &mut Names<'f>, name: Name<'f>, report: &'f ReportFacts, of: &ConfiguredNames) {
    let known = names.entry(name).or_default();
    known.is_configured = of.has(name.organization, name.project);
    known.add(report);
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
struct KnownName<'f> {
    is_configured: bool,
    count: usize,
    oldest: Option<&'f ReportFacts>,
    /// The minors of those in the folder of their release.
    minors: BTreeSet<Minor>,
}

impl<'f> KnownName<'f> {
    fn add(&mut self, report: &'f ReportFacts) {
        self.count += 1;
        let is_older = self.oldest.is_none_or(|oldest| age(report) < age(oldest));
        if is_older {
            self.oldest = Some(report);
        }
        if report.fits_folder {
            let version = report.release.version.as_ref();
            self.minors.extend(version.map(Version::minor));
        }
    }

    /// A smaller one is better known. Many reports for one release count less than some for several.
    fn precedence(&self) -> impl Ord + use<> {
        let first = self.minors.first().copied();
        (
            !self.is_configured,
            Reverse(self.minors.len()),
            Reverse(self.count),
            first.is_none(),
            first,
        )
    }

    /// True where a name is newer than one that looks like it, by all that tells: it is not the one
    /// that the configuration has, or its reports begin no earlier and are for no more minors. Else
    /// neither loses its verdict: nobody takes it from another by bringing reports.
    fn is_newcomer_beside(&self, usual: &Self) -> bool {
        if self.is_configured || usual.is_configured {
            return !self.is_configured;
        }
        let since = |of: &Self| (of.minors.is_empty(), of.minors.first().copied());
        let is_later = since(self) > since(usual);
        let has_fewer = self.minors.len() < usual.minors.len();
        since(self) >= since(usual)
            && self.minors.len() <= usual.minors.len()
            && (is_later || has_fewer)
    }
}

/// Reports of an unknown release come last.
fn age(report: &ReportFacts) -> (bool, Option<&Version>) {
    let version = report.release.version.as_ref();
    (version.is_none(), version)
}

type Names<'f> = BTreeMap<Name<'f>, KnownName<'f>>;

/// Each name that looks like another one, with the one that is best known. Names that differ in spelling only are for `tree/project-spelling`.
fn alike<'f>(names: &Names<'f>) -> BTreeSet<(Name<'f>, Name<'f>)> {
    let mut groups: BTreeMap<_, Vec<Name<'f>>> = BTreeMap::new();
    for &name in names.keys() {
        for look in name.looks() {
            groups.entry(look).or_default().push(name);
        }
    }
    let mut alike = BTreeSet::new();
    for group in groups.into_values() {
        let precedence = |name: &&Name<'f>| (names.get(name).map(KnownName::precedence), **name);
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
    let Some((_, fact)) = field(name) else {
        return;
    };
    // The same for both names: the finding may be moved to the other one (`check --since`).
    let (first, second) = (name.min(usual), name.max(usual));
    let subject = Subject::new(format!("names {first}, {second}"));
    let difference = difference(name, usual);
    let is_project = name.project.is_some();
    let known = names.get(&name).zip(names.get(&usual));
    let is_newcomer = known.is_some_and(|(known, usual)| known.is_newcomer_beside(usual));
    let (name, usual_name) = (name.to_string(), usual.to_string());
    let message = match is_project {
        true => Text::Projects {
            name,
            usual: usual_name,
            difference,
        },
        false => Text::Organizations {
            name,
            usual: usual_name,
            difference,
        },
    };
    let message = Message::from(message);
    let same = message.clone();
    let finding = out.at(Anchor::new(fact.place.clone(), subject), message);
    if !is_newcomer {
        finding.keep_verdict();
    }
    if let Some((flag, other)) = field(usual) {
        let remedy = Remedy::with(flag, &other.value).into();
        finding
            .label(other.place.clone(), Text::Similar)
            .help(Text::SameOrOther { remedy })
            .or_at_label(same);
    }
}

/// The first characters that differ; empty where there are none.
fn difference(name: Name<'_>, usual: Name<'_>) -> Message {
    let (a, b) = if name.organization == usual.organization {
        let project = |of: Name<'_>| of.project.unwrap_or_default().to_owned();
        (project(name), project(usual))
    } else {
        (name.organization.to_owned(), usual.organization.to_owned())
    };
    let character = |c: char| match c.is_ascii() {
        true => Message::code(c),
        false => Message::words(format!("U+{:04X}", u32::from(c))),
    };
    let mut pairs = a.chars().zip(b.chars());
    let pair = pairs.find(|(a, b)| a != b);
    pair.map_or_else(Message::default, |(a, b)| {
        let (found, usual) = (character(a), character(b));
        Text::Characters { found, usual }.into()
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

    /// The field of a report in which the names differ, with the flag that sets it.
    fn field_that_differs(
        self,
        other: Self,
        report: &'f ReportFacts,
    ) -> Option<(&'static str, &'f Fact)> {
        if folded(self.organization) == folded(other.organization) {
            Some(("project", report.project.as_ref()?))
        } else {
            Some(("organization", report.organization.as_ref()?))
        }
    }
}

impl std::fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.project {
            Some(project) => write!(f, "{}/{project}", self.organization),
            None => f.write_str(self.organization),
        }
    }
}
