//! `gwconform::registry::import` on two small releases that always are at hand.

use gwconform::registry::import::{Imported, OnUnread, Request, default_base, differences, import};
use gwconform::registry::{Match, Registry, Release, Version};

use crate::support::sources::{MemorySources, first, second};

pub fn imported(sources: &MemorySources, release: &str, base: Option<&Release>) -> Imported {
    let request = Request {
        release: Version::parse(release).unwrap(),
        date: Some("2030-01-02".parse().unwrap()),
        base,
        on_unread: OnUnread::Fail,
    };
    import(sources, &request).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

fn registry(files: &[(&str, &str)]) -> Registry {
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect();
    Registry::with_files(&files).unwrap()
}

fn release<'r>(registry: &'r Registry, version: &str) -> &'r Release {
    let version = Version::parse(version).unwrap();
    let Match::Exact(release) = registry.release(&version) else {
        panic!("{version}");
    };
    release
}

#[test]
fn a_release_without_a_base_is_a_whole_file() {
    let found = imported(&first(), "v1.98.0", None);
    assert_eq!(
        found.warnings,
        ["reports have a field `weather` that is not known here"]
    );
    insta::assert_snapshot!(found.text);
}

#[test]
fn the_next_release_is_what_it_changed() {
    let before = imported(&first(), "v1.98.0", None).text;
    let known = registry(&[("v1.98.0.json", &before)]);
    let base = release(&known, "v1.98.0");
    let found = imported(&second(), "v1.99.0", Some(base));
    assert_eq!(
        found.warnings[0],
        "conformance/utils/suite/run_windows.go is left out: its name has the ending of another system, `windows`"
    );
    insta::assert_snapshot!(found.text);

    // Once it is there, the same sources say nothing new.
    let known = registry(&[("v1.98.0.json", &before), ("v1.99.0.json", &found.text)]);
    let version = Version::parse("v1.99.0").unwrap();
    let base = default_base(&known, &version);
    assert_eq!(
        base.map(|base| base.version().to_string()).as_deref(),
        Some("v1.98.0")
    );
    assert_eq!(imported(&second(), "v1.99.0", base).text, found.text);
    assert_eq!(
        differences(&second(), release(&known, "v1.99.0")),
        Ok(Vec::new())
    );
    let patch = imported(&second(), "v1.99.1", Some(release(&known, "v1.99.0")));
    assert_eq!(
        patch.text,
        "{\n  \"release\": \"v1.99.1\",\n  \"date\": \"2030-01-02\",\n  \"sameAs\": \"v1.99.0\"\n}\n"
    );
    assert_eq!(
        patch.warnings.last().map(String::as_str),
        Some("the sources have the bundle version v1.99.0; expected v1.99.1")
    );
    let known = registry(&[
        ("v1.98.0.json", &before),
        ("v1.99.0.json", &found.text),
        ("v1.99.1.json", &patch.text),
    ]);
    let base = default_base(&known, &Version::parse("v1.99.2").unwrap());
    assert_eq!(
        base.map(|base| base.version().to_string()).as_deref(),
        Some("v1.99.0")
    );
}

#[test]
fn differences_are_told_one_by_one() {
    let text = imported(&first(), "v1.98.0", None).text;
    let text = text
        .replace("\"channel\": \"experimental\"", "\"channel\": \"standard\"")
        .replace(", \"parallel\": true", "")
        .replace(
            "\"Gateway\", \"GatewayColour\"]",
            "\"GatewayColour\", \"Gateway\"]",
        )
        .replace("\"xthings\"", "\"xothers\"");
    let known = registry(&[("v1.98.0.json", &text)]);
    let found = differences(&first(), release(&known, "v1.98.0")).unwrap();
    insta::assert_snapshot!(found.join("\n"));
}
