//! Tests that hostile templates for `export --template` read only the documents, and always end.

use std::os::unix::fs::symlink;

use super::bounded::Call;
use super::support::folder::Folder;
use super::table::Case;

fn exported(folder: &Folder) -> String {
    let ran = Call::new(folder.path(), "export --template t.md.j2").run();
    let printed = String::from_utf8(ran.stdout).unwrap();
    match ran.code {
        0 => {
            assert!(printed.len() < 100, "{printed}");
            format!("prints `{printed}`")
        }
        code => {
            assert_eq!(printed, "");
            let first = ran.stderr.lines().next().unwrap_or_default();
            assert!(first.starts_with("error: "), "{}", ran.stderr);
            let first: String = first.chars().take(160).collect();
            format!("exit {code}: {first}")
        }
    }
}

fn with(name: &str, what: &str, text: impl Fn() -> String + Send + Sync + 'static) -> Case {
    Case::new(name, what, move || {
        let folder = Folder::with_tree();
        folder.file("t.md.j2", text());
        folder.file("secret", "password");
        exported(&folder)
    })
}

fn grown(step: &str, times: usize, then: &str) -> String {
    format!(
        "{{% set ns = namespace(x=[1]) %}}{{% for i in range({times}) %}}{{% set ns.x = {step} %}}{{% endfor %}}{then}"
    )
}

pub fn cases() -> Vec<Case> {
    let twice = "[ns.x, ns.x]";
    let mut cases = vec![
        with("loop in a loop", "99,999 times each", || {
            "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
                .to_owned()
        }),
        with("macro that calls itself", "without end", || {
            "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}".to_owned()
        }),
        with("include of itself", "without end", || {
            "{% include \"t.md.j2\" %}".to_owned()
        }),
        with("text doubled", "60 times", || {
            "{% set x = \"0123456789\" %}".to_owned() + &"{% set x = x ~ x %}".repeat(60)
        }),
        with("text repeated", "999,999,999,999 times", || {
            "{{ \"x\" * 999999999999 }}".to_owned()
        }),
        with("list of one text", "a megabyte, a million times", || {
            "{% set s = \"0123456789\" * 100000 %}{{ [s] * 1000000 }}".to_owned()
        }),
        with("output without end", "1 GB of text", || {
            let line = "x".repeat(9_999);
            format!("{{% for a in range(99999) %}}{line}{{% endfor %}}")
        }),
        with("nested expression", "`-` 250,000 times", || {
            format!("{{{{ {}1 }}}}", "-".repeat(250_000))
        }),
        with("nested brackets", "`[` 100,000 times", || {
            format!("{{{{ {} }}}}", "[".repeat(100_000))
        }),
        with("nested list", "99,999 levels, thrown away", || {
            grown("[ns.x]", 99_999, "done")
        }),
        with("value in itself", "written", || grown("ns", 1, "{{ ns }}")),
        with("file above", "`../secret`", || {
            "{% include \"../secret\" %}".to_owned()
        }),
        with("file of the system", "`/etc/passwd`", || {
            "{% include \"/etc/passwd\" %}".to_owned()
        }),
        with("environment", "`PATH`", || {
            "{{ environ.PATH }}{{ env(\"PATH\") }}".to_owned()
        }),
        with("attributes of Python", "`__class__`", || {
            "{{ \"\".__class__.__mro__ }}".to_owned()
        }),
        with("control characters", "in the name of an include", || {
            "{% include \"a\u{1b}[31m\u{202e}b\" %}".to_owned()
        }),
        Case::new("link as an include", "to a file beside the folder", || {
            let folder = Folder::with_tree();
            folder.file("secret", "password");
            folder.file("own/t.md.j2", "{% include \"a.md\" %}");
            symlink("../secret", folder.path().join("own/a.md")).unwrap();
            let ran = Call::new(folder.path(), "export --template own/t.md.j2").run();
            assert_eq!((ran.code, ran.stdout.len()), (2, 0), "{}", ran.stderr);
            format!("exit {}: {}", ran.code, ran.stderr.trim_end())
        }),
    ];
    for filter in ["string", "tojson", "pprint", "join", "urlencode", "md"] {
        cases.push(with(
            &format!("wide value, `{filter}`"),
            "2 to the power of 60 items",
            move || grown(twice, 60, &format!("{{{{ ns.x|{filter} }}}}")),
        ));
        cases.push(with(
            &format!("value in itself, `{filter}`"),
            "a list with itself",
            move || grown("[ns]", 1, &format!("{{{{ ns.x|{filter} }}}}")),
        ));
    }
    cases
}
