use crate::text::source::Span;

pub(super) struct Image {
    pub(super) tag: Span,
    pub(super) text: Option<Span>,
    pub(super) source: Option<Span>,
    pub(super) address: Option<Span>,
}

pub(super) fn all(text: &str, offset: usize) -> Vec<Image> {
    let mut images = Vec::new();
    let mut link: Option<(Span, Option<Span>)> = None;
    let mut at = 0;
    while let Some(start) = text[at..].find('<').map(|found| at + found) {
        let is_comment = text[start..].starts_with("<!--");
        let is_tag = |c: char| c.is_ascii_alphabetic() || c == '/';
        if !is_comment && !text[start + 1..].starts_with(is_tag) {
            at = start + 1;
            continue;
        }
        let end = if is_comment { "-->" } else { ">" };
        // An unclosed tag hides the rest of the page, as in a browser.
        let Some(found) = text[start..].find(end) else {
            break;
        };
        at = start + found + end.len();
        if is_comment {
            continue;
        }
        let tag = &text[start..at];
        let span = Span::new(offset + start, offset + at);
        match name(tag).as_str() {
            "a" => link = Some((span, attribute(tag, "href", span))),
            "/a" => link = None,
            "img" => images.push(Image {
                tag: link.map_or(span, |(tag, _)| tag),
                text: attribute(tag, "alt", span),
                source: attribute(tag, "src", span),
                address: link.and_then(|(_, address)| address),
            }),
            _ => {}
        }
    }
    images
}

fn name(tag: &str) -> String {
    let name = tag.trim_start_matches('<').chars();
    let name = name.take_while(|c| c.is_ascii_alphanumeric() || *c == '/');
    name.take(4).collect::<String>().to_ascii_lowercase()
}

fn attribute(tag: &str, name: &str, at: Span) -> Option<Span> {
    let lower = tag.to_ascii_lowercase();
    let mut places = lower.match_indices(name);
    let value = places.find_map(|(place, _)| {
        let is_name = tag[..place].ends_with(|c: char| c.is_ascii_whitespace());
        let rest = tag[place + name.len()..].trim_ascii_start();
        let value = rest.strip_prefix('=').filter(|_| is_name)?;
        Some(value.trim_ascii_start())
    })?;
    let start = tag.len() - value.len();
    let is_end = |c: char| c.is_ascii_whitespace() || c == '>';
    let (start, length) = match value.chars().next()? {
        quote @ ('"' | '\'') => (start + 1, value[1..].find(quote)?),
        _ => (start, value.find(is_end).unwrap_or(value.len())),
    };
    let start = at.start as usize + start;
    Some(Span::new(start, start + length))
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn images_are_found_with_the_links_around_them() {
        let text = "é <A class=x HREF='/reports/v1.5/acme'><IMG alt=\"a b\" data-src=no src=/x.svg></A>\
            <!-- <img src=\"y\"> --> 1 < 2 <img src=\"z\"> <abbr title=\"1 < 2\">< <img src=\"unclosed\"";
        let images = all(text, 100);
        let shown = |span: Option<crate::text::source::Span>| {
            span.map(|span| &text[span.start as usize - 100..span.end as usize - 100])
        };
        let found: Vec<_> = images
            .iter()
            .map(|image| [image.text, image.source, image.address].map(shown))
            .collect();
        assert_eq!(
            found,
            [
                [Some("a b"), Some("/x.svg"), Some("/reports/v1.5/acme")],
                [None, Some("z"), None],
            ]
        );
        assert!(shown(Some(images[0].tag)).unwrap().starts_with("<A "));
    }
}
