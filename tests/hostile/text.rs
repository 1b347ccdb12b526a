//! Tests text with a special meaning in an output format, in every field of two reports and their
//! README. The tests parse all outputs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use pulldown_cmark::{Event, Options, Parser, Tag};
use rayon::prelude::*;
use regex::Regex;

use gwconform::print::Format;

use super::bounded::{Call, Ran, can_be_seen};
use super::support::folder::Folder;
use super::support::one_in;
use super::table::Case;

/// Name and text. `{}` is replaced with a mark that identifies the text in outputs.
type Payload = (&'static str, &'static str);

const CONTROLS: &[Payload] = &[
    (
        "control characters",
        "\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{e}\u{f}\u{10}\u{11}\u{12}\u{13}\u{14}{}\u{15}\u{16}\u{17}\u{18}\u{19}\u{1a}\u{1c}\u{1d}\u{1e}\u{1f}",
    ),
    ("zero byte", "a\u{0}{}"),
    ("bell and backspace", "\u{7}{}\u{8}\u{8}\u{8}"),
    (
        "tab, line feed, vertical tab, form feed",
        "\t{}\n\u{b}\u{c}",
    ),
    ("carriage return", "{}\rno findings"),
    ("delete", "\u{7f}{}\u{7f}"),
    (
        "C1 control characters",
        "\u{80}\u{84}\u{85}\u{88}\u{8d}\u{90}{}\u{98}\u{9b}31m\u{9c}\u{9d}\u{9e}\u{9f}",
    ),
    ("ANSI colour", "\u{1b}[31m{}\u{1b}[0m"),
    ("ANSI clear screen", "\u{1b}[2J\u{1b}[H{}"),
    ("ANSI conceal", "\u{1b}[8m{}"),
    ("title of the terminal", "\u{1b}]0;{}\u{7}"),
    (
        "link of the terminal",
        "\u{1b}]8;;https://evil.example\u{7}{}\u{1b}]8;;\u{7}",
    ),
    ("clipboard of the terminal", "\u{1b}]52;c;ZXZpbA==\u{7}{}"),
    ("device control string", "\u{1b}P{}\u{1b}\\"),
    (
        "bidirectional overrides",
        "\u{202a}\u{202b}\u{202d}{}\u{202e}gnp.exe\u{202c}",
    ),
    (
        "bidirectional isolates",
        "\u{2066}\u{2067}\u{2068}{}\u{2069}",
    ),
    ("bidirectional marks", "\u{200e}\u{200f}\u{61c}{}"),
    (
        "zero width",
        "\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}{}\u{180e}",
    ),
    ("invisible operators", "\u{2061}\u{2062}\u{2063}\u{2064}{}"),
    (
        "deprecated format characters",
        "\u{206a}\u{206b}\u{206c}\u{206d}\u{206e}\u{206f}{}",
    ),
    ("soft hyphen", "a\u{ad}{}"),
    ("line and paragraph separator", "\u{2028}{}\u{2029}"),
    ("annotation characters", "\u{fff9}\u{fffa}\u{fffb}{}"),
    ("tag characters", "\u{e0001}\u{e0061}\u{e0062}{}\u{e007f}"),
    ("fillers", "\u{3164}\u{115f}\u{1160}\u{ffa0}{}"),
    (
        "joiners without width",
        "\u{34f}\u{17b4}\u{17b5}{}\u{180b}\u{180f}",
    ),
    (
        "format characters of music and shorthand",
        "\u{1d173}\u{1d17a}\u{1bca0}{}\u{1bca3}",
    ),
    ("selectors above plane 0", "a\u{e0100}{}\u{e01ef}"),
    ("noncharacters", "\u{fffe}{}\u{ffff}\u{1fffe}"),
    ("private use", "\u{e000}{}\u{f8ff}"),
    ("right to left", "\u{5d0}\u{5d1}{}\u{627}\u{628}"),
];

