use std::io::Write;

use anyhow::anyhow;

use super::{Content, Exit, Failure, Streams};
use crate::cli::format::TextFormat;
use crate::print::rules::Rules;
use crate::rules::{self, About, Fixes, Scope};
use gwconform_base::release::Registry;
use gwconform_base::text::counted;
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Template;
use gwconform_report::document::Document;

/// Explain a rule, or list all rules.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Rule, such as report/date, or rule group, such as report [default: list all rules]
    rule: Option<String>,
    /// List the texts that rules can print: messages, help texts and labels
    #[arg(long, conflicts_with = "format")]
    messages: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    format: TextFormat,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let mut name = arguments.rule.as_deref();
    if let Some(former) = name
        && let Some(Some(by)) = rules::replacement(former)
    {
        streams.note(format_args!("{former} was replaced by {by}"))?;
        name = Some(by);
    }
    let one = name.and_then(|name| rules::find(&rules::ALL, name));
    let listed: Vec<&About> = match name {
        None => rules::ALL.to_vec(),
        Some(name) => rules::ALL
            .iter()
            .copied()
            .filter(|rule| rule.is_named_by(name))
            .collect(),
    };
    if let (Some(name), true) = (name, listed.is_empty()) {
        let hint = rules::hint(&rules::ALL, name);
        return Err(Failure::Usage(anyhow!(
            "unknown rule or group `{name}` (see `gwconform explain`){hint}"
        )));
    }
    if arguments.messages {
        return messages(&listed, streams);
    }
    match (arguments.format, one) {
        (TextFormat::Human | TextFormat::Markdown, Some(rule)) => {
            let (page, references) = (rule.doc.trim_end(), references(rule));
            writeln!(
                streams.out(Content::Text),
                "{page}\n{references}\n{}",
                facts(rule)
            )?;
        }
        (TextFormat::Human, None) => list(&listed, streams)?,
        (TextFormat::Markdown, None) => table(&listed, streams)?,
        (TextFormat::Json, _) => {
            let document = Document::new(Registry::embedded(), None, Rules::new(listed));
            gwconform_base::text::json::write(&document, streams.out(Content::Json))?;
        }
    }
    Ok(Exit::Done)
}

fn severities(rule: &About) -> [&'static str; 3] {
    let legacy = rule.legacy.map_or("-", Severity::as_str);
    let strict = if rule.strict {
        "error"
    } else {
        rule.severity.as_str()
    };
    [rule.severity.as_str(), legacy, strict]
}

fn list(listed: &[&About], streams: &mut Streams<'_>) -> Result<(), Failure> {
    let width = listed
        .iter()
        .map(|rule| rule.id.len())
        .max()
        .unwrap_or_default();
    let out = streams.out(Content::Text);
    writeln!(
        out,
        "{:width$}  {:8} {:8} {:8} {:10}  SUMMARY",
        "RULE", "SEVERITY", "<= V1.0", "STRICT", "SCOPE"
    )?;
    for rule in listed {
        let [severity, legacy, strict] = severities(rule);
        let scope = rule.scope;
        writeln!(
            out,
            "{:width$}  {severity:8} {legacy:8} {strict:8} {scope:10}  {}",
            rule.id,
            rule.summary()
        )?;
    }
    writeln!(
        out,
        "\n{}; `gwconform explain RULE` shows the page of one.",
        counted(listed.len(), "rule")
    )?;
    Ok(())
}

fn messages(listed: &[&About], streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let uses = |texts: &[Template]| {
        let rules = rules::ALL.iter().copied();
        rules.filter(|rule| rule.texts.contains(&texts)).count()
    };
    let out = streams.out(Content::Text);
    let mut shared: Vec<&[Template]> = Vec::new();
    for rule in listed {
        writeln!(out, "{}", rule.id)?;
        for &texts in rule.texts {
            if uses(texts) == 1 {
                write_templates(texts, out)?;
            } else if !shared.contains(&texts) {
                shared.push(texts);
            }
        }
    }
    for texts in shared {
        writeln!(out, "shared by {} rules", uses(texts))?;
        write_templates(texts, out)?;
    }
    Ok(Exit::Done)
}

fn write_templates(texts: &[Template], out: &mut dyn Write) -> std::io::Result<()> {
    let mut templates = texts.iter();
    templates.try_for_each(|template| writeln!(out, "    {}", template.text))
}

fn table(listed: &[&About], streams: &mut Streams<'_>) -> Result<(), Failure> {
    let out = streams.out(Content::Text);
    writeln!(
        out,
        "| Rule | Severity | Up to v1.0.x | With `--strict` | Scope | Fix | Summary |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|")?;
    for rule in listed {
        let [severity, legacy, strict] = severities(rule);
        let (scope, summary) = (rule.scope, rule.summary().replace('|', "\\|"));
        let fixes = rule.fixes.map(|fixes| fixes.as_str().replace('-', " "));
        let fixes = fixes.as_deref().unwrap_or("-");
        writeln!(
            out,
            "| {} | {severity} | {legacy} | {strict} | {scope} | {fixes} | {summary} |",
            rule.id
        )?;
    }
    Ok(())
}

fn facts(rule: &About) -> String {
    let severity = rule.severity.as_str();
    let legacy = match rule.legacy {
        Some(legacy) if legacy == rule.severity => String::new(),
        Some(legacy) => format!("; {} in folders up to v1.0.x", legacy.as_str()),
        None => "; not checked in folders up to v1.0.x".to_owned(),
    };
    let strict = if rule.strict {
        "; error with `--strict`"
    } else {
        ""
    };
    let later: String = Registry::embedded()
        .severities(rule.id)
        .map(|(minor, severity)| format!("; {} from {minor} on", severity.as_str()))
        .collect();
    let needs = match rule.scope {
        Scope::Tree => "the whole tree",
        Scope::Submission => "the submission's files",
        Scope::Resources => "resources of a cluster (`gwconform resources`)",
        Scope::Manifests => "manifests, and what they are compared with (`gwconform needs`)",
        Scope::Log => "a report and the log of its run (`gwconform verify`)",
        Scope::Change => "an earlier revision (`gwconform check --since`)",
        Scope::File => "the file alone",
    };
    let fixes = match rule.fixes {
        None => "",
        Some(Fixes::Safe) => "\nOften fixed by `--fix`, safely.",
        Some(Fixes::Unsafe) => "\nOften fixed by `--unsafe-fixes`; review the changes.",
        Some(Fixes::SafeOrUnsafe) => {
            "\nOften fixed by `--fix`, or by `--unsafe-fixes` where meaning may be lost."
        }
    };
    let fixed = if rule.is_configurable {
        ""
    } else {
        "\nAlways runs with `--since`: no option, configuration or baseline turns it off."
    };
    format!("Severity: {severity}{later}{legacy}{strict}.\nNeeds {needs}.{fixes}{fixed}")
}

fn references(rule: &About) -> String {
    let (sources, related) = (rule.sources(), rule.related());
    if sources.is_empty() && related.is_empty() {
        return String::new();
    }
    let sources = sources.iter().map(|source| format!("- {source}\n"));
    let related = related.iter().map(|id| format!("- `{id}`\n"));
    let items: String = sources.chain(related).collect();
    format!("\n## References\n\n{items}")
}
