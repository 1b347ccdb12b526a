//! Tests `gwconform_base::release::import` on the facts of two small, synthetic releases.

use gwconform_base::api::Version;
use gwconform_base::release::import::{
    Imported, Request, SourceFacts, default_base, differences, import, references,
};
use gwconform_base::release::{Match, Registry, Release};

use crate::facts::{FIRST, replaced, second};

fn parsed(facts: &str) -> SourceFacts {
    SourceFacts::parse("facts.json", facts).unwrap_or_else(|error| panic!("{error}"))
}

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

fn imported(facts: &str, release: &str, base: Option<&Release>) -> Imported {
    let request = Request {
        release: version(release),
        date: Some("2030-01-02".parse().unwrap()),
        commit: None,
        base,
    };
    import(&parsed(facts), &request)
}

fn registry(files: &[(&str, &str)]) -> Registry {
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect();
    Registry::with_files(&files).unwrap()
}

fn release<'r>(registry: &'r Registry, name: &str) -> &'r Release {
    let Match::Exact(release) = registry.release(&version(name)) else {
        panic!("{name}");
    };
    release
}

#[test]
fn a_release_without_a_base_is_a_whole_file() {
    let found = imported(FIRST, "v1.98.0", None);
    assert_eq!(found.warnings, ["reports have an unknown field `weather`"]);
    insta::assert_snapshot!(found.text);
}

#[test]
fn imports_only_the_changes_of_a_release() {
    let before = imported(FIRST, "v1.98.0", None).text;
    let known = registry(&[("v1.98.0.json", &before)]);
    let base = release(&known, "v1.98.0");
    let found = imported(&second(), "v1.99.0", Some(base));
    assert_eq!(found.warnings, Vec::<String>::new());
    insta::assert_snapshot!(found.text);

    let known = registry(&[("v1.98.0.json", &before), ("v1.99.0.json", &found.text)]);
    let base = default_base(&known, &version("v1.99.0")).unwrap();
    assert_eq!(base.version().to_string(), "v1.98.0");
    let own = release(&known, "v1.99.0");
    let none = differences(&parsed(&second()), own, known.references());
    assert_eq!(none, Vec::<String>::new());
    let patch = imported(&second(), "v1.99.1", Some(own));
    assert_eq!(
        patch.text,
        "{\n  \"release\": \"v1.99.1\",\n  \"date\": \"2030-01-02\",\n  \"sameAs\": \"v1.99.0\"\n}\n"
    );
    assert_eq!(
        patch.warnings,
        ["the sources have the bundle version v1.99.0; expected v1.99.1"]
    );
    let known = registry(&[
        ("v1.98.0.json", &before),
        ("v1.99.0.json", &found.text),
        ("v1.99.1.json", &patch.text),
    ]);
    let base = default_base(&known, &version("v1.99.2")).unwrap();
    assert_eq!(base.version().to_string(), "v1.99.0");
}

#[test]
fn lists_each_difference() {
    let text = replaced(
        &imported(FIRST, "v1.98.0", None).text,
        &[
            ("\"channel\": \"experimental\"", "\"channel\": \"standard\""),
            (", \"parallel\": true", ""),
            (
                "\"Gateway\", \"GatewayColour\"], \"p",
                "\"GatewayColour\", \"Gateway\"], \"p",
            ),
            ("\"xthings\"", "\"xothers\""),
        ],
    );
    let sources = r#"{"proposals": {}, "reference": {}, "tests": {
        "v1.98.0": {"GatewayAnswers": "gateway-answers.go", "MeshAnswers": "mesh.go", "MeshSings": "mesh.go"}
    }}"#;
    let known = registry(&[("v1.98.0.json", &text), ("references.json", sources)]);
    let found = differences(
        &parsed(FIRST),
        release(&known, "v1.98.0"),
        known.references(),
    );
    insta::assert_snapshot!(found.join("\n"));
}

#[test]
fn a_changed_function_of_the_suite_is_a_note() {
    let before = imported(FIRST, "v1.98.0", None).text;
    let known = registry(&[("v1.98.0.json", &before)]);
    let facts = replaced(FIRST, &[("sha256:c605", "sha256:0000")]);
    let found = imported(&facts, "v1.98.1", Some(release(&known, "v1.98.0")));
    let note =
        "The function isTestExtended of the suite changed: compare it with testIsExtendedWhen.";
    assert_eq!(found.notes, [note]);
    assert!(
        !found.text.contains("testIsExtendedWhen\":"),
        "{}",
        found.text
    );
}

#[test]
fn references_list_the_newest_sources_and_all_proposals() {
    let known = r#"{"proposals": {"GatewayColour": [7, 12], "GatewayGone": [3]}, "reference": {}, "tests": {
        "v1.5.0": {"GatewayGone": "gone.go", "MeshAnswers": "mesh-answers.go"}
    }}"#;
    let known = registry(&[("references.json", known)]);
    let text = references(&parsed(FIRST), &known, &version("v1.98.0")).unwrap();
    insta::assert_snapshot!(text);
    let known = registry(&[("references.json", &text)]);
    let again = references(&parsed(FIRST), &known, &version("v1.98.0"));
    assert_eq!(again, Ok(text));
    let older = references(&parsed(FIRST), &known, &version("v1.97.0"));
    assert_eq!(older, Err(version("v1.98.0")));
}

#[test]
fn invalid_facts_are_an_error_with_a_position() {
    let mut found = Vec::new();
    for (old, new) in [
        ("\"bundleVersion\": \"v1.98.0\",", ""),
        ("\"bundleVersion\": \"v1.98.0\"", "\"bundleVersion\": 198"),
        ("\"bundleVersion\"", "\"bundle\""),
        ("\"level\": \"core\"", "\"level\": \"basic\""),
        ("\"proposals\": [99999", "\"proposals\": [-1"),
        ("\"source\": \"mesh/mesh.go\"", "\"source\": null"),
        ("\"MeshAnswers\"", "\"Mesh | Answers\""),
        ("[\"Mesh\"]", "[\"\"]"),
        ("}\n", "}}\n"),
        ("    \"MESH-HTTP\"", "    \u{202e}"),
    ] {
        let facts = replaced(FIRST, &[(old, new)]);
        let error = SourceFacts::parse("facts.json", &facts).unwrap_err();
        found.push(error.to_string());
    }
    let error = SourceFacts::parse("facts.json", &FIRST[..FIRST.len() / 2]).unwrap_err();
    found.push(error.to_string());
    insta::assert_snapshot!(found.join("\n"));
}
