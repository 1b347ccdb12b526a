use std::path::PathBuf;

use super::{ReleaseCrds, files, text};
use crate::api::Version;
use crate::files::{Files, Folder, MemoryFiles};
use crate::release::Registry;
use crate::release::served::{Served, Versions};

fn folder(crds: &[(&str, &str)]) -> Folder {
    let path = |name: &str| PathBuf::from(format!("config/crd/{name}"));
    let crds = crds
        .iter()
        .map(|(name, text)| (path(name), text.as_bytes().to_vec()));
    let files = Files::from(MemoryFiles::new(crds).unwrap());
    files.folder(&MemoryFiles::top()).unwrap()
}

fn crd(release: &str, kind: &str, fields: &[&str], versions: &str) -> String {
    let fields: String = fields
        .iter()
        .map(|name| format!("              {name}: {{type: string}}\n"))
        .collect();
    let versions: String = versions
        .split(' ')
        .map(|version| {
            let (name, flags) = version.split_once(':').unwrap_or((version, "served: true"));
            format!(
                "  - name: {name}\n    {flags}\n    schema:\n      openAPIV3Schema:\n        properties:\n          \
                 spec:\n            properties:\n{fields}"
            )
        })
        .collect();
    format!(
        "kind: CustomResourceDefinition\nmetadata:\n  annotations:\n    gateway.networking.k8s.io/bundle-version: {release}\n\
         spec:\n  group: gateway.networking.k8s.io\n  names: {{kind: {kind}}}\n  versions:\n{versions}"
    )
}

fn both(standard: &str, experimental: &str) -> Folder {
    folder(&[
        ("standard/a.yaml", standard),
        ("experimental/a.yaml", experimental),
    ])
}

fn read(checkout: &Folder) -> Result<ReleaseCrds, String> {
    ReleaseCrds::read(checkout, None)
}

#[test]
fn reads_and_compares_served_versions() {
    let old = both(
        &crd("v1.1.0", "HTTPRoute", &["rules", "old"], "v1"),
        &crd("v1.1.0", "HTTPRoute", &["rules", "old", "retry"], "v1"),
    );
    let deprecated = "v1beta1:{served:,true,deprecated:,true}";
    let deprecated = deprecated.replace("{served:,true,deprecated:,true}", "served: true\n    deprecated: true\n    deprecationWarning: Gone soon. Please upgrade to v1.");
    let experimental = crd("v1.2.0", "HTTPRoute", &["rules", "retry", "new"], "v1")
        + &crd("v1.2.0", "HTTPRoute", &["rules", "retry", "new"], "v1beta1")
            .split_once("  versions:\n")
            .unwrap()
            .1
            .replace("served: true", deprecated.split_once(':').unwrap().1);
    let new = both(
        &crd(
            "v1.2.0",
            "HTTPRoute",
            &["rules", "retry"],
            "v1 v1alpha2:served:",
        ),
        &experimental,
    );
    let releases = vec![read(&new).unwrap(), read(&old).unwrap()];
    let (text, _) = files(releases, &Served::default());
    let facts: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        facts["v1.1.0"]["HTTPRoute"],
        serde_json::json!({
            "standard": {"served": ["v1"]},
            "experimental": {"served": ["v1"]},
            "experimentalFields": ["spec.retry"],
        })
    );
    assert_eq!(
        facts["v1.2.0"]["HTTPRoute"],
        serde_json::json!({
            "standard": {"served": ["v1"], "unserved": ["v1alpha2"]},
            "experimental": {"served": ["v1", "v1beta1"], "deprecated": {"v1beta1": "v1"}},
            "experimentalFields": ["spec.new"],
            "added": ["spec.new"],
            "removed": ["spec.old"],
        })
    );
}

#[test]
fn fields_of_all_releases_are_listed_with_their_allowed_values() {
    let old = crd("v1.1.0", "HTTPRoute", &["old"], "v1");
    let with =
        |schema| crd("v1.2.0", "HTTPRoute", &["name"], "v1").replace("{type: string}", schema);
    let standard = with("{items: {properties: {kind: {enum: [C]}}}}");
    let experimental = with(
        "{items: {properties: {code: {enum: [308, 301]}, kind: {items: {enum: [B, A]}}, flag: {enum: [true]}}}}",
    );
    let releases = [both(&old, &old), both(&standard, &experimental)];
    let releases = releases.iter().map(|one| read(one).unwrap()).collect();
    let (_, fields) = files(releases, &Served::default());
    assert_eq!(
        fields,
        "{\n  \"HTTPRoute\": {\"name\": {\"code\": [301, 308], \"flag\": null, \"kind\": [\"A\", \"B\", \"C\"]}, \"old\": null}\n}\n"
    );
}

#[test]
fn writes_the_embedded_file_byte_for_byte() {
    let served = Registry::embedded().served();
    let (_, ours) = gwconform_schema::REGISTRY
        .iter()
        .find(|(name, _)| *name == "served.json")
        .unwrap();
    assert!(text(served.releases()) == *ours);
}

#[test]
fn rejects_unknown_crds_with_their_file() {
    let good = crd("v1.2.0", "HTTPRoute", &["rules"], "v1");
    let cases = [
        (good.replace("v1.2.0", "main"), "`main` is not a release"),
        (good.replace("bundle-version", "x"), "has no annotation"),
        (
            good.replace("group: gateway.networking.k8s.io", "group: acme.example"),
            "spec.group: `acme.example`",
        ),
        (
            good.replace("kind: HTTPRoute", "kind: \"a\\nb\""),
            "is not a name of letters and digits",
        ),
        (
            good.replace("rules:", "\"<b>\":"),
            "is not a name of letters and digits",
        ),
        (
            good.replace("name: v1\n", "name: \"v1 \"\n"),
            "is not a name of letters and digits",
        ),
        (
            format!("{good}---\n{good}"),
            "a second CRD of HTTPRoute in the standard channel",
        ),
        (good.replace("  - name: v1", "  other:\n  - name: v1"), ""),
        ("kind: [".to_owned(), ""),
        (format!("a: {}1", "[".repeat(200)), ""),
    ];
    for (standard, error) in cases {
        let found = read(&both(&standard, &good)).unwrap_err();
        assert!(found.starts_with("config/crd/standard/a.yaml: "), "{found}");
        assert!(found.contains(error), "{found}");
    }
    let other = crd("v1.3.0", "HTTPRoute", &["rules"], "v1");
    let found = read(&both(&good, &other)).unwrap_err();
    assert!(found.contains("v1.3.0; others have v1.2.0"), "{found}");
    let found = read(&folder(&[])).unwrap_err();
    assert_eq!(found, "config/crd/standard: no such file or folder");
    let found = read(&both("kind: Service\n", "kind: Service\n")).unwrap_err();
    assert!(found.contains("no CRDs with a bundle version"), "{found}");
}

#[test]
fn accepts_another_release_than_the_crds_name() {
    let good = crd("v1.2.0", "HTTPRoute", &["rules"], "v1");
    let version = Version::parse("v1.2.1").unwrap();
    let read = ReleaseCrds::read(&both(&good, &good), Some(version.clone())).unwrap();
    assert_eq!(read.version(), &version);
    assert_eq!(read.named().to_string(), "v1.2.0");
    assert_eq!(Versions::default().served, Vec::<String>::new());
}
