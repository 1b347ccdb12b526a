//! `report/invisible-character`

use crate::diagnostic::{Severity, in_code};
use crate::report::view::Text;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule, names};
use crate::source::is_invisible;

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/invisible-character",
    include_str!("invisible_character.md"),
    Check::Report(check),
)
.legacy(Severity::Warning);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let implementation = &cx.report.implementation;
    let fields = [
        ("organization", implementation.organization),
        ("project", implementation.project),
        ("version", implementation.version),
        ("mode", cx.report.mode),
    ];
    for (field, text) in fields {
        // Blanks alone are for report/empty-value.
        let said = text.filter(|text| !text.value.trim().is_empty());
        if let Some(text) = said {
            report(cx, field, field, text, out);
        }
    }
    for name in cx.report.profiles.iter().filter_map(|profile| profile.name) {
        report(cx, "name", "profiles", name, out);
    }
    for (_, field, list) in names::lists(cx.report) {
        for &item in &list.items {
            report(cx, field, field, item, out);
        }
    }
}

fn report(cx: &ReportContext<'_>, field: &str, rerun: &str, text: Text<'_>, out: &mut Findings) {
    if let Some(what) = unseen(text.value) {
        out.at(
            cx.value(text.node),
            format!(
                "`{}` of `{field}` {what}",
                in_code(&text.value),
                field = in_code(&field)
            ),
        )
        .help(Remedy::of_field(rerun));
    }
}

/// What a reader does not see in a name: blanks around it, and characters that leave no mark.
/// `None` when all of it shows.
pub fn unseen(name: &str) -> Option<String> {
    let stray = |c: &char| is_invisible(*c) || (c.is_whitespace() && *c != ' ');
    match name.chars().find(stray) {
        Some('\n' | '\r') => Some("has a line break in it".to_owned()),
        Some('\t') => Some("has a tab in it".to_owned()),
        Some(c) => Some(format!(
            "has U+{:04X} in it, which nobody sees",
            u32::from(c)
        )),
        None if name.starts_with(' ') => Some("begins with a blank".to_owned()),
        None if name.ends_with(' ') => Some("ends with a blank".to_owned()),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::unseen;

    #[test]
    fn what_does_not_show_is_found() {
        for name in [
            " acme",
            "acme ",
            "ac\nme",
            "ac\u{200B}me",
            "acme\u{A0}",
            "a\tb",
            "\u{1}",
            " ",
            "acme\u{FE0F}",
            "ac\u{E0101}me",
            "ac\u{E0061}me",
            "ac\u{34F}me",
            "\u{3164}",
            "\u{115F}acme",
            "\u{FFA0}acme",
            "ac\u{2800}me",
            "ac\u{180B}me",
            "ac\u{1D173}me",
        ] {
            assert!(unseen(name).is_some(), "{name:?}");
        }
        for name in ["", "acme", "acme operator", "Ächtung-β", "v1.2.3+x"] {
            assert_eq!(unseen(name), None, "{name:?}");
        }
    }
}