const WORKFLOW: &[Payload] = &[
    ("workflow command error", "::error file=a::{}"),
    ("workflow command set-output", "::set-output name=a::{}"),
    ("workflow command add-mask", "::add-mask::{}"),
    ("workflow command stop-commands", "::stop-commands::{}"),
    (
        "workflow command behind a line break",
        "a\n::error::{}\n::debug::b",
    ),
    (
        "workflow command behind a carriage return",
        "a\r::error::{}",
    ),
    (
        "workflow command behind an escape",
        "a%0A::error::{}%0D%0A::b",
    ),
    ("workflow command of old", "##[error]{}"),
    (
        "workflow command of Azure",
        "##vso[task.setvariable variable=a]{}",
    ),
    ("properties of a command", "a,line=1,title=x:{}::b"),
];

const MARKUP: &[Payload] = &[
    ("Markdown link", "[{}](https://evil.example)"),
    ("Markdown picture", "![{}](https://evil.example/x.png)"),
    ("Markdown reference", "[{}]: https://evil.example"),
    ("address", "https://evil.example/{}"),
    ("address in angles", "<https://evil.example/{}>"),
    ("address with www", "www.evil.example/{}"),
    ("mention", "@acme {} @acme/team"),
    ("issue", "#1 {} acme/operator#2 GH-3"),
    ("backticks", "` {} `` ``` ````"),
    ("Markdown table", "| {} | b |\n|---|---|"),
    ("Markdown heading", "a\n# {}\n- [x] b\n> c"),
    ("Markdown code fence", "```\n{}\n```"),
    ("Markdown emphasis", "**{}** _a_ ~~b~~"),
    ("Markdown footnote and sums", "[^1] $${}$$"),
    ("Markdown comment", "<!-- {} -->"),
    ("element that hides", "<details><summary>{}</summary>"),
    ("entities", "&lt;evil&gt;{}&#60;evil&#62;"),
    ("HTML script", "<script>evil('{}')</script>"),
    ("HTML picture", "<img src=evil onerror=evil('{}')>"),
    ("HTML attribute, double quotes", "\" onevil=\"{}"),
    ("HTML attribute, single quotes", "' onevil='{}"),
    ("HTML title that ends", "</title><evil>{}"),
    ("HTML script that ends", "</script><evil>{}"),
    ("HTML template", "{{7*7}}${7*7}<%= 7*7 %>{}"),
    ("SVG text that ends", "</text><evil/>{}"),
    ("XML section that ends", "]]><evil/>{}"),
    (
        "XML entity",
        "<!DOCTYPE evil [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;{}",
    ),
    ("script address", "javascript:evil('{}')"),
];

const TABLES: &[Payload] = &[
    ("formula", "=cmd|' /C calc'!A{}"),
    ("formula with plus", "+1+{}"),
    ("formula with minus", "-1+{}"),
    ("formula with at", "@SUM(1){}"),
    ("formula behind a tab", "\t=1+{}"),
    ("formula behind a line break", "a\r\n=1+{}"),
    ("formula in full width", "\u{ff1d}1+{}"),
    ("separators and quotes", "a,b;\"{}\"\r\nc"),
    ("JSON that ends", "\"}]}{}"),
    ("backslashes", "\\u0000\\{}\\"),
    ("placeholders of SARIF", "{0} {1} [{}](1)"),
    (
        "command in a shell",
        "$(touch evil){}`touch evil`;touch evil'\"&",
    ),
    (
        "unbroken 300 letters",
        "{}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ),
];

fn payloads() -> Vec<Payload> {
    [CONTROLS, WORKFLOW, MARKUP, TABLES].concat()
}

fn mark(nth: usize) -> String {
    format!("m{nth:03}k")
}

fn text_of(nth: usize) -> String {
    payloads()[nth].1.replacen("{}", &mark(nth), 1)
}

fn quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            ' '..='~' => quoted.push(c),
            c => quoted.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    quoted + "\""
}

