//! Tests hostile YAML in place of a report.

use super::bounded::{Call, can_be_seen, look};
use super::support::folder::{Folder, NAME, report};
use super::support::one_in;
use super::table::{Case, in_two_sizes};

const PATH: &str = "conformance/reports/v1.5/acme-operator";

fn holds(text: &[u8]) -> String {
    let folder = Folder::with_tree();
    folder.file(&format!("{PATH}/{NAME}"), text);
    let found = look(folder.path(), "");
    // Without `GWCONFORM_LONG`, only a sample of the texts is certified.
    if !text.len().is_multiple_of(one_in(4)) {
        return found;
    }
    let verdicts = Call::new(folder.path(), "certify --all --allow-empty --allow-unread").run();
    can_be_seen(verdicts.text(), "certify");
    Call::new(
        folder.path(),
        "certify --allow-empty --allow-unread --format json",
    )
    .run()
    .json();
    found
}

fn case(name: &str, what: &str, text: impl Fn() -> Vec<u8> + Send + Sync + 'static) -> Case {
    Case::new(name, what, move || holds(&text()))
}

fn with(
    name: &str,
    what: &str,
    old: &'static str,
    new: impl Fn() -> String + Send + Sync + 'static,
) -> Case {
    case(name, what, move || {
        let right = report();
        assert!(right.contains(old), "{old}");
        right.replace(old, &new()).into_bytes()
    })
}

fn more(name: &str, what: &str, text: impl Fn() -> String + Send + Sync + 'static) -> Case {
    case(name, what, move || {
        format!("{}{}", report(), text()).into_bytes()
    })
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(|n| line(n) + "\n").collect()
}

fn alias_bomb() -> String {
    let names = "abcdefghi".chars().collect::<Vec<_>>();
    let mut text = "x-a: &a [lol, lol, lol]\n".to_owned();
    for pair in names.windows(2) {
        let list = vec![format!("*{}", pair[0]); 9].join(", ");
        text.push_str(&format!("x-{}: &{} [{list}]\n", pair[1], pair[1]));
    }
    text + "profiles: *i\n"
}

pub fn cases() -> Vec<Case> {
    let mut cases = aliases();
    cases.extend(depths());
    cases.extend(sizes());
    cases.extend(bytes());
    cases.extend(types());
    cases.extend(values());
    cases
}

fn aliases() -> Vec<Case> {
    vec![
        more(
            "alias bomb",
            "9 lists of 9 aliases of the list before",
            alias_bomb,
        ),
        more("alias bomb in keys", "the same as keys", || {
            alias_bomb().replace("profiles: *i", "? *i\n: x")
        }),
        more("alias of itself", "`&a [*a]`", || "x: &a [*a]\n".to_owned()),
        more("alias of nothing", "`*a` without `&a`", || {
            "x: *a\n".to_owned()
        }),
        more("merge keys", "`<<` of aliases, 1,000 times", || {
            format!(
                "x: &a {{b: c}}\ny:\n{}",
                lines(1000, |_| "  <<: *a".to_owned())
            )
        }),
        more("100,000 anchors", "each value has one", || {
            format!("x:\n{}", lines(100_000, |n| format!("- &a{n} b")))
        }),
        more("100,000 aliases", "of one anchor", || {
            format!("x: &a b\ny:\n{}", lines(100_000, |_| "- *a".to_owned()))
        })
        .long(),
        more("anchor of a megabyte", "one long name", || {
            format!("x: &{} b\n", "a".repeat(1 << 20))
        }),
    ]
}

fn depths() -> Vec<Case> {
    let deep = 100_000;
    vec![
        case("nested lists", "`[` 100,000 times", move || {
            vec![b'['; deep]
        }),
        case("nested lists, closed", "and as many `]`", move || {
            [vec![b'['; deep], vec![b']'; deep]].concat()
        }),
        case("nested maps", "`{a: ` 100,000 times", move || {
            b"{a: ".repeat(deep)
        }),
        case(
            "nested block lists",
            "`- ` 100,000 times in a line",
            move || b"- ".repeat(deep),
        ),
        case("nested keys", "`? ` 100,000 times in a line", move || {
            b"? ".repeat(deep)
        }),
        case("nested by indentation", "2,000 maps", || {
            (0..2000)
                .map(|n| format!("{}a:\n", " ".repeat(n)))
                .collect::<String>()
                .into_bytes()
        }),
        with(
            "nested in a field",
            "a contact 100,000 lists deep",
            "- '@acme/maintainers'",
            move || format!("- {}", "[".repeat(deep)),
        ),
    ]
}

