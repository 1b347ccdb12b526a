//! Fuzzes `registry import` with arbitrary text as a Go file of the suite. Errors must name a file
//! and a line in the file, and the output must be valid release data.

#![no_main]

use gwconform::release::Registry;
use gwconform::release::import::{OnUnread, Request, import};
use libfuzzer_sys::fuzz_target;

#[path = "../../tests/integration/support/sources.rs"]
#[allow(dead_code)]
mod sources;

const FILES: [&str; 6] = [
    "pkg/features/gateway.go",
    "pkg/features/features.go",
    "conformance/utils/suite/profiles.go",
    "conformance/utils/suite/suite.go",
    "conformance/tests/gateway-answers.go",
    "conformance/tests/more.go",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((first, text)) = bytes.split_first() else {
        return;
    };
    let file = FILES[usize::from(*first) % FILES.len()];
    let sources = sources::first().with(file, text);
    for on_unread in [OnUnread::Fail, OnUnread::Note] {
        let request = Request {
            release: gwconform::api::Version::parse("v1.98.0").unwrap(),
            date: Some("2030-01-02".parse().unwrap()),
            commit: None,
            base: None,
            on_unread,
        };
        match import(&sources, &request) {
            Ok(imported) => {
                // The output must be valid release data for any input that the import accepts.
                let files = [("v1.98.0.json".to_owned(), imported.text.clone())];
                if on_unread == OnUnread::Fail {
                    Registry::with_files(&files).unwrap();
                }
                assert!(gwconform::release::import::is_release_file(&imported.text));
                assert!(gwconform::release::import::is_laid_out(&imported.text));
            }
            Err(problems) => {
                assert!(!problems.is_empty());
                let lines = String::from_utf8_lossy(text).split('\n').count() as u32;
                for problem in problems {
                    assert!(!problem.reason.is_empty());
                    assert!(problem.file != file || problem.line <= lines, "{problem}");
                }
            }
        }
    }
});
