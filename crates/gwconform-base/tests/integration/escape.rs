//! Tests that strings from reports stay plain text in Markdown.

use gwconform_base::text::escape::{
    github_data, github_property, markdown, markdown_address, markdown_code, markdown_comment,
    markdown_text, text_line, xml,
};
use gwconform_base::text::message::Message;
use gwconform_base::text::visible;
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

fn text_of(markdown: &str) -> Result<String, String> {
    let mut text = String::new();
    for event in Parser::new_ext(markdown, Options::all()) {
        match event {
            Event::Text(part) => text.push_str(&part),
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => {}
            other => return Err(format!("{other:?}")),
        }
    }
    Ok(text)
}

proptest! {
    #[test]
    fn text_contains_no_markup(
        string in prop_oneof!["\\PC*", "[-+=*_`<>&;#|~!:.)( 0-9a-z\\[\\]\\\\$^\"'@/{}wW\n]{0,20}"]
    ) {
        let expected = visible(&string);
        // Markdown trims paragraphs, and four spaces start a code block.
        prop_assume!(expected.trim() == expected && !expected.is_empty());
        // GitHub does not use typographic quotes and dashes.
        let escaped = markdown(&string);
        let text = text_of(&format!("x {escaped}"));
        let text = text.map(|text| text.replace(['–', '—'], "-").replace('…', "..."));
        let expected = format!("x {expected}").replace("---", "-").replace("--", "-");
        let expected = expected.replace(['–', '—'], "-").replace('…', "...");
        prop_assert_eq!(text.map(|text| text.replace("---", "-").replace("--", "-")), Ok(expected), "{}", escaped);
    }

    #[test]
    fn text_begins_no_block(string in "[-+=*_`<>&;#|~!:.)( 0-9a-z\\[\\]]{1,12}") {
        prop_assume!(string.trim() == string);
        prop_assert!(text_of(&markdown(&string)).is_ok(), "{}: {:?}", markdown(&string), text_of(&markdown(&string)));
    }

    #[test]
    fn an_address_stays_in_its_link(address in "\\PC{0,30}") {
        let link = format!("[a]({})", markdown_address(&format!("x/{address}")));
        let mut links = 0;
        let mut text = String::new();
        for event in Parser::new(&link) {
            match event {
                Event::Start(Tag::Link { .. }) => links += 1,
                Event::Text(part) => text.push_str(&part),
                _ => {}
            }
        }
        prop_assert_eq!((links, text.as_str()), (1, "a"), "{}", link);
    }

    #[test]
    fn code_contains_exactly_the_text(text in "[`a @#|<\\\\*\\]\\[-]{1,12}") {
        prop_assume!(!text.trim().is_empty());
        let code = format!("x {} y", markdown_code(&text));
        let events: Vec<_> = Parser::new_ext(&code, Options::ENABLE_GFM).collect();
        let codes = events.iter().filter_map(|event| match event {
            Event::Code(code) => Some(code.to_string()),
            _ => None,
        });
        prop_assert_eq!(codes.collect::<Vec<_>>(), [text], "{}", code);
    }

    #[test]
    fn a_comment_shows_the_text_and_mentions_no_account(text in "[`a1gh @#|<>\\\\*_:/.\\]\\[(){}!&-]{0,24}") {
        let escaped = format!("x {} y", markdown_comment(&Message::of_text(&text)));
        let mut shown = String::new();
        for event in Parser::new_ext(&escaped, Options::ENABLE_GFM | Options::ENABLE_TABLES) {
            match event {
                Event::Text(part) => {
                    shown.push_str(&part);
                    prop_assert!(!names_somebody(&part), "{}", escaped);
                }
                Event::Code(part) => shown.push_str(&part),
                Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => {}
                other => prop_assert!(false, "{:?} in {}", other, escaped),
            }
        }
        let without = |text: &str| text.replace(['`', '\u{200b}'], "");
        prop_assert_eq!(without(&shown), without(&format!("x {text} y")), "{}", escaped);
    }

    #[test]
    fn text_stays_in_one_cell(text in "\\PC{0,24}") {
        let table = format!("| a | b |\n|---|---|\n| {} | z |\n", markdown_text(&text));
        let cells = Parser::new_ext(&table, Options::ENABLE_TABLES | Options::ENABLE_GFM)
            .filter(|event| matches!(event, Event::Start(Tag::TableCell)));
        prop_assert_eq!(cells.count(), 4, "{}", table);
    }

    #[test]
    fn text_stays_in_one_workflow_command(text in "[a%\r\n:,#\\[\\]=]{0,16}") {
        // The runner decodes these sequences in this order.
        let undo = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
        let data = github_data(&text);
        prop_assert!(!data.contains(['\r', '\n']));
        prop_assert_eq!(undo(&data), text.clone());
        let property = github_property(&text);
        prop_assert!(!property.contains(['\r', '\n', ':', ',']));
        prop_assert_eq!(undo(&property.replace("%3A", ":").replace("%2C", ",")), text.clone());
        let line = text_line(&text);
        prop_assert!(!line.trim_start().starts_with("::") && !line.contains("##["), "{}", line);
    }

    #[test]
    fn xml_contains_any_text(text in "\\PC{0,16}[\u{0}-\u{20}\u{fffe}\u{ffff}&<>\"']{0,8}") {
        let quoted = xml(&text).replace('&', "&amp;").replace('<', "&lt;");
        let document = format!("<a>{quoted}</a>");
        prop_assert!(roxmltree::Document::parse(&document).is_ok());
        let is_allowed = |c: char| c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}');
        prop_assert!(quoted.chars().all(is_allowed));
    }
}

#[test]
fn blank_values_end_no_line() {
    for value in ["\n", "\n\n", "\r\n", "\u{2028}"] {
        let escaped = markdown_comment(&Message::code(value));
        assert!(!escaped.contains(['\n', '\r', '\u{2028}']), "{escaped:?}");
    }
}

#[test]
fn comments_refer_to_no_people_issues_or_commits() {
    let text = "@a @a/b x/y#1 #12 GH-3 gh-4 _gh-5 aGH-6 a@b.example 4d5e6f7 x/y@4d5e6f7a (0123456789abcdef0123456789abcdef01234567) `@c";
    for escaped in [
        markdown_text(text),
        markdown_comment(&Message::of_text(text)),
    ] {
        let shown = text_of(&escaped).unwrap();
        assert!(!names_somebody(&shown), "{shown}");
        assert_eq!(shown.replace('\u{200b}', ""), text);
    }
    let plain = "v2.14.0, Acme Operator of 2026, GHA, high-level, face off, decade";
    assert_eq!(markdown_text(plain), plain);
}

/// True if GitHub would detect a mention, an issue or a commit in the visible text.
fn names_somebody(shown: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_commit = |word: &str| {
        (7..=40).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let lower = shown.to_lowercase();
    let mut issues = lower.match_indices("gh-").map(|(at, _)| &lower[at + 3..]);
    if issues.any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        || shown.split(|c| !is_word(c)).any(is_commit)
    {
        return true;
    }
    ['@', '#'].iter().any(|mark| {
        let mut after = shown.match_indices(*mark).map(|(at, _)| &shown[at + 1..]);
        after.any(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
    })
}
