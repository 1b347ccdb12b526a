use crate::rules::{Findings, ReadmeContext, rule};
use crate::tree::LinkTarget;
use gwconform_base::text::diagnostic::Fix;
use gwconform_base::text::source::Span;

rule! {
    "alias_link.md", ReadmeContext(check), Text<'a>;
    ThroughAlias { alias: &'a str, folder: &'a str } => "the link uses {alias}, an alias of the folder {folder}; expected a link to the folder itself",
    LinkTo { target: String } => "link to {target}",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (link, link_target) in cx.links() {
        let LinkTarget::Inside {
            alias: Some(alias), ..
        } = link_target
        else {
            continue;
        };
        let (name, release) = (&alias.name, &alias.release);
        let target = link.target.replacen(name.as_str(), release, 1);
        let anchor = cx.about(link.target_span, format!("link {}", link.target));
        let message = Text::ThroughAlias {
            alias: name,
            folder: release,
        };
        out.at(anchor, message)
            .help(Text::LinkTo { target })
            .fix_with(|| direct_link(cx, link.target_span, name, release));
    }
}

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
