//! `gwconform explain`

use std::io::Write;

use anyhow::anyhow;
use serde::Serialize;

use super::{Exit, Failure, Streams};
use crate::cli::format::TextFormat;
use crate::release::Registry;
use crate::rules::{self, Fixes, Rule, Scope};
use crate::text::counted;
use crate::text::diagnostic::Severity;
use crate::text::message::Template;

/// Explain a rule, or list all of them.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Rule, such as report/date, or group of rules, such as report [default: list all rules]
    rule: Option<String>,
    /// List the texts that rules can print: messages, helps and labels
    #[arg(long)]
    messages: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    format: TextFormat,
}

/// What `gwconform explain --format json` prints.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Rules of gwconform"))]
pub struct Rules {
    /// Version of this format.
    #[cfg_attr(test, schemars(extend("const" = 2)))]
    version: u32,
    /// The rules by id.
    rules: Vec<Explained>,
}

/// One rule.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Explained {
    /// `group/name`.
    id: &'static str,
    /// Its summary, one sentence.
    summary: String,
    /// How bad a finding is from v1.1.0 on: `error`, `warning` or `info`.
    severity: &'static str,
    /// How bad it is up to v1.0.x; null when the rule does not hold there.
    legacy_severity: Option<&'static str>,
    /// Releases from which on the severity is another.
    later_severities: Vec<LaterSeverity>,
    /// True when `--strict` makes an error of it.
    is_error_with_strict: bool,
    /// How `check` can fix its findings: `safe` (`--fix`), `unsafe` (`--unsafe-fixes`), or `safe or
    /// unsafe`, depending on the finding; null when they must be fixed by hand.
    fixes: Option<&'static str>,
    /// How much must be there for the rule to run: `file`, `submission` or `tree`, or the
    /// `resources` of a cluster.
    scope: &'static str,
    /// The version of gwconform that the rule came with.
    since: &'static str,
    /// What the rule follows: sections of a GEP, of the reports README or of the implementer's guide,
    /// functions of the suite.
    sources: Vec<&'static str>,
    /// Ids of rules about the same.
    related: Vec<&'static str>,
    /// All that the rule can print; `{name}` stands for a value.
    messages: Vec<&'static str>,
    /// The rule's page, Markdown.
    page: &'static str,
}

/// The severity of a rule from a minor on.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LaterSeverity {
    /// The minor: `v1.7`.
    since: String,
    /// `error`, `warning` or `info`.
    severity: &'static str,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let one = arguments.rule.as_deref().and_then(rules::find);
    let listed: Vec<&Rule> = match &arguments.rule {
        None => rules::ALL.to_vec(),
        Some(name) => rules::ALL
            .iter()
            .copied()
            .filter(|rule| rule.is_named_by(name))
            .collect(),
    };
    if let (Some(name), true) = (&arguments.rule, listed.is_empty()) {
        let hint = rules::hint(name);
        return Err(Failure::Usage(anyhow!(
            "unknown rule or group `{name}` (see `gwconform explain`){hint}"
        )));
    }
    if arguments.messages {
        return messages(&listed, streams);
    }
    match (arguments.format, one) {
        (TextFormat::Human | TextFormat::Markdown, Some(rule)) => {
            writeln!(streams.stdout, "{}\n\n{}", rule.doc.trim_end(), facts(rule))?;
        }
        (TextFormat::Human, None) => list(&listed, streams)?,
        (TextFormat::Markdown, None) => table(&listed, streams)?,
        (TextFormat::Json, _) => {
            let rules = listed.into_iter().map(explained).collect();
            crate::text::json::write(&Rules { version: 2, rules }, &mut streams.stdout)?;
        }
    }
    Ok(Exit::Done)
}

fn explained(rule: &Rule) -> Explained {
    Explained {
        id: rule.id,
        summary: rule.summary(),
        severity: rule.severity.as_str(),
        legacy_severity: rule.legacy.map(Severity::as_str),
        later_severities: Registry::embedded()
            .severities(rule.id)
            .map(|(minor, severity)| LaterSeverity {
                since: minor.to_string(),
                severity: severity.as_str(),
            })
            .collect(),
        is_error_with_strict: rule.strict,
        fixes: rule.fixes.map(Fixes::as_str),
        scope: rule.check.scope().as_str(),
        since: rule.since,
        sources: rule.sources(),
        related: rule.related(),
        messages: rule.messages().collect(),
        page: rule.doc,
    }
}

/// The severity from v1.1.0 on, in folders up to v1.0.x, and with `--strict`, in one word each.
fn severities(rule: &Rule) -> [&'static str; 3] {
    let legacy = rule.legacy.map_or("-", Severity::as_str);
    let strict = if rule.strict {
        "error"
    } else {
        rule.severity.as_str()
    };
    [rule.severity.as_str(), legacy, strict]
}

fn list(listed: &[&Rule], streams: &mut Streams<'_>) -> Result<(), Failure> {
    let width = listed
        .iter()
        .map(|rule| rule.id.len())
        .max()
        .unwrap_or_default();
    let out = &mut streams.stdout;
    writeln!(
        out,
        "{:width$}  {:8} {:8} {:8} {:10}  SUMMARY",
        "RULE", "SEVERITY", "<= V1.0", "STRICT", "SCOPE"
    )?;
    for rule in listed {
        let [severity, legacy, strict] = severities(rule);
        let scope = rule.check.scope();
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

/// All texts of the rules, so that they can be read as one: those of several rules once, at the end.
fn messages(listed: &[&Rule], streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let uses = |texts: &[Template]| {
        let rules = rules::ALL.iter().copied();
        rules.filter(|rule| rule.texts.contains(&texts)).count()
    };
    let out = &mut streams.stdout;
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

fn table(listed: &[&Rule], streams: &mut Streams<'_>) -> Result<(), Failure> {
    let out = &mut streams.stdout;
    writeln!(
        out,
        "| Rule | Severity | Up to v1.0.x | With `--strict` | Scope | Fix | Summary |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|")?;
    for rule in listed {
        let [severity, legacy, strict] = severities(rule);
        let (scope, summary) = (rule.check.scope(), rule.summary().replace('|', "\\|"));
        let fixes = rule.fixes.map_or("-", Fixes::as_str);
        writeln!(
            out,
            "| {} | {severity} | {legacy} | {strict} | {scope} | {fixes} | {summary} |",
            rule.id
        )?;
    }
    Ok(())
}

/// The properties of a rule besides its page.
fn facts(rule: &Rule) -> String {
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
    let needs = match rule.check.scope() {
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
    let fixed = if rule.is_configurable() {
        ""
    } else {
        "\nAlways runs with `--since`: no option, configuration or baseline turns it off."
    };
    let list = |title: &str, items: &[&str]| match items {
        [] => String::new(),
        items => format!("\n{title}: {}.", items.join("; ")),
    };
    let sources = list("Follows", &rule.sources());
    let related = list("See also", &rule.related());
    format!(
        "Severity: {severity}{later}{legacy}{strict}.\nNeeds {needs}.{fixes}{fixed}{sources}{related}"
    )
}
