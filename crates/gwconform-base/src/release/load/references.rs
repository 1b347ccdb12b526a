use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::served::version_of;
use super::{Entries, File, FileError};
use crate::release::references::{References, TestSource};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Content<'a> {
    #[serde(borrow)]
    proposals: Entries<'a>,
    #[serde(borrow)]
    reference: Entries<'a>,
    #[serde(borrow)]
    tests: Entries<'a>,
}

pub(super) fn read(file: &File<'_>) -> Result<References, FileError> {
    let content: Content<'_> = file.read()?;
    let mut references = References::default();
    for (name, &part) in &content.proposals.0 {
        let numbers: Vec<u32> = file.read_part(part)?;
        let is_one = |number: &u32| (1..100_000).contains(number);
        if numbers.is_empty() || !numbers.iter().all(is_one) {
            return Err(wrong(
                file,
                part,
                "expected numbers of proposals, such as 2257",
            ));
        }
        references.proposals.insert(name.clone(), numbers);
    }
    for (kind, &part) in &content.reference.0 {
        let entry: String = file.read_part(part)?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "./".contains(c);
        if !entry.chars().all(is_plain) || !entry.ends_with(&format!(".{kind}")) {
            let expected =
                "expected group/version.Kind, such as gateway.networking.k8s.io/v1.HTTPRoute";
            return Err(wrong(file, part, expected));
        }
        references.reference.insert(kind.clone(), entry);
    }
    for (tag, &part) in &content.tests.0 {
        let version = version_of(file, part, tag)?;
        let sources: BTreeMap<String, String> = file.read_part(part)?;
        for (name, source) in sources {
            if !is_source(&source) {
                let expected = format!(
                    "`{source}` is not a file below conformance/tests; expected one such as httproute-cors.go"
                );
                return Err(wrong(file, part, &expected));
            }
            let sources = references.tests.entry(name.clone()).or_default();
            if sources.iter().any(|known| known.file == source) {
                return Err(wrong(file, part, &format!("duplicate `{name}`")));
            }
            let tag = version.clone();
            sources.push(TestSource { tag, file: source });
            sources.sort_by(|a, b| a.tag.cmp(&b.tag));
        }
    }
    Ok(references)
}

fn wrong(file: &File<'_>, part: &RawValue, message: &str) -> FileError {
    file.error(file.line_of(part), message)
}

fn is_source(path: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let is_name =
        |part: &str| !part.is_empty() && !part.starts_with('.') && part.chars().all(is_plain);
    path.ends_with(".go") && path.split('/').all(is_name)
}
