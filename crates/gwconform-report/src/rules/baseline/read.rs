use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{Accepted, AcceptedEntry, Key, Places, VERSION};
use crate::rules::{self, About};
use gwconform_base::text::diagnostic::{Anchor, Diagnostic, Place, Severity, Subject, in_code};
use gwconform_base::text::message::Message;
use gwconform_base::text::shell;
use gwconform_base::text::source::{Source, Span};

/// Raw JSON parts keep their position, so that errors can be located.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'a> {
    #[serde(borrow)]
    version: &'a RawValue,
    #[serde(borrow)]
    accepted: Vec<&'a RawValue>,
}

/// True if the baseline has an older version and can be regenerated.
pub fn is_older(text: &str) -> bool {
    let file: Option<File<'_>> = serde_json::from_str(text).ok();
    let version = file.and_then(|file| file.version.get().parse::<u32>().ok());
    version.is_some_and(|version| version < VERSION)
}

/// Parses a baseline, which can name `all` rules.
///
/// # Errors
/// Returns all errors with their places in the file.
pub fn parse(
    source: Source,
    places: Places,
    all: &[&'static About],
) -> Result<Accepted, Vec<Diagnostic>> {
    let text = source.text();
    if source.valid_len() < text.len() {
        let span = Span::new(source.valid_len(), source.valid_len() + 1);
        return Err(vec![fault(&source, span, "invalid UTF-8")]);
    }
    let file: File<'_> =
        serde_json::from_str(text).map_err(|error| vec![json_fault(&source, 0, &error)])?;
    let mut faults = Vec::new();
    match read_part::<u32>(&source, file.version) {
        Ok(VERSION) => {}
        Ok(version) => {
            let mut fault = fault(
                &source,
                span_of(text, file.version),
                &format!("baseline version {version}; expected {VERSION}"),
            );
            if version < VERSION {
                let again = shell::flag("write-baseline", source.path());
                let again = again.unwrap_or_else(|| "--write-baseline".to_owned());
                fault.help(Message::of_text(&format!(
                    "write it again with `gwconform check {again}` and the paths and options of your check"
                )));
            } else {
                fault.help(Message::words(
                    "check with the newer gwconform that wrote it",
                ));
            }
            return Err(vec![fault]);
        }
        Err(error) => faults.push(*error),
    }
    let mut entries = Vec::new();
    for part in file.accepted {
        if faults.len() >= rules::MAX_FINDINGS {
            break;
        }
        let span = span_of(text, part);
        match read_part::<AcceptedEntry>(&source, part) {
            Err(error) => faults.push(*error),
            Ok(entry) => match why_not(all, &entry) {
                Some(message) => faults.push(fault(&source, span, &message)),
                None => {
                    let count = entry.count;
                    entries.push((entry, Place::span(&source, span), count));
                }
            },
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut by_key: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (at, (entry, ..)) in entries.iter().enumerate() {
        let key = Key {
            path: entry.path.clone(),
            rule: entry.rule.clone(),
            subject: entry.subject.clone(),
        };
        by_key.entry(key).or_default().push(at);
    }
    Ok(Accepted {
        entries,
        by_key,
        places,
    })
}

fn why_not(all: &[&'static About], entry: &AcceptedEntry) -> Option<String> {
    let rule = &entry.rule;
    if rules::find(all, rule).is_none() {
        let hint = rules::hint(all, rule);
        return Some(format!(
            "unknown rule `{rule}` (see `gwconform explain`){hint}",
            rule = in_code(&rule)
        ));
    }
    if rules::find(all, rule).is_some_and(|rule| !rule.is_configurable) {
        return Some(format!(
            "findings of `{rule}` cannot be accepted by a baseline"
        ));
    }
    (entry.count == 0).then(|| "`count` is 0; expected at least 1".to_owned())
}

fn fault(source: &Source, span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(
        "baseline",
        Severity::Error,
        Anchor::new(Place::span(source, span), Subject::whole()),
        Message::of_text(message),
    )
}

fn span_of(text: &str, part: &RawValue) -> Span {
    let start = (part.get().as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    Span::new(start, start.saturating_add(part.get().len()))
}

fn read_part<T: DeserializeOwned>(source: &Source, part: &RawValue) -> Result<T, Box<Diagnostic>> {
    let start = span_of(source.text(), part).start as usize;
    serde_json::from_str(part.get()).map_err(|error| Box::new(json_fault(source, start, &error)))
}

fn json_fault(source: &Source, start: usize, error: &serde_json::Error) -> Diagnostic {
    let part = source.text().get(start..).unwrap_or_default();
    let line = part
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    let line_start: usize = line.map(str::len).sum();
    // `column` starts at 1 and points after the rejected byte.
    let offset = start + line_start + error.column().saturating_sub(1);
    let error_text = error.to_string();
    let message = error_text.split(" at line ").next().unwrap_or_default();
    fault(source, Span::at(offset.min(source.text().len())), message)
}
