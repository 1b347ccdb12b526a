//! Tests that all badges exist, have the text of the table in `src/site/badge.rs`, and escape all
//! names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::maker::{Mistakes, Options, Size};
use crate::support::folder::{ACME_REPORT, Folder, NAME, report, yaml_files};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::{corpus, has, rows, sample, text};
use gwconform::rules;
use gwconform::site::badge::{self, Badge, BadgeScopes, Colour, LABEL_COLOUR, Markup};
use gwconform_base::api::NameKind;
use gwconform_base::release::Registry;
use gwconform_base::text::source::Source;
use gwconform_report::certify::AsOf;
use gwconform_report::certify::catalog::{Catalog, Parts};
use gwconform_report::rules::check::{self, CheckReport, Settings};
use gwconform_report::rules::configuration::{self, Config};
use gwconform_report::tree;
use pulldown_cmark::{Event, Parser, Tag};
use serde_json::Value;

fn outcome(root: &Path) -> CheckReport {
    let tree = tree::discover(root, root, &tree::Parts::Whole).unwrap();
    check::check_tree(&tree, &Settings::default(), Registry::embedded(), &|_| {})
}

fn files(outcome: &CheckReport, config: &Config) -> Vec<(String, String)> {
    let catalog = Catalog::new(Parts {
        outcome,
        registry: Registry::embedded(),
        config,
        as_of: AsOf::default(),
        details: &[],
    });
    let issued = BadgeScopes::new(Registry::embedded());
    let all = catalog.implementations.iter();
    let mut files: Vec<_> = all
        .flat_map(|one| badge::files_of(&catalog, &issued, one))
        .collect();
    files.sort();
    files
}

fn of_tree(root: &Path) -> BTreeMap<String, String> {
    files(&outcome(root), &Config::default())
        .into_iter()
        .collect()
}

#[derive(Debug, Default)]
struct Seen {
    implementations: BTreeSet<(String, String)>,
    minors: BTreeSet<String>,
    profiles: BTreeSet<String>,
}

impl Seen {
    fn of(root: &Path) -> Self {
        let mut seen = Self::default();
        for path in yaml_files(root) {
            let release = path.strip_prefix(root).unwrap().iter().next().unwrap();
            let release = release.to_str().unwrap();
            let minor = release.split('.').take(2).collect::<Vec<_>>().join(".");
            seen.minors.insert(minor);
            let text = fs::read_to_string(path).unwrap();
            let mut values = text.lines().filter_map(|line| {
                let line = line.trim_start_matches(['-', ' ']);
                let (key, value) = line.split_once(": ")?;
                Some((key, value.trim().trim_matches(['"', '\'']).to_owned()))
            });
            let (mut organization, mut project) = (String::new(), String::new());
            for (key, value) in &mut values {
                match key {
                    "organization" => organization = value,
                    "project" => project = value,
                    "name" => drop(seen.profiles.insert(value)),
                    _ => {}
                }
            }
            // In the real tree, spellings that differ only in case share a folder and count once.
            let name = (organization.to_lowercase(), project.to_lowercase());
            seen.implementations.insert(name);
        }
        seen
    }
}

fn hold(root: &Path) {
    let seen = Seen::of(root);
    let files = of_tree(root);
    let slugs: BTreeSet<&str> = files
        .keys()
        .filter_map(|path| path.strip_prefix("badges/")?.strip_suffix(".svg"))
        .filter(|path| path.matches('/').count() == 1)
        .collect();
    assert_eq!(slugs.len(), seen.implementations.len());
    let registry = Registry::embedded();
    let minors = registry.released().map(|release| release.version().minor());
    let minors: BTreeSet<String> = minors.map(|minor| minor.to_string()).collect();
    let profiles = registry.names(NameKind::Profile).into_iter();
    let mut profiles: BTreeSet<String> = profiles.map(str::to_owned).collect();
    assert!(minors.is_superset(&seen.minors), "{:?}", seen.minors);
    assert!(profiles.is_superset(&seen.profiles), "{:?}", seen.profiles);
    // The badge of the profile `MESH` is that of the family.
    assert!(profiles.remove("MESH"));
    let families = ["gateway", "mesh"].map(str::to_owned);
    let names: Vec<_> = families.iter().chain(&minors).chain(&profiles).collect();
    assert_eq!(files.len(), slugs.len() * (1 + names.len()) * 2);
    for name in names {
        for slug in &slugs {
            for extension in ["svg", "json"] {
                let path = format!("badges/{slug}/{name}.{extension}");
                assert!(files.contains_key(&path), "{path}");
            }
        }
    }
    let mut by_folded: BTreeMap<String, &str> = BTreeMap::new();
    for (path, text) in &files {
        if let Some(json) = path.strip_suffix(".svg") {
            sound(text, &files[&format!("{json}.json")]);
        }
        // Paths that differ only in case are the same file on some file systems.
        let other = by_folded.insert(path.to_lowercase(), text);
        assert_eq!(other, None, "{path}");
    }
}

