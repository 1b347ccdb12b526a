//! Tests aliases that a change adds: the review of moved URLs, and the redirects on the site.

use std::collections::BTreeMap;
use std::fs;

use regex::Regex;

use crate::support::folder::{Folder, TREE, files};
use crate::support::report::{Level, Profile, ReportBuilder};

const MOVED: &str = "check --since HEAD --select change/address-moved";

const ALIAS: &str = "[[implementation]]\norganization = 'acme'\nproject = 'operator'\naliases = ['acmeinc/operator']\n";

fn report(organization: &str, release: &str, nth: u32) -> String {
    let passed = if release == "v1.4.0" { 12 } else { 13 };
    ReportBuilder::new()
        .organization(organization)
        .project("operator")
        .release(release)
        .version(&format!("v3.{nth}.0"))
        .date(&format!("2026-09-2{nth}T10:{:02}:30Z", organization.len()))
        .profiles([Profile::grpc().core(Level::success(passed))])
        .build()
}

fn put(folder: &Folder, path: &str, organization: &str, release: &str, nth: u32) {
    let text = report(organization, release, nth);
    folder.file(&format!("{TREE}/{path}"), text);
}

/// Creates a tree with two names. In v1.4.0, both have a report with the same file name.
fn two_names() -> Folder {
    let folder = Folder::new();
    put(&folder, "v1.5/acme-operator/new.yaml", "acme", "v1.5.1", 1);
    put(&folder, "v1.5/acme-operator/b.yaml", "acme", "v1.5.1", 2);
    put(&folder, "v1.4.0/acme-operator/a.yaml", "acme", "v1.4.0", 3);
    put(&folder, "v1.4.0/old/a.yaml", "acmeinc", "v1.4.0", 4);
    put(&folder, "v1.4.0/old/b.yaml", "acmeinc", "v1.4.0", 5);
    folder.file("notes.md", "Notes\n");
    folder
}

fn moved(folder: &Folder) -> (Vec<String>, i32) {
    let found = folder.json(MOVED)["findings"].take();
    let all = found.as_array().unwrap().iter();
    let all = all.filter(|finding| finding["rule"] == "change/address-moved");
    let messages = all.map(|finding| {
        let text = |key: &str| finding[key].as_str().unwrap();
        format!("{} {}: {}", text("severity"), text("path"), text("message"))
    });
    (messages.collect(), folder.run(MOVED).code)
}

const WARNING: &str = "warning gwconform.toml: the configuration moves the address `acmeinc/operator` to `acme/operator`";

#[test]
fn an_alias_alone_moves_its_addresses_with_a_warning() {
    let folder = two_names();
    folder.commit();
    folder.file("gwconform.toml", ALIAS);
    assert_eq!(moved(&folder), (vec![WARNING.to_owned()], 0));
    let help = folder.json(MOVED)["findings"][0]["help"].take();
    assert_eq!(
        help,
        "the old addresses stay valid: their pages redirect, and their badges and feeds are still written"
    );
    folder.git("switch --quiet --create change");
    folder.remove("gwconform.toml");
    folder.file("names/of.toml", ALIAS);
    folder.commit();
    let words = "check --since main --config names/of.toml --select change/address-moved";
    let found = folder.json(words)["findings"].take();
    assert_eq!(found[0]["severity"], "warning");
    assert_eq!(found[0]["path"], "names/of.toml");
    assert_eq!(folder.run(words).code, 0);
    // The check does not use this file as its configuration.
    folder.file("gwconform.toml", ALIAS);
    let words = "check --since main --select change/address-moved";
    assert_eq!(folder.json(words)["findings"][0]["severity"], "error");
}

