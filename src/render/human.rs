//! Findings for people: the source line, carets, labels and help, then a summary.

use std::collections::BTreeMap;
use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Element, Level, Origin, Renderer, Snippet};

use super::checks::{checks, verdict};
use super::{RenderInput, Styling, by_severity, health, known, of_change, summary, verdict_by_log};
use crate::config::Config;
use crate::diagnostic::{Diagnostic, Excerpt, Label, Place, Region, Severity};
use crate::resource_check::ClusterSummary;
use crate::source::Span;
use crate::text::wrap::{Wrapped, wrap};
use crate::text::{counted, visible, visible_source};

/// Widest output, in columns: what a terminal of that width shows without wrapping.
const WIDTH: usize = 140;

/// Narrowest one: source lines have some room beside their numbers.
const LEAST_WIDTH: usize = 60;

/// Writes all findings, what was not checked, and the summary line.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(shown: RenderInput<'_>, styling: Styling, out: &mut dyn Write) -> io::Result<()> {
    let width = shown.width;
    write_health(shown, &mut Wrapped::new(out, width))?;
    let RenderInput {
        outcome, config, ..
    } = shown;
    match shown.review {
        Some(_) => write_first(shown, styling, out)?,
        None => write_findings(&outcome.findings, config, width, styling, out)?,
    }
    if let Some(review) = shown.review.filter(|_| shown.shows_known) {
        let known = &review.before.findings;
        if !known.is_empty() {
            writeln!(out, "There before, not counted\n")?;
        }
        write_findings(known, config, width, styling, out)?;
    }
    write_rest(shown, &mut Wrapped::new(out, width))?;
    // One line, also for programs that take the last one.
    if let Some(evidence) = shown.evidence {
        writeln!(out, "{}", visible(&verdict_by_log(evidence)))?;
    }
    Ok(())
}

/// Writes what does not work in a cluster.
fn write_health(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let RenderInput {
        outcome, cluster, ..
    } = shown;
    if let Some(cluster) = cluster {
        let text = health::human(&cluster.health);
        write!(out, "{text}")?;
        if !text.is_empty() && !outcome.findings.is_empty() {
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Writes what was not checked, what a change does and the summary line.
fn write_rest(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let RenderInput {
        outcome,
        review,
        cluster,
        ..
    } = shown;
    let mut all_left_out = outcome.left_out();
    if cluster.is_some() && !shown.is_verbose && !all_left_out.is_empty() {
        let parts = counted(all_left_out.len(), "part");
        writeln!(out, "not checked: {parts} (list them with `-v`)")?;
        all_left_out.clear();
    }
    for left_out in &all_left_out {
        writeln!(
            out,
            "not checked: {}: {}",
            visible(&left_out.path),
            visible(&left_out.reason)
        )?;
    }
    if let Some(review) = review {
        if !all_left_out.is_empty() {
            writeln!(out)?;
        }
        super::review::write_human(review, out)?;
    }
    if let Some(cluster) = cluster {
        writeln!(out, "{}", visible(&gateway_api(cluster)))?;
    }
    writeln!(out, "{}", summary(shown))?;
    if let Some(known) = known(shown) {
        writeln!(out, "{known}")?;
    }
    if let Some(evidence) = shown.evidence {
        writeln!(out, "{}", evidence.limits)?;
    }
    Ok(())
}

/// Writes the verdict on a change and its first findings, errors before warnings; counts the rest.
fn write_first(shown: RenderInput<'_>, styling: Styling, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n", verdict(&checks(shown), shown.fail_on))?;
    // Each with its lines, also where another one has the same message.
    let all = by_severity(shown.outcome).into_iter();
    let all = all.map(|finding| (finding, Vec::new())).collect();
    let (findings, left) = of_change(shown.outcome, all);
    for (finding, _) in findings {
        let one = std::slice::from_ref(finding);
        write_findings(one, shown.config, shown.width, styling, out)?;
    }
    match left {
        0 => Ok(()),
        more => {
            let more = counted(more, "more finding");
            writeln!(out, "{more}; `--format json` lists all\n")
        }
    }
}

/// `Gateway API: version v1.6.1, channel standard in 10 CRDs; compared with v1.6.1 (the release of the
/// CRDs)`
fn gateway_api(cluster: &ClusterSummary) -> String {
    let joined = |texts: &[String]| match texts {
        [] => "not stated".to_owned(),
        texts => texts
            .iter()
            .take(4)
            .cloned()
            .collect::<Vec<_>>()
            .join(" and "),
    };
    let found = match cluster.crds {
        0 => "Gateway API: no CRDs found".to_owned(),
        count => format!(
            "Gateway API: version {}, channel {} in {}",
            joined(&cluster.versions),
            joined(&cluster.channels),
            counted(count, "CRD")
        ),
    };
    let release = cluster.release.as_deref().unwrap_or("no release");
    format!("{found}; compared with {release} ({})", cluster.chosen)
}

/// Writes findings, each followed by an empty line; messages and source lines within `width` columns.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_findings(
    findings: &[Diagnostic],
    config: &Config,
    width: usize,
    styling: Styling,
    out: &mut dyn Write,
) -> io::Result<()> {
    let renderer = if styling == Styling::Styled {
        Renderer::styled()
    } else {
        Renderer::plain()
    }
    .term_width(width.clamp(LEAST_WIDTH, WIDTH));
    for finding in findings {
        let url = config
            .rule_url(finding.rule)
            .filter(|_| styling == Styling::Styled);
        writeln!(out, "{}\n", render(finding, url, width, &renderer))?;
    }
    Ok(())
}

/// A message in lines of a terminal, of which what stands before it takes `before` columns. Code in it
/// is not broken. The renderer indents the lines.
fn in_lines(message: &str, before: usize, width: usize) -> String {
    let lines = wrap(message, width.saturating_sub(before));
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_start()).collect();
    lines.join("\n")
}

fn render(finding: &Diagnostic, url: Option<String>, width: usize, renderer: &Renderer) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let mut title = level
        .primary_title(in_lines(
            &visible(&finding.message.to_string()),
            finding.severity.as_str().len() + finding.rule.len() + "[]: ".len(),
            width,
        ))
        .id(finding.rule);
    if let Some(url) = url {
        title = title.id_url(url);
    }
    let (together, apart) = split_labels(finding);
    let mut group = title.element(snippet(&finding.place, &together));
    for label in apart {
        group = group.element(snippet_of_label(label));
    }
    if let Some(help) = &finding.help {
        // Behind the number of a line and `= help: `.
        let help = in_lines(&visible(&help.to_string()), " 9999 = help: ".len(), width);
        group = group.element(Level::HELP.message(help));
    }
    renderer.render(&[group])
}

