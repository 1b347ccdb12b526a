use crate::rules::{ChangeContext, Findings, rule};
use gwconform_base::text::diagnostic::{Anchor, Severity};

rule! {
    "git_attributes.md", ChangeContext(check), Text;
    Converts => "git applies these attributes to the tree, so the merged files can differ from the checked files",
    Separate => "submit the file as a separate change, without reports",
}

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    for path in cx.attributes {
        let severity = out.severity();
        let finding = out.at(Anchor::path(*path), Text::Converts);
        if cx.implementations.is_empty() {
            finding.severity = severity.min(Severity::Warning);
        }
        finding.help(Text::Separate);
    }
}
