//! Prepares Markdown from a file for inclusion in a generated page. Text, links and reference
//! definitions are kept.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{BrokenLink, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::nesting;
use gwconform_base::text::escape::markdown;
use gwconform_base::text::visible_source;

/// Escaped HTML and renamed definitions can change how the remaining text is parsed.
const MAX_PASSES: usize = 8;

/// Escapes raw HTML and Hugo shortcodes, moves headings below `level`, and closes the last code
/// block. Text that cannot be made safe becomes one line of plain text. Idempotent.
pub fn included(text: &str, level: u8) -> String {
    let mut text = normal(text);
    for _ in 0..MAX_PASSES {
        let next = closed(&demoted(&escaped(&text), level));
        let next = next.trim_start_matches('\n').to_owned();
        if next == text {
            return text;
        }
        text = next;
    }
    markdown(&one_line(&text))
        .replace('<', "&lt;")
        .replace('{', "&#123;")
}

fn normal(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}').trim();
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = &text[..nesting::readable_end(&text, 0)];
    visible_source(text).trim_end().to_owned()
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, options())
}

fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH
}

fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut result, mut end) = (String::with_capacity(text.len()), 0);
    for (range, new) in edits {
        if range.start >= end {
            result.push_str(&text[end..range.start]);
            result.push_str(&new);
            end = range.end;
        }
    }
    result + &text[end..]
}

fn escaped(text: &str) -> String {
    let events = parser(text).into_offset_iter();
    let code = events.filter_map(|(event, range)| match event {
        Event::Code(_) | Event::Start(Tag::CodeBlock(_)) => Some((range, true)),
        Event::Start(Tag::Link {
            link_type: LinkType::Autolink | LinkType::Email,
            ..
        }) => Some((range, false)),
        _ => None,
    });
    let (mut result, mut end) = (String::with_capacity(text.len()), 0);
    for (range, is_code) in code {
        if range.start < end {
            continue;
        }
        escape_outside_code(&text[end..range.start], &mut result);
        let kept = &text[range.start..range.end];
        result.push_str(&if is_code {
            // Hugo reads shortcodes in code, where a character reference is not decoded.
            kept.replace("{{<", "{ {<").replace("{{%", "{ {%")
        } else {
            kept.replace('{', "%7B")
        });
        end = range.end;
    }
    escape_outside_code(&text[end..], &mut result);
    result
}

fn escape_outside_code(text: &str, result: &mut String) {
    let mut backslashes = 0;
    for (at, c) in text.char_indices() {
        let is_escaped = backslashes % 2 == 1;
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        let reference = match c {
            '{' => "&#123;",
            // `[name]: <address>` and `(<address>)`.
            '<' if is_target(text, at) => "<",
            '<' => "&lt;",
            _ => {
                result.push(c);
                continue;
            }
        };
        if is_escaped && reference != "<" {
            result.pop();
        }
        result.push_str(reference);
    }
}

/// True for the target of a link, such as `(<https://acme.example/a>)`, which starts no tag.
fn is_target(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches(' ');
    let rest = &text[at..];
    let is_address = rest.starts_with("<https://") || rest.starts_with("<http://");
    is_address && (before.ends_with("](") || before.ends_with("]:"))
}

/// Keeps the order of levels. The highest level becomes `level` + 1.
fn demoted(text: &str, level: u8) -> String {
    let events = parser(text).into_offset_iter();
    let headings: Vec<(u8, Range<usize>)> = events
        .filter_map(|(event, range)| match event {
            Event::Start(Tag::Heading { level, .. }) => Some((level as u8, range)),
            _ => None,
        })
        .collect();
    let highest = headings.iter().map(|(level, _)| *level).min().unwrap_or(6);
    let down = (level + 1).saturating_sub(highest);
    if down == 0 {
        return text.to_owned();
    }
    let edits = headings.into_iter().map(|(level, range)| {
        let source = &text[range.start..range.end];
        let title = title(source);
        let marker = "#".repeat(usize::from((level + down).min(6)));
        let end = if source.ends_with('\n') { "\n" } else { "" };
        let new = if title.is_empty() {
            end.to_owned()
        } else {
            format!("{marker} {title}{end}")
        };
        (range, new)
    });
    edited(text, edits.collect())
}