fn sound(svg: &str, json: &str) {
    let json: Value = serde_json::from_str(json).unwrap();
    let keys: BTreeSet<&str> = (json.as_object().unwrap().keys().map(String::as_str)).collect();
    let expected = ["schemaVersion", "label", "message", "color"];
    assert_eq!(keys, BTreeSet::from(expected));
    assert_eq!(json["schemaVersion"], 1);
    let name = format!("{}: {}", text(&json["label"]), text(&json["message"]));
    assert_eq!(name_of(svg), name);
    has(svg, text(&json["color"]));
}

/// Returns the accessible name. The image must not contain scripts, links or ids, and its texts
/// must not overlap.
fn name_of(svg: &str) -> String {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    let root = document.root_element();
    let mut end = 0.0;
    for element in root.descendants().filter(roxmltree::Node::is_element) {
        let name = element.tag_name().name();
        assert!(
            ["svg", "title", "path", "g", "text"].contains(&name),
            "{svg}"
        );
        for attribute in element.attributes() {
            let is_harmful = attribute.name().starts_with("on")
                || ["id", "href", "style", "class"].contains(&attribute.name());
            assert!(!is_harmful, "{svg}");
        }
        if name == "text" {
            let number = |name| element.attribute(name).unwrap().parse::<f64>().unwrap();
            let (middle, length) = (number("x"), number("textLength"));
            assert!(middle - length / 2.0 >= end + 5.0, "{svg}");
            end = middle + length / 2.0;
        }
    }
    let width: f64 = root.attribute("width").unwrap().parse().unwrap();
    assert!(end + 5.0 <= width && width < 2500.0, "{svg}");
    assert_eq!(root.attribute("height"), Some("20"));
    assert_eq!(root.attribute("role"), Some("img"));
    let title = root.first_element_child().unwrap();
    assert_eq!(title.tag_name().name(), "title");
    let label = root.attribute("aria-label").unwrap();
    assert_eq!(title.text(), Some(label));
    label.to_owned()
}

#[test]
fn every_badge_of_the_sample_tree_is_there() {
    hold(&sample());
}

#[test]
fn every_badge_of_made_trees_is_there() {
    for seed in [1, 7] {
        let options = Options {
            seed,
            size: Size::Submissions(40),
            mistakes: Mistakes::None,
        };
        let folder = Folder::new();
        for (path, text) in crate::maker::make(&options) {
            folder.file(path.to_str().unwrap(), text);
        }
        hold(folder.path());
    }
}

#[test]
fn every_badge_of_the_real_tree_is_there() {
    if let Some(corpus) = corpus() {
        hold(&corpus.join("gateway-api/conformance/reports"));
    }
}

fn text_of_badge(folder: &Folder, options: &str) -> String {
    let (options, newest) = options.split_once("newest ").unwrap_or((options, ""));
    if !newest.is_empty() {
        folder.newest_minor(newest);
    }
    let command = format!("badge acme/operator {options}");
    let output = folder.ok(command.trim_end());
    assert_eq!(output.stderr, "");
    let json = folder.run(&format!("{} --format shields", command.trim_end()));
    sound(&output.stdout, &json.stdout);
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    let colour = Colour::ALL
        .into_iter()
        .find(|one| one.hex() == json["color"]);
    format!("{} {:?}", name_of(&output.stdout), colour.unwrap())
}

