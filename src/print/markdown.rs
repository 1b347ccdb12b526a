//! Findings as GitHub Flavored Markdown for job summaries and comments: a verdict, then findings by
//! file, most severe first. For a change, verdicts on the site and a collapsed section with
//! regressions and gains follow.

use std::cmp::Reverse;
use std::io::{self, Write};

use super::checks::{checks, verdict};
pub use super::page::MAX_CHARACTERS;
use super::page::{Inline, code, words};
use super::{
    RenderInput, by_severity, each_once, fixable, further_places, health, of_change, other_places,
    release, review, summary, verdict_by_log,
};
use gwconform_base::text::counted;
use gwconform_base::text::diagnostic::{Diagnostic, Severity};
use gwconform_base::text::escape::{markdown_address, markdown_code, markdown_comment};
use gwconform_base::text::message::Message;
use gwconform_cluster::Health;
use gwconform_report::review::Review;
use gwconform_report::rules::configuration::Config;

/// Maximum characters for the findings of a change. The rest of the page is reserved for verdicts.
const MAX_OF_FINDINGS: usize = 30_000;

/// Characters for the line that counts omitted entries.
const MAX_LAST_LINE: usize = 300;

/// Writes at most [`MAX_CHARACTERS`] characters.
pub fn write(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut checks = checks(shown);
    let mut page = Comment::new(format!("## {}\n", verdict(&checks, shown)));
    page.add(format!(
        "\n{}.\n",
        markdown_comment(&Message::of_text(&summary(shown)))
    ));
    if let Some(evidence) = shown.evidence {
        let verdict = markdown_comment(&Message::of_text(&verdict_by_log(evidence)));
        page.add(format!("\n{verdict}\n\n{}.\n", evidence.limits));
    }
    if let Some(cluster) = shown.cluster {
        if let Some(answer) = cluster.upgrade_in_words() {
            let answer = markdown_comment(&Message::of_text(&answer));
            page.add(format!("\n{answer}.\n"));
        } else {
            add_health(&cluster.health, &mut page);
        }
    }
    let mut cut = (0, 0);
    match shown.review {
        Some(review) => {
            page.add_findings(shown);
            if let Some((text, command)) = fixable(shown) {
                page.add(format!("\n{text}{}\n", markdown_code(&command)));
            }
            page.add_review(shown, review);
        }
        None => {
            checks.retain(|check| !check.findings.is_empty());
            checks.sort_by_key(|check| {
                let worst = check.findings.iter().map(|finding| finding.severity).max();
                (Reverse((worst, release(check.path))), check.path)
            });
            if !checks.is_empty() {
                page.add("\n### Findings\n".to_owned());
            }
            for check in &checks {
                let left = page.add_file(check.path, &check.findings, shown.config);
                cut.0 += left;
                cut.1 += usize::from(left > 0);
            }
        }
    }
    let mut skipped = 0;
    let all_left_out = &shown.outcome.skipped;
    if shown.cluster.is_some() && !shown.shows_all && !all_left_out.is_empty() {
        let parts = counted(all_left_out.len(), "part");
        page.add(format!(
            "\nNot checked: {parts} (list them with `--all`).\n"
        ));
    } else if !all_left_out.is_empty() {
        page.add("\n### Not checked\n\n".to_owned());
        let items = all_left_out.iter().map(|left_out| {
            let (path, reason) = (&left_out.path, &left_out.reason);
            format!(
                "- {}: {}\n",
                markdown_code(path),
                markdown_comment(&Message::of_text(reason))
            )
        });
        skipped = page.add_all(items);
    }
    out.write_all(page.text.as_bytes())?;
    let mut left_out = Vec::new();
    if cut.0 > 0 {
        let (findings, files) = (counted(cut.0, "finding"), counted(cut.1, "file"));
        left_out.push(format!("{findings} in {files}"));
    }
    if skipped > 0 {
        left_out.push(format!("{skipped} not checked"));
    }
    if !left_out.is_empty() {
        let kinds = left_out.join(" and ");
        let command = shown.cluster.map_or("check --all", |_| "resources");
        writeln!(
            out,
            "\n_Cut to fit a comment: {kinds}; `gwconform {command}` shows all._"
        )?;
    }
    Ok(())
}

fn add_health(health: &Health, page: &mut Comment) {
    let lines = health::lines(health);
    if lines.is_empty() {
        return;
    }
    page.add("\n### Health\n\n".to_owned());
    page.add_all(lines.iter().map(|line| {
        let line = Message::of_text(&line.to_string());
        format!("- {}\n", markdown_comment(&line))
    }));
}

