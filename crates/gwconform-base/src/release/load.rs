use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use jiff::civil::Date;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::content::Content;
use super::index::Index;
use super::{AddedFile, Channel, Commit, ExtendedWhen, Facts, Release, Version};
use gwconform_schema::REGISTRY;

use crate::text::source::Digest;

mod apply;
mod consistency;
pub(super) mod embedded;
mod ingress;
mod json_error;
mod need_patterns;
mod policies;
mod references;
mod served;
mod suites;

pub use consistency::served_problems;

const POLICIES: &str = "policies.json";
const REFERENCES: &str = "references.json";
const SERVED: &str = "served.json";
const SUITES: &str = "suites.json";
const NEEDS: &str = "needs.json";
const FIELDS: &str = "fields.json";
const INGRESS: &str = "ingress-nginx.json";
const CONTROLLERS: &str = "controllers.json";
const WORDS: &str = "words.json";
const TABLES: [&str; 9] = [
    CONTROLLERS,
    FIELDS,
    INGRESS,
    NEEDS,
    POLICIES,
    REFERENCES,
    SERVED,
    SUITES,
    WORDS,
];

/// Error in a registry file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{file}:{line}:{} {message}", .column.map_or_else(String::new, |column| format!("{column}:")))]
pub struct FileError {
    /// Name of the file, as passed to the loader.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// 1-based column in characters; `None` for the whole line.
    pub column: Option<u32>,
    /// One sentence without a trailing period.
    pub message: String,
}

/// Files in `added` replace embedded files of the same name. Invalid entries are dropped and
/// reported.
pub(super) fn read_with(added: &[(String, String)]) -> (Facts, Vec<FileError>) {
    let mut files: BTreeMap<&str, &str> = REGISTRY.iter().copied().collect();
    let json_files = added.iter().filter(|(name, _)| name.ends_with(".json"));
    files.extend(json_files.map(|(name, text)| (name.as_str(), text.as_str())));
    let files = files.into_iter().map(|(name, text)| File {
        name,
        text,
        trust: Trust::None,
    });

    let mut errors = Vec::new();
    let (tables, others): (Vec<_>, Vec<_>) = files.partition(|file| TABLES.contains(&file.name));
    let table = |name| tables.iter().find(|file| file.name == name);
    let facts = Facts {
        releases: OnceLock::from(releases(others, &mut errors)),
        controllers: read_all(table(CONTROLLERS), ingress::read_controllers, &mut errors),
        fields: read_all(table(FIELDS), |file| file.read(), &mut errors),
        ingress: read_all(table(INGRESS), ingress::read, &mut errors),
        needs: read_all(table(NEEDS), need_patterns::read, &mut errors),
        policies: read_all(table(POLICIES), policies::read, &mut errors),
        references: read_all(table(REFERENCES), references::read, &mut errors),
        served: read_all(table(SERVED), served::read, &mut errors),
        suites: read_all(table(SUITES), suites::read, &mut errors),
        words: read_all(table(WORDS), |file| file.read(), &mut errors),
        index: Index::default(),
    };
    errors.sort();
    (facts, errors)
}

pub(super) fn added(files: &[(String, String)]) -> BTreeMap<Version, AddedFile> {
    let others = files
        .iter()
        .filter(|(name, text)| !embedded::has(name, Some(text)));
    let named = others.filter_map(|(name, text)| {
        let version = Version::parse(name.strip_suffix(".json")?)?;
        let file = AddedFile {
            path: name.clone(),
            digest: Digest::new(text.as_bytes()),
        };
        Some((version, file))
    });
    named.collect()
}

