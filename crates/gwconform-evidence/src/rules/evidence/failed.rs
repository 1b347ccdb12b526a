use super::{EvidenceContext, Text as Labels, outcome};
use crate::Logged;
use crate::rules::{Findings, rule};
use gwconform_base::api::Version;
use gwconform_base::text::message::Words;
use gwconform_report::rules::Remedy;

rule! {
    "failed.md", EvidenceContext(check), Text<'a>, Labels, Remedy;
    Failed { test: &'a str, claimed: Words } => "test {test} failed in the log, but the report counts it as {claimed}",
    Early { release: &'a Version } => "the suite of {release} wrote the report before this test ran (gateway-api#5142): run the suite again once it passes",
}

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    for one in cx.results().filter(|one| one.logged == Logged::Failed) {
        let text = Text::Failed {
            test: &one.test,
            claimed: outcome(one.claimed),
        };
        let finding = out.at(cx.result(one), text);
        cx.point(finding, one.mark.as_ref(), Labels::InLog);
        if one.is_early {
            finding.help(Text::Early {
                release: cx.claim.release.version(),
            });
        } else {
            finding.help(Remedy::SubmitUnmodified);
        }
    }
}
