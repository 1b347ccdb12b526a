//! Renders untrusted Markdown. Raw HTML is escaped, images are not loaded, and links can only point
//! to targets that the page allows.

use std::borrow::Cow;
use std::collections::BTreeSet;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::nesting;
use gwconform_base::text::visible_source;

/// Converts Markdown to HTML. Heading levels start at `top` (1 to 6), without gaps. If `link`
/// returns `None`, only the link text is rendered.
pub fn to_html(text: &str, top: u8, link: &dyn Fn(&str) -> Option<String>) -> String {
    let offset = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let text = &text[offset..nesting::readable_end(text, offset)];
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let events: Vec<Event<'_>> = Parser::new_ext(text, options).collect();
    let levels: BTreeSet<HeadingLevel> = events
        .iter()
        .filter_map(|event| match event {
            Event::Start(Tag::Heading { level, .. }) => Some(*level),
            _ => None,
        })
        .collect();
    let mut rewriter = Rewriter {
        levels: levels.into_iter().collect(),
        top,
        before: top.saturating_sub(1),
        open: Vec::new(),
        link,
    };
    let events = events.into_iter().filter_map(|event| rewriter.event(event));
    let mut html = String::with_capacity(text.len() * 3 / 2);
    pulldown_cmark::html::push_html(&mut html, events);
    html
}

struct Rewriter<'l> {
    levels: Vec<HeadingLevel>,
    top: u8,
    before: u8,
    open: Vec<bool>,
    link: &'l dyn Fn(&str) -> Option<String>,
}

impl Rewriter<'_> {
    fn event<'t>(&mut self, event: Event<'t>) -> Option<Event<'t>> {
        Some(match event {
            Event::Html(text) | Event::InlineHtml(text) | Event::Text(text) => {
                Event::Text(shown(text))
            }
            Event::Code(text) => Event::Code(shown(text)),
            Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
            Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
            Event::Start(Tag::Heading { level, .. }) => {
                self.before = self.level(level);
                html(format!("<h{}>", self.before))
            }
            Event::End(TagEnd::Heading(_)) => html(format!("</h{}>\n", self.before)),
            // Make scrollable code reachable with the keyboard.
            Event::Start(Tag::CodeBlock(kind)) => {
                html(format!("{}<pre tabindex=\"0\"><code>", caption(&kind)))
            }
            Event::End(TagEnd::CodeBlock) => html("</code></pre>\n".to_owned()),
            // The page's security policy forbids inline styles.
            Event::Start(Tag::Table(columns)) => {
                let alignments = columns.iter().map(|_| pulldown_cmark::Alignment::None);
                Event::Start(Tag::Table(alignments.collect()))
            }
            Event::Start(Tag::Link { dest_url, .. }) => self.open_link(&dest_url)?,
            Event::Start(Tag::Image { dest_url, .. }) => {
                // An image inside a link uses the outer link.
                if self.open.contains(&true) {
                    self.open.push(false);
                    return None;
                }
                self.open_link(&dest_url)?
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                if !self.open.pop()? {
                    return None;
                }
                html("</a>".to_owned())
            }
            other => other,
        })
    }

    fn open_link<'t>(&mut self, target: &str) -> Option<Event<'t>> {
        let resolved = (self.link)(target);
        self.open.push(resolved.is_some());
        let address = gwconform_base::text::escape::html(&resolved?);
        Some(html(format!(
            "<a href=\"{address}\" rel=\"nofollow noopener\">"
        )))
    }

    /// Heading level, at most one below the previous heading.
    fn level(&self, level: HeadingLevel) -> u8 {
        let rank = self.levels.iter().position(|known| *known == level);
        let wanted = self.top.saturating_add(rank.unwrap_or_default() as u8);
        wanted.min(self.before.saturating_add(1)).clamp(1, 6)
    }
}

fn caption(kind: &CodeBlockKind<'_>) -> String {
    let CodeBlockKind::Fenced(info) = kind else {
        return String::new();
    };
    let Some((_, path)) = info.split_once(' ') else {
        return String::new();
    };
    let escaped = gwconform_base::text::escape::html(path.trim());
    format!("<p class=\"file\"><code>{escaped}</code></p>\n")
}

fn shown(text: CowStr<'_>) -> CowStr<'_> {
    let changed = match visible_source(&text) {
        Cow::Owned(changed) => Some(changed),
        Cow::Borrowed(_) => None,
    };
    changed.map_or(text, CowStr::from)
}

fn html<'t>(text: String) -> Event<'t> {
    Event::InlineHtml(CowStr::from(text))
}

#[cfg(test)]
mod tests {
    use super::to_html;

    fn shown(text: &str) -> String {
        to_html(text, 3, &|target| {
            target.starts_with("https:").then(|| target.to_owned())
        })
    }

    #[test]
    fn escapes_raw_html_and_restricts_links() {
        for (text, html) in [
            (
                "<script>alert(1)</script>",
                "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
            ),
            (
                "a <b onclick=x>b</b>",
                "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n",
            ),
            ("[a](javascript:x)", "<p>a</p>\n"),
            (
                "[a](https://x.example/?a=1&b=\")",
                "<p><a href=\"https://x.example/?a=1&amp;b=&quot;\" rel=\"nofollow noopener\">a</a></p>\n",
            ),
            ("![a *b*](x.png)", "<p>a <em>b</em></p>\n"),
            (
                "[![a](https://x.example/a)](https://x.example/b)",
                "<p><a href=\"https://x.example/b\" rel=\"nofollow noopener\">a</a></p>\n",
            ),
            ("a\u{202e}b", "<p>a\u{fffd}b</p>\n"),
            (
                "```\" onload=x\n<i>\n```",
                "<p class=\"file\"><code>onload=x</code></p>\n<pre tabindex=\"0\"><code>&lt;i&gt;\n</code></pre>\n",
            ),
            (
                "|a|\n|:-|\n|b|",
                "<table><thead><tr><th>a</th></tr></thead><tbody>\n<tr><td>b</td></tr>\n</tbody></table>\n",
            ),
        ] {
            assert_eq!(shown(text), html, "{text}");
        }
    }

    #[test]
    fn headings_skip_no_level() {
        assert_eq!(
            shown("#### a\n## b\n#### c\n###### d"),
            "<h3>a</h3>\n<h3>b</h3>\n<h4>c</h4>\n<h5>d</h5>\n"
        );
    }
}
