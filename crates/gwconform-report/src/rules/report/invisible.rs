use gwconform_base::text::message::{Message, texts};
use gwconform_base::text::source::{is_invisible, is_plain};

texts! {
    pub(in crate::rules) enum Text {
        LineBreak => "contains a line break",
        Tab => "contains a tab",
        Character { code_point: Message } => "contains the invisible character {code_point}",
        BlankBefore => "begins with a space",
        BlankAfter => "ends with a space",
    }
}

pub(in crate::rules) fn invisible(name: &str) -> Option<Text> {
    let is_stray = |c: &char| is_invisible(*c) || (c.is_whitespace() && *c != ' ');
    let stray = if is_plain(name) {
        None
    } else {
        name.chars().find(is_stray)
    };
    match stray {
        Some('\n' | '\r') => Some(Text::LineBreak),
        Some('\t') => Some(Text::Tab),
        Some(c) => Some(Text::Character {
            code_point: Message::words(format!("U+{:04X}", u32::from(c))),
        }),
        None if name.starts_with(' ') => Some(Text::BlankBefore),
        None if name.ends_with(' ') => Some(Text::BlankAfter),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::invisible;

    #[test]
    fn finds_invisible_characters() {
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
            assert!(invisible(name).is_some(), "{name:?}");
        }
        for name in ["", "acme", "acme operator", "Ächtung-β", "v1.2.3+x"] {
            assert!(invisible(name).is_none(), "{name:?}");
        }
    }
}
