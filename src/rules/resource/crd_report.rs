//! `resource/crd-report`: the suite writes what the CRDs say into gatewayAPIVersion and gatewayAPIChannel (GEP-1709)

use super::{Kind, ResourceContext};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/crd-report",
    include_str!("crd_report.md"),
    Check::Resource(&[&[Kind::Crd]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let Some(report) = cx.report else { return };
    let crds = &cx.cluster.crds;
    if let (Some(version), Some(reported)) = (crds.version(), &report.release.version)
        && version.value != reported.to_string()
    {
        let message = format!(
            "the CRDs are of {}, and the report {} is for {reported}",
            version.value, report.path
        );
        out.at(version.node.place(), message)
            .help("the report was made on another cluster, or before the CRDs were changed");
    }
    if let (Some(channel), Some(reported)) = (crds.channel(), &report.channel)
        && channel.value != reported.value
    {
        let message = format!(
            "the CRDs are of the channel {}, and the report says {}",
            channel.value, reported.value
        );
        out.at(channel.node.place(), message)
            .label(reported.place.clone(), "reported here")
            .help("the report was made on another cluster, or before the CRDs were changed");
    }
}
