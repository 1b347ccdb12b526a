//! Reads embedded files on first use. A test verifies that the files have no errors.

use gwconform_schema::REGISTRY;

use super::{
    CONTROLLERS, FIELDS, File, FileError, INGRESS, NEEDS, POLICIES, REFERENCES, SERVED, SUITES,
    TABLES, Trust, WORDS,
};
use crate::release::api_fields::Fields;
use crate::release::ingress::{Controllers, IngressTable};
use crate::release::references::References;
use crate::release::search_words::Words;
use crate::release::served::Served;
use crate::release::suites::Suite;
use crate::release::{NeedsTable, Release, SinceMinors};

pub(in crate::release) fn has(name: &str, text: Option<&str>) -> bool {
    let mut named = REGISTRY.iter().filter(|(own, _)| *own == name);
    named.any(|(_, own)| text.is_none_or(|text| text == *own))
}

pub(in crate::release) fn releases() -> Vec<Release> {
    let files = files().filter(|file| !TABLES.contains(&file.name));
    super::releases(files.collect(), &mut Vec::new())
}

pub(in crate::release) fn controllers() -> Controllers {
    table(CONTROLLERS, super::ingress::read_controllers)
}

pub(in crate::release) fn fields() -> Fields {
    table(FIELDS, |file| file.read())
}

pub(in crate::release) fn ingress() -> IngressTable {
    table(INGRESS, super::ingress::read)
}

pub(in crate::release) fn needs() -> NeedsTable {
    table(NEEDS, super::need_patterns::read)
}

pub(in crate::release) fn policies() -> SinceMinors {
    table(POLICIES, super::policies::read)
}

pub(in crate::release) fn references() -> References {
    table(REFERENCES, super::references::read)
}

pub(in crate::release) fn served() -> Served {
    table(SERVED, super::served::read)
}

pub(in crate::release) fn suites() -> Vec<Suite> {
    table(SUITES, super::suites::read)
}

pub(in crate::release) fn words() -> Words {
    table(WORDS, |file| file.read())
}

fn files() -> impl Iterator<Item = File<'static>> {
    REGISTRY.iter().map(|&(name, text)| File {
        name,
        text,
        trust: Trust::Tested,
    })
}

fn table<T: Default>(name: &str, read: fn(&File<'_>) -> Result<T, FileError>) -> T {
    let file = files().find(|file| file.name == name);
    file.and_then(|file| read(&file).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::release::load::read_with;

    #[test]
    fn the_embedded_files_have_no_errors() {
        assert_eq!(read_with(&[]).1, []);
    }
}
