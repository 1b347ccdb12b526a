use super::schema;
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_yaml::NodeId;

rule! {
    "key_order.md", ReportContext(check), Text<'a>, Remedy;
    Unsorted { after: &'a str, before: &'a str } => "keys are not sorted: {after} follows {before}, but the suite writes sorted keys",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    // Reported by yaml/json, or by a rule about the whole document.
    let is_json = cx.source.text().trim_start().starts_with('{');
    if is_json || schema::has_other_writer(cx) || !cx.report.is_recognizable() {
        return;
    }
    if let Some((before, after, node)) = first_unsorted(cx, cx.root) {
        out.at(cx.node(node), Text::Unsorted { after, before })
            .help(Remedy::SubmitUnmodified);
    }
}

fn first_unsorted<'c>(cx: &ReportContext<'c>, node: NodeId) -> Option<(&'c str, &'c str, NodeId)> {
    let mut last: Option<&str> = None;
    for entry in cx.yaml.entries(node) {
        if let Some(key) = cx.yaml.text(entry.key) {
            if let Some(before) = last.filter(|before| key < *before) {
                return Some((before, key, entry.key));
            }
            last = Some(key);
        }
        if let Some(found) = first_unsorted(cx, entry.value) {
            return Some(found);
        }
    }
    let mut items = cx.yaml.items(node).iter();
    items.find_map(|item| first_unsorted(cx, *item))
}
