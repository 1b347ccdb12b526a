use super::{EvidenceContext, Text as Labels};
use crate::SettingsIssue;
use crate::rules::{Findings, rule};
use gwconform_report::rules::Remedy;

rule! {
    "settings.md", EvidenceContext(check), Text<'a>, Labels, Remedy;
    ProfileNotChosen { profile: &'a str } => "profile {profile} is not among the options of the run",
    ProfileMissing { profile: &'a str } => "the run was for profile {profile}, which the report does not have",
    FeatureNotChosen { feature: &'a str } => "feature {feature} is listed as supported, but is not among the options of the run",
    FeatureChosen { feature: &'a str } => "feature {feature} is listed as unsupported, but is among the options of the run",
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    let options = cx.claim.run.said.settings.as_ref();
    for issue in &cx.comparison.settings {
        let (anchor, text) = match issue {
            SettingsIssue::ProfileNotChosen { profile, node } => {
                (cx.node(*node), Text::ProfileNotChosen { profile })
            }
            SettingsIssue::ProfileMissing { profile, .. } => {
                (cx.whole().about(profile), Text::ProfileMissing { profile })
            }
            SettingsIssue::FeatureNotChosen { feature, node } => {
                (cx.node(*node), Text::FeatureNotChosen { feature })
            }
            SettingsIssue::FeatureChosen { feature, node } => {
                (cx.node(*node), Text::FeatureChosen { feature })
            }
        };
        let finding = out.at(anchor, text);
        let mark = options
            .map(|options| &options.mark)
            .filter(|mark| mark.line > 0);
        cx.point(finding, mark, Labels::Options);
        finding.help(Remedy::SubmitUnmodified);
    }
}
