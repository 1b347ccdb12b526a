//! Findings for people: the source line, carets, labels and help, then a summary.

use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Element, Level, Origin, Renderer, Snippet};

use super::{counted, visible, visible_source};
use crate::check::Outcome;
use crate::config::Config;
use crate::diagnostic::{Diagnostic, Place, Severity};

/// Widest output, in columns: what a terminal of that width shows without wrapping.
const WIDTH: usize = 140;

/// Writes all findings, what was not checked, and the summary line.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(
    outcome: &Outcome,
    config: &Config,
    is_styled: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_findings(&outcome.findings, config, is_styled, out)?;
    for left_out in &outcome.not_checked {
        writeln!(
            out,
            "not checked: {}: {}",
            visible(&left_out.path),
            visible(&left_out.reason)
        )?;
    }
    writeln!(out, "{}", summary(outcome))
}

/// Writes findings, each followed by an empty line.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_findings(
    findings: &[Diagnostic],
    config: &Config,
    is_styled: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let renderer = if is_styled {
        Renderer::styled()
    } else {
        Renderer::plain()
    }
    .term_width(WIDTH);
    for finding in findings {
        let url = config.rule_url(finding.rule).filter(|_| is_styled);
        writeln!(out, "{}\n", render(finding, url, &renderer))?;
    }
    Ok(())
}

/// `2 errors, 1 warning in 3 reports of 2 submissions (1 release)`.
fn summary(outcome: &Outcome) -> String {
    let found: Vec<String> = [Severity::Error, Severity::Warning, Severity::Info]
        .into_iter()
        .map(|severity| (outcome.count(severity), severity))
        .filter(|&(count, _)| count > 0)
        .map(|(count, severity)| counted(count, severity.as_str()))
        .collect();
    let found = if found.is_empty() {
        "no findings".to_owned()
    } else {
        found.join(", ")
    };
    let counts = &outcome.counts;
    let mut summary = format!("{found} in {}", counted(counts.reports, "report"));
    if counts.submissions > 0 {
        let (submissions, releases) = (
            counted(counts.submissions, "submission"),
            counted(counts.releases, "release"),
        );
        summary.push_str(&format!(" of {submissions} ({releases})"));
    }
    if outcome.ignored > 0 {
        summary.push_str(&format!(
            ", {} left out by gwconform.toml",
            counted(outcome.ignored, "finding")
        ));
    }
    summary
}

fn render(finding: &Diagnostic, url: Option<String>, renderer: &Renderer) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let mut title = level
        .primary_title(visible(&finding.message))
        .id(finding.rule);
    if let Some(url) = url {
        title = title.id_url(url);
    }
    let mut group = title.element(at(&finding.place, AnnotationKind::Primary, None));
    for label in &finding.labels {
        group = group.element(at(
            &label.place,
            AnnotationKind::Context,
            Some(&label.message),
        ));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(visible(help)));
    }
    renderer.render(&[group])
}

fn at<'a>(place: &Place, kind: AnnotationKind, label: Option<&str>) -> Element<'a> {
    let path = visible(&place.path);
    let Some(region) = &place.region else {
        return Origin::path(path).into();
    };
    let Some(excerpt) = &region.excerpt else {
        let origin = Origin::path(path).line(region.start.line as usize);
        return origin.char_column(region.start.column as usize).into();
    };
    let source = visible_source(&excerpt.text);
    // Replacing characters moved the bytes; their number in characters is the same.
    let moved = |offset: u32| {
        let characters = excerpt.text[..offset as usize].chars().count();
        source
            .char_indices()
            .nth(characters)
            .map_or(source.len(), |(at, _)| at)
    };
    let mut annotation = kind.span(moved(excerpt.span.start)..moved(excerpt.span.end));
    if let Some(label) = label {
        annotation = annotation.label(visible(label));
    }
    Snippet::source(source)
        .path(path)
        .line_start(region.start.line as usize)
        .fold(true)
        .annotation(annotation)
        .into()
}
