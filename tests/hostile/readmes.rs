//! Tests hostile Markdown in place of a README.

use super::bounded::{Call, look};
use super::support::folder::{Folder, README};
use super::table::Case;

const PATH: &str = "conformance/reports/v1.5/acme-operator/README.md";

fn holds(text: &[u8]) -> String {
    let folder = Folder::with_tree();
    folder.file(PATH, text);
    let found = look(folder.path(), "");
    Call::new(folder.path(), "check --unsafe-fixes --diff").run();
    assert_eq!(
        std::fs::read(folder.path().join(PATH)).unwrap(),
        text,
        "only shown"
    );
    found
}

fn is_shown(text: &[u8]) -> String {
    let found = holds(text);
    let folder = Folder::with_tree();
    folder.file(PATH, text);
    let site = Call::new(folder.path(), "site --out site --allow-unread").run();
    assert_eq!(site.code, 0, "{}", site.stderr);
    found
}

fn case(name: &str, what: &str, text: impl Fn() -> Vec<u8> + Send + Sync + 'static) -> Case {
    Case::new(name, what, move || holds(&text()))
}

fn more(name: &str, what: &str, text: impl Fn() -> String + Send + Sync + 'static) -> Case {
    Case::new(name, what, move || {
        is_shown(format!("{README}\n{}\n", text()).as_bytes())
    })
}

fn link(target: &'static str) -> Case {
    let name = format!(
        "link to {}",
        target.chars().take(30).collect::<String>().escape_debug()
    );
    case(&name, "in the table of contents", move || {
        README
            .replace("./standard-v2.14.0-default-report.yaml", target)
            .into_bytes()
    })
}

pub fn cases() -> Vec<Case> {
    let mut cases = sizes();
    cases.extend(shapes());
    let targets = [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "//acme.example/x",
        "\\\\acme.example\\share",
        "/etc/passwd",
        "../../../../../../etc/passwd",
        "%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "..%5c..%5cx",
        "./x%00.yaml",
        "<./a b.yaml>",
        "./standard-v2.14.0-default-report.yaml?x#y",
        "\u{202e}lmay.x",
        "./con",
        "vbscript:x",
    ];
    cases.extend(targets.into_iter().map(link));
    cases
}

fn sizes() -> Vec<Case> {
    vec![
        more("README of 20 MB", "one paragraph", || {
            "a ".repeat(10_000_000)
        }),
        more("README of 4 MB", "just below what is read", || {
            "aaaaaaa\n".repeat(500_000)
        }),
        more("nested quotes", "`>` 100,000 times", || ">".repeat(100_000)),
        more("nested lists", "`- ` 100,000 times", || {
            "- ".repeat(100_000)
        }),
        more("nested emphasis", "`*` and `_` 100,000 times", || {
            "*_".repeat(50_000)
        }),
        more("open brackets", "`[` 100,000 times", || "[".repeat(100_000)),
        more("open pictures", "`![` 50,000 times", || "![".repeat(50_000)),
        more("open links", "`[a](` 50,000 times", || {
            "[a](".repeat(50_000)
        }),
        more("backticks", "runs of 1 to 1,000", || {
            (1..1000).map(|n| "`".repeat(n) + " ").collect()
        }),
        more("open elements", "`<a ` 50,000 times", || {
            "<a ".repeat(50_000)
        }),
        more("open comments", "`<!--` 50,000 times", || {
            "<!--".repeat(50_000)
        }),
        more("open processing instructions", "`<?` 50,000 times", || {
            "<?".repeat(50_000)
        }),
        more("100,000 headings", "`# a`", || "# a\n".repeat(100_000)).long(),
        more("50,000 link definitions", "and as many uses", || {
            (0..50_000)
                .map(|n| format!("[a{n}]: /x\n\n[a{n}]\n"))
                .collect()
        })
        .long(),
        more("table of 5,000 columns", "and five rows", || {
            format!(
                "|{}\n|{}\n{}",
                "a|".repeat(5000),
                "-|".repeat(5000),
                format!("|{}\n", "b|".repeat(5000)).repeat(5)
            )
        }),
        more(
            "columns without cells",
            "5,000 columns, 5,000 short rows",
            || {
                format!(
                    "|{}\n|{}\n{}",
                    "a|".repeat(5000),
                    "-|".repeat(5000),
                    "|b\n".repeat(5000)
                )
            },
        ),
        case(
            "1,000 rows",
            "each links to a report that is not there",
            || rows(1_000),
        ),
        case(
            "20,000 rows",
            "each links to a report that is not there",
            || rows(20_000),
        )
        .long(),
        more("50,000 tables", "of one row", || {
            "|a|\n|-|\n|b|\n\n".repeat(50_000)
        })
        .long(),
        more("50,000 entities", "`&#x202e;`", || {
            "&#x202e;".repeat(50_000)
        }),
        more("50,000 addresses", "`<https://…>`", || {
            "<https://acme.example> ".repeat(50_000)
        })
        .long(),
        more("line of 4 MB", "in a code block", || {
            format!("```\n{}\n```", "a".repeat(4_000_000))
        })
        .long(),
    ]
}

fn rows(count: usize) -> Vec<u8> {
    let row = |n| {
        format!(
            "| standard | v2.14.{n} | default | [x](./standard-v2.14.{n}-default-report.yaml) |\n"
        )
    };
    let rows: String = (0..count).map(row).collect();
    README
        .replace("\n\n## Reproduce", &format!("\n{rows}\n## Reproduce"))
        .into_bytes()
}

fn shapes() -> Vec<Case> {
    vec![
        case("empty README", "no byte", Vec::new),
        case("README of zero bytes", "U+0000, 1,000 times", || {
            vec![0; 1000]
        }),
        case(
            "README that is not UTF-8",
            "a lone 0xFF in the table",
            || {
                README
                    .replace("default", "def\u{1}ault")
                    .replace('\u{1}', "\u{80}")
                    .bytes()
                    .map(|b| if b == 0x80 { 0xff } else { b })
                    .collect()
            },
        ),
        case("table in a comment", "`<!--` before it", || {
            README.replace("| API", "<!--\n| API").into_bytes()
        }),
        case(
            "table in a code block",
            "a fence that is never closed",
            || README.replace("| API", "````\n| API").into_bytes(),
        ),
        case("table in an element", "`<div hidden>`", || {
            README.replace("| API", "<div hidden>\n| API").into_bytes()
        }),
        case(
            "table behind a script",
            "`<script>` that is never closed",
            || README.replace("| API", "<script>\n| API").into_bytes(),
        ),
        more("script", "`<script>` in the commands", || {
            "<script>alert(1)</script><img src=x onerror=alert(1)>".to_owned()
        }),
        more(
            "picture from elsewhere",
            "it would tell who reads the page",
            || "![x](https://acme.example/x.png)".to_owned(),
        ),
        more("style and frame", "`<style>`, `<iframe>`", || {
            "<style>*{display:none}</style><iframe src=//acme.example></iframe>".to_owned()
        }),
    ]
}
