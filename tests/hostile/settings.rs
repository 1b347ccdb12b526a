//! Tests configurations, baselines and registries that are expensive or refer to files elsewhere.

use super::bounded::{Call, summary};
use super::support::folder::Folder;
use super::table::Case;

fn happens(folder: &Folder, words: &str) -> String {
    let ran = Call::new(folder.path(), &format!("check --format json {words}")).run();
    match ran.code {
        0 | 1 => summary(&ran),
        code => format!("refused with exit {code}"),
    }
}

fn config(name: &str, what: &str, text: impl Fn() -> String + Send + Sync + 'static) -> Case {
    Case::new(format!("configuration: {name}"), what, move || {
        let folder = Folder::with_tree();
        folder.file("gwconform.toml", text());
        happens(&folder, "")
    })
}

fn baseline(name: &str, what: &str, text: impl Fn() -> String + Send + Sync + 'static) -> Case {
    Case::new(format!("baseline: {name}"), what, move || {
        let folder = Folder::with_tree();
        folder.file("accepted.json", text());
        happens(&folder, "--baseline accepted.json")
    })
}

fn registry(name: &str, what: &str, text: impl Fn() -> String + Send + Sync + 'static) -> Case {
    Case::new(format!("registry: {name}"), what, move || {
        let folder = Folder::with_tree();
        folder.file("facts/v1.99.0.json", text());
        happens(&folder, "--registry facts")
    })
}

fn ignores(paths: impl Iterator<Item = String>) -> String {
    paths
        .map(|path| {
            format!("[[ignore]]\nrule = \"report/date\"\npath = \"{path}\"\nreason = \"x\"\n")
        })
        .collect()
}

fn of_implementation(line: &str) -> String {
    format!("[[implementation]]\norganization = \"acme\"\nproject = \"operator\"\n{line}\n")
}

pub fn cases() -> Vec<Case> {
    let mut cases = configurations();
    cases.extend([
        baseline("100,000 entries", "each of its own", || {
            let entry = |n| format!("{{\"path\": \"x{n}\", \"rule\": \"report/date\", \"subject\": \"m\", \"count\": 1}}");
            let entries: Vec<String> = (0..100_000).map(entry).collect();
            format!("{{\"version\": 2, \"accepted\": [{}]}}", entries.join(","))
        }),
        baseline("nested lists", "`[` 100,000 times", || "[".repeat(100_000)),
        baseline("nested in an entry", "`{\"a\":` 100,000 times", || format!("{{\"version\": 2, \"accepted\": [{}", "{\"a\":".repeat(100_000))),
        baseline("count without end", "2^64", || "{\"version\": 2, \"accepted\": [{\"path\": \"x\", \"rule\": \"report/date\", \"subject\": \"m\", \"count\": 18446744073709551616}]}".to_owned()),
        baseline("string of 20 MB", "as subject", || format!("{{\"version\": 2, \"accepted\": [{{\"path\": \"x\", \"rule\": \"report/date\", \"subject\": \"{}\", \"count\": 1}}]}}", "a".repeat(20_000_000))),
        baseline("all of a rule", "a path of `..`", || "{\"version\": 2, \"accepted\": [{\"path\": \"../../..\", \"rule\": \"report/date\", \"subject\": \"m\", \"count\": 9}]}".to_owned()),
        baseline("control characters", "in its version", || "{\"version\": \"\\u001b[2J\u{202e}\", \"accepted\": []}".to_owned()),
        registry("nested lists", "`[` 100,000 times", || "[".repeat(100_000)),
        registry("release based on itself", "`\"base\": \"v1.99.0\"`", || "{\"release\": \"v1.99.0\", \"date\": \"2026-01-01\", \"base\": \"v1.99.0\"}".to_owned()),
        registry("string of 20 MB", "as note", || format!("{{\"notes\": [\"{}\"]}}", "a".repeat(20_000_000))),
        registry("100,000 features", "in one release", || {
            let feature = |n| format!("\"F{n}\": {{\"level\": \"extended\", \"channel\": \"standard\", \"meaning\": \"x\"}}");
            let features: Vec<String> = (0..100_000).map(feature).collect();
            format!("{{\"release\": \"v1.99.0\", \"date\": \"2026-01-01\", \"base\": \"v1.6.1\", \"features\": {{{}}}}}", features.join(","))
        }),
        registry("control characters", "as a key", || "{\"\\u001b[2J\u{202e}\": 1}".to_owned()),
        Case::new("registry: 10,000 files", "each of a release", || {
            let folder = Folder::with_tree();
            for n in 0..10_000 {
                folder.file(&format!("facts/v9.{n}.0.json"), "{}");
            }
            happens(&folder, "--registry facts")
        }),
        Case::new("registry: no folder", "a file", || {
            let folder = Folder::with_tree();
            folder.file("facts", "{}");
            happens(&folder, "--registry facts")
        }),
    ]);
    cases
}