/// The author of such a change may not be a maintainer.
#[test]
fn rejects_an_alias_together_with_other_changes() {
    type Touch = fn(&Folder);
    let touches: &[(&str, Touch)] = &[
        ("a file beside the tree", |folder| {
            folder.file("notes.md", "Other notes\n");
        }),
        ("a new file beside the tree", |folder| {
            folder.file("more.md", "More notes\n");
        }),
        ("a README", |folder| {
            folder.file(&format!("{TREE}/v1.4.0/old/README.md"), "# Old\n");
        }),
        ("a new report", |folder| {
            put(folder, "v1.5/acme-operator/c.yaml", "acme", "v1.5.1", 6);
        }),
        ("a changed report", |folder| {
            put(folder, "v1.4.0/old/b.yaml", "acmeinc", "v1.4.0", 6);
        }),
        ("a deleted report", |folder| {
            folder.remove(&format!("{TREE}/v1.4.0/old/b.yaml"));
        }),
        ("a renamed report", |folder| {
            let old = folder.path().join(TREE).join("v1.4.0/old");
            fs::rename(old.join("b.yaml"), old.join("c.yaml")).unwrap();
        }),
        ("a renamed folder", |folder| {
            let release = folder.path().join(TREE).join("v1.4.0");
            fs::rename(release.join("old"), release.join("acmeinc-operator")).unwrap();
        }),
        ("details of an implementation", |folder| {
            let details = "organization: acme\nproject: operator\nfullName: Acme\n";
            folder.file("conformance/implementations/acme/details.yaml", details);
        }),
        ("another configuration", |folder| {
            folder.file(&format!("{TREE}/v1.5/gwconform.toml"), ALIAS);
        }),
        #[cfg(unix)]
        ("a link", |folder| {
            folder.link(&format!("{TREE}/v1.5.1"), "v1.5");
        }),
    ];
    for (what, touch) in touches {
        let folder = two_names();
        folder.commit();
        folder.file("gwconform.toml", ALIAS);
        touch(&folder);
        let (messages, code) = moved(&folder);
        let start = format!("error {TREE}/");
        let end =
            ": `acmeinc/operator` moves from the address `acmeinc/operator` to `acme/operator`";
        let is_there = |message: &String| message.starts_with(&start) && message.ends_with(end);
        assert!(messages.iter().any(is_there), "{what}: {messages:?}");
        assert_eq!(code, 1, "{what}");
        let found = folder.json(MOVED)["findings"].take();
        let mut helps = found.as_array().unwrap().iter().map(|one| &one["help"]);
        let help = "submit the configuration as a separate change; it may then move the address";
        assert!(helps.any(|one| one == help), "{what}: {found:#?}");
    }
}

/// A change must not disable the rule that reviews it.
#[test]
fn configuration_cannot_hide_moved_addresses() {
    for hides in [
        "[rules]\n'change/address-moved' = 'off'\n",
        "[rules]\nchange = 'off'\n",
        "[rules]\n'change/address-moved' = 'info'\n",
        "[[ignore]]\nrule = 'change/address-moved'\npath = '**'\nreason = 'x'\n",
    ] {
        let folder = two_names();
        folder.commit();
        folder.file("gwconform.toml", format!("{ALIAS}{hides}"));
        assert_eq!(moved(&folder), (vec![WARNING.to_owned()], 0), "{hides}");
        folder.file("more.md", "More notes\n");
        let (messages, code) = moved(&folder);
        assert!(
            messages.iter().any(|one| one.starts_with("error")),
            "{hides}"
        );
        assert_eq!(code, 1, "{hides}");
    }
}

/// A branch that starts before the alias has the older configuration.
#[test]
fn ignores_renames_made_meanwhile_in_the_revision() {
    let folder = two_names();
    folder.commit();
    folder.git("switch --quiet --create change");
    folder.git("switch --quiet main");
    folder.file("gwconform.toml", ALIAS);
    folder.commit();
    folder.git("switch --quiet change");
    put(&folder, "v1.5/acme-operator/c.yaml", "acme", "v1.5.1", 6);
    let words = "check --since main --select change/address-moved";
    let found = folder.json(words)["findings"].take();
    assert_eq!(found, serde_json::json!([]));
}

/// Without the alias, the site no longer has the address.
#[test]
fn an_alias_that_is_removed_is_an_error() {
    let folder = two_names();
    folder.file("gwconform.toml", ALIAS.replace("['", "['umbrella/gate', '"));
    folder.commit();
    folder.file("gwconform.toml", ALIAS);
    let message = "`acme/operator` moves from the address `umbrella/gate` to `acme/operator`";
    let (messages, code) = moved(&folder);
    let path = "conformance/reports/v1.4.0/acme-operator/a.yaml";
    assert_eq!(messages, [format!("error {path}: {message}")]);
    assert_eq!(code, 1);
    let help = folder.json(MOVED)["findings"][0]["help"].take();
    assert_eq!(
        help,
        "keep the name, or first add `aliases = [\"umbrella/gate\"]` to the `[[implementation]]` entry of `acme/operator`, as a separate change"
    );
}

#[test]
fn the_addresses_that_move_are_counted_and_the_first_ones_listed() {
    let folder = Folder::new();
    put(&folder, "v1.5/acme-operator/a.yaml", "acme", "v1.5.1", 1);
    let names: Vec<String> = (10..23).map(|nth| format!("acme{nth}")).collect();
    for name in &names {
        let path = format!("v1.5/{name}-operator/{name}.yaml");
        put(&folder, &path, name, "v1.5.1", 2);
    }
    folder.commit();
    let aliases = names
        .iter()
        .map(|name| format!("'{name}/operator'"))
        .collect::<Vec<_>>();
    folder.file(
        "gwconform.toml",
        ALIAS.replace("'acmeinc/operator'", &aliases.join(", ")),
    );
    let listed = (10..15).map(|nth| format!("`acme{nth}/operator` to `acme/operator`"));
    let listed = listed.collect::<Vec<_>>().join(", ");
    let message = format!(
        "warning gwconform.toml: the configuration moves 13 addresses: {listed} and 8 more"
    );
    assert_eq!(moved(&folder), (vec![message], 0));
}

