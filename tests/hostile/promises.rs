//! Checks that each test named in SECURITY.md exists.

use std::fs;
use std::path::Path;

#[test]
fn each_promise_names_its_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("SECURITY.md")).unwrap();
    let names = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| name.contains("::"));
    let mut count = 0;
    for name in names {
        let (path, test) = name.split_once("::").unwrap();
        let code =
            fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(code.contains(&format!("fn {test}(")), "{name} is not there");
        count += 1;
    }
    assert!(count > 10, "{count} tests are named");
}
