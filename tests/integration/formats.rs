//! Tests all output formats for the same findings in hostile files, with snapshots and a comparison
//! of printed locations with the files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::formats::{self, Printed};
use crate::support::run;
use gwconform::print::{self, Format, RenderInput};
use gwconform_base::api::Family;
use gwconform_base::text::diagnostic::{
    Anchor, Diagnostic, Fix, Place, Severities, Severity, Subject,
};
use gwconform_base::text::message::Message;
use gwconform_base::text::source::{Source, Span, is_invisible};
use gwconform_report::certify::Status;
use gwconform_report::certify::catalog::{First, FirstOf};
use gwconform_report::document::{self, ImplementationRef};
use gwconform_report::review::diff::{Change, Claim, Diff};
use gwconform_report::review::{
    KnownFindings, ReportChange, ReportChangeKind, Review, Suggestion, Verdict, VerdictChange,
};
use gwconform_report::rules::check::{CheckReport, Checked, Skipped};
use gwconform_report::rules::configuration::Config;
use serde_json::Value;

const SUBMISSION: &str = "reports/v1.5/acme-operator";

/// Path with the separators of workflow commands, tables, URLs and options.
const HOSTILE_NAME: &str = "reports/v1.5/acme-operator/a,b:c|d%e#f?`g` [x](y) @acme é.yaml";

const README: &str = "# Acme 😀 operator\n\n| API channel |\n|---|\n| x |\n::error::no\n@acme\n";

const REPORT: &str =
    "date: \"-\" # 😀😀 <b>@all</b>\nmode: |\n  ##[error]one\n  two\nversion: 1\r\nlast: x";

/// Text with special syntax of Markdown, HTML, XML, workflow commands and SARIF.
const HOSTILE: &str = "]]> <img src=x> @acme #1 ](https://acme.example) {0} | x | `un closed \u{1b}[2J\u{202e}\u{fffe}\r\n::error::%0A##[group]-- **b** &amp; www.acme.example";

fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        (HOSTILE_NAME, REPORT),
        ("reports/v1.5/acme-operator/README.md", README),
    ]
}

/// Creates a finding whose message starts with the first line of the marked text, in backticks.
fn finding(
    rule: &'static str,
    severity: Severity,
    path: &str,
    text: &str,
    what: &str,
) -> Diagnostic {
    let source = Source::new(path, text.as_bytes().to_vec());
    let start = text.find(what).unwrap();
    let place = Place::span(&source, Span::new(start, start + what.len()));
    let first = what.lines().next().unwrap_or_default();
    Diagnostic::new(
        rule,
        severity,
        whole(place),
        Message::of_text(&format!("`{first}` {HOSTILE}")),
    )
}

fn whole(place: Place) -> Anchor {
    Anchor::new(place, Subject::whole())
}

fn outcome() -> CheckReport {
    let readme = files()[1].0;
    let mut findings = Vec::new();
    let mut add = |mut finding: Diagnostic, help: Option<&'static str>| {
        if let Some(help) = help {
            finding.help(Message::of_text(help));
        }
        findings.push(finding);
    };
    let error = Severity::Error;
    let mut date = finding("report/date", error, HOSTILE_NAME, REPORT, "\"-\"");
    date.label(
        Place::path(readme),
        Message::of_text(&format!("as here {HOSTILE}")),
    );
    add(date, Some(HOSTILE));
    add(
        finding(
            "report/invisible-character",
            Severity::Info,
            HOSTILE_NAME,
            REPORT,
            "@all",
        ),
        None,
    );
    add(
        finding(
            "report/wrong-type",
            error,
            HOSTILE_NAME,
            REPORT,
            "##[error]one\n  two",
        ),
        None,
    );
    add(
        finding(
            "text/line-endings",
            Severity::Warning,
            HOSTILE_NAME,
            REPORT,
            "1\r",
        ),
        None,
    );
    let mut link = finding("readme/row-mode", Severity::Warning, readme, README, "x");
    let source = Source::new(readme.to_owned(), README.as_bytes().to_vec());
    let start = README.find('x').unwrap();
    let write = Fix::safe("write the channel {0}");
    let write = write.replace(&source, Span::new(start, start + 1), "standard");
    link.fix(write);
    add(link, Some("write `standard`"));
    let mut emoji = finding(
        "readme/title-missing",
        Severity::Warning,
        readme,
        README,
        "operator",
    );
    emoji.fix(Some(Fix::unsafe_("rename").rename(
        readme,
        "x",
        source.digest(),
    )));
    add(emoji, None);
    add(
        Diagnostic::new(
            "tree/stray-file",
            Severity::Warning,
            Anchor::path(format!("{SUBMISSION}/::x")),
            Message::of_text(HOSTILE),
        ),
        None,
    );
    add(
        Diagnostic::new(
            "tree/link",
            error,
            Anchor::path("reports/v1.5.0"),
            Message::words("it leads nowhere"),
        ),
        None,
    );
    for nth in [4, 5] {
        let source = Source::new(readme, README.as_bytes().to_vec());
        let at = README.match_indices('\n').nth(nth).unwrap().0;
        let place = Place::span(&source, Span::at(at));
        add(
            Diagnostic::new(
                "text/final-newline",
                Severity::Warning,
                whole(place),
                Message::words("nothing is here"),
            ),
            None,
        );
    }
    let checked = |path: &str| Checked {
        path: path.to_owned(),
        submission: SUBMISSION.to_owned(),
    };
    let mut outcome = CheckReport {
        findings,
        skipped: vec![Skipped {
            path: "reports/v1.5/acme-operator/##[x]\u{1b}.yaml".to_owned(),
            reason: HOSTILE.to_owned(),
        }],
        ignored: 1,
        accepted: 12,
        checked: vec![
            checked(SUBMISSION),
            checked(readme),
            checked(HOSTILE_NAME),
            checked("reports/v1.5/acme-operator/right.yaml"),
        ],
        ..CheckReport::default()
    };
    (
        outcome.counts.releases,
        outcome.counts.submissions,
        outcome.counts.reports,
    ) = (1, 1, 2);
    let mut sorted = CheckReport::default();
    sorted.merge(outcome);
    sorted
}

