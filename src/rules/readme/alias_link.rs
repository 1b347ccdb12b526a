//! `readme/alias-link`

use super::quoted;
use crate::diagnostic::{Fix, in_code};
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Rule};
use crate::source::Span;
use crate::tree::LinkTarget;

/// The rule.
pub static RULE: Rule = Rule::warning(
    "readme/alias-link",
    include_str!("alias_link.md"),
    Check::Readme(check),
)
.fixes(Fixes::Safe);

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (link, link_target) in cx.links() {
        let LinkTarget::Inside {
            alias: Some(alias), ..
        } = link_target
        else {
            continue;
        };
        let (name, release) = (&alias.name, &alias.release);
        let direct = link.target.replacen(name.as_str(), release, 1);
        out.at(
            cx.span(link.target_span),
            format!(
                "the link goes through `{name}`, which only stands for the folder `{release}`",
                name = in_code(&name),
                release = in_code(&release)
            ),
        )
        .help(format!("link to {}", quoted(&direct)))
        .fix_with(|| direct_link(cx, link.target_span, name, release));
    }
}

/// Writes the folder in the place of its other name, where that stands there to the letter.
fn direct_link(cx: &ReadmeContext<'_>, target: Span, name: &str, release: &str) -> Option<Fix> {
    let written = cx.source.slice(target);
    let mut parts = written.split('/').scan(0, |at, part| {
        let start = *at;
        *at += part.len() + 1;
        Some((start, part))
    });
    let (at, _) = parts.find(|(_, part)| *part == name)?;
    let start = target.start as usize + at;
    let fix = Fix::safe("link to the folder itself");
    cx.fix(fix, Span::new(start, start + name.len()), release)
}
