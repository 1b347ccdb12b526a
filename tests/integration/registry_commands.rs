//! Tests `gwconform features`, `profiles` and `tests`.

use std::fs;
use std::path::Path;

use crate::support::folder::Folder;
use crate::support::{Output, run};
use gwconform_base::release::Registry;
use serde_json::Value;

fn gwconform(folder: &Path, command: &str) -> Output {
    let arguments: Vec<_> = command.split(' ').map(str::to_owned).collect();
    run(folder, &arguments)
}

fn json(command: &str) -> Value {
    let output = gwconform(Path::new("."), &format!("{command} --format json"));
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{command}");
    serde_json::from_str(&output.stdout).unwrap()
}

fn named<'v>(listed: &'v Value, kind: &str, name: &str) -> &'v Value {
    let mut all = listed[format!("{kind}s")].as_array().unwrap().iter();
    all.find(|one| one[kind] == name).unwrap()
}

#[test]
fn feature_shows_level_first_release_and_tests() {
    let listed = json("features --release v1.5.0");
    assert_eq!(listed["version"], 1);
    assert_eq!(
        listed["same_facts"],
        serde_json::json!(["v1.5.0", "v1.5.1"])
    );
    let cors = named(&listed, "feature", "HTTPRouteCORS");
    assert_eq!(cors["declared_level"], "extended");
    assert_eq!(cors["channel"], "standard");
    assert_eq!(cors["since"], "v1.4.0");
    assert_eq!(cors["tests"][0]["test"], "HTTPRouteCORS");
    assert!(cors["description"].is_string());
    let renamed = json("features --release v1.0.0");
    let renamed = named(&renamed, "feature", "HTTPRouteResponseHeaderModification");
    assert_eq!(renamed["renamed_from"], "HTTPResponseHeaderModification");
}