fn read_all<T: Default>(
    file: Option<&File<'_>>,
    read: fn(&File<'_>) -> Result<T, FileError>,
    errors: &mut Vec<FileError>,
) -> OnceLock<T> {
    let read = file.map(read).transpose();
    let read = read.unwrap_or_else(|error| {
        errors.push(error);
        None
    });
    OnceLock::from(read.unwrap_or_default())
}

fn releases(files: Vec<File<'_>>, errors: &mut Vec<FileError>) -> Vec<Release> {
    let mut by_version = Vec::new();
    for file in files {
        match file.version() {
            Ok(version) => by_version.push((version, file)),
            Err(error) => errors.push(error),
        }
    }
    // Sort by version, because a release may be based on an earlier release.
    by_version.sort_by(|a, b| a.0.cmp(&b.0));
    let mut releases = Vec::new();
    for (version, file) in by_version {
        match read_release(&file, version, &releases, errors) {
            Ok(release) => releases.push(release),
            Err(error) => errors.push(error),
        }
    }
    releases
}

/// Reads a JSON file that is not part of a registry. Errors use `name` for the file.
pub(super) fn read_json<'a, T: Deserialize<'a>>(
    name: &'a str,
    text: &'a str,
) -> Result<T, FileError> {
    let trust = Trust::None;
    File { name, text, trust }.read()
}

pub(super) fn is_references_file(text: &str) -> bool {
    let (name, trust) = (REFERENCES, Trust::None);
    references::read(&File { name, text, trust }).is_ok()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    None,
    /// Embedded with all its dependencies, which a test verifies.
    Tested,
}

#[derive(Clone, Copy)]
struct File<'a> {
    name: &'a str,
    text: &'a str,
    trust: Trust,
}

impl<'a> File<'a> {
    fn error(&self, line: u32, message: impl Into<String>) -> FileError {
        FileError {
            file: self.name.to_owned(),
            line,
            column: None,
            message: message.into(),
        }
    }

    fn version(&self) -> Result<Version, FileError> {
        let stem = self.name.strip_suffix(".json").unwrap_or(self.name);
        Version::parse(stem).ok_or_else(|| {
            self.error(
                1,
                format!(
                    "unexpected file name; expected the name of a release (v1.7.0.json), {CONTROLLERS}, \
                     {FIELDS}, {INGRESS}, {NEEDS}, {POLICIES}, {REFERENCES}, {SERVED} or {SUITES}"
                ),
            )
        })
    }

    fn line_of(&self, part: &RawValue) -> u32 {
        self.position(self.offset_of(part)).0
    }

    fn offset_of(&self, part: &RawValue) -> usize {
        let start = self.text.as_ptr() as usize;
        let offset = (part.get().as_ptr() as usize).wrapping_sub(start);
        if offset <= self.text.len() { offset } else { 0 }
    }

    fn position(&self, offset: usize) -> (u32, u32) {
        let before = self.text.get(..offset).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let number = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
        (
            number(before.matches('\n').count()),
            number(line.chars().count()),
        )
    }

    fn read<T: Deserialize<'a>>(&self) -> Result<T, FileError> {
        serde_json::from_str(self.text).map_err(|error| self.json_error(0, &error))
    }

    fn read_part<T: DeserializeOwned>(&self, part: &RawValue) -> Result<T, FileError> {
        serde_json::from_str(part.get())
            .map_err(|error| self.json_error(self.offset_of(part), &error))
    }

    fn json_error(&self, start: usize, error: &serde_json::Error) -> FileError {
        let part = self.text.get(start..).unwrap_or_default();
        let lines = part
            .split_inclusive('\n')
            .take(error.line().saturating_sub(1));
        let place = start + lines.map(str::len).sum::<usize>() + error.column();
        let found = json_error::before(self.text, place);
        let message = json_error::in_words(error);
        let message = if found.path.is_empty() {
            message
        } else {
            format!("`{}`: {message}", found.path)
        };
        let (line, column) = self.position(found.start);
        FileError {
            column: Some(column),
            ..self.error(line, message)
        }
    }
}

#[derive(Default)]
struct Entries<'a>(BTreeMap<String, &'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                    if entries.contains_key(&name) {
                        return Err(A::Error::custom(format!("duplicate `{name}`")));
                    }
                    entries.insert(name, value);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Names)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "an object")]
