//! Tests the YAML parser with real reports.

#[path = "../../crates/gwconform-yaml/tests/invariants/mod.rs"]
mod invariants;
#[path = "../../crates/gwconform-yaml/tests/invariants/libyaml.rs"]
mod libyaml;

use gwconform_yaml::load;
use libyaml::{libyaml, ours};

use crate::support::corpus;

#[test]
fn real_reports_are_read() {
    let Some(corpus) = corpus() else { return };
    let reports = corpus.join("gateway-api/conformance/reports");
    let mut read = 0;
    for entry in walkdir::WalkDir::new(reports) {
        let entry = entry.unwrap();
        let path = entry.path();
        if !entry.file_type().is_file() || path.extension().is_none_or(|ext| ext != "yaml") {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        invariants::check(&text);
        let yaml = load(&text);
        assert_eq!(yaml.issues, [], "{}", path.display());
        assert_eq!(ours(&text), libyaml(&text), "{}", path.display());
        let root = yaml.documents[0].root.unwrap();
        for entry in yaml.entries(root) {
            let span = yaml.span(entry.key);
            let line_start = text[..span.start as usize]
                .rfind('\n')
                .map_or(0, |at| at + 1);
            assert_eq!(line_start, span.start as usize, "top keys start their line");
            assert_eq!(Some(&text[span.range()]), yaml.text(entry.key));
        }
        read += 1;
    }
    println!("{read} reports read");
    assert!(read > 100);
}
