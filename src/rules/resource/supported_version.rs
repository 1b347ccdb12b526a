//! `resource/supported-version`: the implementer's guide, "Version Compatibility"

use super::{Kind, ResourceContext, by_facts};
use crate::registry::Minor;
use crate::resource::Value;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/supported-version",
    include_str!("supported_version.md"),
    Check::Resource(&[&[Kind::GatewayClass]], check),
)
.strict();

/// The condition is asked for "once v1.0 is released".
const SINCE: Minor = Minor { major: 1, minor: 0 };

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    if cx
        .basis
        .release
        .is_none_or(|release| release.version().minor() < SINCE)
    {
        return;
    }
    for (at, object) in cx.living(&[Kind::GatewayClass]) {
        let Some(status) = cx
            .cluster
            .own_status(at)
            .filter(|status| status.is_reconciled)
        else {
            continue;
        };
        match status.find("SupportedVersion") {
            None => {
                let message = format!("{} has no condition `SupportedVersion`", object.title());
                by_facts(cx, out, status.list.head(), message)
                    .help("compare the annotation of the CRDs with what the controller was built for, and say so");
            }
            Some(found) if found.value == Some(Value::False) => {
                let message = format!(
                    "the controller of {} does not support the CRDs that are installed",
                    object.title()
                );
                by_facts(cx, out, found.status_place(), message)
                    .help("install the CRDs of a release that it supports; a report from here shows best effort at most");
            }
            Some(_) => {}
        }
    }
}
