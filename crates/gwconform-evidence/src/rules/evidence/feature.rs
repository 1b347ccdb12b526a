use super::{EvidenceContext, Text as Labels};
use crate::rules::{Findings, rule};
use crate::{Difference, FeatureIssue, Shown};
use gwconform_base::api::Version;
use gwconform_report::rules::Remedy;

rule! {
    "feature.md", EvidenceContext(check), Text<'a>, Labels, Remedy;
    NotSupported { feature: &'a str } => "feature {feature} is listed as supported, but a test was skipped because the suite did not support it",
    Supported { feature: &'a str } => "feature {feature} is listed as unsupported, but a test that needs it ran",
    Missing { feature: &'a str } => "feature {feature} is in neither list; the suite writes each extended feature of a profile into one",
    MissingSupported { feature: &'a str } => "feature {feature} is in neither list; expected under `supportedFeatures`, because a test that requires it ran",
    MissingUnsupported { feature: &'a str } => "feature {feature} is in neither list; expected under `unsupportedFeatures`, because a test was skipped without it",
    NotOfProfile { feature: &'a str, release: &'a Version } => "feature {feature} is not an extended feature of the profile in {release}",
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    for one in &cx.comparison.differences {
        let Difference::Feature {
            feature,
            node,
            issue,
            mark,
        } = one
        else {
            continue;
        };
        let text = match issue {
            FeatureIssue::NotSupported => Text::NotSupported { feature },
            FeatureIssue::Supported => Text::Supported { feature },
            FeatureIssue::Missing(None) => Text::Missing { feature },
            FeatureIssue::Missing(Some(Shown::Supported)) => Text::MissingSupported { feature },
            FeatureIssue::Missing(Some(Shown::Unsupported)) => Text::MissingUnsupported { feature },
            FeatureIssue::NotOfProfile => Text::NotOfProfile {
                feature,
                release: cx.claim.release.version(),
            },
        };
        let anchor = cx.node(*node);
        let anchor = match issue {
            FeatureIssue::Missing(_) => anchor.and(feature),
            _ => anchor,
        };
        let finding = out.at(anchor, text);
        cx.point(finding, mark.as_ref(), Labels::InLog);
        finding.help(Remedy::SubmitUnmodified);
    }
}
