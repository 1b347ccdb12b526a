//! Tests that imports from the real sources, if available, reproduce the built-in release files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::corpus::{gateway_api, sources_of_releases};
use crate::support::git::{commit_all, git};
use crate::support::{Output, run};

fn gwconform(folder: &Path, command: &str) -> Output {
    let arguments: Vec<_> = command.split(' ').map(str::to_owned).collect();
    run(folder, &arguments)
}

fn embedded(release: &str) -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("schema/registry/{release}.json"));
    fs::read_to_string(path).unwrap()
}

fn facts(text: &str) -> Value {
    let mut file: Value = serde_json::from_str(text).unwrap();
    file.as_object_mut().unwrap().remove("notes");
    for section in ["features", "profiles", "tests"] {
        let entries = file.get_mut(section).and_then(Value::as_object_mut);
        for entry in entries.into_iter().flat_map(|entries| entries.values_mut()) {
            for written in ["meaning", "meaningFrom", "renamedFrom"] {
                if let Some(entry) = entry.as_object_mut() {
                    entry.remove(written);
                }
            }
        }
    }
    file
}

fn date(text: &str) -> String {
    let file: Value = serde_json::from_str(text).unwrap();
    file["date"].as_str().unwrap().to_owned()
}

fn import_is_ours(folder: &Path, checkout: &str, release: &str) {
    let ours = embedded(release);
    let command = format!(
        "registry import --checkout {checkout} --ref {release} --date {}",
        date(&ours)
    );
    let output = gwconform(folder, &command);
    assert_eq!(output.code, 0, "{release}: {}", output.stderr);
    assert_eq!(facts(&output.stdout), facts(&ours), "{release}");
    if !["\"meaning\"", "\"notes\"", "\"renamedFrom\""]
        .iter()
        .any(|word| ours.contains(word))
    {
        assert_eq!(output.stdout, ours, "{release}");
    }
}

#[test]
fn the_sources_of_releases_give_our_files() {
    let Some(sources) = sources_of_releases() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut tags = BTreeSet::new();
    for entry in fs::read_dir(&sources).unwrap() {
        let tag = entry.unwrap().file_name().into_string().unwrap();
        let checkout = folder.path().join("checkout");
        for name in ["config", "conformance", "pkg"] {
            let _ = fs::remove_dir_all(checkout.join(name));
        }
        copy(&sources.join(&tag), &checkout);
        commit_all(&checkout);
        git(&checkout, &["tag", "--annotate", "--message=x", &tag]);
        tags.insert(tag);
    }
    assert!(tags.len() >= 8, "{tags:?}");
    git(
        folder.path(),
        &["clone", "--quiet", "--bare", "checkout", "bare.git"],
    );
    for tag in &tags {
        import_is_ours(folder.path(), "bare.git", tag);
    }
    let output = gwconform(folder.path(), "registry check --checkout checkout");
    assert_eq!(
        (output.code, output.stderr.as_str()),
        (0, ""),
        "{}",
        output.stdout
    );
    assert!(
        output.stdout.contains(&format!("{} of ", tags.len())),
        "{}",
        output.stdout
    );
}

#[test]
fn a_git_directory_of_the_gateway_api_gives_our_files() {
    let Some(checkout) = gateway_api() else {
        return;
    };
    let checkout = fs::canonicalize(checkout).unwrap();
    let known =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/registry")).unwrap();
    let tags = git(&checkout, &["tag", "--list"]);
    for entry in known {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let release = name.strip_suffix(".json").unwrap_or_default();
        if tags.lines().any(|tag| tag == release) {
            import_is_ours(&checkout, ".", release);
        }
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let path = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(&path).unwrap();
        } else {
            fs::copy(entry.path(), &path).unwrap();
        }
    }
}
