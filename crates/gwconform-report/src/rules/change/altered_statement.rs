use crate::rules::{Alteration, Findings, InputsContext, rule};
use gwconform_base::text::diagnostic::Anchor;

rule! {
    "altered_statement.md", InputsContext(check), Text<'a>;
    Added => "the change adds a statement about a log; expected statements only from the workflow that verifies their signatures",
    Deleted { revision: &'a str } => "the change deletes a statement about a log that {revision} has",
    Changed { revision: &'a str } => "the change edits a statement about a log that {revision} has",
    Verify => "verify the signature with `gh attestation verify`, and add the statement outside of the pull request",
}

fn check(cx: &InputsContext<'_>, out: &mut Findings) {
    let revision = cx.revision;
    for file in cx.statements {
        let text = match file.alteration {
            Alteration::Added => Text::Added,
            Alteration::Deleted => Text::Deleted { revision },
            Alteration::Changed | Alteration::Repaired => Text::Changed { revision },
        };
        out.at(Anchor::path(&file.path), text).help(Text::Verify);
    }
}
