use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Entries, File, FileError};
use crate::api::Minor;
use crate::release::{Since, SinceMinors};
use crate::text::diagnostic::Severity;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "an object")]
struct Policies<'a> {
    #[serde(borrow, default)]
    severities: Entries<'a>,
    #[serde(borrow, default)]
    most_core_skips: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeveritySince {
    since: String,
    severity: Stated,
    #[serde(rename = "why")]
    _why: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Stated {
    Info,
    Warning,
    Error,
}

impl Stated {
    fn severity(self) -> Severity {
        match self {
            Self::Info => Severity::Info,
            Self::Warning => Severity::Warning,
            Self::Error => Severity::Error,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MostSince {
    since: String,
    most: u32,
    #[serde(rename = "why")]
    _why: String,
}

pub(super) fn read(file: &File<'_>) -> Result<SinceMinors, FileError> {
    let policies: Policies<'_> = file.read()?;
    let mut found = SinceMinors::default();
    for (rule, &part) in &policies.severities.0 {
        let entries: Vec<SeveritySince> = file.read_part(part)?;
        let mut severities = Vec::new();
        for entry in entries {
            severities.push(Since {
                minor: minor_of(file, part, &entry.since)?,
                value: entry.severity.severity(),
            });
        }
        severities.sort_by_key(|entry| entry.minor);
        found.severities.insert(rule.clone(), severities);
    }
    for part in policies.most_core_skips {
        let entry: MostSince = file.read_part(part)?;
        found.most_core_skips.push(Since {
            minor: minor_of(file, part, &entry.since)?,
            value: entry.most,
        });
    }
    found.most_core_skips.sort_by_key(|entry| entry.minor);
    Ok(found)
}

fn minor_of(file: &File<'_>, part: &RawValue, text: &str) -> Result<Minor, FileError> {
    Minor::parse(text).ok_or_else(|| {
        file.error(
            file.line_of(part),
            format!("`{text}` is not a minor release; expected a name such as v1.7"),
        )
    })
}
