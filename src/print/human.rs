//! Findings for terminals: source lines with carets, labels and help, followed by a summary.

use std::cmp::Reverse;
use std::io::{self, Write};

use annotate_snippets::Renderer;

use super::checks::{checks, verdict};
use super::{
    MAX_OF_CHANGE, RenderInput, Styling, by_severity, fixable, health, newest_first, rule_counts,
    summary_hiding, verdict_by_log,
};
use gwconform_base::text::diagnostic::{Diagnostic, Severity};
use gwconform_base::text::wrap::Wrapped;
use gwconform_base::text::{counted, visible};
use gwconform_cluster::resources::ClusterSummary;
use gwconform_report::rules::configuration::Config;

mod drawing;
mod snippets;

use drawing::Drawing;

const WIDTH: usize = 140;

/// Minimum width in columns, so that source lines fit next to line numbers.
const LEAST_WIDTH: usize = 60;

/// Number of findings above which a table and the most severe ones are written.
const MANY: usize = 50;

/// Writes the findings, skipped checks and the summary.
pub fn write(shown: RenderInput<'_>, styling: Styling, out: &mut dyn Write) -> io::Result<()> {
    let (config, width) = (shown.config, shown.width);
    write_health(shown, &mut Wrapped::new(out, width))?;
    if shown.review.is_some() {
        writeln!(out, "{}\n", verdict(&checks(shown), shown))?;
    }
    let findings = match shown.review {
        Some(_) => by_severity(shown.outcome),
        None => newest_first(shown.outcome),
    };
    let is_listed = |finding: &&Diagnostic| finding.severity >= shown.least;
    let (mut listed, mut others): (Vec<_>, Vec<_>) = findings.into_iter().partition(is_listed);
    let is_cut = listed.len() > MANY && !shown.shows_all;
    if is_cut {
        listed.sort_by_key(|finding| Reverse(finding.severity));
        others.extend(listed.split_off(MAX_OF_CHANGE));
    }
    write_findings(listed, config, width, styling, out)?;
    if is_cut {
        rule_counts::write(shown, out)?;
    }
    if let Some(review) = shown.review.filter(|_| shown.shows_all) {
        let known = &review.before.findings;
        if !known.is_empty() {
            writeln!(out, "Existing findings, not counted\n")?;
        }
        write_findings(known, config, width, styling, out)?;
    }
    let summary = summary_without(shown, &others);
    write_rest(shown, &summary, &mut Wrapped::new(out, width))?;
    // The verdict is the last line, so that scripts can find it.
    if let Some(evidence) = shown.evidence {
        writeln!(out, "{}", visible(&verdict_by_log(evidence)))?;
    }
    Ok(())
}

/// The summary, with findings that are not listed.
fn summary_without(shown: RenderInput<'_>, others: &[&Diagnostic]) -> String {
    let mut hidden = shown.outcome.hidden;
    others.iter().for_each(|finding| hidden.count(finding));
    let summary = summary_hiding(shown, hidden);
    let is_error = |finding: &&Diagnostic| finding.severity == Severity::Error;
    if others.is_empty() {
        summary
    } else if others.iter().any(is_error) && !others.iter().all(is_error) {
        format!("{summary} (`-q` lists errors, `--all` everything)")
    } else {
        format!("{summary} (list them with `--all`)")
    }
}

fn write_health(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let RenderInput {
        outcome, cluster, ..
    } = shown;
    if let Some(cluster) = cluster.filter(|cluster| cluster.upgrade.is_none()) {
        let text = health::human(&cluster.health);
        write!(out, "{text}")?;
        if !text.is_empty() && !outcome.findings.is_empty() {
            writeln!(out)?;
        }
    }
    Ok(())
}

fn write_rest(shown: RenderInput<'_>, summary: &str, out: &mut dyn Write) -> io::Result<()> {
    let RenderInput {
        outcome,
        review,
        cluster,
        ..
    } = shown;
    let mut all_left_out = &outcome.skipped[..];
    if cluster.is_some() && !shown.shows_all && !all_left_out.is_empty() {
        let parts = counted(all_left_out.len(), "part");
        writeln!(out, "not checked: {parts} (list them with `--all`)")?;
        all_left_out = &[];
    }
    for left_out in all_left_out {
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
        if let Some((text, command)) = fixable(shown) {
            writeln!(out, "{text}`{command}`\n")?;
        }
        let text = super::review::page(review).human(shown.width);
        writeln!(out, "{text}")?;
    }
    if let Some(cluster) = cluster {
        writeln!(out, "{}", visible(&gateway_api(cluster)))?;
        if let Some(answer) = cluster.upgrade_in_words() {
            writeln!(out, "{}", visible(&answer))?;
        }
    }
    writeln!(out, "{summary}")?;
    if let Some(evidence) = shown.evidence {
        writeln!(out, "{}", evidence.limits)?;
    }
    Ok(())
}

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

/// Separates findings by empty lines. `width` is in columns.
pub fn write_findings<'f>(
    findings: impl IntoIterator<Item = &'f Diagnostic>,
    config: &Config,
    width: usize,
    styling: Styling,
    out: &mut dyn Write,
) -> io::Result<()> {
    let columns = width.clamp(LEAST_WIDTH, WIDTH);
    let renderer = match styling {
        Styling::Plain => Renderer::plain(),
        Styling::Styled => Renderer::styled(),
    };
    let renderer = renderer.term_width(columns);
    for finding in findings {
        let url = config.rule_url(finding.rule);
        let url = url.filter(|_| styling == Styling::Styled);
        let drawn = snippets::draw(&Drawing::new(finding, width), url, &renderer);
        writeln!(out, "{drawn}\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use annotate_snippets::Renderer;

    use super::drawing::Drawing;
    use super::{WIDTH, snippets};
    use gwconform_base::text::diagnostic::{Anchor, Diagnostic, Place, Severity, Subject};
    use gwconform_base::text::message::Message;
    use gwconform_base::text::source::{Source, Span};

    /// annotate-snippets counts lines up to the end of a mark. An empty mark at the start of line
    /// 10 would reserve only one column for line numbers.
    #[test]
    fn an_empty_mark_at_the_start_of_a_line_leaves_room_for_its_number() {
        let source = Source::new("a/report.yaml", "a\n\n\n\n\n\n\n\n\nb\n".into());
        let at = source.text().find('b').unwrap();
        let anchor = Anchor::new(Place::span(&source, Span::new(at, at)), Subject::whole());
        let mut finding = Diagnostic::new(
            "report/date",
            Severity::Warning,
            anchor,
            Message::words("text"),
        );
        finding.label(
            Place::span(&source, Span::new(0, 1)),
            Message::words("as here"),
        );
        let drawing = Drawing::new(&finding, WIDTH);
        let drawn = snippets::draw(&drawing, None, &Renderer::plain().term_width(WIDTH));
        assert!(drawn.contains("\n10 | b\n   | ^"), "{drawn}");
    }
}
