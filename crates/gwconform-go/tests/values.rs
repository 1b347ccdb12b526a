//! Tests values of small packages, and errors about unsupported code.

use std::collections::BTreeMap;

use gwconform_go::program::Program;
use gwconform_go::value::{Key, Value};
use gwconform_go::{EntryKind, Sources};

struct Files(BTreeMap<&'static str, String>);

impl Sources for Files {
    fn entries(&self, folder: &str) -> Result<Option<Vec<(String, EntryKind)>>, String> {
        let below = self.0.keys().filter_map(|path| {
            let name = path.strip_prefix(folder)?.strip_prefix('/')?;
            Some((name.to_owned(), EntryKind::File))
        });
        let names: Vec<_> = below.collect();
        Ok((!names.is_empty()).then_some(names))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let text = self.0.get(path).ok_or("no such file")?;
        Ok(text.clone().into_bytes())
    }
}

fn one_file(text: &str) -> Files {
    Files(BTreeMap::from([("p/p.go", format!("package p\n{text}"))]))
}

fn value(files: &Files, name: &str) -> String {
    let program = Program::new(files, "example.org/m", false);
    let package = match program.package("p") {
        Ok(package) => package,
        Err(error) => return error.to_string(),
    };
    match program.member(&package, name, &package) {
        Ok(Some(value)) => shown(&program, &value),
        Ok(None) => "not declared".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn shown(program: &Program<'_>, value: &Value) -> String {
    let heap = program.heap.borrow();
    match value {
        Value::Text(text) => text.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::List(list) => {
            let items = heap.lists[*list].iter();
            items
                .map(|item| shown(program, item))
                .collect::<Vec<_>>()
                .join(" ")
        }
        Value::Map(map) => {
            let keys = heap.maps[*map].entries.keys();
            let texts = keys.map(|key| match key {
                Key::Text(text) => text.to_string(),
                other => format!("{other:?}"),
            });
            texts.collect::<Vec<_>>().join(" ")
        }
        other => other.described().to_owned(),
    }
}

#[test]
fn expressions_have_values() {
    let cases = [
        ("const X = \"a\" + \"b\"", "ab"),
        ("const (\n\t_ = iota\n\tW\n\tX\n)", "2"),
        ("const X = 7 - 2 - 1", "4"),
        ("var X = !false && true", "true"),
        ("var X = []string{\"a\", \"b\"}", "a b"),
        ("var X = append([]string{\"a\"}, \"b\", \"c\")", "a b c"),
        ("var X = map[string]bool{\"b\": true, \"a\": true}", "a b"),
        (
            "var X = f(\"x\")\nfunc f(s string) string { return s + \"!\" }",
            "x!",
        ),
        (
            "var X = all()\nfunc all() []string {\n\tvar r []string\n\tfor _, s := range names {\n\t\tr = append(r, s)\n\t}\n\treturn r\n}\nvar names = []string{\"a\", \"b\"}",
            "a b",
        ),
        ("var X = y\nvar y = z\nconst z = \"later\"", "later"),
    ];
    for (text, expected) in cases {
        assert_eq!(value(&one_file(text), "X"), expected, "{text}");
    }
}

#[test]
fn packages_of_the_module_are_read() {
    let files = Files(BTreeMap::from([
        (
            "p/p.go",
            "package p\nimport \"example.org/m/q\"\nvar X = q.Name".to_owned(),
        ),
        (
            "q/q.go",
            "package q\nconst Name = \"from q\"\nconst hidden = 1".to_owned(),
        ),
        (
            "p/p_test.go",
            "package p\nconst X = \"of a test\"".to_owned(),
        ),
    ]));
    assert_eq!(value(&files, "X"), "from q");
}

#[test]
fn what_is_not_understood_has_its_place() {
    let cases = [
        ("var X = <-c\nvar c chan string", "p/p.go:2: "),
        ("var X = Y", "p/p.go:2: "),
        ("var X = X", "p/p.go:2: "),
        ("\nvar X = (1", "p/p.go:3: "),
    ];
    for (text, place) in cases {
        let found = value(&one_file(text), "X");
        assert!(found.starts_with(place), "{text}: {found}");
    }
}

#[test]
fn work_is_bounded() {
    let deep = format!("var X = {}1{}", "(".repeat(100_000), ")".repeat(100_000));
    let endless = "var X = f()\nfunc f() int {\n\tfor {\n\t}\n\treturn 1\n}";
    let recursive = "var X = f(1)\nfunc f(n int) int { return f(n) }";
    for text in [deep.as_str(), endless, recursive] {
        let found = value(&one_file(text), "X");
        assert!(
            found.contains("p/p.go") || found.contains("steps"),
            "{found}"
        );
    }
}
