#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;

/// Lists nodes as `kind span-text`, in source order, keys before values.
fn outline(text: &str) -> Vec<String> {
    let yaml = load(text);
    let mut lines = Vec::new();
    for document in &yaml.documents {
        if let Some(root) = document.root {
            walk(&yaml, text, root, &mut lines);
        }
    }
    lines
}

fn walk(yaml: &Yaml<'_>, text: &str, id: NodeId, lines: &mut Vec<String>) {
    let span = yaml.span(id);
    let slice = &text[span.range()];
    match yaml.kind(id) {
        Kind::Seq(items) => {
            lines.push(format!("seq {slice:?}"));
            for &item in items {
                walk(yaml, text, item, lines);
            }
        }
        Kind::Map(entries) => {
            lines.push(format!("map {slice:?}"));
            for entry in entries {
                walk(yaml, text, entry.key, lines);
                walk(yaml, text, entry.value, lines);
            }
        }
        Kind::Alias => lines.push(format!("alias {slice:?}")),
        Kind::Null if span.is_empty() => {
            lines.push(format!("nothing after {:?}", &text[..span.start as usize]));
        }
        _ => lines.push(format!("{slice:?} = {:?}", yaml.text(id).unwrap())),
    }
}

fn issues(text: &str) -> Vec<(YamlIssueKind, String)> {
    let issues = load(text).issues;
    let shown = |issue: &YamlIssue| (issue.kind, text[issue.span.range()].to_owned());
    issues.iter().map(shown).collect()
}

fn only_issue(text: &str) -> YamlIssue {
    let issues = load(text).issues;
    let [issue] = &issues[..] else {
        panic!("expected one issue: {issues:?}");
    };
    issue.clone()
}

fn json(text: &str) -> serde_json::Value {
    let yaml = load(text);
    let root = yaml.documents[0].root;
    root.map_or(serde_json::Value::Null, |root| yaml.to_json(root))
}

#[test]
fn spans_of_block_collections_end_with_their_last_child() {
    let text = "a: 1 # one\nb:\n- x\n- 'y'\n\n# end\nc:\n  - d: \"z\"\n\n    e:\n";
    let outline = outline(text);
    assert_eq!(
        outline,
        [
            &format!("map {:?}", text.trim_end()),
            "\"a\" = \"a\"",
            "\"1\" = \"1\"",
            "\"b\" = \"b\"",
            "seq \"- x\\n- 'y'\"",
            "\"x\" = \"x\"",
            "\"'y'\" = \"y\"",
            "\"c\" = \"c\"",
            "seq \"- d: \\\"z\\\"\\n\\n    e:\"",
            "map \"d: \\\"z\\\"\\n\\n    e:\"",
            "\"d\" = \"d\"",
            "\"\\\"z\\\"\" = \"z\"",
            "\"e\" = \"e\"",
            &format!("nothing after {:?}", text.trim_end()),
        ]
    );
}

#[test]
fn spans_of_flow_collections_have_their_brackets() {
    assert_eq!(
        outline("a: [1, {b: , c}, d: e ] # x\n")[2..],
        [
            "seq \"[1, {b: , c}, d: e ]\"",
            "\"1\" = \"1\"",
            "map \"{b: , c}\"",
            "\"b\" = \"b\"",
            "nothing after \"a: [1, {b:\"",
            "\"c\" = \"c\"",
            "nothing after \"a: [1, {b: , c\"",
            "map \"d: e\"",
            "\"d\" = \"d\"",
            "\"e\" = \"e\"",
        ]
    );
}

#[test]
fn missing_values_stand_after_their_colon_or_dash() {
    assert_eq!(outline("a : \nb:\n")[2], "nothing after \"a :\"");
    assert_eq!(outline("- # x\n-\n")[1], "nothing after \"-\"");
    assert_eq!(outline("- # x\n-\n")[2], "nothing after \"- # x\\n-\"");
    assert_eq!(outline("- -\n")[2], "nothing after \"- -\"");
    assert_eq!(outline("a:\n- - -\n")[5], "nothing after \"a:\\n- - -\"");
    assert_eq!(outline("a:\n- - -\n")[2], "seq \"- - -\"");
    assert_eq!(outline("? a\n? b\n")[2], "nothing after \"? a\"");
    assert_eq!(outline("a: &x\nb: 1\n")[2], "nothing after \"a:\"");
}

