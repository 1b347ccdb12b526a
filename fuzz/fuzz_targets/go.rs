//! Fuzzes the Go parser with arbitrary text. Errors must name the file and a line in the file.

#![no_main]

use gwconform_go::program::Program;
use gwconform_go::{EntryKind, Sources, Unread};
use libfuzzer_sys::fuzz_target;

struct OneFile<'b>(&'b [u8]);

impl Sources for OneFile<'_> {
    fn entries(&self, folder: &str) -> Result<Option<Vec<(String, EntryKind)>>, String> {
        Ok((folder == "p").then(|| vec![("p.go".to_owned(), EntryKind::File)]))
    }

    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Ok(self.0.to_owned())
    }
}

fuzz_target!(|bytes: &[u8]| {
    let lines = bytes.split(|byte| *byte == b'\n').count() as u32;
    let check = |error: &Unread| {
        assert!(!error.reason.is_empty());
        assert!(error.line <= lines, "{error}");
    };
    let sources = OneFile(bytes);
    for allows_unread in [false, true] {
        let program = Program::new(&sources, "example.org/m", allows_unread);
        match program.package("p") {
            Err(error) => check(&error),
            Ok(package) => {
                for name in package.value_names() {
                    if let Err(error) = program.member(&package, name, &package) {
                        check(&error);
                    }
                }
            }
        }
        program.left_out().iter().for_each(check);
    }
});
