use crate::rules::{Findings, ReadmeContext, rule};
use gwconform_base::text::letters;

rule! {
    "title_of_template.md", ReadmeContext(check), Text<'a>;
    Template { title: &'a str } => "the title {title} is that of the template; expected the name of the implementation",
    WriteTitle => "write `# <name of the implementation>`",
}

/// Names in the README of the reports tree and its instructions.
const TEMPLATES: [&str; 6] = [
    "acmeoperator",
    "implementation",
    "implementationname",
    "nameoftheimplementation",
    "projectname",
    "title",
];

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let Some(title) = cx.readme.title() else {
        return;
    };
    let name = letters(&title.text);
    let reports = cx.reports.unwrap_or_default();
    // The implementation can have the name.
    let is_own = reports.is_empty()
        || reports.iter().any(|report| {
            let organization = letters(report.organization().unwrap_or_default());
            let project = letters(report.project().unwrap_or_default());
            [&organization, &project]
                .iter()
                .any(|own| !own.is_empty() && name.contains(own.as_str()))
        });
    if TEMPLATES.contains(&name.as_str()) && !is_own {
        let text = Text::Template { title: &title.text };
        out.at(cx.about(title.span, "title"), text)
            .help(Text::WriteTitle);
    }
}