#[test]
fn a_badge_has_the_text_of_the_table() {
    let mesh = Profile::new("MESH-GRPC")
        .core(Level::success(2))
        .summarized();
    let contradictory = Profile::grpc().core(Level::result("success").counts(13, 0, 1));
    let skipped = ["GRPCExactMethodMatching", "GRPCRouteHeaderMatching"];
    let report = |name: &str| match name {
        "right" => ReportBuilder::new(),
        "two skipped" => ReportBuilder::new().core(Level::partial(11, &skipped)),
        "none skipped" => ReportBuilder::new().core(Level::partial(13, &[])),
        "failing" => ReportBuilder::new().core(Level::failure(12, &["GRPCRouteWeight"])),
        "contradictory" => ReportBuilder::new().profiles([contradictory.clone()]),
        _ => ReportBuilder::new().profiles([mesh.clone()]),
    };
    let cases = "
        right         |                              | Gateway API v1.5: conformant Green
        right         | newest v1.6                  | Gateway API v1.5: conformant Green
        right         | newest v1.7                  | Gateway API v1.5: partial, older release Amber
        right         | newest v1.8                  | Gateway API: last report v1.5 Grey
        two skipped   |                              | Gateway API v1.5: partial, 2 skipped Amber
        none skipped  |                              | Gateway API v1.5: partial Amber
        failing       |                              | Gateway API v1.5: failing Red
        failing       | newest v1.8                  | Gateway API: last report v1.5 Grey
        failing       | --release v1.5 newest v1.8   | Gateway API v1.5: failing Red
        contradictory |                              | Gateway API v1.5: no verdict Grey
        right         | --family mesh                | Gateway API Mesh: no current report Grey
        right         | --release 1.5 newest v1.8    | Gateway API v1.5: conformant Green
        right         | --profile GATEWAY-GRPC       | Gateway API GRPC v1.5: conformant Green
        mesh          |                              | Gateway API Mesh v1.5: conformant Green
    ";
    for [name, options, expected] in rows(cases) {
        let folder = Folder::with_tree();
        folder.file(ACME_REPORT, report(name).build());
        assert_eq!(
            text_of_badge(&folder, options),
            expected,
            "{name} {options}"
        );
    }
}

#[test]
fn badges_state_a_missing_report() {
    let folder = Folder::with_tree();
    let mesh = Profile::new("MESH-HTTP")
        .core(Level::success(13))
        .summarized();
    let other = ReportBuilder::new().organization("weft").release("v1.4.0");
    folder.put(&other.profiles([mesh]));
    let cases = "
        --release v1.4      | Gateway API v1.4: no current report Grey
        --profile MESH-HTTP | Gateway API Mesh HTTP: no current report Grey
        --family mesh       | Gateway API Mesh: no current report Grey
    ";
    for [options, expected] in rows(cases) {
        assert_eq!(text_of_badge(&folder, options), expected);
    }
}