fn title(source: &str) -> String {
    let source = source.trim();
    if source.starts_with('#') {
        return source.trim_start_matches('#').trim().to_owned();
    }
    // The last line is the underline. Lines in a block quote start with `>`.
    let (lines, _) = source.rsplit_once('\n').unwrap_or((source, ""));
    let lines = lines
        .lines()
        .map(|line| line.trim_start_matches([' ', '\t', '>']).trim_end());
    lines.collect::<Vec<_>>().join(" ")
}

fn closed(text: &str) -> String {
    let after = format!("{text}\n\n# end");
    let last = parser(&after)
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Start(Tag::CodeBlock(_)) => Some(range),
            _ => None,
        });
    match last.last() {
        Some(range) if range.end > text.len() + 1 => {
            let fence = text[range.start..].trim_start();
            let mark = fence.chars().next().unwrap_or('`');
            let length = fence.chars().take_while(|c| *c == mark).count();
            format!("{text}\n{}", mark.to_string().repeat(length))
        }
        _ => text.to_owned(),
    }
}

/// Rendered text in one line, without markup and targets of links.
pub fn one_line(text: &str) -> String {
    let text = normal(text);
    // Pages define some labels for all texts.
    let mut resolve = |link: BrokenLink<'_>| {
        let is_full = link.link_type == LinkType::Reference;
        is_full.then(|| (CowStr::from(""), CowStr::from("")))
    };
    let parser = Parser::new_with_broken_link_callback(&text, options(), Some(&mut resolve));
    let mut line = String::with_capacity(text.len());
    for event in parser {
        match event {
            Event::Text(part) | Event::Code(part) | Event::Html(part) | Event::InlineHtml(part) => {
                line.push_str(&part);
            }
            Event::SoftBreak | Event::HardBreak => line.push(' '),
            Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::CodeBlock
                | TagEnd::TableCell
                | TagEnd::HtmlBlock,
            ) => line.push(' '),
            _ => {}
        }
    }
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Labels of references in a text, in a form for comparisons.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// Labels that the text defines.
    pub defined: BTreeSet<String>,
    /// Labels that the text uses without a definition.
    pub open: BTreeSet<String>,
}

impl Labels {
    /// Finds the labels in a text.
    pub fn new(text: &str) -> Self {
        let mut open = BTreeSet::new();
        let mut note = |link: BrokenLink<'_>| {
            open.insert(label(&link.reference));
            None
        };
        let parser = Parser::new_with_broken_link_callback(text, options(), Some(&mut note));
        let definitions = parser.reference_definitions().iter();
        let defined = definitions.map(|(name, _)| label(name)).collect();
        parser.for_each(drop);
        Self { defined, open }
    }

    /// True if the text contains the label.
    pub fn contains(&self, label: &str) -> bool {
        self.defined.contains(label) || self.open.contains(label)
    }
}

