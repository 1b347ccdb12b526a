//! `readme/dead-link`

use std::collections::BTreeSet;

use super::quoted;
use crate::readme::Target;
use crate::rules::{Check, Findings, ReadmeContext, Rule};
use crate::tree::LinkTarget;

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/dead-link",
    include_str!("dead_link.md"),
    Check::Readme(check),
);

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    // A row that leads to no report is what readme/row-without-report is about.
    let of_rows = cx.listing.rows.iter().filter(|row| row.file.is_none());
    let of_rows: BTreeSet<_> = of_rows.filter_map(|row| Some(row.link?.span)).collect();
    for (link, link_target) in cx.links().filter(|(link, _)| !of_rows.contains(&link.span)) {
        let target = || quoted(&link.target);
        let place = || cx.span(link.target_span);
        match link_target {
            LinkTarget::OutOfTree => {
                out.at(place(), format!("{} leads out of the reports tree", target()))
                    .help("readers of the README may not have what is outside: link to it with its https URL");
            }
            LinkTarget::Inside { exists: false, .. } => {
                out.at(place(), format!("{} does not exist", target()))
                    .help("correct the link, or add the file to the submission");
            }
            LinkTarget::Elsewhere if link.classify() == Target::Empty => {
                out.at(
                    cx.span(link.span),
                    "the link leads nowhere: its target is empty",
                )
                .help("write the target between the parentheses, or remove them and the brackets");
            }
            LinkTarget::Elsewhere | LinkTarget::Inside { .. } => {}
        }
    }
}
