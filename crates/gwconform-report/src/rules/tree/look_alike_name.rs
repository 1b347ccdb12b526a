use super::implementation;
use crate::report::facts::{Fact, ReportFacts};
use crate::report::naming::folded;
use crate::rules::conflicts::{Conflict, ConflictKind};
use crate::rules::{Findings, TreeContext, rule};
use gwconform_base::text::diagnostic::{Anchor, Subject};
use gwconform_base::text::message::Message;

rule! {
    "look_alike_name.md", TreeContext(check), Text;
    Projects { name: String, other: String, difference: Message } => "{name} and {other} look alike but are different names{difference}",
    Organizations { name: String, other: String, difference: Message } => "organizations {name} and {other} look alike but are different names{difference}",
    Characters { one: Message, other: Message } => ": {one} and {other}",
    Configured { usual: String } => "looks like {usual}, which the configuration names",
    Similar => "similar name",
    OneOrTwo => "if both are one project, use one spelling; if they are two, name both in the configuration",
}

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    for report in cx.reports {
        like_configured(report, cx, out);
    }
    for one in cx.conflicts {
        let is_project = match one.kind {
            ConflictKind::Run => continue,
            ConflictKind::Name => true,
            ConflictKind::Organization => false,
        };
        conflict(one, is_project, cx, out);
    }
}

/// Prevents a verdict, because the configuration shows which of the two names is right.
fn like_configured(report: &ReportFacts, cx: &TreeContext<'_>, out: &mut Findings) {
    let (Some(organization), Some(project)) = (&report.organization, report.project()) else {
        return;
    };
    let Some((usual, of_usual)) = cx.names.look_alike((&organization.value, project)) else {
        return;
    };
    let usual = format!("{usual}/{of_usual}");
    let anchor = organization.about("/implementation/organization");
    out.at(anchor, Text::Configured { usual })
        .help(Text::OneOrTwo);
}

fn conflict(one: &Conflict, is_project: bool, cx: &TreeContext<'_>, out: &mut Findings) {
    let [report, other] = [one.at, one.other].map(|at| &cx.reports[at]);
    let is_same = report.organization().map(folded) == other.organization().map(folded);
    let field = |of: &'_ ReportFacts| -> Option<Fact> {
        let field = if is_same {
            &of.project
        } else {
            &of.organization
        };
        field.clone()
    };
    let (Some(fact), Some(other_fact)) = (field(report), field(other)) else {
        return;
    };
    let mut both = [(report, &fact), (other, &other_fact)].map(|(report, fact)| {
        let name = if is_project {
            implementation(report)
        } else {
            fact.value.clone()
        };
        (name, fact.value.as_str())
    });
    both.sort();
    let [(name, value), (other_name, other_value)] = both;
    // Both reports have the same subject, because `check --since` may report either one.
    let subject = Subject::new(format!("names {name}, {other_name}"));
    let difference = difference(value, other_value);
    let message = Message::from(if is_project {
        Text::Projects {
            name,
            other: other_name,
            difference,
        }
    } else {
        Text::Organizations {
            name,
            other: other_name,
            difference,
        }
    });
    out.at(Anchor::new(fact.place.clone(), subject), message.clone())
        .label(other_fact.place.clone(), Text::Similar)
        .help(Text::OneOrTwo)
        .or_at_label(message)
        .keep_verdict();
}

fn difference(name: &str, other: &str) -> Message {
    let character = |c: char| {
        if c.is_ascii() {
            Message::code(c)
        } else {
            Message::words(format!("U+{:04X}", u32::from(c)))
        }
    };
    let mut pairs = name.chars().zip(other.chars());
    let pair = pairs.find(|(one, other)| one != other);
    pair.map_or_else(Message::default, |(one, other)| {
        let (one, other) = (character(one), character(other));
        Text::Characters { one, other }.into()
    })
}
