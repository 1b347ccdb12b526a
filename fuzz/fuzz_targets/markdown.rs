//! Fuzzes README rendering for the site with arbitrary text. The output must contain only elements,
//! attributes and URLs that Markdown can produce.

#![no_main]

use gwconform_base::text::source::is_invisible;
use gwconform_report::tree::readme::{self, to_html};
use libfuzzer_sys::fuzz_target;

const ELEMENTS: &[&str] = &[
    "a",
    "blockquote",
    "br",
    "code",
    "del",
    "em",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "strong",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
];

const ATTRIBUTES: &[(&str, &str)] = &[
    ("a", "href"),
    ("a", "rel"),
    ("ol", "start"),
    ("p", "class"),
    ("pre", "tabindex"),
];

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let parsed = readme::parse(&text);
    for link in &parsed.links {
        link.classify();
    }
    let may_lead = |target: &str| target.starts_with("https://").then(|| target.to_owned());
    let html = to_html(&text, 3, &may_lead);
    assert!(
        !html
            .chars()
            .any(|c| is_invisible(c) && c != '\n' && c != '\t'),
        "{html:?}"
    );
    let html = html.replace("<br />", "<br/>");
    let document = format!("<all>{html}</all>");
    let options = roxmltree::ParsingOptions {
        nodes_limit: u32::MAX,
        ..Default::default()
    };
    let Ok(document) = roxmltree::Document::parse_with_options(&document, options) else {
        // The XML reader rejects deep nesting and characters that XML does not allow.
        return;
    };
    for node in document.root_element().descendants().skip(1) {
        assert!(!node.is_comment() && !node.is_pi(), "{html}");
        if !node.is_element() {
            continue;
        }
        let element = node.tag_name().name();
        assert!(ELEMENTS.contains(&element), "{element} in {html}");
        for attribute in node.attributes() {
            let name = attribute.name();
            assert!(
                ATTRIBUTES.contains(&(element, name)),
                "{element} {name} in {html}"
            );
            assert!(
                name != "href" || attribute.value().starts_with("https://"),
                "{html}"
            );
        }
    }
});
