use percent_encoding::percent_encode_byte;

use super::one_line::one_line;
use gwconform_base::text::escape::{html, markdown, markdown_address};

/// Markup language of the page that embeds the badge, such as a README.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// `[![…](image)](link)`, also for GitHub.
    Markdown,
    /// An `image` directive.
    Rst,
    /// An `image` macro.
    AsciiDoc,
    /// An `img` element in a link.
    Html,
}

/// Returns a badge image that links to a page. Both URLs must already be percent-encoded.
pub fn snippet(markup: Markup, alternative: &str, image: &str, link: &str) -> String {
    let alternative = one_line(alternative);
    match markup {
        Markup::Markdown => format!(
            "[![{}]({})]({})\n",
            markdown(&alternative),
            markdown_address(image),
            markdown_address(link)
        ),
        // In reStructuredText, option values are literal until the end of the line.
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

/// Escapes punctuation as numeric character references, because only these survive all AsciiDoc
/// substitutions.
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

/// Percent-encodes characters that AsciiDoc interprets.
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
    fn escapes_asciidoc() {
        assert_eq!(asciidoc("Acme/Operator 2.0 é"), "Acme/Operator 2.0 é");
        assert_eq!(asciidoc("\"],{x}*"), "&#34;&#93;&#44;&#123;x&#125;&#42;");
        assert_eq!(asciidoc("http://a"), "http&#58;//a");
        assert_eq!(
            asciidoc_address("https://a/b_c,d]"),
            "https://a/b%5Fc%2Cd%5D"
        );
    }
}
