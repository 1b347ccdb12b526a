use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{Node, Object, Value};
use gwconform_base::text::message::Message;

resource_rule! {
    "incompatible_filters.md", &[&[Kind::HttpRoute]], check, Text<'a>;
    All { owner: &'a Message } => "{owner} is accepted, but each of its rules has `RequestRedirect` and `URLRewrite`; expected `Accepted` False with reason `IncompatibleFilters`",
    Some { owner: &'a Message } => "{owner} is accepted without `PartiallyInvalid`, but a rule has `RequestRedirect` and `URLRewrite`; expected `PartiallyInvalid` True",
    Unfounded { owner: &'a Message } => "`Accepted` of {owner} is False with reason `IncompatibleFilters`, but no rule has two filters",
    Accept => "use this reason only for filters that exclude each other",
    Rule => "this rule",
    Refuse => "reject the rule: a request cannot be both redirected and forwarded",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, route) in cx.living(&[Kind::HttpRoute]) {
        let rules: Vec<Node<'_>> = route.items(&["spec", "rules"]).collect();
        if rules.iter().all(|rule| filters(*rule).nth(1).is_none()) {
            unfounded(cx, at, route, out);
            continue;
        }
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
            let owner = &status.title();
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

/// Other pairs of filters can be incompatible too.
fn unfounded(cx: &ResourceContext<'_>, at: usize, route: &Object<'_>, out: &mut Findings) {
    let statuses = cx.cluster.statuses_of(at).iter();
    for status in statuses.filter(|status| !status.is_outdated(route)) {
        let accepted = status.find("Accepted").filter(|found| {
            found.value == Some(Value::False) && found.reason() == "IncompatibleFilters"
        });
        if let Some(accepted) = accepted {
            let owner = &status.title();
            out.at(accepted.reason_place(), Text::Unfounded { owner })
                .help(Text::Accept);
        }
    }
}

/// Filters of a rule and of its backends.
fn filters(rule: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let of_backends = rule.items_at("backendRefs");
    let of_backends = of_backends.flat_map(|backend| backend.items_at("filters"));
    rule.items_at("filters").chain(of_backends)
}

fn has_both(rule: &Node<'_>) -> bool {
    let has = |name| {
        rule.items_at("filters")
            .any(|filter| filter.str_at("type") == name)
    };
    has("RequestRedirect") && has("URLRewrite")
}
