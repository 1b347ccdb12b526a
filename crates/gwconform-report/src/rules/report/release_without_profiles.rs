use crate::rules::{Findings, ReportContext, rule};
use gwconform_base::api::Version;

rule! {
    "release_without_profiles.md", ReportContext(check), Text<'a>;
    NoProfiles { version: &'a Version } => "the suite of {version} has no profiles; profiles, counts and lists are not compared with it",
    NoAction => "no action is needed; this report comes from a suite between two releases",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some((release, _)) = cx.facts() else {
        return;
    };
    if release.extended_when().is_some() {
        return;
    }
    let field = cx.report.stated_release;
    let version = release.version();
    let anchor = cx.value_or_root(field.map(|field| field.node));
    out.at(anchor, Text::NoProfiles { version })
        .help(Text::NoAction);
}
