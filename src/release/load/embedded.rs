//! The files that come with the program, each read when it is asked for. They have no errors.

use super::{File, FileError, NEEDS, POLICIES, REFERENCES, SERVED, SUITES, TABLES, Trust};
use crate::release::references::References;
use crate::release::served::Served;
use crate::release::suites::Suite;
use crate::release::{NeedsTable, Release, SinceMinors};

macro_rules! embedded {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../../schema/registry/", $name)))),+]
    };
}

/// The files of `schema/registry/`. A test compares this list with the folder.
pub(in crate::release) const EMBEDDED: &[(&str, &str)] = embedded![
    "needs.json",
    "policies.json",
    "references.json",
    "served.json",
    "suites.json",
    "v0.7.0.json",
    "v0.7.1.json",
    "v0.8.0.json",
    "v0.8.1.json",
    "v1.0.0.json",
    "v1.1.0.json",
    "v1.1.1.json",
    "v1.2.0.json",
    "v1.2.1.json",
    "v1.3.0.json",
    "v1.4.0.json",
    "v1.4.1.json",
    "v1.5.0.json",
    "v1.5.1.json",
    "v1.6.0.json",
    "v1.6.1.json",
    "v1.6.2.json",
];

/// True for the name of a file that comes with the program, and its text if that is given.
pub(in crate::release) fn has(name: &str, text: Option<&str>) -> bool {
    let mut named = EMBEDDED.iter().filter(|(own, _)| *own == name);
    named.any(|(_, own)| text.is_none_or(|text| text == *own))
}

/// The releases, by version.
pub(in crate::release) fn releases() -> Vec<Release> {
    let files = files().filter(|file| !TABLES.contains(&file.name));
    super::releases(files.collect(), &mut Vec::new())
}

/// What manifests show.
pub(in crate::release) fn needs() -> NeedsTable {
    table(NEEDS, super::needs::read)
}

/// What depends on the minor in our own judgement.
pub(in crate::release) fn policies() -> SinceMinors {
    table(POLICIES, super::policies::read)
}

/// Where to look up.
pub(in crate::release) fn references() -> References {
    table(REFERENCES, super::references::read)
}

/// What CRDs serve.
pub(in crate::release) fn served() -> Served {
    table(SERVED, super::served::read)
}

/// How suites are run.
pub(in crate::release) fn suites() -> Vec<Suite> {
    table(SUITES, super::suites::read)
}

fn files() -> impl Iterator<Item = File<'static>> {
    EMBEDDED.iter().map(|&(name, text)| File {
        name,
        text,
        trust: Trust::Tested,
    })
}

/// One of the embedded files. They have no errors; a test holds that.
fn table<T: Default>(name: &str, read: fn(&File<'_>) -> Result<T, FileError>) -> T {
    let file = files().find(|file| file.name == name);
    file.and_then(|file| read(&file).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::EMBEDDED;
    use crate::release::load::read_with;

    #[test]
    fn the_embedded_files_have_no_errors() {
        assert_eq!(read_with(&[]).1, []);
    }

    #[test]
    fn the_embedded_files_are_those_of_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/registry");
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".json"))
            .collect();
        names.sort();
        let embedded: Vec<_> = EMBEDDED.iter().map(|&(name, _)| name).collect();
        assert_eq!(embedded, names);
    }
}
