//! `gwconform explain`

use std::io::Write;

use anyhow::anyhow;

use super::{Exit, Failure, Streams};
use crate::rules::{self, Rule};
use crate::suggest;

/// Explain a rule, or list all of them.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Id of a rule, such as report/date; without it all rules are listed
    rule: Option<String>,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let Some(id) = &arguments.rule else {
        list(streams)?;
        return Ok(Exit::Done);
    };
    let Some(rule) = rules::find(id) else {
        let nearest = suggest::nearest(id, rules::ALL.iter().map(|rule| rule.id));
        let hint = nearest
            .map(|id| format!("; did you mean `{id}`?"))
            .unwrap_or_default();
        return Err(Failure::Usage(anyhow!(
            "no rule is named `{id}`{hint}; `gwconform explain` lists them"
        )));
    };
    writeln!(streams.stdout, "{}\n\n{}", rule.doc.trim_end(), facts(rule))?;
    Ok(Exit::Done)
}

fn list(streams: &mut Streams<'_>) -> Result<(), Failure> {
    let width = rules::ALL
        .iter()
        .map(|rule| rule.id.len())
        .max()
        .unwrap_or_default();
    for rule in rules::ALL {
        let severity = rule.severity.as_str();
        writeln!(
            streams.stdout,
            "{:width$}  {severity:7}  {}",
            rule.id,
            rule.summary()
        )?;
    }
    Ok(())
}

/// What the list of rules knows of one besides its page.
fn facts(rule: &Rule) -> String {
    let mut facts = format!("Severity: {}", rule.severity.as_str());
    match rule.legacy {
        Some(legacy) if legacy == rule.severity => {}
        Some(legacy) => facts.push_str(&format!("; {} in folders up to v1.0.x", legacy.as_str())),
        None => facts.push_str("; not checked in folders up to v1.0.x"),
    }
    if rule.strict {
        facts.push_str("; error with `--strict`");
    }
    format!("{facts}.\nNeeds: a {}.", rule.check.scope())
}