struct ReleaseFile<'a> {
    #[serde(borrow)]
    release: &'a RawValue,
    #[serde(borrow)]
    date: Option<&'a RawValue>,
    #[serde(borrow)]
    commit: Option<&'a RawValue>,
    #[serde(borrow)]
    commit_date: Option<&'a RawValue>,
    #[serde(borrow)]
    same_as: Option<&'a RawValue>,
    #[serde(borrow)]
    base: Option<&'a RawValue>,
    #[serde(default)]
    notes: Vec<String>,
    report_api_version: Option<String>,
    test_is_extended_when: Option<ExtendedWhen>,
    #[serde(default)]
    crds: BTreeMap<Channel, Vec<String>>,
    #[serde(borrow, default)]
    features: Entries<'a>,
    #[serde(borrow, default)]
    profiles: Entries<'a>,
    #[serde(borrow, default)]
    tests: Entries<'a>,
}

fn read_release(
    file: &File<'_>,
    version: Version,
    earlier: &[Release],
    errors: &mut Vec<FileError>,
) -> Result<Release, FileError> {
    let change: ReleaseFile<'_> = file.read()?;
    let stated: String = file.read_part(change.release)?;
    if Version::parse(&stated).as_ref() != Some(&version) {
        let message = format!("the file name is that of {version}, but `release` is `{stated}`");
        return Err(file.error(file.line_of(change.release), message));
    }
    let date = change.date.map(|part| date(file, part)).transpose()?;
    let commit = commit(file, &change)?;
    let same_as = change
        .same_as
        .map(|part| find(file, part, earlier))
        .transpose()?;
    let base = change
        .base
        .map(|part| find(file, part, earlier))
        .transpose()?;
    let content = match (same_as, base) {
        (Some(_), Some(_)) => {
            return Err(file.error(1, "both `base` and `sameAs`; expected one of them"));
        }
        (Some(same), None) if change.changes_nothing() => Arc::clone(&same.content),
        (Some(_), None) => {
            return Err(file.error(1, "`sameAs` together with changes; expected no changes"));
        }
        (None, base) => {
            let mut content = base.map_or_else(Content::default, |base| (*base.content).clone());
            apply::apply(file, &change, &mut content, errors);
            Arc::new(content)
        }
    };
    Ok(Release {
        version,
        date,
        commit,
        same_as: same_as.map(|release| release.version.clone()),
        notes: change.notes,
        content,
        members: OnceLock::new(),
    })
}

fn date(file: &File<'_>, part: &RawValue) -> Result<Date, FileError> {
    let text: String = file.read_part(part)?;
    day(&text).ok_or_else(|| {
        let message = format!("`{text}` is not a date; expected a date such as 2026-06-29");
        file.error(file.line_of(part), message)
    })
}

/// The parser of jiff would add its messages about times and time zones to the browser modules.
fn day(text: &str) -> Option<Date> {
    let (year, rest) = text.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    let day = Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    day.ok().filter(|day| day.to_string() == text)
}

fn commit(file: &File<'_>, change: &ReleaseFile<'_>) -> Result<Option<Commit>, FileError> {
    let Some(part) = change.commit else {
        return Ok(None);
    };
    let id: String = file.read_part(part)?;
    let is_hex = id.bytes().all(|byte| byte.is_ascii_hexdigit());
    match change.commit_date {
        Some(day) if is_hex && (7..=64).contains(&id.len()) => Ok(Some(Commit {
            id,
            date: date(file, day)?,
        })),
        Some(_) => Err(file.error(
            file.line_of(part),
            "`commit` is not a commit; expected 7 to 64 hexadecimal digits",
        )),
        None => Err(file.error(file.line_of(part), "`commit` without `commitDate`")),
    }
}

impl ReleaseFile<'_> {
    fn changes_nothing(&self) -> bool {
        let no_entries = [&self.features, &self.profiles, &self.tests]
            .iter()
            .all(|entries| entries.0.is_empty());
        no_entries
            && self.crds.is_empty()
            && self.report_api_version.is_none()
            && self.test_is_extended_when.is_none()
    }
}

fn find<'r>(
    file: &File<'_>,
    part: &RawValue,
    earlier: &'r [Release],
) -> Result<&'r Release, FileError> {
    let name: String = file.read_part(part)?;
    let wanted = Version::parse(&name);
    let found = earlier
        .iter()
        .find(|release| Some(&release.version) == wanted.as_ref());
    found.ok_or_else(|| {
        file.error(
            file.line_of(part),
            format!("`{name}` is not an earlier release of the registry"),
        )
    })
}