fn review() -> Review {
    let verdict = |standing, reason: &str| Verdict {
        shown: document::Verdict {
            family: Family::Mesh,
            standing,
            reason: reason.to_owned(),
            until: None,
            report: "acme/operator/v1.5.0/standard".to_owned(),
            path: HOSTILE_NAME.to_owned(),
            document: 0,
            report_minor: None,
            status: Status::Conformant,
            profiles: Vec::new(),
        },
        holds_for: format!("conformant: {HOSTILE}"),
        statuses: Vec::new(),
    };
    use gwconform_report::certify::Standing::{Conformant, NotCurrent};
    Review {
        revision: format!("origin/`main` {HOSTILE}"),
        commit: "0123456789abcdef0123456789abcdef01234567".to_owned(),
        touched: vec![SUBMISSION.to_owned()],
        before: KnownFindings {
            findings: Vec::new(),
            counts: Severities {
                errors: 3,
                warnings: 0,
                infos: 1,
            },
        },
        reports: vec![
            ReportChange {
                path: HOSTILE_NAME.to_owned(),
                kind: ReportChangeKind::MovedAndChanged,
                previous_path: Some(format!("{SUBMISSION}/`old`.yaml")),
                reason: Some(First {
                    of: FirstOf::Mode(HOSTILE.to_owned()),
                    since: None,
                }),
                diff: Diff {
                    gains: vec![Change::Feature {
                        profile: "GATEWAY-HTTP".into(),
                        feature: HOSTILE.into(),
                        old: Claim::Unsupported,
                        new: Claim::Supported,
                        removed_in: None,
                    }],
                    ..Diff::default()
                },
                first_report: None,
            },
            ReportChange {
                path: format!("{SUBMISSION}/gone.yaml"),
                kind: ReportChangeKind::Deleted,
                previous_path: None,
                reason: None,
                diff: Diff::default(),
                first_report: None,
            },
        ],
        verdicts: vec![VerdictChange {
            implementation: ImplementationRef {
                implementation: "acme/operator".to_owned(),
                name: HOSTILE.to_owned(),
                organization: "acme".to_owned(),
                project: "operator".to_owned(),
            },
            family: Family::Mesh,
            renamed_from: None,
            before: Some(verdict(NotCurrent, "the last report is `old`")),
            after: Some(verdict(Conformant, "conformant in v1.5")),
            is_of_configuration: false,
            is_touched: true,
        }],
        all_verdicts: Vec::new(),
        suggestions: Vec::new(),
        as_of: gwconform_report::certify::AsOf::default(),
    }
}

const TREES: [&str; 6] = [
    "contradictory",
    "failing",
    "hostile",
    "legacy",
    "misplaced",
    "unreadable",
];

