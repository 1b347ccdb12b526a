use crate::text::source::{Source, Span};
use crate::tree::readme::{Link, LinkKind, Readme, Section, Target};

pub(super) struct Item<'t> {
    pub(super) line: &'t str,
    pub(super) start: usize,
    pub(super) name: String,
    pub(super) fragment: Option<String>,
}

pub(super) fn links_in(readme: &Readme, part: Span) -> &[Link] {
    let begin = readme
        .links
        .partition_point(|link| link.span.start < part.start);
    let end = readme
        .links
        .partition_point(|link| link.span.start < part.end);
    readme.links.get(begin..end).unwrap_or_default()
}

fn item_text(line: &str) -> Option<&str> {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = match digits.len() == line.len() {
        true => line.strip_prefix(['-', '*', '+']),
        false => digits.strip_prefix(['.', ')']),
    };
    rest.filter(|rest| rest.starts_with([' ', '\t']))
}

pub(super) fn items<'t>(source: &'t Source, readme: &Readme, section: &Section) -> Vec<Item<'t>> {
    let mut items = Vec::new();
    let mut start = section.own.start as usize;
    for line in source.slice(section.own).split_inclusive('\n') {
        let begin = start;
        start += line.len();
        let line = line.trim();
        let Some(rest) = item_text(line) else {
            continue;
        };
        let links = links_in(readme, Span::new(begin, start));
        let leads_into_page = |link: &&Link| matches!(link.classify(), Target::Fragment(_));
        let is_link = |link: &&Link| link.kind != LinkKind::Image;
        let link = links.iter().find(leads_into_page);
        let link = link.or_else(|| links.iter().find(is_link));
        let fragment = link.and_then(|link| match link.classify() {
            Target::Fragment(fragment) => Some(fragment),
            _ => None,
        });
        let name = match link {
            Some(link) => link.text.clone(),
            // `[Name][n]` without a definition of `n` is not a link.
            None => rest
                .trim()
                .trim_start_matches('[')
                .split(']')
                .next()
                .unwrap_or("")
                .to_owned(),
        };
        items.push(Item {
            line,
            start: begin,
            name,
            fragment,
        });
    }
    items
}
