//! `resource/no-resources`: what is not there is not checked

use super::ResourceContext;
use crate::diagnostic::Place;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/no-resources",
    include_str!("no_resources.md"),
    Check::Resource(&[], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let counts = cx.cluster.counts;
    // What could not be read is said by another rule.
    if counts.known > 0 || cx.cluster.is_partial() {
        return;
    }
    let Some(file) = cx.cluster.files.first() else {
        return;
    };
    let message = match counts.passed_over {
        0 => "nothing is in it: expected resources of a cluster".to_owned(),
        _ => "nothing in it is of a kind that is checked".to_owned(),
    };
    out.at(Place::path(file.source.path()), message).help(
        "`kubectl get crds,gatewayclasses,gateways,httproutes,services,referencegrants -A -o yaml` prints what is",
    );
}
