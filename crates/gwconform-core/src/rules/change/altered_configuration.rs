//! `change/altered-configuration`

use crate::rules::{Alteration, Findings, InputsContext};
use crate::text::diagnostic::Anchor;

rule! {
    "altered_configuration.md", Inputs(check), Text<'a>;
    Added => "the change adds a file that decides how it is checked; the stricter of two checks counts, one with the file and one without it",
    Deleted { revision: &'a str } => "the change deletes a file that decides how it is checked; the stricter of two checks counts, one with the version of {revision} and one without it",
    Changed { revision: &'a str } => "the change alters a file that decides how it is checked; the stricter of two checks counts, one with the version of {revision} and one with the new version",
    Repaired { revision: &'a str } => "the change alters a file that decides how it is checked; the version of {revision} is invalid, so the stricter of two checks counts, one without the file and one with the new version",
    Separate => "review this file first, and submit it as a change of its own",
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