#[test]
fn an_implementation_is_found_by_its_names() {
    let folder = Folder::with_tree();
    folder.config("site-url = 'https://acme.example/gw/'\n\n[[implementation]]\norganization = 'acme'\nproject = 'operator'\nname = 'The *Operator*'\naliases = ['Old/Operator']\n",
    );
    let expected = folder.run("badge acme/operator").stdout;
    let names = "acme/operator acme-operator old-operator operator acme/Operator ACME oper";
    for name in names.split(' ') {
        assert_eq!(folder.run(&format!("badge {name}")).stdout, expected);
    }
    let sample = crate::support::run(
        Path::new(env!("CARGO_MANIFEST_DIR")),
        &["badge", "operator"].map(str::to_owned),
    );
    assert_eq!(
        sample.stderr,
        "error: `operator` names 2 implementations; write `acme/operator` (newest report for v1.6) or `umbrella/operator` (newest report for v1.6)\n"
    );
    let failure = |arguments: &str| folder.run(&format!("badge {arguments}")).fails(2);
    insta::assert_snapshot!(
        failure("acme-operater") + &failure("nobody")
            + &failure("acme/operator --release v1.99") + &failure("acme/operator --release newest")
            + &failure("acme/operator --profile GATEWAY-GRCP")
            + &failure("acme/operator --profile INFERENCE")
            + &failure("acme/operator --base-url acme.example")
            + &failure("acme/operator --base-url https://acme.example/?page=1"),
        @r#"
    error: no implementation in this tree is named `acme-operater`; did you mean `acme/operator`?
    error: no implementation in this tree is named `nobody`
    error: no badge for v1.99; expected one of v0.7, v0.8, v1.0, v1.1, v1.2, v1.3, v1.4, v1.5, v1.6
    error: --release: `newest` is not a minor release; expected a minor such as v1.6
    error: unknown profile `GATEWAY-GRCP`; did you mean `GATEWAY-GRPC`?
    error: unknown profile `INFERENCE`; expected one of GATEWAY-GRPC, GATEWAY-HTTP, GATEWAY-TCP, GATEWAY-TLS, GATEWAY-UDP, HTTP, MESH-GRPC, MESH-HTTP, TLS
    error: --base-url: `acme.example` is not an absolute URL with http or https
    error: --base-url: `https://acme.example/?page=1` cannot be used as a base URL: it has a query or fragment
    "#
    );
    failure("acme/operator --release v1.5 --family mesh");
    let snippets = ["markdown", "rst", "asciidoc", "html"].map(|format| {
        let arguments = "badge acme/operator --profile GATEWAY-GRPC --format";
        folder.run(&format!("{arguments} {format}")).stdout
    });
    insta::assert_snapshot!(snippets.concat(), @r#"
    [![Gateway API GRPC conformance of The \*Operator\*](https://acme.example/gw/badges/acme/operator/GATEWAY-GRPC.svg)](https://acme.example/gw/implementations/acme/operator/)
    .. image:: https://acme.example/gw/badges/acme/operator/GATEWAY-GRPC.svg
       :alt: Gateway API GRPC conformance of The *Operator*
       :target: https://acme.example/gw/implementations/acme/operator/
    image:https://acme.example/gw/badges/acme/operator/GATEWAY-GRPC.svg["Gateway API GRPC conformance of The &#42;Operator&#42;",link="https://acme.example/gw/implementations/acme/operator/"]
    <a href="https://acme.example/gw/implementations/acme/operator/"><img src="https://acme.example/gw/badges/acme/operator/GATEWAY-GRPC.svg" alt="Gateway API GRPC conformance of The *Operator*" height="20"></a>
    "#);
    let relative =
        folder.run("badge acme/operator --release v1.5 --format html --base-url http://b.example");
    relative.stdout_has("src=\"http://b.example/badges/acme/operator/v1.5.svg\"");
}

#[test]
fn former_names_have_the_same_badges() {
    let outcome = outcome(&sample());
    let text = "[[implementation]]\norganization = 'acme'\nproject = 'operator'\naliases = ['acme/gateway']\n\n[[implementation]]\norganization = 'weftworks'\nproject = 'weft'\n";
    let source = Source::new("gwconform.toml".to_owned(), text.as_bytes().to_vec());
    let loaded = configuration::parse(source, PathBuf::new(), &rules::ALL).unwrap();
    let plain = files(&outcome, &Config::default());
    let aliased = files(&outcome, &loaded.config);
    let of = |files: &[(String, String)], slug: &str| -> Vec<(String, String)> {
        let of_slug = files.iter().filter_map(|(path, text)| {
            let rest = path.strip_prefix(&format!("badges/{slug}"))?;
            Some((rest.to_owned(), text.clone()))
        });
        of_slug.collect()
    };
    let ours = of(&plain, "acme/operator");
    assert!(ours.len() > 20);
    assert_eq!(of(&aliased, "acme/operator"), ours);
    assert_eq!(of(&aliased, "acme/gateway"), ours);
    assert_eq!(of(&aliased, "weftworks/weft"), of(&plain, "weftworks/weft"));
    assert_eq!(aliased.len(), plain.len() + ours.len());
}

#[test]
fn a_report_of_an_old_release_does_not_change_the_badge_of_another() {
    let folder = Folder::with_tree();
    folder.put(&ReportBuilder::new().version("v2.15.0"));
    let expected = folder.ok("badge acme/operator");
    let old = ReportBuilder::new().organization("Acme").release("v1.1.1");
    folder.file(
        "conformance/reports/v1.1.1/acme-gate/standard-v0.1.0-default-report.yaml",
        old.build(),
    );
    assert_eq!(folder.run("badge acme/operator"), expected);
}

/// A release that only its own reports name has a badge of that implementation alone.
#[test]
fn reports_of_others_add_no_badge() {
    let folder = Folder::new();
    let path = |project: &str| format!("v1.5/acme-{project}/{NAME}");
    folder.file(&path("operator"), report());
    let before = of_tree(folder.path());
    for nth in 10..120 {
        let other = report().replace("v1.5.1", &format!("v1.{nth}.0"));
        let other = other.replace("project: operator", "project: gate");
        folder.file(&format!("v1.{nth}.0/acme-gate/{NAME}"), other);
    }
    let after = of_tree(folder.path());
    let of = |files: &BTreeMap<String, String>, project: &str| -> BTreeSet<String> {
        let start = format!("badges/acme/{project}");
        let paths = files.keys().filter(|path| path.starts_with(&start));
        paths.map(|path| path.replace(&start, "")).collect()
    };
    assert_eq!(of(&after, "operator"), of(&before, "operator"));
    let own = &of(&after, "gate") - &of(&after, "operator");
    assert_eq!(own.len(), 110 * 2);
    assert!(own.contains("/v1.119.svg"), "{own:?}");
}

#[test]
fn the_order_of_reports_does_not_matter() {
    let mut outcome = outcome(&sample());
    let first = files(&outcome, &Config::default());
    assert!(first.is_sorted());
    outcome.reports.reverse();
    assert_eq!(files(&outcome, &Config::default()), first);
}

const HOSTILE: [&str; 9] = [
    "</text><script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)> &amp; ]]> <!--",
    "](https://evil.example) ![x](y) `code` **bold** | <b> \\",
    "{counter:x} *a* _b_ `c` #d# image:x[] \",link=\"https://evil.example\"] ++x++ https://evil.example[x]",
    "a\n\n.. raw:: html\n\n   <b>\r\n\u{1b}[31m\u{0}\u{9b}",
    "\u{202e}gnp\u{2066}\u{200f}.exe\u{200b}\u{feff}\u{fffe}\u{1ffff}",
    "👩‍👩‍👧‍👦🏳️‍🌈 網格 한국어 العربية Ж",
    "z\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    "",
];

#[test]
fn hostile_texts_are_inert_and_bounded() {
    let long = "𝔵<".repeat(10_000);
    let marks = "\u{301}".repeat(10_000);
    for text in HOSTILE.into_iter().chain([long.as_str(), &marks]) {
        let badge = Badge {
            label: text.to_owned(),
            message: text.to_owned(),
            colour: Colour::Grey,
            report: None,
        };
        let (svg, json) = (badge::svg(&badge), badge::shields(&badge));
        assert!(svg.len() < 5000 && json.len() < 2000, "{svg}");
        sound(&svg, &json);
        for printed in [&svg, &json] {
            let shown = |c: char| gwconform_base::text::visible(&c.to_string());
            let is_seen = |c: char| c == '\n' || shown(c) == c.to_string();
            assert!(printed.chars().all(is_seen), "{printed}");
        }
        let (image, link) = ("https://a.example/x.svg", "https://a.example/x/");
        let shown = |markup| badge::snippet(markup, text, image, link);
        let markdown = shown(Markup::Markdown);
        let events: Vec<_> = Parser::new(&markdown).collect();
        assert!(
            matches!(
                events.as_slice(),
                [
                    Event::Start(Tag::Paragraph),
                    Event::Start(Tag::Link { dest_url, .. }),
                    Event::Start(Tag::Image { dest_url: source, .. }),
                    ..,
                    Event::End(_), Event::End(_), Event::End(_),
                ] if &**dest_url == link && &**source == image
            ),
            "{markdown}"
        );
        let is_text = |event: &Event<'_>| matches!(event, Event::Text(_));
        let inner = &events[3..events.len() - 3];
        assert!(inner.iter().all(is_text), "{markdown}");
        let html = shown(Markup::Html).replace("height=\"20\">", "height=\"20\"/>");
        let document = roxmltree::Document::parse(html.trim()).unwrap();
        let names = document.descendants().filter(roxmltree::Node::is_element);
        assert_eq!(names.count(), 2, "{html}");
        let rst = shown(Markup::Rst);
        let lines: Vec<_> = rst.lines().collect();
        assert_eq!(lines.len(), 3, "{rst}");
        assert!(lines[1].starts_with("   :alt:") && lines[2].starts_with("   :target: https://a"));
        let asciidoc = shown(Markup::AsciiDoc);
        let alternative = asciidoc
            .strip_prefix("image:https://a.example/x.svg[\"")
            .and_then(|rest| rest.strip_suffix("\",link=\"https://a.example/x/\"]\n"))
            .unwrap();
        let special = ['"', '[', ']', '{', '*', '_', '`', '+', '\n', ':'];
        assert!(!alternative.contains(special), "{asciidoc}");
    }
}

#[test]
fn hostile_names_of_implementations_are_inert() {
    let folder = Folder::new();
    let names = HOSTILE.iter().enumerate();
    for (at, name) in names.filter(|(_, name)| !name.contains('\u{0}')) {
        let quoted = serde_json::to_string(&name.replace(['\u{fffe}', '\u{1ffff}'], "")).unwrap();
        let hostile = report()
            .replace("project: operator", &format!("project: {quoted}"))
            .replace("GATEWAY-GRPC", &format!("GATEWAY-GRPC\n- name: {quoted}"));
        folder.file(&format!("v1.5/x-{at}/a-report.yaml"), hostile);
    }
    let files = of_tree(folder.path());
    assert!(files.len() > 50);
    for (path, text) in &files {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/-_.".contains(c);
        assert!(path.chars().all(is_plain) && !path.contains(".."), "{path}");
        if path.ends_with(".svg") {
            name_of(text);
        }
    }
}

/// Contrast ratio as defined by WCAG 2.2.
fn contrast(one: &str, other: &str) -> f64 {
    let luminance = |hex: &str| {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn white_text_can_be_read_on_each_colour() {
    assert!((contrast("#ffffff", "#000000") - 21.0).abs() < 0.001);
    let colours = Colour::ALL.map(Colour::hex).into_iter();
    for colour in colours.chain([LABEL_COLOUR]) {
        let contrast = contrast("#ffffff", colour);
        assert!(contrast >= 4.5, "{colour}: {contrast}");
    }
}

#[test]
fn wide_texts_get_wide_badges() {
    let width = |message: &str| {
        let svg = badge::svg(&Badge {
            label: "Gateway API".to_owned(),
            message: message.to_owned(),
            colour: Colour::Green,
            report: None,
        });
        let document = roxmltree::Document::parse(&svg).unwrap();
        let width = document.root_element().attribute("width").unwrap();
        width.parse::<u32>().unwrap()
    };
    let empty = width("");
    assert_eq!(width("漢字漢字") - empty, 44);
    assert_eq!(width("e\u{301}e\u{301}"), width("éé"));
    assert_eq!(width("\u{301}\u{200d}\u{202e}"), empty);
    assert!(width("mmmm") > width("iiii") + 20);
}

#[test]
fn badges_match_the_snapshot() {
    let files = of_tree(&sample());
    let shown = [
        "acme/operator",
        "weftworks/weft/mesh",
        "oldharbor/sluice",
        "acme/operator/GATEWAY-HTTP",
        "oldharbor/sluice/v1.5",
    ];
    let shown = shown.map(|path| {
        let path = format!("badges/{path}");
        let of = |extension: &str| files[&format!("{path}.{extension}")].clone();
        format!("{path}\n{}{}", of("svg").replace("><", ">\n<"), of("json"))
    });
    insta::assert_snapshot!(shown.join("\n"));
}