/// If `all` is set, the channel and the mode also contain the text, which prevents a verdict.
pub fn report(text: &str, all: bool) -> String {
    let text = quoted(text);
    let [channel, mode] = if all {
        [text.as_str(); 2]
    } else {
        ["standard", "default"]
    };
    format!(
        "apiVersion: gateway.networking.k8s.io/v1\ndate: \"2026-03-20T10:15:30Z\"\ngatewayAPIChannel: {channel}\ngatewayAPIVersion: v1.5.1\nimplementation:\n  contact: [{text}]\n  organization: {text}\n  project: {text}\n  url: {text}\n  version: {text}\nkind: ConformanceReport\nmode: {mode}\nprofiles:\n- core:\n    result: partial\n    skippedTests: [{text}]\n    statistics: {{Failed: 0, Passed: 32, Skipped: 1}}\n  extended:\n    result: success\n    statistics: {{Failed: 0, Passed: 1, Skipped: 0}}\n    supportedFeatures: [HTTPRouteCORS, {text}]\n    unsupportedFeatures: [HTTPRouteRequestMirror]\n  name: GATEWAY-HTTP\n  summary: {text}\n- core: {{result: {text}, statistics: {{Failed: 0, Passed: 1, Skipped: 0}}}}\n  name: {text}\n  summary: {text}\nsucceededProvisionalTests: [{text}]\n{text}: {text}\n"
    )
}

pub fn readme(text: &str) -> String {
    let line = text.replace(['\n', '\r'], " ");
    format!(
        "# {text}\n\n| API channel | Implementation version | Mode | Report |\n|---|---|---|---|\n| {line} | [{line}]({line}) | {line} | [{line}](./{line}.yaml) |\n\n## Reproduce\n\n{text}\n\n```{line}\n{text}\n```\n"
    )
}

type Outputs = BTreeMap<String, Vec<u8>>;

fn outputs() -> &'static Outputs {
    static OUTPUTS: OnceLock<Outputs> = OnceLock::new();
    OUTPUTS.get_or_init(make)
}

fn run_all(calls: Vec<(String, Call)>) -> Vec<(String, Ran)> {
    let run = |(name, call): (String, Call)| (name, call.run());
    calls.into_par_iter().map(run).collect()
}

fn make() -> Outputs {
    let folder = Folder::new();
    for nth in 0..payloads().len() {
        let text = text_of(nth);
        let path = format!("reports/v1.5/p{nth:03}");
        folder.file(&format!("{path}/README.md"), readme(&text));
        folder.file(&format!("{path}/shown-report.yaml"), report(&text, false));
        folder.file(&format!("{path}/all-report.yaml"), report(&text, true));
    }
    let mut outputs = Outputs::new();
    let mut calls = Vec::new();
    let mut call = |name: String, words: &str| calls.push((name, Call::new(folder.path(), words)));
    for format in Format::ALL {
        let format = format.name();
        call(
            format!("check.{format}"),
            &format!("check reports --format {format}"),
        );
    }
    call("certify.human".to_owned(), "certify reports --all");
    call("certify.json".to_owned(), "certify reports --format json");
    call(
        "certify.markdown".to_owned(),
        "certify reports --all --format markdown",
    );
    call(
        "baseline.txt".to_owned(),
        "check reports --write-baseline accepted.json --exit-zero",
    );
    call("site.txt".to_owned(), "site reports --out site");
    for nth in (0..payloads().len()).step_by(one_in(3)) {
        let format = ["human", "json", "markdown"][nth / one_in(3) % 3];
        let words = format!(
            "diff reports/v1.5/p{nth:03}/shown-report.yaml reports/v1.5/p{nth:03}/all-report.yaml --format {format}"
        );
        call(format!("diff {nth:03}.{format}"), &words);
    }
    for (name, ran) in run_all(calls) {
        if !matches!(name.as_str(), "baseline.txt" | "site.txt") {
            outputs.insert(format!("{name} (standard error)"), ran.stderr.into_bytes());
        }
        outputs.insert(name, ran.stdout);
    }
    let certified: serde_json::Value = serde_json::from_slice(&outputs["certify.json"]).unwrap();
    let slugs: Vec<String> = (certified["implementations"].as_array().unwrap().iter())
        .step_by(30)
        .map(|one| one["implementation"].as_str().unwrap().to_owned())
        .collect();
    let mut calls = Vec::new();
    let formats = ["shields", "markdown", "rst", "asciidoc", "html"];
    let step = one_in(3);
    for (nth, slug) in slugs.into_iter().enumerate() {
        for format in formats.into_iter().skip(nth % step).step_by(step) {
            let call = Call::new(
                folder.path(),
                &format!("badge --in reports --format {format}"),
            );
            let call = call
                .arg("--base-url")
                .arg("https://acme.example")
                .arg(&slug);
            calls.push((format!("badge {slug}.{format}"), call));
        }
    }
    for (name, ran) in run_all(calls) {
        outputs.insert(name, ran.stdout);
    }
    outputs.insert(
        "baseline.json".to_owned(),
        fs::read(folder.path().join("accepted.json")).unwrap(),
    );
    for (path, bytes) in super::support::folder::files(&folder.path().join("site")) {
        outputs.insert(format!("site/{path}"), bytes);
    }
    outputs
}

