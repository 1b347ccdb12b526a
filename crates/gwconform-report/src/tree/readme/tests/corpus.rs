#![allow(clippy::disallowed_methods, reason = "reads the corpus")]

use std::path::{Path, PathBuf};

use super::check_spans;
use crate::tree::readme::{LinkKind, Readme, parse};

#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn reports() -> Option<PathBuf> {
    let corpus = std::env::var_os("GWCONFORM_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
        PathBuf::from,
    );
    let reports = corpus.join("gateway-api/conformance/reports");
    if reports.is_dir() {
        return Some(reports);
    }
    eprintln!("skipped: no corpus at {}", corpus.display());
    None
}

fn submissions() -> Vec<(String, String)> {
    let Some(reports) = reports() else {
        return Vec::new();
    };
    let files = walkdir::WalkDir::new(&reports)
        .min_depth(3)
        .max_depth(3)
        .sort_by_file_name();
    let mut found = Vec::new();
    for file in files {
        let file = file.unwrap();
        if file.file_name() == "README.md" {
            let path = file.path().strip_prefix(&reports).unwrap();
            let text = std::fs::read_to_string(file.path()).unwrap();
            found.push((path.display().to_string(), text));
        }
    }
    found
}

#[test]
fn counts() {
    let submissions = submissions();
    if submissions.is_empty() {
        return;
    }
    let read = |text: &String| parse(text);
    let readmes: Vec<Readme> = submissions.iter().map(|(_, text)| read(text)).collect();
    let (mut tables, mut contents, mut rows, mut reproduce, mut cells, mut files) =
        (0, 0, 0, 0, 0, 0);
    let (mut empty, mut headings, mut inline_links) = (0, 0, 0);
    let mut odd = Vec::new();
    for ((path, text), readme) in submissions.iter().zip(&readmes) {
        check_spans(text, readme);
        assert!(
            readme.truncated.is_empty() && readme.stray_rows.is_empty(),
            "{path}"
        );
        assert!(
            readme.html_table.is_none() && readme.html_heading.is_none(),
            "{path}"
        );
        assert!(
            readme.unclosed_comment.is_none() && readme.title().is_some(),
            "{path}"
        );
        tables += readme.tables.len();
        headings += readme.headings.len();
        let links = readme.links.iter();
        inline_links += links.filter(|link| link.kind == LinkKind::Inline).count();
        let found = readme.find_table_of_contents();
        if let Some(table) = found.table.filter(|_| found.under_heading) {
            contents += 1;
            assert_eq!(
                found.columns.as_array(),
                [Some(0), Some(1), Some(2), Some(3)],
                "{path}"
            );
            for row in &readme.tables[table].rows {
                rows += 1;
                cells += row.cells.len();
                files += row.cells[3].links.len();
                assert!(row.opened && row.surplus.is_empty(), "{path}");
                if !row.closed {
                    odd.push(format!("{path}: not closed"));
                }
                if row.cells.iter().any(|cell| cell.bracketed_without_link) {
                    odd.push(format!("{path}: brackets without a link"));
                }
                if row.cells.iter().any(|cell| cell.bare_url.is_some()) {
                    odd.push(format!("{path}: bare URL"));
                }
            }
        }
        match readme.find_reproduce() {
            Some(section) => {
                reproduce += 1;
                let heading = &readme.heading_of(section).unwrap().text;
                if heading != "Reproduce" {
                    odd.push(format!("{path}: {heading}"));
                }
                if readme.sections[section].content_is_empty {
                    empty += 1;
                    assert!(path.as_str() < "v1.1", "{path}");
                }
            }
            None => odd.push(format!("{path}: no Reproduce")),
        }
        for section in &readme.sections {
            if let Some(placeholder) = section.placeholder {
                odd.push(format!(
                    "{path}: placeholder {:?}",
                    &text[placeholder.range()]
                ));
            }
        }
    }
    // Counted independently, with grep and a script.
    assert_eq!(readmes.len(), 120);
    assert_eq!((tables, contents), (120, 120));
    assert_eq!((rows, cells, files), (181, 181 * 4, 181));
    assert_eq!((headings, inline_links), (431, 509));
    assert_eq!((reproduce, empty), (117, 17));
    assert_eq!(odd, ODD);
}

/// Deviations from the required README. Empty sections in folders up to v1.0.0 are not listed,
/// because the section is optional there.
const ODD: [&str; 12] = [
    "v1.0.0/azure-application-gateway-for-containers/README.md: no Reproduce",
    "v1.1.0/azure-application-gateway-for-containers/README.md: no Reproduce",
    "v1.2.1/azure-application-gateway-for-containers/README.md: no Reproduce",
    "v1.3.0/agentgateway-agentgateway/README.md: brackets without a link",
    "v1.3.0/cloud-provider-kind/README.md: brackets without a link",
    "v1.3.0/gloo-gateway/README.md: bare URL",
    "v1.3.0/gravitee/README.md: Reproducer",
    "v1.4.0/gravitee/README.md: Reproducer",
    "v1.4.1/gloo-gateway/README.md: bare URL",
    "v1.5/wso2-gateway/README.md: not closed",
    "v1.5/wso2-gateway/README.md: Steps to Reproduce",
    "v1.6/gravitee/README.md: Reproducer",
];

#[test]
fn bytes_dropped() {
    for (path, text) in submissions() {
        // Truncate within the first 600 bytes, which contain the title, the table and the next
        // heading. Steps limit the run time.
        for at in (0..text.len().min(600)).step_by(5) {
            if text.is_char_boundary(at) && text.is_char_boundary(at + 1) {
                let cut = format!("{}{}", &text[..at], &text[at + 1..]);
                let read = std::panic::catch_unwind(|| check_spans(&cut, &parse(&cut)));
                assert!(read.is_ok(), "{path} without byte {at}");
            }
        }
    }
}