fn sizes() -> Vec<Case> {
    let mut cases = vec![
        more("scalar of 100 MB", "one value of the letter a", || {
            format!("x: {}\n", "a".repeat(100_000_000))
        }),
        more("scalar of 4 MB", "just below what is read", || {
            format!("x: {}\n", "a".repeat(4_000_000))
        })
        .long(),
        more("quoted scalar of 4 MB", "all escapes", || {
            format!("x: \"{}\"\n", "\\x41".repeat(1_000_000))
        })
        .long(),
        more("block scalar of a million lines", "`|`", || {
            format!("x: |\n{}", lines(1_000_000, |_| "  a".to_owned()))
        })
        .long(),
        with(
            "10,000 features",
            "of one profile",
            "    result: success\n",
            || {
                format!(
                    "    result: success\n    supportedFeatures:\n{}",
                    lines(10_000, |n| format!("    - F{n}"))
                )
            },
        ),
        case("5,000 documents", "`--- a`", || {
            lines(5_000, |_| "--- a".to_owned()).into_bytes()
        }),
        case("a million keys", "`k0: 1` and so on", || {
            lines(1_000_000, |n| format!("k{n}: 1")).into_bytes()
        }),
        case("300,000 keys", "just below what is read", || {
            lines(300_000, |n| format!("k{n}: 1")).into_bytes()
        })
        .long(),
        case("800,000 equal keys", "`k: 1`", || {
            lines(800_000, |_| "k: 1".to_owned()).into_bytes()
        })
        .long(),
        case("a million items", "`- a`", || {
            lines(1_000_000, |_| "- a".to_owned()).into_bytes()
        })
        .long(),
        case("50,000 documents", "`--- a`", || {
            lines(50_000, |_| "--- a".to_owned()).into_bytes()
        })
        .long(),
        case("50,000 empty documents", "`---`", || {
            lines(50_000, |_| "---".to_owned()).into_bytes()
        }),
        case(
            "50,000 reports in a file",
            "each with an unknown profile",
            || {
                lines(50_000, |_| {
                    "---\nkind: ConformanceReport\nprofiles: [{name: X}]".to_owned()
                })
                .into_bytes()
            },
        )
        .long(),
        case("10 MB of comments", "and nothing else", || {
            lines(1_000_000, |_| "# aaaaaaa".to_owned()).into_bytes()
        }),
        case("4 MB of line breaks", "and nothing else", || {
            vec![b'\n'; 4_000_000]
        }),
        case("4 MB of spaces", "and nothing else", || {
            vec![b' '; 4_000_000]
        })
        .long(),
        case("4 MB of carriage returns", "and nothing else", || {
            vec![b'\r'; 4_000_000]
        })
        .long(),
        more("key of a megabyte", "one long name", || {
            format!("{}: x\n", "k".repeat(1 << 20))
        }),
        case("100,000 directives", "`%TAG`", || {
            (lines(100_000, |n| format!("%TAG !a{n}! tag:a,2026:")) + "--- x\n").into_bytes()
        })
        .long(),
        with(
            "100,000 contacts",
            "each of its own",
            "  - '@acme/maintainers'\n",
            || lines(100_000, |n| format!("  - '@a{n}'")),
        )
        .long(),
        with("100,000 profiles", "each of its own", "profiles:\n", || {
            format!("profiles:\n{}", lines(100_000, |n| format!("- name: P{n}")))
        })
        .long(),
        with(
            "100,000 features",
            "of one profile",
            "    result: success\n",
            || {
                format!(
                    "    result: success\n    supportedFeatures:\n{}",
                    lines(100_000, |n| format!("    - F{n}"))
                )
            },
        )
        .long(),
        with(
            "100,000 skipped tests",
            "of one profile",
            "    result: success\n",
            || {
                format!(
                    "    result: partial\n    skippedTests:\n{}",
                    lines(100_000, |n| format!("    - T{n}"))
                )
            },
        )
        .long(),
    ];
    cases.extend(in_two_sizes(
        [("2,000", 2_000), ("10,000", 10_000)],
        |written, count| {
            with(
                &format!("{written} profiles"),
                "each of its own",
                "profiles:\n",
                move || format!("profiles:\n{}", lines(count, |n| format!("- name: P{n}"))),
            )
        },
    ));
    cases.extend(in_two_sizes(
        [("2,000", 2_000), ("20,000", 20_000)],
        |written, count| {
            with(
                &format!("{written} features almost known"),
                "each near to a name of the release",
                "    result: success\n",
                move || {
                    format!(
                        "    result: success\n    supportedFeatures:\n{}",
                        lines(count, |n| format!("    - HTTPRouteAlmostKnown{n}"))
                    )
                },
            )
        },
    ));
    cases.extend(in_two_sizes(
        [("2,000", 2_000), ("10,000", 10_000)],
        |written, count| {
            with(
                &format!("{written} skipped tests"),
                "of one profile",
                "    result: success\n",
                move || {
                    format!(
                        "    result: partial\n    skippedTests:\n{}",
                        lines(count, |n| format!("    - T{n}"))
                    )
                },
            )
        },
    ));
    cases
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

fn bytes() -> Vec<Case> {
    let hostile: [(&str, &str, &[u8]); 12] = [
        ("empty file", "no byte", b""),
        ("one zero byte", "U+0000", b"\0"),
        ("zero bytes in text", "U+0000 between letters", b"a: b\0c\n"),
        ("broken UTF-8", "a lone 0xFF", b"mode: \xff\n"),
        ("overlong UTF-8", "`/` as 0xC0 0xAF", b"mode: \xc0\xaf\n"),
        (
            "surrogates in UTF-8",
            "0xED 0xA0 0x80",
            b"mode: \xed\xa0\x80\n",
        ),
        (
            "marks of a merge conflict",
            "`<<<<<<<`",
            b"<<<<<<< a\nmode: x\n=======\nmode: y\n>>>>>>> b\n",
        ),
        ("unclosed quote", "`\"`", b"mode: \"x\n"),
        ("tabs as indentation", "U+0009", b"a:\n\tb: c\n"),
        (
            "not YAML at all",
            "an ELF header",
            b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0",
        ),
        ("gzip", "its first bytes", b"\x1f\x8b\x08\0\0\0\0\0\0\x03"),
        (
            "JSON",
            "a report as an object",
            b"{\"kind\": \"ConformanceReport\", \"mode\": \"x\"}",
        ),
    ];
    let mut cases: Vec<Case> = (hostile.into_iter())
        .map(|(name, what, bytes)| case(name, what, move || bytes.to_vec()))
        .collect();
    cases.push(case("UTF-16, little end first", "with its mark", || {
        utf16(&format!("\u{feff}{}", report()), u16::to_le_bytes)
    }));
    cases.push(case("UTF-16, big end first", "with its mark", || {
        utf16(&format!("\u{feff}{}", report()), u16::to_be_bytes)
    }));
    cases.push(with(
        "line breaks of other systems",
        "U+0085, U+2028, U+2029",
        "mode: default",
        || "mode: default\u{85}kind: x\u{2028}kind: y\u{2029}kind: z".to_owned(),
    ));
    cases.push(with(
        "carriage returns alone",
        "they are line breaks to YAML",
        "\n",
        || "\r".to_owned(),
    ));
    cases.push(with(
        "marks of byte order",
        "U+FEFF in the middle",
        "mode: default",
        || "\u{feff}mode: \u{feff}default".to_owned(),
    ));
    cases
}

fn types() -> Vec<Case> {
    let tags = [
        (
            "tag of Python",
            "!!python/object/apply:os.system [touch canary]",
        ),
        ("tag of Ruby", "!ruby/object:Gem::Installer x"),
        ("tag of Java", "!!javax.script.ScriptEngineManager [x]"),
        ("tag for bytes", "!!binary Y2FuYXJ5"),
        ("tag with a URL", "!<https://acme.example/tag> x"),
        ("set", "!!set {a, b}"),
        ("ordered map", "!!omap [a: b]"),
        ("key that is a list", "{[a, b]: c}"),
        ("key that is null", "{null: c}"),
        ("keys of JavaScript", "{__proto__: {x: y}, constructor: z}"),
        ("time stamp", "2026-01-01T00:00:00Z"),
        ("numbers of 60", "1:20:30"),
        ("yes that is true", "yes"),
        ("infinite number", ".inf"),
        ("number of a thousand digits", ""),
    ];
    let cases = tags.into_iter().map(|(name, value)| {
        let value = if value.is_empty() {
            "9".repeat(1000)
        } else {
            value.to_owned()
        };
        let what = if value.len() < 60 {
            format!("`mode: {value}`")
        } else {
            "`mode: 999…`".to_owned()
        };
        with(name, &what, "mode: default", move || {
            format!("mode: {value}")
        })
    });
    cases.collect()
}

fn values() -> Vec<Case> {
    let counts = [
        "-1",
        "4294967296",
        "18446744073709551616",
        "1e99999999",
        "0x7fffffff",
        "0777",
        ".nan",
        "1_000",
    ];
    let mut cases: Vec<Case> = (counts.into_iter())
        .map(|count| {
            with(
                &format!("count {count}"),
                &format!("`Passed: {count}`"),
                "Passed: 13",
                move || format!("Passed: {count}"),
            )
        })
        .collect();
    let versions = [
        "v1.5.1-rc.1+x",
        "v99999999999999999999.0.0",
        "v1.5",
        "../../v1.5.1",
        "v1.5.1\\u0000",
        "1.5.1;id",
    ];
    cases.extend(versions.into_iter().map(|version| {
        with(
            &format!("release {version}"),
            &format!("`gatewayAPIVersion: \"{version}\"`"),
            "gatewayAPIVersion: v1.5.1",
            move || format!("gatewayAPIVersion: \"{version}\""),
        )
    }));
    let dates = [
        "+10000-01-01T00:00:00Z",
        "0000-00-00T00:00:00Z",
        "2026-02-30T25:61:61Z",
    ];
    cases.extend(dates.into_iter().map(|date| {
        with(
            &format!("date {date}"),
            &format!("`date: \"{date}\"`"),
            "date: \"2026-05-20T10:15:30Z\"",
            move || format!("date: \"{date}\""),
        )
    }));
    cases
}
