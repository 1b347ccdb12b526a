use crate::report::facts::{Fact, ReportFacts, RivalKind};
use crate::report::naming::folded;
use crate::rules::ownership::{Claim, Rivalry, Side};
use crate::rules::{Findings, Remedy, TreeContext};
use crate::text::diagnostic::{Anchor, Subject};
use crate::text::message::Message;

rule! {
    "look_alike_name.md", Tree(check), Text, Remedy;
    Projects { name: String, usual: String, difference: Message } => "{name} looks like {usual} but is a different name{difference}",
    Organizations { name: String, usual: String, difference: Message } => "organization {name} looks like {usual} but is a different name{difference}",
    Characters { found: Message, usual: Message } => ": {found} instead of {usual}",
    Similar => "similar name",
    SameOrOther { remedy: Message, owner: String, organization: String, project: String } => "if both are the same project, {remedy}; if {owner} is a separate project, add `[[implementation]]` with {organization} and {project} to the configuration; otherwise choose a name that readers can distinguish",
}

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    let all = cx.rivalries.iter();
    for one in all.filter(|one| one.claim == Claim::Verdict(RivalKind::LookAlike)) {
        for names in one.reported_sides() {
            report(one, names, cx.reports, out);
        }
    }
}

fn report(
    rivalry: &Rivalry<'_>,
    [name, other]: [&Side<'_>; 2],
    reports: &[ReportFacts],
    out: &mut Findings,
) {
    let fields = [name, other].map(|of| field(of, [name, other], &reports[of.at]));
    let [Some((_, fact)), Some((flag, other_fact))] = fields else {
        return;
    };
    // Both reports have the same subject, because `check --since` may report either one.
    let mut names = [name.name(), other.name()];
    names.sort();
    let [first, second] = names;
    let subject = Subject::new(format!("names {first}, {second}"));
    let owner = rivalry.owner();
    let [organization, project] = owner.entry(&reports[owner.at]);
    let help = Text::SameOrOther {
        remedy: Remedy::with(flag, &other_fact.value).into(),
        owner: owner.name(),
        organization,
        project,
    };
    out.at(
        Anchor::new(fact.place.clone(), subject),
        message(name, other),
    )
    .label(other_fact.place.clone(), Text::Similar)
    .help(help)
    .or_at_label(message(other, name));
}

fn message(name: &Side<'_>, usual: &Side<'_>) -> Message {
    let difference = difference(name, usual);
    let is_project = name.project.is_some();
    let (name, usual) = (name.name(), usual.name());
    let text = match is_project {
        true => Text::Projects {
            name,
            usual,
            difference,
        },
        false => Text::Organizations {
            name,
            usual,
            difference,
        },
    };
    text.into()
}

fn difference(name: &Side<'_>, usual: &Side<'_>) -> Message {
    let (a, b) = match is_same_organization(name, usual) {
        true => (
            name.project.unwrap_or_default(),
            usual.project.unwrap_or_default(),
        ),
        false => (name.organization, usual.organization),
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

fn is_same_organization(a: &Side<'_>, b: &Side<'_>) -> bool {
    folded(a.organization) == folded(b.organization)
}

fn field<'f>(
    of: &Side<'_>,
    [a, b]: [&Side<'_>; 2],
    report: &'f ReportFacts,
) -> Option<(&'static str, &'f Fact)> {
    match of.project.is_some() && is_same_organization(a, b) {
        true => Some(("project", report.project.as_ref()?)),
        false => Some(("organization", report.organization.as_ref()?)),
    }
}