struct Comment {
    text: String,
    characters: usize,
    limit: usize,
}

impl Comment {
    fn new(text: String) -> Self {
        Self {
            characters: text.chars().count(),
            limit: MAX_CHARACTERS - MAX_LAST_LINE,
            text,
        }
    }

    fn add(&mut self, text: String) -> bool {
        let characters = text.chars().count();
        let fits = self.characters + characters <= self.limit;
        if fits {
            self.characters += characters;
            self.text.push_str(&text);
        }
        fits
    }

    fn add_all(&mut self, texts: impl IntoIterator<Item = String>) -> usize {
        texts
            .into_iter()
            .filter(|text| !self.add(text.clone()))
            .count()
    }

    fn add_file(&mut self, path: &str, findings: &[&Diagnostic], config: &Config) -> usize {
        let mut heading = format!("\n#### {}\n\n", markdown_code(path));
        let mut left = 0;
        for finding in findings {
            let item = item(finding, config);
            // The heading is written with the first finding that fits, so no heading is empty.
            if self.add(format!("{heading}{item}")) {
                heading.clear();
            } else {
                left += 1;
            }
        }
        left
    }

    fn add_findings(&mut self, shown: RenderInput<'_>) {
        let (findings, mut left) = of_change(each_once(by_severity(shown.outcome)));
        if findings.is_empty() && left == 0 {
            return;
        }
        self.limit = MAX_OF_FINDINGS;
        self.add("\n### Findings\n".to_owned());
        let infos = findings
            .iter()
            .filter(|(one, _)| one.severity == Severity::Info);
        let infos = counted(infos.count(), Severity::Info.as_str());
        let (mut above, mut is_folded) = (None, false);
        for (finding, others) in &findings {
            let file = Some((&finding.place.path, finding.severity));
            if finding.severity == Severity::Info && !is_folded {
                is_folded = self.add(format!("\n<details><summary>{infos}</summary>\n"));
            }
            let heading = if file == above {
                String::new()
            } else {
                format!("\n#### {}\n\n", markdown_code(&finding.place.path))
            };
            let (places, more) = other_places(others);
            let mut item = item(finding, shown.config);
            if !places.is_empty() {
                let mut places: Vec<String> =
                    places.iter().map(|place| markdown_code(place)).collect();
                places.extend((more > 0).then(|| format!("{more} more places")));
                item.push_str(&format!("  <br>also: {}\n", places.join(", ")));
            }
            if self.add(format!("{heading}{item}")) {
                above = file;
            } else {
                left += 1 + others.len();
            }
        }
        self.limit = MAX_CHARACTERS - MAX_LAST_LINE;
        if is_folded {
            self.add("\n</details>\n".to_owned());
        }
        if left > 0 {
            let more = counted(left, "more finding");
            self.add(format!("\n{more}; `--all` shows all.\n"));
        }
    }

    fn add_review(&mut self, shown: RenderInput<'_>, review: &Review) {
        let mut page = review::page(review);
        let known = &review.before.findings;
        if shown.shows_all && !known.is_empty() {
            page.folded(format!("Existing findings, not counted: {}", known.len()));
            for finding in known {
                page.item(known_finding(finding));
            }
        }
        let text = page.markdown_within(self.limit.saturating_sub(self.characters));
        self.add(format!("\n{text}"));
    }
}

fn known_finding(finding: &Diagnostic) -> Inline {
    words(format!("{} `{}` ", finding.severity.as_str(), finding.rule))
        .with(code(&*finding.place.path))
        .with(words(": "))
        .with(Inline::message(&finding.message))
}

fn item(finding: &Diagnostic, config: &Config) -> String {
    let rule = match config.rule_url(finding.rule) {
        Some(url) => format!("[`{}`]({})", finding.rule, markdown_address(&url)),
        None => format!("`{}`", finding.rule),
    };
    let mut text = format!("- **{}** {rule}", finding.severity.as_str());
    if let Some(region) = &finding.place.region {
        let start = region.start;
        text.push_str(&format!(" line {}, column {}", start.line, start.column));
    }
    text.push_str(&format!(": {}\n", markdown_comment(&finding.message)));
    for (place, label) in further_places(finding) {
        let (place, label) = (markdown_code(&place), markdown_comment(label));
        text.push_str(&format!("  <br>see {place}: {label}\n"));
    }
    if let Some(help) = &finding.help {
        text.push_str(&format!("  <br>{}\n", markdown_comment(help)));
    }
    text
}