/// Labels are equal if they differ only in case and spaces (CommonMark, section 4.7).
fn label(text: &str) -> String {
    text.to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Renames labels that the text defines. `new_name` receives a label in the form of [`Labels`], and
/// returns `None` for labels to keep. Returns `None` if a label has too many definitions.
pub fn with_labels(text: &str, new_name: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut text = text.to_owned();
    for _ in 0..MAX_PASSES {
        let next = relabeled(&text, new_name);
        if next == text {
            return Some(text);
        }
        text = next;
    }
    None
}

fn relabeled(text: &str, new_name: &dyn Fn(&str) -> Option<String>) -> String {
    let parser = parser(text);
    let mut edits = Vec::new();
    for (name, definition) in parser.reference_definitions().iter() {
        let start = definition.span.start;
        let end = end_of_label(&text[start..]).map(|length| start + length);
        if let Some((new, end)) = new_name(&label(name)).zip(end) {
            edits.push((start..end, format!("[{new}]")));
        }
    }
    for (event, range) in parser.into_offset_iter() {
        let (Event::Start(Tag::Link { link_type, id, .. })
        | Event::Start(Tag::Image { link_type, id, .. })) = event
        else {
            continue;
        };
        let Some(new) = new_name(&label(&id)) else {
            continue;
        };
        // The range of `[name][]` does not contain the empty brackets.
        let part = match link_type {
            LinkType::Shortcut => range.end..range.end,
            LinkType::Collapsed => range.end..range.end + "[]".len(),
            LinkType::Reference => start_of_label(&text[..range.end])..range.end,
            _ => continue,
        };
        edits.push((part, format!("[{new}]")));
    }
    edited(text, edits)
}

/// Length of the label with its brackets. Labels contain no brackets without a backslash.
fn end_of_label(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            ']' if !is_escaped => return Some(at + 1),
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    None
}

fn start_of_label(text: &str) -> usize {
    let is_escaped = |at: usize| {
        let before = text[..at].bytes().rev().take_while(|byte| *byte == b'\\');
        before.count() % 2 == 1
    };
    let mut places = text.rmatch_indices('[').map(|(at, _)| at);
    places.find(|at| !is_escaped(*at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::{Labels, included, one_line, with_labels};

    #[test]
    fn text_and_references_are_kept() {
        for text in [
            "[Acme][acme] is *fast*, `<b>`.\n\n- a\n- b\n\n[acme]: https://acme.example/a_b 'T'",
            "See <https://acme.example/> and [a](<https://acme.example/x y>).",
            "[a]: <https://acme.example>\n[b]: /docs/mesh/",
            "| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nkubectl apply < a.yaml\n```",
        ] {
            assert_eq!(included(text, 3), text);
        }
    }

    #[test]
    fn markup_of_a_page_is_escaped() {
        for (text, safe) in [
            ("a <b onclick=x>c</b>", "a &lt;b onclick=x>c&lt;/b>"),
            ("<!-- a", "&lt;!-- a"),
            ("\\<b> \\{{< x >}}", "&lt;b> &#123;&#123;&lt; x >}}"),
            ("{{% x %}}", "&#123;&#123;% x %}}"),
            ("`{{< x >}}` `{{ x }}`", "`{ {< x >}}` `{{ x }}`"),
            ("# A\n## B\n# C #", "#### A\n##### B\n#### C #"),
            ("A\nb\n===\nc", "#### A b\nc"),
            ("> A\n> ---\n> c", "> #### A\n> c"),
            ("#### A {#gateways}", "#### A &#123;#gateways}"),
            ("#\n\na", "a"),
            ("```\na", "```\na\n```"),
            ("~~~~ x\n```\na", "~~~~ x\n```\na\n~~~~"),
            ("<div>\n# A\n</div>", "&lt;div>\n#### A\n&lt;/div>"),
            (
                "<script>\n```\n</script>",
                "&lt;script>\n```\n&lt;/script>\n```",
            ),
        ] {
            let shown = included(text, 3);
            assert_eq!(shown.trim(), safe, "{text}");
            assert_eq!(included(&shown, 3), shown, "{text}");
        }
    }

    #[test]
    fn reduces_markdown_to_one_line_of_text() {
        for (text, line) in [
            ("[Acme][a] is `x`.\n\n# B\n- c\n\n[a]: /x", "Acme is x. B c"),
            (
                "the [mesh\nsupport][gamma] of [x]",
                "the mesh support of [x]",
            ),
            ("1 < 2 <b>", "1 < 2 <b>"),
        ] {
            assert_eq!(one_line(text), line, "{text}");
        }
    }

    #[test]
    fn labels_are_renamed_where_they_are_used() {
        let text =
            "[a][X  y] [x y][] ![X Y] [other][o] [`[`][x Y]\n\n[x y]: /1\n[o]: /2\n[X Y]: /3";
        let labels = Labels::new(text);
        assert!(labels.defined.contains("x y") && labels.defined.contains("o"));
        let new = |label: &str| (label == "x y").then(|| "n".to_owned());
        let expected = "[a][n] [x y][n] ![X Y][n] [other][o] [`[`][n]\n\n[n]: /1\n[o]: /2\n[n]: /3";
        assert_eq!(with_labels(text, &new).as_deref(), Some(expected));
        assert!(Labels::new("[a][b]").open.contains("b"));
        let many = "[x y]: /1\n".repeat(100);
        assert_eq!(with_labels(&many, &new), None);
    }
}