#[test]
fn spans_of_block_scalars_start_at_their_header() {
    let text = "a: !t |  # c\n  x\n\n  y\n\n# d\nb: >-\n f\n g\n\nc: |+\n\nd:\n- |\n z\n";
    let outline = outline(text);
    assert_eq!(outline[2], r#""|  # c\n  x\n\n  y" = "x\n\ny\n""#);
    assert_eq!(outline[4], r#"">-\n f\n g" = "f g""#);
    assert_eq!(outline[6], r#""|+" = "\n""#);
    assert_eq!(outline[9], r#""|\n z" = "z\n""#);
}

#[test]
fn spans_of_scalars_leave_out_tags_and_anchors() {
    let text = "- &a !t 'x'\n- &b\n  - z\n- *a\n- !!str 12\n";
    assert_eq!(
        outline(text)[1..],
        [
            "\"'x'\" = \"x\"",
            "seq \"- z\"",
            "\"z\" = \"z\"",
            "alias \"*a\"",
            "\"12\" = \"12\""
        ]
    );
    let kinds: Vec<_> = issues(text);
    assert_eq!(
        kinds,
        [
            (YamlIssueKind::Anchor, "&a".to_owned()),
            (YamlIssueKind::Tag, "!t".to_owned()),
            (YamlIssueKind::Anchor, "&b".to_owned()),
            (YamlIssueKind::Alias, "*a".to_owned()),
            (YamlIssueKind::Tag, "!!str".to_owned()),
        ]
    );
    assert_eq!(json(text), serde_json::json!(["x", ["z"], null, "12"]));
}

#[test]
fn line_breaks_and_a_byte_order_mark_do_not_move_spans() {
    assert_eq!(
        outline("\u{feff}a: 1\r\nb:\r\n- \"ü\"\t\r\n- é\r\n...\r\n"),
        [
            "map \"a: 1\\r\\nb:\\r\\n- \\\"ü\\\"\\t\\r\\n- é\"",
            "\"a\" = \"a\"",
            "\"1\" = \"1\"",
            "\"b\" = \"b\"",
            "seq \"- \\\"ü\\\"\\t\\r\\n- é\"",
            "\"\\\"ü\\\"\" = \"ü\"",
            "\"é\" = \"é\"",
        ]
    );
    assert_eq!(issues("\u{feff}a: 1\r\n...\r\n"), []);
}

#[test]
fn a_stray_word_before_the_first_key_belongs_to_the_key() {
    assert_eq!(
        json("<Right>apiVersion: v1\nkind: K\n")["<Right>apiVersion"],
        "v1"
    );
}

#[test]
fn borrows_plain_text_from_the_source() {
    let yaml = load("version: 1.20\nurl: https://x.io/#a\nnote: one\n  two # c\n");
    let root = yaml.documents[0].root.unwrap();
    let value = |name| yaml.get(root, name).unwrap().value;
    assert_eq!(yaml.text(value("version")), Some("1.20"));
    assert_eq!(yaml.kind(value("version")), Kind::Float(1.2));
    assert!(yaml.is_plain(value("version")));
    assert_eq!(yaml.text(value("url")), Some("https://x.io/#a"));
    assert_eq!(yaml.text(value("note")), Some("one two"));
    let lines = outline("?\n:,: ");
    assert!(lines.contains(&r#"":," = ":,""#.to_owned()), "{lines:?}");
}

#[test]
fn escapes_of_surrogate_pairs_are_one_character() {
    assert_eq!(json(r#"a: "\ud83d\ude00 \u00e9""#)["a"], "😀 é");
    for text in [
        r#"a: "x\\ \ud83d""#,
        r#"a: "x \ude00""#,
        r#"a: "x \ud83d\u0041""#,
    ] {
        let issue = only_issue(text);
        assert_eq!(issue.kind, YamlIssueKind::Syntax);
        let shown = &text[issue.span.range()];
        assert!(
            shown.starts_with(r"\ud83d") || shown == r"\ude00",
            "{shown}"
        );
    }
}

#[test]
fn finds_heads_and_keys() {
    let yaml = load("a:\n  b: 1\nc:\n- d: 2\n- 3\n");
    let root = yaml.documents[0].root.unwrap();
    let at = |tokens: &[&'static str]| yaml.at_pointer(root, tokens.iter().copied()).unwrap();
    let head = |id| yaml.text(yaml.head(id));
    assert_eq!(head(root), Some("a"));
    assert_eq!(head(at(&["a"])), Some("a"));
    assert_eq!(head(at(&["a", "b"])), Some("b"));
    assert_eq!(head(at(&["c", "0"])), Some("d"));
    assert_eq!(head(at(&["c", "1"])), Some("3"));
    assert_eq!(yaml.key_of(at(&["c", "1"])), None);
    assert_eq!(yaml.at_pointer(root, ["c", "2"]), None);
    assert_eq!(yaml.at_pointer(root, ["a", "b", "c"]), None);
    assert_eq!(yaml.at_pointer(root, []), Some(root));
}

#[test]
fn equal_keys_are_kept_and_the_last_one_wins() {
    let text = "a: 1\nb: 2\n\"a\": 3\n";
    let issue = only_issue(text);
    assert_eq!(issue.kind, YamlIssueKind::DuplicateKey);
    assert_eq!(&text[issue.span.range()], "\"a\"");
    assert_eq!(issue.other, Some(Span::new(0, 1)));
    let yaml = load(text);
    let root = yaml.documents[0].root.unwrap();
    assert_eq!(yaml.entries(root).len(), 3);
    let found = yaml.at_pointer(root, ["a"]).unwrap();
    assert_eq!(yaml.kind(found), Kind::Int(3));
    assert_eq!(yaml.to_json(root), serde_json::json!({"a": 3, "b": 2}));
}

#[test]
fn equal_keys_are_found_in_large_mappings() {
    let mut text: String = (0..100).map(|n| format!("k{n}: {n}\n")).collect();
    text.push_str("k3: x\nk3: z\nk99: z\n");
    let issues = load(&text).issues;
    let first: Vec<_> = issues
        .iter()
        .map(|issue| &text[issue.other.unwrap().range()])
        .collect();
    assert_eq!(first, ["k3", "k3", "k99"]);
    assert_eq!(issues[0].other, issues[1].other);
}

#[test]
fn reports_keys_that_json_does_not_support() {
    let text = "? [a]\n: 1\n~: 2\n: 3\n? *x\n: 4\n<<: {b: 5}\n7: 6\n";
    assert_eq!(
        issues(text),
        [
            (YamlIssueKind::ComplexKey, "[a]".to_owned()),
            (YamlIssueKind::ComplexKey, "~".to_owned()),
            (YamlIssueKind::ComplexKey, String::new()),
            (YamlIssueKind::Alias, "*x".to_owned()),
            (YamlIssueKind::ComplexKey, "*x".to_owned()),
            (YamlIssueKind::MergeKey, "<<".to_owned()),
        ]
    );
    assert_eq!(json(text), serde_json::json!({"<<": {"b": 5}, "7": 6}));
}

#[test]
fn reports_several_documents_and_directives() {
    let text = "%YAML 1.2\n# c\n---\na: 1\n---\nb: 2\n---\n";
    let yaml = load(text);
    let spans: Vec<_> = yaml
        .documents
        .iter()
        .map(|d| &text[d.span.range()])
        .collect();
    assert_eq!(spans, ["---\na: 1", "---\nb: 2", "---"]);
    assert_eq!(
        issues(text),
        [
            (YamlIssueKind::Directive, "%YAML 1.2".to_owned()),
            (YamlIssueKind::SeveralDocuments, "---".to_owned())
        ]
    );
    assert_eq!(yaml.issues[1].span.start, 23);
    for text in [
        "",
        "# only a comment\n",
        "---\n",
        "\u{feff}\n",
        "--- # c\n...\n",
        "\n\n",
    ] {
        assert_eq!(
            only_issue(text).kind,
            YamlIssueKind::EmptyDocument,
            "{text:?}"
        );
        assert_eq!(load(text).documents.len(), 1);
        assert_eq!(load(text).documents[0].root, None);
        assert_eq!(load(text).read_to, text.len());
    }
    assert_eq!(issues("---\na: 1\n...\n"), []);
}

#[test]
fn a_syntax_error_keeps_what_was_before() {
    let text = "a: 1\nb:\n- x\n- w: [1, 2\nc: 3\n";
    let yaml = load(text);
    let root = yaml.documents[0].root.unwrap();
    assert_eq!(
        yaml.to_json(root),
        serde_json::json!({"a": 1, "b": ["x", {"w": [1]}]})
    );
    assert!(yaml.issues[0].kind.stops_reading());
    assert_eq!(&text[..yaml.read_to], "a: 1\nb:\n- x\n- w: [1");
    assert_eq!(
        &text[yaml.documents[0].span.range()],
        "a: 1\nb:\n- x\n- w: [1"
    );

    let text = "a: 1\nb: 'x\n";
    assert_eq!(json(text), serde_json::json!({"a": 1, "b": null}));
    assert_eq!(outline(text)[4], "nothing after \"a: 1\\nb:\"");
}

#[test]
fn syntax_errors_are_in_plain_words() {
    let shown = |text: &str| {
        let yaml = load(text);
        let issue = yaml
            .issues
            .iter()
            .find(|issue| issue.kind == YamlIssueKind::Syntax)
            .unwrap_or_else(|| panic!("{text:?} is read"));
        format!("{:?} {}", &text[issue.span.range()], issue.message)
    };
    let cases = [
        "a:\n\tb: c\n",
        "a:\n  - b\n \t- c\n",
        "a: 'x\n",
        "a: \"x\nb: 1\n",
        "a: 'it's'\n",
        "a: \"b\" c\n",
        "a: [1, 2\nb: 3\n",
        "a: {b: c\n",
        "a: [}\n",
        "a: ]\n",
        "a: {b c\n",
        "a: [b c\n",
        "a: b\nfoo\nb: c\n",
        "a: b: c\n",
        "a: b\n c: d\n",
        "a:\n  b: c\n d: e\n",
        "- a\nb: c\n",
        "a: - b\n",
        "a: \"\\q\"\n",
        "a: \"\\x1\"\n",
        "a: @b\n",
        "a: `b`\n",
        "a: b\u{7}\n",
        "a: b\n--- |\n x\n---\n\u{feff}c: d\n",
        "a: b\n... x\n",
    ];
    let messages: Vec<_> = cases.map(shown).into();
    insta::assert_debug_snapshot!(messages);
}

#[test]
fn nesting_is_bounded() {
    for text in [
        "[".repeat(100_000),
        "- ".repeat(100_000),
        "{a: ".repeat(50_000),
        "a:\n- ".repeat(9),
    ] {
        let yaml = load(&text);
        assert!(yaml.issues.iter().any(|issue| issue.kind.stops_reading()) || text.len() < 100);
        assert!(yaml.nodes.len() < 300);
    }
    let deep = format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
    assert_eq!(issues(&deep), []);
    let deeper = format!("a: 1\nb: [{deep}]");
    let yaml = load(&deeper);
    assert_eq!(yaml.issues[0].kind, YamlIssueKind::TooDeep);
    assert_eq!(yaml.issues.len(), 1);
    let root = yaml.documents[0].root.unwrap();
    assert_eq!(
        yaml.get(root, "a").map(|a| yaml.kind(a.value)),
        Some(Kind::Int(1))
    );
    assert!(yaml.read_to < deeper.len());
}

#[test]
fn nodes_are_bounded() {
    for text in [
        "- a\n".repeat(MAX_NODES),
        "---\n".repeat(MAX_NODES + 1),
        "a: \n".repeat(MAX_NODES),
    ] {
        let yaml = load(&text);
        assert!(
            yaml.issues
                .iter()
                .any(|issue| issue.kind == YamlIssueKind::TooManyNodes)
        );
        assert!(yaml.nodes.len() + yaml.documents.len() <= MAX_NODES + 1);
        assert!(yaml.read_to < text.len());
        assert!(yaml.issues.len() <= MAX_FLAWS + 1);
    }
}

#[test]
fn issues_are_bounded_and_the_rest_is_counted() {
    let text = "- *a\n".repeat(MAX_FLAWS + 7);
    let yaml = load(&text);
    assert_eq!(yaml.issues.len(), MAX_FLAWS);
    assert_eq!(yaml.issues_left_out.values().sum::<usize>(), 7);
}

#[test]
fn aliases_are_never_expanded() {
    let mut text = "a0: &a0 [x, x]\n".to_owned();
    for n in 1..60 {
        let before = n - 1;
        text.push_str(&format!("a{n}: &a{n} [*a{before}, *a{before}]\n"));
    }
    let yaml = load(&text);
    assert!(yaml.nodes.len() < 400);
    assert_eq!(json(&text)["a59"], serde_json::json!([null, null]));
}

#[test]
fn reads_types_of_the_core_schema() {
    for (text, kind) in [
        ("", Kind::Null),
        ("~", Kind::Null),
        ("null", Kind::Null),
        ("nULL", Kind::Str("nULL")),
        ("True", Kind::Bool(true)),
        ("FALSE", Kind::Bool(false)),
        ("tRUE", Kind::Str("tRUE")),
        ("12", Kind::Int(12)),
        ("-12", Kind::Int(-12)),
        ("+12", Kind::Int(12)),
        ("010", Kind::Int(10)),
        ("0x1F", Kind::Int(31)),
        ("0o17", Kind::Int(15)),
        ("0o18", Kind::Str("0o18")),
        ("0x", Kind::Str("0x")),
        ("18446744073709551615", Kind::BigInt("18446744073709551615")),
        ("1.20", Kind::Float(1.2)),
        ("1.", Kind::Float(1.0)),
        (".5", Kind::Float(0.5)),
        ("1e5", Kind::Float(100_000.0)),
        ("123e4567", Kind::Str("123e4567")),
        ("-.inf", Kind::Float(f64::NEG_INFINITY)),
        ("1.20.1", Kind::Str("1.20.1")),
        ("1_000", Kind::Str("1_000")),
        ("2023-01-01", Kind::Str("2023-01-01")),
        ("1:30", Kind::Str("1:30")),
        (".", Kind::Str(".")),
        ("-", Kind::Str("-")),
        ("+", Kind::Str("+")),
        ("e5", Kind::Str("e5")),
        ("1e", Kind::Str("1e")),
        ("v1", Kind::Str("v1")),
    ] {
        assert_eq!(scalar::core_schema(text), kind, "{text}");
    }
    assert!(matches!(scalar::core_schema(".nan"), Kind::Float(nan) if nan.is_nan()));
}

#[test]
fn reports_scalars_that_readers_type_differently() {
    let ambiguous = [
        "y", "N", "yes", "No", "ON", "off", "010", "-010", "0b11", "1_000", "0x_1F", "0X1F",
        "-0x1F", "+0o7", "1_0.5", "1__", "1e5_",
    ];
    for text in ambiguous {
        assert!(scalar::ambiguity(text).is_some(), "{text}");
        let quoted = format!("a: '{text}'");
        assert_eq!(issues(&quoted), []);
    }
    let clear = [
        "",
        "yEs",
        "nO",
        "true",
        "null",
        "~",
        "0",
        "-0",
        "00",
        "08",
        "12",
        "0o17",
        "0x1F",
        "1.20",
        "1.20.1",
        "1e5",
        "123e4567",
        "2023-01-01",
        "2023-01-01T00:00:00Z",
        "1:30",
        "1:30:00",
        "v1_0",
        "_1",
        "-",
        "+",
        ".inf",
        ".5",
        ".5_0",
        "1.35.2-gke.1751000",
        "4e8a1b2",
        "none",
        "_",
        "18446744073709551616",
        "99999999999999999999",
        "Yesterday",
        "0o",
        "0b",
        "0b2",
        "-.inf",
    ];
    for text in clear {
        assert!(scalar::ambiguity(text).is_none(), "{text}");
    }
    let message = |text| only_issue(text).message.to_string();
    assert_eq!(
        message("a: on"),
        "ambiguous value `on`: the boolean true for Go's YAML 1.1 reader, a string for YAML 1.2 readers"
    );
    assert_eq!(
        message("a: 010"),
        "ambiguous value `010`: the number 8 for Go's YAML 1.1 reader, the number 10 for YAML 1.2 readers"
    );
}

/// Text of each issue of a kind.
fn texts_of(text: &str, kind: YamlIssueKind) -> Vec<&str> {
    let issues = load(text).issues.into_iter();
    let of_kind = issues.filter(|issue| issue.kind == kind);
    of_kind.map(|issue| &text[issue.span.range()]).collect()
}

#[test]
fn tabs_are_allowed_in_quotes_and_comments() {
    for text in [
        "a: \"b\tc\"\n",
        "a: 'b\tc' # d\te\n",
        "#\ta\nb: c\n",
        " # a\tb\nb: c\n",
        "\"a\tb\": c\n",
        "a: [\"b\tc\", '\t']\n",
        "a: \"b\n  \tc\"\n",
    ] {
        assert_eq!(load(text).issues, [], "{text:?}");
    }
    for (text, tabs) in [
        ("-\ta: b\n", vec!["\t"]),
        ("a:\tb\n", vec!["\t"]),
        ("a: b\n\t\nc: d\n", vec!["\t"]),
        ("a: b\n\t\t", vec!["\t\t"]),
        ("a: b\tc\td\n", vec!["\t", "\t"]),
        ("a: b\t# c\td\n", vec!["\t"]),
        ("a: 'b'\t\nc: d#\te\n", vec!["\t", "\t"]),
        ("a: [b,\tc]\n", vec!["\t"]),
        ("a: |\n  # b\tc\n", vec!["\t"]),
        ("\"a\"\t: b\n", vec!["\t"]),
    ] {
        assert_eq!(texts_of(text, YamlIssueKind::Tab), tabs, "{text:?}");
    }
}

#[test]
fn a_text_that_libyaml_rejects_or_reads_differently_is_found() {
    let kind = YamlIssueKind::OtherReading;
    for text in [
        "a: b\r\nc:\r\n- d\r\n",
        "a:\n  - b\n  -\n    c: ~\n    d:\n",
        "a: >-\n  b\n  c\n\n  d\ne: |\n  f\n",
        "a: \"b\n  c\\\n  d\"\ne: 'it''s\n  f'\n",
        "? a b\n: c\n1: 0x1F\nyes: 1_000\n",
        "{a: b, c: [d, {e: }]}\n",
        "\u{feff}a: b\nc: d\n",
    ] {
        assert_eq!(texts_of(text, kind), [""; 0], "{text:?}");
    }
    for (text, found) in [
        ("a: {?b: c}\n", "?b"),
        ("a: {b: ?c}\n", ""),
        ("a: {b:? c}\n", ""),
        ("a: b\nc:\n- {d, :e: f}\n", ""),
    ] {
        assert_eq!(texts_of(text, kind), [found], "{text:?}");
    }
    // Texts over the limits are not read again.
    let many = format!("a: {{?b: c}}\nd:\n{}", "- []\n".repeat(200));
    assert_eq!(texts_of(&many, kind), [""; 0]);
}