fn language(name: &str) -> &str {
    let name = name.trim_end_matches(" (standard error)");
    match Path::new(name)
        .extension()
        .and_then(|extension| extension.to_str())
    {
        Some("sarif" | "shields") => "json",
        Some("svg" | "atom" | "junit") => "xml",
        Some("concise") => "human",
        Some(extension) => extension,
        None => "human",
    }
}

pub fn cases() -> Vec<Case> {
    let texts = payloads()
        .into_iter()
        .enumerate()
        .map(|(nth, (name, text))| {
            let shown: String = text.escape_default().to_string().chars().take(40).collect();
            Case::new(
                name,
                format!("`{}`", shown.replace('`', "'").replace("{}", "…")),
                move || holds(nth),
            )
        });
    let languages = [
        ("all as JSON", "json", "valid; nothing unseen in it is raw"),
        (
            "all as XML: JUnit, SVG, feeds",
            "xml",
            "well-formed, no element of theirs",
        ),
        (
            "all as CSV",
            "csv",
            "every row has its columns, no cell is a formula",
        ),
        (
            "all as Markdown",
            "markdown",
            "text: no element, picture or link of theirs, nobody is mentioned",
        ),
        (
            "all as HTML",
            "html",
            "text: no element or attribute of theirs",
        ),
        (
            "all as workflow commands",
            "github",
            "one command for each finding, none of theirs",
        ),
        ("all in a terminal", "human", "nothing unseen is raw"),
    ];
    for format in Format::ALL {
        let output = format!("check.{}", format.name());
        let language = language(&output);
        assert!(
            languages.iter().any(|(_, of, _)| *of == language),
            "{language} is read back nowhere here"
        );
    }
    let languages = languages.map(|(name, of, happens)| {
        Case::new(name, "all texts of this section in one tree", move || {
            every(of);
            happens.to_owned()
        })
    });
    texts.chain(languages).collect()
}

fn marks() -> &'static BTreeMap<&'static str, BTreeSet<usize>> {
    static MARKS: OnceLock<BTreeMap<&str, BTreeSet<usize>>> = OnceLock::new();
    MARKS.get_or_init(|| {
        let mark = regex::bytes::Regex::new("m([0-9]{3})k").unwrap();
        let mut marks: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (name, bytes) in outputs() {
            let of = marks.entry(language(name)).or_default();
            let found = mark
                .captures_iter(bytes)
                .map(|found| found.extract::<1>().1[0]);
            of.extend(found.map(|digits| {
                std::str::from_utf8(digits)
                    .unwrap()
                    .parse::<usize>()
                    .unwrap()
            }));
        }
        marks
    })
}

fn holds(nth: usize) -> String {
    for needed in ["csv", "github", "html", "human", "json", "markdown", "xml"] {
        assert!(marks()[needed].contains(&nth), "{needed} does not show it");
    }
    "text in all outputs".to_owned()
}

fn every(of: &str) {
    let mut count = 0;
    for (name, bytes) in outputs() {
        if language(name) != of {
            continue;
        }
        count += 1;
        let text = std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        match of {
            "json" => json(name, text),
            "xml" => xml(name, text),
            "csv" => csv(name, text),
            "markdown" => markdown(name, text),
            "html" => html(name, text),
            "github" => github(name, text),
            _ => can_be_seen(text, name),
        }
    }
    assert!(count > 0, "no output is {of}");
}

