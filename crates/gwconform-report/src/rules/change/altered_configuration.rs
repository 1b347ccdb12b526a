use crate::rules::{Alteration, Findings, InputsContext, rule};
use gwconform_base::text::diagnostic::Anchor;

rule! {
    "altered_configuration.md", InputsContext(check), Text<'a>;
    Added => "the change adds a file that controls the check; gwconform checks with and without the file, and the stricter result counts",
    Deleted { revision: &'a str } => "the change deletes a file that controls the check; gwconform checks with the version of {revision} and without the file, and the stricter result counts",
    Changed { revision: &'a str } => "the change alters a file that controls the check; gwconform checks with the version of {revision} and with the new version, and the stricter result counts",
    Repaired { revision: &'a str } => "the change alters a file that controls the check; the version of {revision} is invalid, so gwconform checks without the file and with the new version, and the stricter result counts",
    Separate => "review this file first, and submit it as a separate change",
}

fn check(cx: &InputsContext<'_>, out: &mut Findings) {
    let revision = cx.revision;
    for file in cx.altered {
        let text = match file.alteration {
            Alteration::Added => Text::Added,
            Alteration::Deleted => Text::Deleted { revision },
            Alteration::Changed => Text::Changed { revision },
            Alteration::Repaired => Text::Repaired { revision },
        };
        out.at(Anchor::path(&file.path), text).help(Text::Separate);
    }
}
