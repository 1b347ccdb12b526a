use super::CrdsContext;
use crate::needs::{is_owned, owners_of};
use crate::rules::{Findings, rule};
use crate::{ClassState, Kind, Value};
use gwconform_base::api::Version;
use gwconform_base::text::diagnostic::{Severity, in_code};
use gwconform_base::text::message::{Message, Words};
use gwconform_report::report::facts::ReportFacts;

rule! {
    "class_tested.md", CrdsContext(check), Text<'a>;
    Unsupported { class: Message } => "the controller of {class} does not support the installed CRDs: its `SupportedVersion` is False",
    Tested { class: Message, report: &'a str, tested: &'a Version, tested_channel: &'a str, release: &'a Version, channel: Words } => "the implementation of {class} was tested with {tested}, channel {tested_channel} ({report}), not with {release}, channel {channel}",
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
        if cx.cluster.class_state(at) != ClassState::Accepted {
            continue;
        }
        let reports = reports_of(cx, at);
        let is_same = |report: &&ReportFacts| {
            let tested = report.release.version.as_ref();
            tested.is_some_and(|tested| tested.minor() == release.minor())
                && report.channel() == Some(channel)
        };
        let newest = reports
            .iter()
            .max_by_key(|report| report.release.version.clone());
        let Some((report, tested)) =
            newest.and_then(|report| Some((report, report.release.version.as_ref()?)))
        else {
            if !cx.tested.is_empty() {
                let controller = cx.cluster.controller(at).map_or("", |name| name.value);
                out.leave_out(format!(
                    "{}: no report is known to be of `{}`",
                    RULE.about().id,
                    in_code(controller)
                ));
            }
            continue;
        };
        if reports.iter().any(is_same) {
            continue;
        }
        let tested_channel = report.channel().unwrap_or_default();
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

/// The requested report, or those of a tree whose names or website belong to the domain of the
/// controller.
fn reports_of<'a>(cx: &CrdsContext<'a>, class: usize) -> Vec<&'a ReportFacts> {
    if let Some(report) = cx.report {
        return vec![report];
    }
    let controller = cx.cluster.controller(class).map_or("", |name| name.value);
    let domain = controller.split('/').next().unwrap_or_default();
    // Some controllers reverse their domain, such as `io.cilium`.
    let labels: Vec<&str> = domain.rsplit('.').collect();
    let reversed = labels.join(".");
    let is_of = |report: &&ReportFacts| {
        let owners = owners_of(report);
        is_owned(domain, &owners) || is_owned(&reversed, &owners)
    };
    cx.tested.iter().filter(is_of).collect()
}