fn site(folder: &Folder, out: &str) -> BTreeMap<String, String> {
    let upcoming = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser/upcoming");
    let output = folder.run(&format!(
        "site --out {out} --base-url https://acme.example/x --registry {upcoming}"
    ));
    assert_eq!(output.code, 0, "{output:?}");
    let files = files(&folder.path().join(out)).into_iter();
    files
        .map(|(path, bytes)| (path, String::from_utf8_lossy(&bytes).into_owned()))
        .collect()
}

fn redirect(path: &str, html: &str) -> Option<String> {
    let refresh = Regex::new(r#"<meta http-equiv="refresh" content="0; url=([^"]+)">"#).unwrap();
    let to = refresh.captures(html)?[1].to_owned();
    assert!(
        html.contains(&format!("href=\"{to}\"")),
        "{path} has no link"
    );
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in to.split('/') {
        match part {
            ".." => drop(parts.pop().unwrap()),
            part => parts.push(part),
        }
    }
    Some(format!("{}index.html", parts.join("/")))
}

fn about(html: &str) -> String {
    let digest = Regex::new("[0-9a-f]{64}").unwrap();
    let heading = Regex::new("(?s)<h1[^>]*>.*?</h1>").unwrap();
    let found = digest.find(html).or_else(|| heading.find(html));
    found.unwrap().as_str().to_owned()
}

#[test]
fn the_site_keeps_the_addresses_that_an_alias_moves() {
    let folder = two_names();
    let before = site(&folder, "before");
    folder.file("gwconform.toml", ALIAS);
    let after = site(&folder, "after");
    let mut kept = BTreeMap::new();
    let shape = Regex::new("^(implementations|badges|outlook)/acmeinc/operator(/|\\.)").unwrap();
    for (path, text) in &before {
        let Some(found) = shape.captures(path) else {
            // The name of the index contains its digest.
            let is_index = path.starts_with("assets/search-index.");
            assert!(after.contains_key(path) || is_index, "{path}");
            continue;
        };
        let now = after
            .get(path)
            .unwrap_or_else(|| panic!("{path} is not there"));
        *kept.entry(found[1].to_owned()).or_insert(0) += 1;
        if !path.ends_with(".html") {
            let new = path.replace("acmeinc/operator", "acme/operator");
            assert_eq!(now, &after[&new], "{path}");
            continue;
        }
        let to = redirect(path, now).unwrap_or_else(|| panic!("{path}: {now}"));
        assert!(
            now.contains("<meta name=\"robots\" content=\"noindex\">"),
            "{path}"
        );
        if path.matches('/').count() == 5 {
            assert_eq!(about(&after[&to]), about(text), "{path}");
        } else {
            assert_eq!(to, path.replace("acmeinc/operator", "acme/operator"));
        }
    }
    assert_eq!(kept["implementations"], 6);
    assert_eq!(kept["outlook"], 1);
    assert!(kept["badges"] > 10, "{kept:?}");
    for (path, text) in &after {
        let is_list = path == "sitemap.xml" || path == "api/v1/index.json";
        assert!(!is_list || !text.contains("acmeinc/operator/"), "{path}");
    }
}

/// The site must resolve redirects through both former names.
#[test]
fn addresses_stay_valid_through_two_renames() {
    let folder = two_names();
    folder.file("gwconform.toml", ALIAS);
    let before = site(&folder, "before");
    folder.file(
        "gwconform.toml",
        ALIAS
            .replace("'acme'", "'umbrella'")
            .replace("['", "['acme/operator', '"),
    );
    let after = site(&folder, "after");
    let mut count = 0;
    for (path, text) in &before {
        if !path.starts_with("implementations/") || !path.ends_with(".html") {
            continue;
        }
        let now = after
            .get(path)
            .unwrap_or_else(|| panic!("{path} is not there"));
        let last = redirect(path, text).map_or(text, |to| &before[&to]);
        if path.matches('/').count() == 5 {
            let to = redirect(path, now).unwrap();
            assert_eq!(about(&after[&to]), about(last), "{path}");
            count += 1;
        }
    }
    assert!(count >= 7, "{count}");
}
