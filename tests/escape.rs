//! Strings from reports stay text in Markdown: whatever they hold, a reader of Markdown sees the
//! string and nothing else.

use gwconform::render::escape::{markdown, markdown_address};
use gwconform::render::visible;
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
    fn no_markup_comes_of_a_string(
        string in prop_oneof!["\\PC*", "[-+=*_`<>&;#|~!:.)( 0-9a-z\\[\\]\\\\$^\"'@/{}wW\n]{0,20}"]
    ) {
        let expected = visible(&string);
        // Spaces around a paragraph are not shown, and those of code blocks need four of them.
        prop_assume!(expected.trim() == expected && !expected.is_empty());
        // Typographic quotes and dashes are a matter of taste, and none of GitHub.
        let escaped = markdown(&string);
        let text = text_of(&format!("x {escaped}"));
        let text = text.map(|text| text.replace(['–', '—'], "-").replace('…', "..."));
        let expected = format!("x {expected}").replace("---", "-").replace("--", "-");
        let expected = expected.replace(['–', '—'], "-").replace('…', "...");
        prop_assert_eq!(text.map(|text| text.replace("---", "-").replace("--", "-")), Ok(expected), "{}", escaped);
    }

    #[test]
    fn a_string_begins_no_block(string in "[-+=*_`<>&;#|~!:.)( 0-9a-z\\[\\]]{1,12}") {
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
}