#[test]
fn renamed_names_have_an_end_and_a_successor() {
    for (command, kind, name, expected) in [
        (
            "features --release v0.8.1",
            "feature",
            "HTTPResponseHeaderModification",
            ["v0.7.0", "v0.8", "HTTPRouteResponseHeaderModification"],
        ),
        (
            "profiles --release v1.0.0",
            "profile",
            "HTTP",
            ["v0.8.0", "v1.0", "GATEWAY-HTTP"],
        ),
        (
            "tests --release v1.0.0",
            "test",
            "HTTPExactPathMatching",
            ["v0.7.0", "v1.0", "HTTPRouteExactPathMatching"],
        ),
    ] {
        let listed = json(command);
        let one = named(&listed, kind, name);
        let fields = ["since", "until", "renamed_to"].map(|field| one[field].as_str().unwrap());
        assert_eq!(fields, expected, "{name}");
    }
    let listed = json("tests --release v1.5.1");
    let kept = named(&listed, "test", "HTTPRouteWeight");
    assert_eq!(
        (&kept["until"], &kept["renamed_to"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn a_profile_counts_its_tests() {
    let listed = json("profiles --release v1.6.1 --profile GATEWAY-HTTP");
    assert_eq!(listed["profiles"].as_array().unwrap().len(), 1);
    let http = &listed["profiles"][0];
    assert_eq!(http["renamed_from"], "HTTP");
    assert_eq!(http["core_test_counts"]["fixed"], 37);
    assert_eq!(http["core_test_counts"]["parallel"], 10);
    let misnamed = json("profiles --release v1.1.1 --profile MESH-GRPC");
    assert_eq!(misnamed["profiles"][0]["report_name"], "MESH-HTTP");
}

#[test]
fn test_shows_features_and_profiles() {
    let listed = json("tests --profile GATEWAY-TCP");
    let test = named(&listed, "test", "TCPRouteReferenceGrant");
    assert_eq!(test["provisional"], true);
    assert_eq!(test["profiles"][0]["level"], "core");
    assert_eq!(
        test["features"],
        serde_json::json!(["Gateway", "TCPRoute", "ReferenceGrant"])
    );
}

#[test]
fn tables_fit_into_a_hundred_columns() {
    let releases = ["v0.7.1", "v0.8", "v1.0", "v1.1", "v1.4.1", "v1.6"];
    for release in releases {
        for command in ["features", "profiles", "tests"] {
            let output = gwconform(Path::new("."), &format!("{command} --release {release}"));
            assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{command}");
            let wide = output
                .stdout
                .lines()
                .find(|line| line.chars().count() > 100);
            assert_eq!(wide, None, "{command} {release}");
        }
    }
}

#[test]
fn a_release_is_read_loosely_and_says_so() {
    for (release, notes) in [
        ("v1.5.1", &[][..]),
        ("v1.5", &["using v1.5.1, the latest patch of v1.5"]),
        ("1.5.0", &["using v1.5.0 for 1.5.0"]),
        (
            "v1.5.9",
            &["unknown release v1.5.9; using v1.5.1, the nearest lower patch"],
        ),
    ] {
        let listed = json(&format!("profiles --release {release}"));
        assert_eq!(listed["notes"], serde_json::json!(notes), "{release}");
    }
    let human = gwconform(Path::new("."), "profiles --release v1.5").stdout;
    assert!(human.contains("\nusing v1.5.1, the latest patch of v1.5\n"));
}

#[test]
fn unknown_names_are_usage_errors_with_suggestions() {
    let newest = Registry::embedded().newest().unwrap().version();
    for (command, expected) in [
        (
            "features --release v1.99",
            "error: unknown release `v1.99`; expected one from v0.7.0 to NEWEST\n",
        ),
        (
            "features --release vv1.5.1",
            "error: unknown release `vv1.5.1`; expected one from v0.7.0 to NEWEST; did you mean `v1.5.1`?\n",
        ),
        (
            "tests --profile GATEWAY_HTTP",
            "error: NEWEST has no profile `GATEWAY_HTTP`; did you mean `GATEWAY-HTTP`?\n",
        ),
        (
            "profiles --release v1.5.0 --profile MESH",
            "error: v1.5.0 has no profile `MESH`; did you mean `MESH-HTTP`?\n",
        ),
        (
            "profiles --release v0.7.1 --profile HTTP",
            "error: v0.7.1 has no profile `HTTP`\n",
        ),
    ] {
        let output = gwconform(Path::new("."), command);
        let expected = expected.replace("NEWEST", &newest.to_string());
        let got = (output.code, output.stdout.as_str(), output.stderr.as_str());
        assert_eq!(got, (2, "", expected.as_str()), "{command}");
    }
}

#[test]
fn reads_a_folder_of_facts() {
    let folder = tempfile::tempdir().unwrap();
    let facts = r#"{"release": "v1.99.0", "date": "2026-11-01", "base": "v1.6.0"}"#;
    fs::write(folder.path().join("v1.99.0.json"), facts).unwrap();
    let output = gwconform(folder.path(), "profiles --registry . --profile GATEWAY-UDP");
    assert!(
        output
            .stdout
            .starts_with("1 profile of GATEWAY-UDP in v1.99.0"),
        "{output:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_registry_of_anything_but_regular_files_of_some_size_is_refused_without_waiting() {
    let root = tempfile::tempdir().unwrap();
    let refused = |make: &dyn Fn(&Path)| {
        let folder = root.path().join("registry");
        fs::create_dir(&folder).unwrap();
        make(&folder);
        let output = gwconform(root.path(), "features --registry registry");
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{output:?}");
        output.stderr
    };
    let name = "v1.99.0.json";
    let link = |to: &'static str| {
        move |folder: &Path| std::os::unix::fs::symlink(to, folder.join(name)).unwrap()
    };
    let pipe = |folder: &Path| {
        let made = std::process::Command::new("mkfifo")
            .arg(folder.join(name))
            .status();
        assert!(made.unwrap().success());
    };
    let messages = [
        refused(&pipe),
        refused(&link("/dev/zero")),
        refused(&link("/etc/passwd")),
        refused(&|folder| fs::create_dir(folder.join(name)).unwrap()),
        refused(&|folder| {
            // A sparse file is long, but uses no disk space.
            let file = fs::File::create(folder.join(name)).unwrap();
            file.set_len(1 << 40).unwrap();
        }),
        refused(&|folder| {
            for nth in 0..101 {
                fs::write(folder.join(format!("v1.99.{nth}.json")), "{}").unwrap();
            }
        }),
        refused(&|folder| fs::write(folder.join(name), b"\xff").unwrap()),
    ];
    insta::assert_snapshot!(messages.concat(), @r"
    error: --registry: registry/v1.99.0.json: not read: it is a pipe, a socket or a device; expected a regular file
    error: --registry: registry/v1.99.0.json: not read: it is a symbolic link; expected a regular file
    error: --registry: registry/v1.99.0.json: not read: it is a symbolic link; expected a regular file
    error: --registry: registry/v1.99.0.json: not read: it is a folder; expected a regular file
    error: --registry: registry/v1.99.0.json: not read: it is larger than 4 MiB
    error: --registry: registry: 101 JSON files; expected at most 100
    error: --registry: registry/v1.99.0.json: not read: it is not UTF-8
    ");
}

#[test]
fn each_error_in_facts_is_a_line_with_its_file() {
    let folder = Folder::with_tree();
    folder.file("facts/v1.99.0.json", "{\n\"release\": \"v1.99.0\", \"base\": \"v1.6.1\",\n\"features\": {\n\"Old\\u001b[2J\": null,\n\"Older\": null\n}}");
    let output = folder.run("check --registry facts");
    assert_eq!(output.code, 2);
    let lines: Vec<&str> = output.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{}", output.stderr);
    assert!(
        lines[0].starts_with("error: facts/v1.99.0.json:4: "),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].starts_with("facts/v1.99.0.json:5: "),
        "{}",
        lines[1]
    );
    assert!(!output.stderr.contains('\u{1b}'));
}