fn printed(format: Format, input: RenderInput<'_>) -> String {
    let mut out = Vec::new();
    format.write(input, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn each_format_prints_the_shared_set() {
    let (outcome, config, review) = (outcome(), Config::default(), review());
    for format in Format::ALL {
        let input = RenderInput::new(&outcome, &config);
        let findings = printed(format, input);
        let mut stable = findings.clone();
        if format == Format::Sarif {
            for rule in gwconform::rules::ALL.iter() {
                let page = serde_json::to_string(rule.doc).unwrap();
                stable = stable.replace(&page, &format!("\"the page of {}\"", rule.id));
            }
            stable = stable.replace(env!("CARGO_PKG_VERSION"), "VERSION");
        }
        insta::assert_snapshot!(format.name(), stable);
        let with_review = RenderInput {
            review: Some(&review),
            shows_all: false,
            ..input
        };
        // SARIF and JUnit cannot contain a review.
        if ![Format::Sarif, Format::Junit].contains(&format) {
            insta::assert_snapshot!(
                format!("{}_since", format.name()),
                printed(format, with_review)
            );
        }
    }
}

#[test]
fn no_format_prints_invisible_characters() {
    let (outcome, config, review) = (outcome(), Config::default(), review());
    let shown = RenderInput {
        review: Some(&review),
        ..RenderInput::new(&outcome, &config)
    };
    for format in Format::ALL {
        let printed = printed(format, shown);
        let is_seen = |c: char| c == '\n' || !is_invisible(c);
        assert!(printed.chars().all(is_seen), "{format:?}: {printed}");
        assert!(!printed.contains('\u{1b}'), "{format:?}: {printed}");
    }
}

#[test]
fn each_place_that_is_printed_is_where_its_text_stands() {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files() {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let (outcome, config) = (outcome(), Config::default());
    let shown = RenderInput::new(&outcome, &config);
    for format in Format::ALL {
        let found = formats::places(format, &printed(format, shown));
        assert_eq!(
            found.len(),
            outcome.findings.len(),
            "{format:?}: {found:#?}"
        );
        let mut with_text = 0;
        for one in &found {
            with_text += usize::from(one.holds_in(folder.path(), format));
        }
        // GitHub rejects columns for a place that spans two lines.
        assert_eq!(
            with_text,
            if format == Format::Github { 5 } else { 6 },
            "{format:?}: {found:#?}"
        );
    }
}

/// Compares all formats with JSON. Other tests compare locations in JSON with carets and files.
#[test]
fn all_formats_name_the_same_places() {
    let trees = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trees");
    for tree in TREES {
        let folder = trees.join(tree);
        let places = |format: Format| -> Vec<Printed> {
            let arguments = ["check", "reports", "--all", "--format", format.name()];
            let arguments = arguments.map(str::to_owned);
            let mut places = formats::places(format, &run(&folder, &arguments).stdout);
            // Programs get paths of the repository.
            let below = format!("tests/trees/{tree}/");
            for place in &mut places {
                if let Some(path) = place.path.strip_prefix(&below) {
                    place.path = path.to_owned();
                }
            }
            places.sort();
            places
        };
        let expected = places(Format::Json);
        assert!(!expected.is_empty());
        for format in Format::ALL {
            let found = places(format);
            let places = found.iter().map(|one| one.as_far_as(format));
            let mut expected: Vec<_> = expected.iter().map(|one| one.as_far_as(format)).collect();
            expected.sort();
            let mut places: Vec<_> = places.collect();
            places.sort();
            assert_eq!(places, expected, "{tree} as {format:?}");
        }
    }
}

#[test]
fn fingerprints_depend_only_on_subjects() {
    let config = Config::default();
    let fingerprints = |outcome: &CheckReport| -> Vec<String> {
        let log: Value =
            serde_json::from_str(&printed(Format::Sarif, RenderInput::new(outcome, &config)))
                .unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap().iter();
        let prints = results.map(|one| one["partialFingerprints"]["gwconform/v2"].to_string());
        prints.collect()
    };
    let before = outcome();
    let prints = fingerprints(&before);
    let distinct: BTreeSet<&String> = prints.iter().collect();
    assert_eq!(distinct.len(), prints.len(), "{prints:#?}");
    let mut moved = outcome();
    for finding in &mut moved.findings {
        if let Some(region) = &mut finding.place.region {
            region.start.line += 3;
            region.end.line += 3;
        }
    }
    assert_eq!(fingerprints(&moved), prints);
    moved.findings[0]
        .message
        .push_words(", in better words".into());
    assert_eq!(fingerprints(&moved), prints);
    moved.findings[0].subject = Subject::new("/implementation/contact");
    assert_ne!(fingerprints(&moved), prints);
}

#[test]
fn prints_ten_commands_of_a_kind_and_counts_the_rest() {
    let mut many = CheckReport::default();
    for nth in 0..13 {
        for (severity, name) in [(Severity::Warning, "w"), (Severity::Error, "e")] {
            let place = Place::path(format!("{name}{nth:02}"));
            many.findings.push(Diagnostic::new(
                "tree/stray-file",
                severity,
                whole(place),
                Message::words("x"),
            ));
        }
    }
    let config = Config::default();
    let text = printed(Format::Github, RenderInput::new(&many, &config));
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[..13].iter().all(|line| line.starts_with("::error ")),
        "{text}"
    );
    assert!(
        lines[13..26]
            .iter()
            .all(|line| line.starts_with("::warning ")),
        "{text}"
    );
    assert_eq!(
        lines[26],
        "only in this log, as a step shows 10 annotations of a kind: 3 errors, 3 warnings"
    );
    assert_eq!(lines.len(), 28);
}

#[test]
fn markdown_is_cut_to_a_comment_and_counts_what_was_cut() {
    let mut many = CheckReport::default();
    for nth in 0..2000 {
        let place = Place::path(format!("reports/v1.5/acme-operator/{}", nth % 100));
        let message = format!("{nth} {}", "@".repeat(300));
        many.findings.push(Diagnostic::new(
            "tree/stray-file",
            Severity::Error,
            whole(place),
            Message::of_text(&message),
        ));
    }
    for nth in 0..500 {
        many.skipped.push(Skipped {
            path: format!("{nth}"),
            reason: HOSTILE.to_owned(),
        });
    }
    let (config, mut review) = (Config::default(), review());
    let verdict = review.verdicts.remove(0);
    for _ in 0..500 {
        review.verdicts.push(VerdictChange {
            implementation: ImplementationRef {
                organization: String::new(),
                project: String::new(),
                ..verdict.implementation.clone()
            },
            renamed_from: None,
            before: None,
            after: verdict.after.clone(),
            ..verdict
        });
    }
    let shown = RenderInput {
        review: Some(&review),
        ..RenderInput::new(&many, &config)
    };
    let text = printed(Format::Markdown, shown);
    assert!(text.chars().count() <= print::markdown::MAX_CHARACTERS);
    let shown_findings = text.matches("- **error** ").count();
    // Many findings of one rule leave room for other rules.
    assert_eq!(shown_findings, 5);
    let more = format!("\n{} more findings; ", 2000 - shown_findings);
    assert!(text.contains(&more), "{text}");
    let last = text.lines().last().unwrap();
    assert!(last.contains(" not checked; "), "{last}");
    let lines = text.matches(" mesh: conformant, new").count();
    let more = format!("\n- {} more; `--format json` lists all\n", 500 - lines);
    assert!(text.contains(&more), "{lines} lines");
    assert!(lines > 10 && lines < 500);
    // Without a review, findings can use the whole comment.
    let text = printed(Format::Markdown, RenderInput::new(&many, &config));
    let count = text.chars().count();
    assert!(
        (print::markdown::MAX_CHARACTERS / 2..=print::markdown::MAX_CHARACTERS).contains(&count)
    );
    let shown_findings = text.matches("- **error** ").count();
    let last = text.lines().last().unwrap();
    let cut = format!("{} findings in ", 2000 - shown_findings);
    assert!(
        shown_findings > 20 && last.contains(&cut),
        "{shown_findings}: {last}"
    );
}

/// A change with many gains must not hide a loss.
#[test]
fn losses_are_first_and_all_of_them_are_printed() {
    use gwconform_report::certify::Standing::{Conformant, NotCurrent};
    let (config, mut review) = (Config::default(), review());
    let model = review.verdicts.remove(0);
    let with = |standing| {
        let verdict = model.after.clone();
        verdict.map(|mut verdict| {
            verdict.shown.standing = standing;
            verdict
        })
    };
    for nth in 0..90 {
        let (kind, before, after, is_touched) = match nth % 3 {
            0 => ("gain", None, with(Conformant), true),
            1 => ("loss", with(Conformant), with(NotCurrent), true),
            _ => ("foreign-loss", with(Conformant), None, false),
        };
        review.verdicts.push(VerdictChange {
            implementation: ImplementationRef {
                implementation: format!("acme/p{nth}"),
                name: format!("{kind}-{nth}"),
                organization: "acme".to_owned(),
                project: format!("p{nth}"),
            },
            family: model.family,
            renamed_from: None,
            before,
            after,
            is_of_configuration: false,
            is_touched,
        });
    }
    let outcome = CheckReport::default();
    let shown = RenderInput {
        review: Some(&review),
        ..RenderInput::new(&outcome, &config)
    };
    for format in [Format::Human, Format::Markdown] {
        let text = printed(format, shown).replace('\\', "");
        let kinds = text.lines().filter_map(|line| {
            let (name, _) = line.trim_start_matches([' ', '-']).split_once(", mesh: ")?;
            let (kind, _) = name.rsplit_once('-')?;
            Some(kind.trim_start_matches('`').to_owned())
        });
        let kinds: Vec<String> = kinds.collect();
        let count = |kind: &str| kinds.iter().filter(|one| *one == kind).count();
        assert_eq!([count("foreign-loss"), count("loss")], [30, 30], "{text}");
        let mut order = kinds;
        order.dedup();
        assert_eq!(order, ["foreign-loss", "loss", "gain"], "{text}");
    }
}

#[test]
fn markdown_holds_text_and_no_markup_of_reports() {
    use pulldown_cmark::{Event, Options, Parser, Tag};
    let (outcome, config, review) = (outcome(), Config::default(), review());
    let shown = RenderInput {
        review: Some(&review),
        ..RenderInput::new(&outcome, &config)
    };
    let text = printed(Format::Markdown, shown);
    let (mut folded, mut summaries) = (0, 0);
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES | Options::ENABLE_GFM) {
        match event {
            Event::Html(html) => match html.trim_end() {
                "</details>" => folded += 1,
                html => {
                    let name = html.strip_prefix("<details><summary>");
                    let name = name.and_then(|name| name.strip_suffix("</summary>"));
                    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == ':' || c == ' ';
                    assert!(
                        name.is_some_and(|name| name.chars().all(is_plain)),
                        "{html}"
                    );
                    summaries += 1;
                }
            },
            Event::InlineHtml(html) => assert_eq!(&*html, "<br>"),
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => panic!("a link: {text}"),
            Event::Start(Tag::Table(_)) => panic!("a table: {text}"),
            // GitHub detects mentions and issues in visible text.
            Event::Text(shown) => {
                for mark in ['@', '#'] {
                    for (at, _) in shown.match_indices(mark) {
                        let next = shown[at + 1..].chars().next();
                        assert!(
                            next.is_none_or(|c| !c.is_ascii_alphanumeric()),
                            "{shown:?} in {text}"
                        );
                    }
                }
            }
            _ => {}
        }
    }
    assert_eq!((folded, summaries), (2, 2), "{text}");
    assert!(text.starts_with("## 3 errors in 2 of 6 files\n"), "{text}");
}

#[test]
fn suggested_lines_stay_in_their_block() {
    let (outcome, config, mut review) = (outcome(), Config::default(), review());
    let lines = vec!["| ```` @acme |".to_owned(), "```suggestion".to_owned()];
    review.suggestions = vec![Suggestion {
        path: "reports/README.md".to_owned(),
        first_line: 3,
        last_line: 4,
        lines: lines.clone(),
        messages: vec![Message::of_text(HOSTILE)],
    }];
    let shown = RenderInput {
        review: Some(&review),
        ..RenderInput::new(&outcome, &config)
    };
    let review: serde_json::Value =
        serde_json::from_str(&printed(Format::Suggestions, shown)).unwrap();
    let comment = &review["comments"][0];
    assert_eq!(
        (&comment["start_line"], &comment["line"]),
        (&3.into(), &4.into())
    );
    let body = comment["body"].as_str().unwrap();
    let (message, block) = body.split_once("\n\n").unwrap();
    assert!(!message.contains("@acme"), "{message}");
    let expected = format!("`````suggestion\n{}\n`````", lines.join("\n"));
    assert_eq!(block, expected);
}

#[test]
fn junit_counts_what_fails_and_names_what_was_not_checked() {
    let (outcome, config) = (outcome(), Config::default());
    let text = printed(Format::Junit, RenderInput::new(&outcome, &config));
    let xml = roxmltree::Document::parse(&text).unwrap();
    let root = xml.root_element();
    let count = |name: &str| {
        root.descendants()
            .filter(|node| node.has_tag_name(name))
            .count()
    };
    assert_eq!((count("testsuite"), count("testcase")), (2, 7), "{text}");
    assert_eq!((count("failure"), count("skipped")), (2, 1), "{text}");
    assert_eq!(root.attribute("failures"), Some("2"));
    let warnings = RenderInput {
        fail_on: Severity::Warning,
        ..RenderInput::new(&outcome, &config)
    };
    let text = printed(Format::Junit, warnings);
    assert_eq!(text.matches("<failure ").count(), 4, "{text}");
    assert!(!text.contains(['\u{fffe}', '\u{ffff}']), "{text}");
}