fn configurations() -> Vec<Case> {
    vec![
        config("38 globs of 100,000 marks", "`?`", || {
            ignores((0..38).map(|_| "?".repeat(100_000)))
        }),
        config("glob of 500 KB", "one letter", || {
            ignores(std::iter::once("a".repeat(500_000)))
        }),
        config("50,000 ignores", "each of its own", || {
            ignores((0..50_000).map(|n| format!("x{n}")))
        }),
        config("nested glob", "`{a,` 10,000 times", || {
            ignores(std::iter::once("{a,".repeat(10_000)))
        }),
        config(
            "nested glob of 1,020 bytes",
            "`{a,` 255 times, and as many `}`",
            || {
                ignores(std::iter::once(format!(
                    "{}{}",
                    "{a,".repeat(255),
                    "}".repeat(255)
                )))
            },
        ),
        config("glob of many folders", "`**/` 300 times", || {
            ignores(std::iter::once(format!("{}x", "**/".repeat(300))))
        }),
        config("glob with classes", "`[a-z]` 100 times", || {
            ignores(std::iter::once("[a-z]*".repeat(100)))
        }),
        config("glob that leads up", "`../../*`", || {
            ignores(std::iter::once("../../*".to_owned()))
        }),
        config("glob for everything", "`**` of one rule", || {
            ignores(std::iter::once("**".to_owned()))
        }),
        config("nested lists", "`[` 100,000 times", || {
            format!("x = {}", "[".repeat(100_000))
        }),
        config("nested tables", "`a.` 100,000 times", || {
            format!("{}a = 1", "a.".repeat(100_000))
        }),
        config("inline tables", "`{a = ` 100,000 times", || {
            format!("x = {}", "{a = ".repeat(100_000))
        }),
        config("string of 20 MB", "as a comment", || {
            format!("# {}", "a".repeat(20_000_000))
        }),
        config("script as address", "`site-url`", || {
            "site-url = \"javascript:alert(1)\"".to_owned()
        }),
        config("script behind an address", "`docs-url`", || {
            "docs-url = \"https://a.example/\\\"><script>\"".to_owned()
        }),
        config("control characters", "in the name of a rule", || {
            "[rules]\n\"\\u001b[2J\\u202e\" = \"off\"".to_owned()
        }),
        config("unknown key", "`rule` for `rules`", || {
            "[rule]\ntext = \"off\"".to_owned()
        }),
        config("no minor counts", "`conformant-minors = 0`", || {
            "[policy]\nconformant-minors = 0".to_owned()
        }),
        config("4294967296 minors", "`conformant-minors`", || {
            "[policy]\nconformant-minors = 4294967296".to_owned()
        }),
        config("alias that leads up", "`aliases = [\"../../x\"]`", || {
            of_implementation("aliases = [\"../../x\", \"/etc\", \"\", \".\", \"..\"]")
        }),
        config("10,000 aliases", "of one implementation", || {
            let aliases: Vec<String> = (0..10_000).map(|n| format!("\"a{n}\"")).collect();
            of_implementation(&format!("aliases = [{}]", aliases.join(",")))
        }),
        config("not UTF-8", "as UTF-16 would be", || {
            "\u{0}r\u{0}u\u{0}l\u{0}e".to_owned()
        }),
    ]
}
