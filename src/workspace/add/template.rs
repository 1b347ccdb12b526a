//! README of a first submission, from the template.

use askama::Template;

use super::{PlannedReport, command};
use gwconform_base::api::Mode;
use gwconform_base::text::escape;

#[derive(Template)]
#[template(
    path = "submission-readme.md",
    escape = "none",
    whitespace = "preserve"
)]
struct NewReadme<'a> {
    title: String,
    listener_isolation: Option<&'static str>,
    runs: &'a [Run],
}

pub(super) const NO_ISOLATION: &str = "Listener Isolation (`GatewayHTTPListenerIsolation`) is not supported: a request that matches several listeners of a Gateway is not kept to the most specific one.";

pub(super) struct Run {
    pub title: String,
    pub steps: String,
}

#[derive(Template)]
#[template(path = "reproduce-steps.md", escape = "none", whitespace = "preserve")]
struct Steps {
    project: String,
    version: String,
    release: String,
    channel: String,
    setup: String,
    has_gateway: bool,
    command: String,
}

pub(super) fn lacks_isolation(planned: &[PlannedReport]) -> bool {
    let mut facts = planned.iter().map(|report| &report.facts);
    facts.any(|facts| facts.lacks_listener_isolation)
}

pub(super) fn new_readme(planned: &[PlannedReport]) -> String {
    let facts = planned.iter().map(|report| &report.facts);
    let title = facts.clone().find_map(|facts| facts.project());
    let runs: Vec<Run> = planned.iter().map(run).collect();
    let readme = NewReadme {
        title: escape::markdown(title.unwrap_or_default()),
        listener_isolation: lacks_isolation(planned).then_some(NO_ISOLATION),
        runs: &runs,
    };
    // Rendering cannot fail, because templates are checked at compile time.
    let text = readme.render().unwrap_or_default();
    format!("{}\n", text.trim_end())
}

pub(super) fn is_default(mode: &str) -> bool {
    Mode::from_text(mode) == Some(Mode::Default)
}

pub(super) fn run(report: &PlannedReport) -> Run {
    let facts = &report.facts;
    let mode = facts.mode().unwrap_or_default();
    let texts = [facts.version(), facts.channel()];
    let [version, channel] = texts.map(|text| within_line(text.unwrap_or_default()));
    let setup = if is_default(mode) {
        String::new()
    } else {
        format!(", set up for mode {}", escape::markdown_code(mode))
    };
    let project = escape::markdown(facts.project().unwrap_or_default());
    let release = facts.release_text().unwrap_or_default();
    let steps = match command(facts, &report.name) {
        None => format!(
            "Run the conformance suite of Gateway API {release} against {project} {version}."
        ),
        Some(test) => {
            let command = format!("{}\n{test}", super::reproduce_commands::checkout(&release));
            let steps = Steps {
                project,
                version: version.clone(),
                release,
                channel: channel.clone(),
                setup,
                has_gateway: super::reproduce_commands::has_gateway(facts),
                command: command.replace('\n', "\n   "),
            };
            steps.render().unwrap_or_default()
        }
    };
    Run {
        title: format!(
            "{version}, {channel} channel, mode {}",
            escape::markdown_code(mode)
        ),
        steps: steps.trim_end().to_owned() + "\n",
    }
}

fn within_line(text: &str) -> String {
    let is_usual = |c: char| c.is_ascii_alphanumeric() || ".-+".contains(c);
    if text.chars().all(is_usual) {
        return text.to_owned();
    }
    escape::markdown(text)
}
