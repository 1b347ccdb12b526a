use super::{LinkMatch, Spelling, adds_no_information, is_same, named_by_link};

fn is_near(a: &str, b: &str) -> bool {
    Spelling::new(a).is_near(&Spelling::new(b))
}

#[test]
fn distinguishes_spellings_of_a_version_from_other_versions() {
    for (a, b) in [
        ("v1.2.0", "1.2.0"),
        ("v1.2", "1.2.0"),
        ("V1.2.0", "v1.2.0"),
        ("[v1.2.0]", "v1.2.0"),
        ("`v1.2.0`", "v1.2.0"),
        ("version-1.2.0", "1.2.0"),
        ("release/v1.2.0", "v1.2.0"),
        ("operator-v1.2.0", "1.2.0"),
        ("gateway/v1.2.0-alpha2", "v1.2.0-alpha2"),
        ("v1.2.0-rc1", "v1.2.0-rc.1"),
        ("1.2.0+build.7", "1.2.0"),
        ("1.20.0", "1.20"),
        ("abcdef1", "abcdef1234567890abcdef1234567890abcdef12"),
        ("v3.2.0-244-gabcdef123", "abcdef123"),
        ("https://acme.example/releases/tag/v1.2.0", "v1.2.0"),
        ("https://acme.example/releases/tag/v1.2.0/", "1.2.0"),
        ("main", "Main"),
    ] {
        assert!(is_same(a, b), "{a} {b}");
        assert!(is_same(b, a), "{b} {a}");
    }
    for (a, b) in [
        ("v1.2.0", "v1.2.1"),
        ("v1.2", "v1.20"),
        ("v1.2.0", "v1.2.0-rc.1"),
        ("1.2.0+a", "1.2.0+b"),
        ("main", "v2.1.0-main"),
        ("latest", "v1.2.0"),
        ("standard-1.2.0", "enterprise-1.2.0"),
        ("alpha-2", "beta-2"),
        ("abcdef1", "abcdef2"),
        ("v3.2.0-244-gabcdef123", "v3.2.0-244-gabcdef124"),
        ("1.34.4", "1.34.4-gke.1047000"),
        ("", "v1.2.0"),
        ("", ""),
        ("x", "v1.2.0"),
        ("-", "v1.2.0"),
    ] {
        assert!(!is_same(a, b), "{a} {b}");
        assert!(!is_same(b, a), "{b} {a}");
    }
}

#[test]
fn accepts_shorter_versions_as_near() {
    assert!(is_near("v1.34.4", "1.34.4-gke.1047000"));
    assert!(is_near("1.17", "v1.17.0-pre.1"));
    assert!(!is_near("v1.2.4", "1.24"));
    assert!(!is_near("1", "1.24"));
    assert!(!is_near("link", "1.24"));
}

#[test]
fn distinguishes_links_to_the_version_another_or_none() {
    let tag = |tag: &str| format!("https://git.example/acme/operator/releases/tag/{tag}");
    for (url, version) in [
        (tag("v1.2.0"), "1.2.0"),
        (tag("1.2.0"), "v1.2.0"),
        (tag("gateway%2Fv1.2.0"), "v1.2.0"),
        (tag("operator-v1.2.0"), "v1.2.0"),
        (tag("v1.2.0%2Bbuild"), "v1.2.0+build"),
        (tag("1.24.2"), "1.24"),
        ("https://acme.example/news/1.26.x/".to_owned(), "1.26.1"),
        (
            "https://acme.example/notes-v1.2.0.html".to_owned(),
            "v1.2.0",
        ),
        ("https://acme.example/?version=1.2.0".to_owned(), "v1.2.0"),
        (
            "https://git.example/commit/abcdef1234567".to_owned(),
            "abcdef1",
        ),
    ] {
        assert_eq!(
            named_by_link(&url, version),
            LinkMatch::Same,
            "{url} {version}"
        );
    }
    for (url, version) in [
        (tag("v2.1.0"), "v2.2.0"),
        (tag("v3.7.0-ea.2"), "v3.7.0"),
        (tag("v3.1.0-rc2"), "v3.1"),
        (tag("v1.2.0"), "main"),
        (
            "https://git.example/commit/1234567abcdef".to_owned(),
            "v3.2.0-244-gabcdef123",
        ),
    ] {
        assert_eq!(
            named_by_link(&url, version),
            LinkMatch::Other,
            "{url} {version}"
        );
    }
    for url in [
        "https://acme.example",
        "https://acme.example/release-notes#v120",
        "https://git.example/acme/operator/commit/1234567abcdef",
        "./CHANGELOG.md",
        "https://v1.3.acme.example/notes",
    ] {
        assert_eq!(named_by_link(url, "v1.2.0"), LinkMatch::Nothing, "{url}");
    }
}

#[test]
fn keeps_spellings_with_more_information() {
    assert!(adds_no_information("v1.2.0", "1.2.0"));
    assert!(adds_no_information("1.2", "v1.2.0"));
    assert!(adds_no_information("version-4.8.5", "4.8.5"));
    assert!(!adds_no_information("acme-1.2.0", "1.2.0"));
    assert!(!adds_no_information("1.2.0 (LTS)", "1.2.0"));
    assert!(!adds_no_information("1.2.0+enterprise", "1.2.0"));
}
