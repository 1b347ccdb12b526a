use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{Node, Value};
use gwconform_base::text::message::Message;

resource_rule! {
    "incompatible_filters.md", &[&[Kind::HttpRoute]], check, Text<'a>;
    All { owner: &'a Message } => "{owner} is accepted, but each of its rules has `RequestRedirect` and `URLRewrite`; expected `Accepted` False with reason `IncompatibleFilters`",
    Some { owner: &'a Message } => "{owner} is accepted without `PartiallyInvalid`, but a rule has `RequestRedirect` and `URLRewrite`; expected `PartiallyInvalid` True",
    Rule => "this rule",
    Refuse => "reject the rule: a request cannot be both redirected and forwarded",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, route) in cx.living(&[Kind::HttpRoute]) {
        let rules: Vec<Node<'_>> = route.items(&["spec", "rules"]).collect();
        let mut wrong = rules.iter().filter(|rule| has_both(rule));
        let Some(first) = wrong.next() else { continue };
        let are_all = 1 + wrong.count() == rules.len();
        let statuses = cx.cluster.statuses_of(at).iter();
        for status in statuses.filter(|status| !status.is_outdated(route)) {
            let accepted = status.find("Accepted");
            let Some(accepted) = accepted.filter(|found| found.value == Some(Value::True)) else {
                continue;
            };
            let is_named = status.value("PartiallyInvalid") == Some(Value::True);
            let owner = &status.title;
            let text = match (are_all, is_named) {
                (true, _) => Text::All { owner },
                (false, false) => Text::Some { owner },
                (false, true) => continue,
            };
            out.at(accepted.status_place(), text)
                .label(first.head(), Text::Rule)
                .help(Text::Refuse);
        }
    }
}

fn has_both(rule: &Node<'_>) -> bool {
    let has = |name| {
        rule.items_at("filters")
            .any(|filter| filter.str_at("type") == name)
    };
    has("RequestRedirect") && has("URLRewrite")
}
