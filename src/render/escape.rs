//! Strings from reports in other languages: whatever they hold, they stay text.

use super::visible;

/// Text within a line of Markdown (GitHub's and CommonMark): no emphasis, link, address, code,
/// cell, entity, heading or list comes of it, wherever in a line it stands. What cannot be seen is
/// shown as in [`visible`].
pub fn markdown(text: &str) -> String {
    let text = visible(text);
    let mut escaped = String::with_capacity(text.len());
    let marker = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    for (at, c) in text.char_indices() {
        let is_special = match c {
            // A mark that begins a line makes a list, a heading or a rule.
            '-' | '+' | '=' => at == 0,
            // `1.` makes a list at the beginning, `www.` an address.
            '.' => at == marker || ends_with_www(&text[..at]),
            ')' => true,
            // An address begins with a colon that something follows.
            ':' => text[at + 1..].starts_with(|c: char| !c.is_whitespace()),
            c => "\\`*_{}[](<>#!|~&@$^\"'".contains(c),
        };
        if is_special {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn ends_with_www(before: &str) -> bool {
    let end = before
        .len()
        .checked_sub(3)
        .and_then(|start| before.get(start..));
    end.is_some_and(|end| end.eq_ignore_ascii_case("www"))
}

/// An address in the brackets of a Markdown link: what would end it is percent-encoded.
pub fn markdown_address(address: &str) -> String {
    let mut escaped = String::with_capacity(address.len());
    let mut bytes = [0; 4];
    for c in address.chars() {
        if c.is_whitespace()
            || c.is_control()
            || "()<>\\\"'`*_[]|&".contains(c) && c != '&' && c != '_'
        {
            for byte in c.encode_utf8(&mut bytes).bytes() {
                escaped.push_str(&format!("%{byte:02X}"));
            }
        } else {
            match c {
                '&' => escaped.push_str("&amp;"),
                '_' => escaped.push_str("\\_"),
                c => escaped.push(c),
            }
        }
    }
    escaped
}

/// Text in HTML, SVG and XML: between tags and in quoted attributes. What cannot be seen is shown as
/// in [`visible`].
pub fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// What templates escape with: [`html`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Html;

impl askama::filters::Escaper for Html {
    fn write_escaped_str<W: std::fmt::Write>(&self, mut to: W, text: &str) -> std::fmt::Result {
        to.write_str(&html(text))
    }
}

#[cfg(test)]
mod tests {
    use super::{html, markdown, markdown_address};

    #[test]
    fn nothing_of_a_string_is_markup() {
        assert_eq!(markdown("v1.5, Acme-Operator"), "v1.5, Acme-Operator");
        assert_eq!(markdown("- [x](y) | <b>"), "\\- \\[x\\]\\(y\\) \\| \\<b\\>");
        assert_eq!(markdown("1. www.x http://y"), "1\\. www\\.x http\\://y");
        assert_eq!(markdown("a\nb"), "a\\\\nb");
        assert_eq!(markdown_address("a b)(\n<"), "a%20b%29%28%0A%3C");
        assert_eq!(
            html("<a title='\"&'>\u{1}"),
            "&lt;a title=&#39;&quot;&amp;&#39;&gt;\\u{1}"
        );
    }
}
