use super::{Kind, ResourceContext};
use crate::rules::Findings;
use gwconform_base::api::Version;

resource_rule! {
    "crd_report.md", &[&[Kind::Crd]], check, Text<'a>;
    Version { version: &'a str, report: &'a str, reported: &'a Version } => "the CRDs belong to {version}, but the report {report} is for {reported}",
    Channel { channel: &'a str, report: &'a str, reported: &'a str } => "the CRDs belong to channel {channel}, but the report {report} is for {reported}",
    Reported => "reported here",
    Dump => "dump the cluster of the suite run, with the same CRDs",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let Some(report) = cx.report else { return };
    let crds = &cx.cluster.crds;
    if let (Some(version), Some(reported)) = (crds.version(), &report.release.version)
        && version.value != reported.to_string()
    {
        out.at(
            version.place(),
            Text::Version {
                version: version.value,
                report: &report.path,
                reported,
            },
        )
        .help(Text::Dump);
    }
    if let (Some(channel), Some(reported)) = (crds.channel(), &report.channel)
        && channel.value != reported.value
    {
        out.at(
            channel.place(),
            Text::Channel {
                channel: channel.value,
                report: &report.path,
                reported: &reported.value,
            },
        )
        .label(reported.place.clone(), Text::Reported)
        .help(Text::Dump);
    }
}
