//! What to paste into a page to show a badge there.

use percent_encoding::percent_encode_byte;

use super::line::one_line;
use crate::text::escape::{html, markdown, markdown_address};

/// The language of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// CommonMark and GitHub's Markdown.
    Markdown,
    /// reStructuredText.
    Rst,
    /// AsciiDoc.
    AsciiDoc,
    /// HTML.
    Html,
}

/// A badge with its alternative text and a link, for a page. The addresses are made for pages
/// already: letters, digits and what an address may hold.
pub fn snippet(markup: Markup, alternative: &str, image: &str, link: &str) -> String {
    let alternative = one_line(alternative);
    match markup {
        Markup::Markdown => format!(
            "[![{}]({})]({})\n",
            markdown(&alternative),
            markdown_address(image),
            markdown_address(link)
        ),
        // An option's text is taken as it is, up to the end of its line.
        Markup::Rst => {
            format!(".. image:: {image}\n   :alt: {alternative}\n   :target: {link}\n")
        }
        Markup::AsciiDoc => format!(
            "image:{}[\"{}\",link=\"{}\"]\n",
            asciidoc_address(image),
            asciidoc(&alternative),
            asciidoc_address(link)
        ),
        Markup::Html => format!(
            "<a href=\"{}\"><img src=\"{}\" alt=\"{}\" height=\"20\"></a>\n",
            html(link),
            html(image),
            html(&alternative)
        ),
    }
}

/// Text in AsciiDoc, in quotes among the attributes of a macro: punctuation is written by its
/// number, as nothing else holds in every place that a text passes through on its way.
fn asciidoc(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() && !matches!(c, '.' | '/') {
            escaped.push_str(&format!("&#{};", c as u32));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// An address in AsciiDoc: what has a meaning there is percent-encoded.
fn asciidoc_address(address: &str) -> String {
    let mut escaped = String::with_capacity(address.len());
    for c in address.chars() {
        match u8::try_from(c) {
            Ok(byte) if b"\"'`*_#^[]{}<>|,+ ".contains(&byte) => {
                escaped.push_str(percent_encode_byte(byte));
            }
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{asciidoc, asciidoc_address};

    #[test]
    fn nothing_of_a_text_is_asciidoc() {
        assert_eq!(asciidoc("Acme/Operator 2.0 é"), "Acme/Operator 2.0 é");
        assert_eq!(asciidoc("\"],{x}*"), "&#34;&#93;&#44;&#123;x&#125;&#42;");
        assert_eq!(asciidoc("http://a"), "http&#58;//a");
        assert_eq!(
            asciidoc_address("https://a/b_c,d]"),
            "https://a/b%5Fc%2Cd%5D"
        );
    }
}
