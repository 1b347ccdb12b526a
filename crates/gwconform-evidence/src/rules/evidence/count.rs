use super::EvidenceContext;
use crate::rules::{Findings, rule};
use crate::{CountText, Difference, Missing};
use gwconform_base::text::node_path::path_to;
use gwconform_report::rules::Remedy;

rule!("count.md", EvidenceContext(check), CountText, Remedy);

fn check(cx: &EvidenceContext<'_>, out: &mut Findings) {
    for one in &cx.comparison.differences {
        let Difference::Count {
            node,
            missing,
            text,
        } = one
        else {
            continue;
        };
        let anchor = match missing {
            None => cx.node(*node),
            Some(Missing::Number(field)) => cx.node(*node).and(field),
            Some(Missing::Level) => cx.whole().about(path_to(cx.claim.yaml, *node)),
        };
        out.at(anchor, text.clone()).help(Remedy::SubmitUnmodified);
    }
}
