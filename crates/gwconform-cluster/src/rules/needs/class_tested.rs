use super::CrdsContext;
use crate::rules::{Findings, rule};
use crate::{ClassState, Kind, Value};
use gwconform_base::api::Version;
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::{Message, Words};

rule! {
    "class_tested.md", CrdsContext(check), Text<'a>;
    Unsupported { class: Message } => "the controller of {class} does not support the installed CRDs: its `SupportedVersion` is False",
    Tested { class: Message, report: &'a str, tested: &'a Version, tested_channel: &'a str, release: &'a Version, channel: Words } => "the report {report} of {class} is for {tested}, channel {tested_channel}, not for {release}, channel {channel}",
    Install => "check which releases the controller supports before you install other CRDs",
    Ask => "check the documentation of the implementation, or its reports for this release",
}

fn check(cx: &CrdsContext<'_>, out: &mut Findings) {
    let (release, channel) = (&cx.crds.release.version, cx.crds.channel.as_str());
    let classes = cx.cluster.of(&[Kind::GatewayClass]);
    for (at, object) in classes.filter(|(_, object)| !object.is_deleted) {
        let status = cx.cluster.own_status(at);
        let supported = status.and_then(|status| status.find("SupportedVersion"));
        if let Some(supported) = supported.filter(|found| found.value == Some(Value::False)) {
            let class = object.title();
            out.at(supported.status_place(), Text::Unsupported { class })
                .help(Text::Install);
        }
        let Some((report, tested)) = cx
            .report
            .and_then(|report| Some((report, report.release.version.as_ref()?)))
        else {
            continue;
        };
        let tested_channel = report.channel.as_ref().map_or("", |stated| &stated.value);
        let is_same = tested.minor() == release.minor() && tested_channel == channel;
        if is_same || cx.cluster.class_state(at) != ClassState::Accepted {
            continue;
        }
        let text = Text::Tested {
            class: object.title(),
            report: &report.path,
            tested,
            tested_channel,
            release,
            channel: Words(channel),
        };
        let finding = out.at(object.place(), text);
        finding.severity = finding.severity.min(Severity::Info);
        finding.help(Text::Ask);
    }
}
