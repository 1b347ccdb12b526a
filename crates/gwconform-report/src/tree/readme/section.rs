use super::{Readme, Section};
use gwconform_base::text::source::Span;

pub fn new(heading: Option<usize>, body: Span) -> Section {
    Section {
        heading,
        parent: None,
        body,
        own: body,
        content_is_empty: true,
        placeholder: None,
    }
}

pub(super) fn nest(readme: &mut Readme, end: usize) {
    let headings = &readme.headings;
    let level = |section: &Section| section.heading.map_or(0, |at| headings[at].level);
    let sections = &mut readme.sections;
    let mut open: Vec<usize> = Vec::new();
    for at in 0..sections.len() {
        let start = match sections[at].heading {
            Some(heading) => headings[heading].block.start,
            None => sections[at].body.start,
        };
        let own = level(&sections[at]);
        if at > 0 {
            sections[at - 1].own = ending(sections[at - 1].own, start);
        }
        while let Some(&last) = open.last() {
            if last > 0 && level(&sections[last]) < own {
                break;
            }
            sections[last].body = ending(sections[last].body, start);
            open.pop();
        }
        sections[at].parent = open.last().copied();
        open.push(at);
    }
    let end = u32::try_from(end).unwrap_or(u32::MAX);
    if let Some(last) = sections.last_mut() {
        last.own.end = end.max(last.own.start);
    }
    for at in open {
        sections[at].body.end = end.max(sections[at].body.start);
    }
    for at in (0..sections.len()).rev() {
        let Some(parent_at) = sections[at].parent else {
            continue;
        };
        let (empty, placeholder) = (sections[at].content_is_empty, sections[at].placeholder);
        let parent = &mut sections[parent_at];
        parent.content_is_empty &= empty;
        let first = [parent.placeholder, placeholder]
            .into_iter()
            .flatten()
            .min();
        parent.placeholder = first;
    }
}

fn ending(span: Span, end: u32) -> Span {
    Span {
        end: end.max(span.start),
        ..span
    }
}
