//! Draws findings with annotate-snippets, which supports color and all marks.

use annotate_snippets::{AnnotationKind, Element, Level, Origin, Renderer, Snippet};

use super::drawing::{Drawing, Drawn};
use gwconform_base::text::diagnostic::Severity;

pub(super) fn draw(drawing: &Drawing<'_>, url: Option<String>, renderer: &Renderer) -> String {
    let level = match drawing.finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let mut title = level
        .primary_title(drawing.title.as_str())
        .id(drawing.finding.rule);
    if let Some(url) = url {
        title = title.id_url(url);
    }
    let mut group = title.elements(drawing.places.iter().map(element));
    if let Some(help) = &drawing.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    with_arrows(&renderer.render(&[group]))
}

/// Replaces the `:::` before further places, which GitHub Actions would read as the start of a
/// command.
fn with_arrows(drawn: &str) -> String {
    let is_before = |before: &str| before.chars().all(|c| " \u{1b}[0123456789;m".contains(c));
    let line = |line: &str| match line.split_once("::: ") {
        // Only blanks and colors precede it.
        Some((before, rest)) if is_before(before) => format!("{before}--> {rest}"),
        _ => line.to_owned(),
    };
    drawn.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn element<'a>(drawn: &'a Drawn<'_>) -> Element<'a> {
    let Some(first) = drawn.lines.first() else {
        let origin = Origin::path(drawn.path.as_str());
        return match drawn.position {
            Some(position) => origin
                .line(position.line as usize)
                .char_column(position.column as usize)
                .into(),
            None => origin.into(),
        };
    };
    let mut source = String::new();
    let mut annotations = Vec::new();
    let mut last = first.number;
    for line in &drawn.lines {
        // Empty lines replace source lines that were not kept, so that line numbers stay correct.
        let missing = line.number.saturating_sub(last);
        source.extend(std::iter::repeat_n('\n', missing as usize));
        let start = source.len();
        source.push_str(&line.text);
        last = line.number + line.text.matches('\n').count() as u32;
        for mark in &line.marks {
            let kind = match mark.label {
                None => AnnotationKind::Primary,
                Some(_) => AnnotationKind::Context,
            };
            let span = start + mark.span.start as usize..start + mark.span.end as usize;
            let annotation = kind.span(span);
            annotations.push(match &mark.label {
                Some(label) => annotation.label(label.as_str()),
                None => annotation,
            });
        }
    }
    Snippet::source(source)
        .path(drawn.path.as_str())
        .line_start(first.number as usize)
        .fold(true)
        .annotations(annotations)
        .into()
}
