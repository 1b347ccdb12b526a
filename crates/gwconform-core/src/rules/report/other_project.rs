use crate::report::view::Text as Scalar;
use crate::rules::{Findings, ReportContext};
use crate::text::message::{Message, Words};

rule! {
    "other_project.md", Report(check), Text<'a>;
    Other { project: Message } => "gwconform does not check reports of {project}",
    Known { name: Words } => "the {name}",
    ByField { field: &'a str } => "the project whose reports have {field}",
    KeepElsewhere => "keep it in the tree of its project; the only versions in reports of Gateway API are `apiVersion` and `gatewayAPIVersion`",
}

const PROJECTS: [(&str, &str); 2] = [
    (
        "GatewayAPIInferenceExtensionVersion",
        "Gateway API Inference Extension",
    ),
    ("networkPolicyV2APIVersion", "Network Policy API"),
];

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    if let Some(field) = cx.report.other_version {
        let project = name(field);
        out.at(cx.node(field.node), Text::Other { project })
            .help(Text::KeepElsewhere);
    }
}

pub fn name(field: Scalar<'_>) -> Message {
    let mut known = PROJECTS.iter();
    match known.find(|(key, _)| key.eq_ignore_ascii_case(field.value)) {
        Some((_, name)) => Text::Known { name: Words(name) }.into(),
        None => Text::ByField { field: field.value }.into(),
    }
}