fn json(name: &str, text: &str) {
    if name.ends_with(" (standard error)") {
        return can_be_seen(text, name);
    }
    let value: Result<serde_json::Value, _> = serde_json::from_str(text);
    assert!(value.is_ok(), "{name}: {value:?}");
    can_be_seen(text, name);
}

fn xml(name: &str, text: &str) {
    can_be_seen(text, name);
    if name.ends_with(" (standard error)") {
        return;
    }
    let options = roxmltree::ParsingOptions {
        allow_dtd: false,
        ..Default::default()
    };
    let document = roxmltree::Document::parse_with_options(text, options);
    let document = document.unwrap_or_else(|error| panic!("{name}: {error}"));
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let element = node.tag_name().name();
        assert!(
            element != "evil" && element != "script",
            "{name}: {element}"
        );
    }
}

fn csv(name: &str, text: &str) {
    can_be_seen(text.replace('\r', "").as_str(), name);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    for record in reader.records() {
        for cell in record.unwrap().iter() {
            assert!(
                !cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\u{ff1d}']),
                "{name}: {cell}"
            );
        }
    }
}

fn markdown(name: &str, text: &str) {
    can_be_seen(text, name);
    let is_ours =
        |address: &str| !address.contains("evil.example") && !address.contains("javascript:");
    let mut is_code = false;
    for event in Parser::new_ext(
        text,
        Options::ENABLE_GFM
            | Options::ENABLE_TABLES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_FOOTNOTES,
    ) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => is_code = true,
            Event::End(pulldown_cmark::TagEnd::CodeBlock) => is_code = false,
            Event::Html(html) | Event::InlineHtml(html) => {
                let is_ours = [
                    "details", "/details", "summary", "/summary", "sub", "/sub", "br", "picture",
                    "img", "a href", "/a", "/picture", "source", "!--",
                ];
                assert!(!html.contains("evil"), "{name}: {html}");
                assert!(
                    is_ours
                        .iter()
                        .any(|tag| html.trim_start_matches('<').starts_with(tag)),
                    "{name}: {html}"
                );
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                assert!(is_ours(&dest_url), "{name}: {dest_url}");
            }
            Event::Text(shown) if !is_code => {
                let mentions = ["@acme", "#1", "#2"];
                let mention = mentions.iter().find(|mention| shown.contains(**mention));
                assert!(mention.is_none(), "{name}: {shown}");
            }
            _ => {}
        }
    }
}

fn html(name: &str, text: &str) {
    can_be_seen(text.replace('\t', " ").as_str(), name);
    for theirs in [
        "<evil",
        "<script>evil",
        "<img src=evil",
        "href=\"javascript:",
        "src=\"https://evil",
    ] {
        assert!(!text.contains(theirs), "{name}: {theirs}");
    }
    // Quotes are harmless in text, but would begin an attribute in a tag.
    static TAG: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"<[a-zA-Z](?:"[^"]*"|'[^']*'|[^"'>])*>"#).unwrap());
    static VALUE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#""[^"]*"|'[^']*'"#).unwrap());
    for tag in TAG.find_iter(text) {
        let names = VALUE.replace_all(tag.as_str(), "");
        assert!(!names.contains("onevil"), "{name}: {}", tag.as_str());
    }
}

fn github(name: &str, text: &str) {
    can_be_seen(text, name);
    // After a `::` command, a runner does not look for `##[` commands in the same line.
    let mut others = text.lines().filter(|line| !line.starts_with("::"));
    assert!(others.all(|line| !line.contains("##[")), "{name}");
    let findings: serde_json::Value = serde_json::from_slice(&outputs()["check.json"]).unwrap();
    let commands = text
        .lines()
        .filter(|line| line.trim_start().starts_with("::"));
    let expected = if name.ends_with(" (standard error)") {
        0
    } else {
        findings["findings"].as_array().unwrap().len()
    };
    assert_eq!(commands.count(), expected, "{name}");
}