/// The lines that a snippet shows, by number: their text, and what is marked in each.
type Lines<'f> = BTreeMap<u32, (&'f Excerpt, Vec<(AnnotationKind, Span, Option<String>)>)>;

/// Most lines between two places that are shown in one snippet.
const MAX_GAP: u32 = 500;

/// The labels that one snippet can show with the finding's place, and the others. The text between
/// two lines is not kept: the renderer draws `...` for it, but would draw a single line as it is.
fn split_labels(finding: &Diagnostic) -> (Vec<&Label>, Vec<&Label>) {
    let line = |place: &Place| {
        let region = place.region.as_ref()?;
        let is_one_line = !region.excerpt.as_ref()?.text.contains('\n');
        is_one_line.then_some(region.start.line)
    };
    let mut drawn: Vec<u32> = line(&finding.place).into_iter().collect();
    finding.labels.iter().partition(|label| {
        let is_near = |line: u32| {
            let gap = |other: &u32| line.abs_diff(*other);
            drawn
                .iter()
                .all(|other| gap(other) != 2 && gap(other) <= MAX_GAP)
        };
        match line(&label.place) {
            Some(line)
                if !drawn.is_empty() && label.place.path == finding.place.path && is_near(line) =>
            {
                drawn.push(line);
                true
            }
            _ => false,
        }
    })
}

fn snippet_of_label<'a>(label: &Label) -> Element<'a> {
    let path = visible(&label.place.path);
    match &label.place.region {
        Some(Region {
            start,
            excerpt: Some(excerpt),
            ..
        }) => {
            let marks = vec![(
                AnnotationKind::Context,
                excerpt.span,
                Some(label.message.to_string()),
            )];
            draw(path, BTreeMap::from([(start.line, (excerpt, marks))]))
        }
        region => origin(path, region.as_ref()),
    }
}

/// The place of a finding with the labels that can be shown with it.
fn snippet<'a>(place: &Place, labels: &[&Label]) -> Element<'a> {
    let path = visible(&place.path);
    let Some(Region {
        start,
        excerpt: Some(excerpt),
        ..
    }) = &place.region
    else {
        return origin(path, place.region.as_ref());
    };
    let mut lines = Lines::from([(
        start.line,
        (excerpt, vec![(AnnotationKind::Primary, excerpt.span, None)]),
    )]);
    for label in labels {
        if let Some(Region {
            start,
            excerpt: Some(excerpt),
            ..
        }) = &label.place.region
        {
            let mark = (
                AnnotationKind::Context,
                excerpt.span,
                Some(label.message.to_string()),
            );
            lines
                .entry(start.line)
                .or_insert_with(|| (excerpt, Vec::new()))
                .1
                .push(mark);
        }
    }
    draw(path, lines)
}

fn origin<'a>(path: String, region: Option<&Region>) -> Element<'a> {
    let origin = Origin::path(path);
    match region {
        Some(region) => origin
            .line(region.start.line as usize)
            .char_column(region.start.column as usize)
            .into(),
        None => origin.into(),
    }
}

fn draw<'a>(path: String, lines: Lines<'_>) -> Element<'a> {
    let first = lines.first_key_value().map_or(1, |(line, _)| *line);
    let mut source = String::new();
    let mut annotations = Vec::new();
    for (line, (excerpt, marks)) in lines {
        // Each line between represents one that is not kept.
        let drawn = source.matches('\n').count() as u32;
        let missing = if source.is_empty() {
            0
        } else {
            line - first - drawn
        };
        source.extend(std::iter::repeat_n('\n', missing as usize));
        let start = source.len();
        source.push_str(&visible_source(&excerpt.text));
        for (kind, span, label) in marks {
            // Replacing characters moved the bytes; their number in characters is the same.
            let moved = |offset: u32| {
                let characters = excerpt.text[..offset as usize].chars().count();
                let mut shown = source[start..].char_indices();
                shown
                    .nth(characters)
                    .map_or(source.len(), |(at, _)| start + at)
            };
            let annotation = kind.span(moved(span.start)..moved(span.end));
            annotations.push(match label {
                Some(label) => annotation.label(visible(&label)),
                None => annotation,
            });
        }
    }
    Snippet::source(source)
        .path(path)
        .line_start(first as usize)
        .fold(true)
        .annotations(annotations)
        .into()
}
