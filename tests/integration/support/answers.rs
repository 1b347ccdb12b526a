//! Collects verdicts and findings from all outputs. They must agree, and the preview of a change
//! must equal the verdicts after the merge.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use gwconform::site::Input;
use gwconform::workspace::{Options, PathBase, Target, Workspace};
use serde_json::Value;

use super::folder::Folder;
use super::git::commit_all;

const TREE: &str = "conformance/reports/";

#[derive(Debug, Default)]
pub struct Answers {
    /// Findings of `check` as `severity rule path`.
    pub check: Vec<String>,
    /// Findings of `check --since` in the same form.
    pub since: Vec<String>,
    /// Verdicts by organization/project.
    pub of: BTreeMap<String, Verdicts>,
}

#[derive(Debug, Default)]
pub struct Verdicts {
    /// Preview of `check --since` as `gateway: verdict (reason)`. Empty if the change does not
    /// affect the implementation.
    pub preview: Vec<String>,
    pub certify: Vec<String>,
    /// Output of `badge` as `slug: label: message color`.
    pub badge: String,
    pub site: Vec<String>,
    pub api: Vec<String>,
}

/// Commits the files of `base`, applies `change`, and collects all outputs. `rules` filters
/// findings by substrings of rule ids.
pub fn ask(
    folder: &Folder,
    base: impl FnOnce(&Folder),
    change: impl FnOnce(&Folder),
    names: &[&str],
    rules: &[&str],
) -> Answers {
    folder.file(&format!("{TREE}README.md"), "# Reports\n");
    base(folder);
    commit_all(folder.path());
    // Without a report there is no tree.
    let before = folder.run("certify --format json");
    let before: Value = serde_json::from_str(&before.stdout).unwrap_or_default();
    change(folder);
    let review = folder.json("check --fail-on never --since HEAD");
    let mut answers = Answers {
        check: findings(&folder.json("check --fail-on never"), rules),
        since: findings(&review, rules),
        ..Answers::default()
    };
    let certified = folder.json("certify");
    let site = site(folder.path());
    let api: Value =
        serde_json::from_str(&site["api/v1/implementations.json"]).expect("the API is JSON");
    for name in names {
        let find = |all: &Value| list(all).iter().find(|one| is(one, name)).cloned();
        let mut of = Verdicts::default();
        if let Some(one) = find(&certified["implementations"]) {
            let slug = text(&one["implementation"]);
            of.certify = families(&one["families"]);
            let printed = folder.run(&format!("badge {slug} --format shields"));
            of.badge = badge(&slug, &printed.stdout);
            of.site = vec![badge(&slug, &site[&format!("badges/{slug}.json")])];
            let page = &site[&format!("implementations/{slug}/index.html")];
            of.site.extend(marks(page));
        }
        let of_api = find(&api["implementations"]);
        of.api = of_api.map_or_else(Vec::new, |one| families(&one["families"]));
        let previews = list(&review["change"]["verdicts"]).iter();
        of.preview = previews
            .filter(|one| is(one, name) && !one["after"].is_null())
            .map(|one| line(&text(&one["family"]), &one["after"]))
            .collect();
        // Implementations without a preview are unchanged.
        let previewed = if of.preview.is_empty() {
            find(&before["implementations"]).map_or_else(Vec::new, |one| families(&one["families"]))
        } else {
            of.preview.clone()
        };
        assert_eq!(previewed, of.certify, "{name}: the preview is another");
        assert_eq!(of.api, of.certify, "{name}: the API is another");
        let on_site = of.site.first().cloned().unwrap_or_default();
        assert_eq!(
            on_site, of.badge,
            "{name}: the badge of the site is another"
        );
        answers.of.insert((*name).to_owned(), of);
    }
    answers
}

/// Renders the site in memory, because only a few of its hundreds of files are needed.
fn site(folder: &Path) -> BTreeMap<String, String> {
    let options = Options {
        target: Target::Paths(Vec::new()),
        ..Options::default()
    };
    let workspace = Workspace::open(folder, options).expect("a tree");
    let tree = workspace
        .certify(PathBase::Tree, &|_| {})
        .expect("verdicts")
        .whole()
        .expect("a tree that can be read");
    let made = gwconform::site::files(&Input {
        catalog: &tree.catalog(),
        registry: tree.registry(),
        tree: "",
        config: tree.config(),
        unreleased: None,
        findings: &tree.report.findings,
        sections: tree.sections().as_ref(),
        base: None,
        revision: None,
        modules: &[],
    });
    let texts = made.into_iter();
    texts
        .filter_map(|file| Some((file.path, String::from_utf8(file.bytes).ok()?)))
        .collect()
}

impl Answers {
    pub fn table(&self) -> String {
        let mut table = String::new();
        let mut rows = |title: &str, lines: &[String]| {
            let none = ["none".to_owned()];
            for line in if lines.is_empty() { &none } else { lines } {
                let _ = writeln!(table, "{title:9} {line}");
            }
        };
        rows("check", &self.check);
        rows("since", &self.since);
        for (name, of) in &self.of {
            rows("", std::slice::from_ref(name));
            rows("  preview", &of.preview);
            rows("  certify", &of.certify);
            rows("  badge", std::slice::from_ref(&of.badge));
            rows("  site", &of.site);
            rows("  API", &of.api);
        }
        table
    }
}

fn is(one: &Value, name: &str) -> bool {
    format!("{}/{}", text(&one["organization"]), text(&one["project"])) == name
}

fn findings(check: &Value, rules: &[&str]) -> Vec<String> {
    let findings = list(&check["findings"]).iter();
    findings
        .map(|one| {
            [
                text(&one["severity"]),
                text(&one["rule"]),
                text(&one["path"]),
            ]
        })
        .filter(|[_, rule, _]| rules.iter().any(|part| rule.contains(part)))
        .map(|[severity, rule, path]| {
            format!("{severity} {rule} {}", path.trim_start_matches(TREE))
        })
        .collect()
}

fn families(all: &Value) -> Vec<String> {
    let all = list(all).iter();
    all.map(|one| line(&text(&one["family"]), one)).collect()
}

fn line(family: &str, one: &Value) -> String {
    let mut verdicts = ["verdict", "standing"].iter().map(|key| text(&one[key]));
    let verdict = verdicts.find(|one| !one.is_empty()).unwrap_or_default();
    let verdict = verdict.replace(' ', "-");
    format!("{family}: {verdict} ({})", text(&one["reason"]))
}

fn badge(slug: &str, shields: &str) -> String {
    let json: Value = serde_json::from_str(shields).expect("a badge is JSON");
    let [label, message, color] = ["label", "message", "color"].map(|key| text(&json[key]));
    format!("{slug}: {label}: {message} {color}")
}

fn marks(page: &str) -> Vec<String> {
    let sections = page.split("<section class=\"verdict").skip(1);
    let headings = sections.filter_map(|section| {
        let (_, after) = section.split_once("<h2")?;
        let heading = after.split_once('>')?.1.split_once("</h2>")?.0;
        let shown = heading.split('<').map(|part| {
            let end = part.find('>').map_or(0, |at| at + 1);
            &part[end..]
        });
        let shown: String = shown.collect::<Vec<_>>().join(" ");
        Some(shown.split_whitespace().collect::<Vec<_>>().join(" "))
    });
    headings.collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
