//! Escapes untrusted text for other languages, so that it remains plain text.

use std::borrow::Cow;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use regex::Captures;

use super::pattern::REFERENCE;
use super::visible;
use crate::text::message::{Message, Part};
use crate::text::source::{all_bytes, is_plain};

/// Escapes text for any position in a line of CommonMark or GitHub Markdown. Also replaces
/// invisible characters (see [`visible`]).
pub fn markdown(text: &str) -> String {
    let text = visible(text);
    let mut escaped = String::with_capacity(text.len());
    let marker = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    for (at, c) in text.char_indices() {
        let is_special = match c {
            // A list, heading or thematic break.
            '-' | '+' | '=' => at == 0,
            // `1.` starts a list, and GitHub links `www.`.
            '.' => at == marker || ends_with_www(&text[..at]),
            ')' => true,
            // GitHub links addresses with a scheme.
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

/// Message for a line of GitHub Markdown, with values as code.
pub fn markdown_comment(message: &Message) -> String {
    let mut escaped = String::new();
    for part in message.parts() {
        match part {
            Part::Words(words) => {
                let words = without_references(&markdown(words));
                // GitHub does not change quotation marks, and readers copy the text.
                escaped.push_str(&words.replace("\\'", "'").replace("\\\"", "\""));
            }
            Part::Code(value) if value.trim().is_empty() => {
                escaped.push_str(&format!("\\`{}\\`", markdown(value)));
            }
            Part::Code(value) => {
                // Adjacent backticks would form a longer delimiter.
                if escaped.ends_with('`') {
                    escaped.push_str("&#8203;");
                }
                escaped.push_str(&markdown_code(&value.replace('`', "'")));
            }
        }
    }
    escaped
}

/// Like [`markdown_comment`] but without code spans, which `|` would break in a table cell.
pub fn markdown_text(text: &str) -> String {
    without_references(&markdown(text))
}

/// A zero-width space prevents GitHub from linking a [`REFERENCE`].
fn without_references(escaped: &str) -> String {
    let parted = REFERENCE.replace_all(escaped, |captures: &Captures<'_>| {
        let found = &captures[0];
        if found.ends_with('-') {
            let end = captures.get_match().end();
            let has_number = escaped[end..].starts_with(|c: char| c.is_ascii_digit());
            return found.to_owned() + if has_number { "&#8203;" } else { "" };
        }
        if found.ends_with(['@', '#']) {
            return format!("{found}&#8203;");
        }
        // GitHub links commit hashes with seven or more digits.
        let parts: Vec<_> = found
            .as_bytes()
            .chunks(6)
            .map(String::from_utf8_lossy)
            .collect();
        parts.join("&#8203;")
    });
    parted.into_owned()
}

/// Code span. Do not use in tables.
pub fn markdown_code(text: &str) -> String {
    let text = visible(text);
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    // Markdown strips one space at each end if both have one.
    let has_edges = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    if has_edges && !text.trim().is_empty() {
        format!("{fence} {text} {fence}")
    } else {
        format!("{fence}{text}{fence}")
    }
}

/// Creates a fence longer than any run of backticks in the lines.
pub fn markdown_fence<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    let runs = lines.flat_map(|line| line.split(|c| c != '`').map(str::len));
    "`".repeat(runs.max().unwrap_or_default().max(2) + 1)
}

/// Like [`visible`], and escapes other characters that XML 1.0 forbids. The caller must escape `<`
/// and `&`.
pub fn xml(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    visible(text)
        .replace('\u{FFFE}', "\\u{fffe}")
        .replace('\u{FFFF}', "\\u{ffff}")
}

/// Escapes the message of a GitHub Actions workflow command.
pub fn github_data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property of a GitHub Actions workflow command.
pub fn github_property(text: &str) -> String {
    github_data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Escapes a line of text: invisible characters (see [`visible`]), and commands for runners of
/// GitHub Actions, which start with `::` after white space or contain the older `##[`.
pub fn text_line(line: &str) -> Cow<'_, str> {
    let line = seen(line);
    let text = line.trim_start();
    if !text.starts_with("::") && !line.contains("##[") {
        return line;
    }
    let (blanks, text) = line.split_at(line.len() - text.len());
    let start = if text.starts_with("::") { "\\" } else { "" };
    Cow::Owned(format!("{blanks}{start}{}", text.replace("##[", "##\\[")))
}

/// Escapes characters that would end a Markdown link.
pub fn markdown_address(address: &str) -> String {
    let mut escaped = String::with_capacity(address.len());
    let mut bytes = [0; 4];
    for c in address.chars() {
        if c.is_whitespace()
            || c.is_control()
            || "()<>\\\"'`*_[]|&".contains(c) && c != '&' && c != '_'
        {
            escaped.extend(utf8_percent_encode(
                c.encode_utf8(&mut bytes),
                NON_ALPHANUMERIC,
            ));
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

/// Prevents spreadsheets from interpreting a cell as a formula (OWASP, CSV injection), with a
/// leading `'`. Remove one `'` to restore the text. Also replaces invisible characters (see
/// [`visible`]), so each record is one line.
pub fn inert(cell: &str) -> Cow<'_, str> {
    let visible = seen(cell);
    let is_formula = visible.starts_with(['=', '+', '-', '@', '\'', '＝', '＋', '－', '＠'])
        || cell.starts_with(['\t', '\r', '\n']);
    if is_formula {
        Cow::Owned(format!("'{visible}"))
    } else {
        visible
    }
}

/// [`visible`] without a copy of plain text.
fn seen(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(visible(text))
    }
}

/// Escapes text for HTML, SVG and XML content and quoted attributes. Also replaces invisible
/// characters (see [`visible`]).
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

static IN_HTML: [bool; 256] = {
    let mut is_escaped = [true; 256];
    let mut byte = b' ';
    while byte <= b'~' {
        is_escaped[byte as usize] = matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'');
        byte += 1;
    }
    is_escaped
};

/// Escaper for Askama templates, based on [`html`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Html;

impl askama::filters::Escaper for Html {
    fn write_escaped_str<W: std::fmt::Write>(&self, mut to: W, text: &str) -> std::fmt::Result {
        if all_bytes(text, |byte| !IN_HTML[usize::from(byte)]) {
            to.write_str(text)
        } else {
            to.write_str(&html(text))
        }
    }
}

#[cfg(test)]
mod tests {
    use askama::filters::Escaper;

    use super::{Html, html, markdown, markdown_address, without_references};

    #[test]
    fn breaks_references_to_people_issues_and_commits() {
        for (text, parted) in [
            (
                "\\@acme/team \\#1 a@b",
                "\\@&#8203;acme/team \\#&#8203;1 a@b",
            ),
            (
                "GH-12 gh-1 xGh-1 GH-x",
                "GH-&#8203;12 gh-&#8203;1 xGh-&#8203;1 GH-x",
            ),
            (
                "4d5e6f7 4D5E6F 4d5e6f78_",
                "4d5e6f&#8203;7 4D5E6F 4d5e6f78_",
            ),
            ("é4d5e6f7\u{a0}", "é4d5e6f&#8203;7\u{a0}"),
        ] {
            assert_eq!(without_references(text), parted, "{text}");
        }
    }

    #[test]
    fn templates_escape_each_character_as_elsewhere() {
        for c in (0..0x3000).filter_map(char::from_u32) {
            let text = format!("a{c}b");
            let mut written = String::new();
            Html.write_escaped_str(&mut written, &text).unwrap();
            assert_eq!(written, html(&text), "{c:?}");
            let is_markup = "&<>\"'".contains(c) || c.is_control();
            assert_eq!(
                written != text,
                is_markup || crate::text::source::is_invisible(c),
                "{c:?}"
            );
        }
    }

    #[test]
    fn strings_contain_no_markup() {
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
