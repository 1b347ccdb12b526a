use crate::report::facts::ReportFacts;
use crate::report::naming::slug::slug;
use crate::rules::ownership::{Claim, Rivalry, Side};
use crate::rules::{Findings, TreeContext};
use crate::text::diagnostic::{Anchor, Subject};

rule! {
    "same_address.md", Tree(check), Text;
    Same { name: String, other: String, address: String } => "{name} and {other} have the same address on the site, {address}",
    Other => "other project with this address",
    Choose { owner: String, organization: String, project: String } => "choose an organization and project that result in another address; if {owner} owns the address, add `[[implementation]]` with {organization} and {project} to the configuration",
}

fn check(cx: &TreeContext<'_>, out: &mut Findings) {
    let all = cx.rivalries.iter();
    for one in all.filter(|one| one.claim == Claim::Address) {
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
    let facts = [name, other].map(|of| reports[of.at].organization.as_ref());
    let [Some(fact), Some(other_fact)] = facts else {
        return;
    };
    let mut names = [name.name(), other.name()];
    names.sort();
    let [first, second] = names;
    let address = slug(&[name.organization, name.project.unwrap_or_default()]);
    let owner = rivalry.owner();
    let [organization, project] = owner.entry(&reports[owner.at]);
    let text = || Text::Same {
        name: first.clone(),
        other: second.clone(),
        address: address.clone(),
    };
    // Both reports have the same subject, because `check --since` may report either one.
    let anchor = Anchor::new(
        fact.place.clone(),
        Subject::new(format!("address {address} of {first}, {second}")),
    );
    out.at(anchor, text())
        .label(other_fact.place.clone(), Text::Other)
        .help(Text::Choose {
            owner: owner.name(),
            organization,
            project,
        })
        .or_at_label(text());
}
