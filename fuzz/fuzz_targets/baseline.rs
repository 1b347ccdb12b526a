//! Fuzzes baselines with arbitrary bytes. Errors must have a position, and a valid baseline must
//! not accept more findings than it lists.

#![no_main]

use std::path::Path;

use gwconform::rules;
use gwconform_base::text::diagnostic::{Anchor, Diagnostic, Severity};
use gwconform_base::text::message::Message;
use gwconform_base::text::source::Source;
use gwconform_report::rules::baseline::{self, Places};
use libfuzzer_sys::fuzz_target;

const PATHS: [&str; 2] = ["reports/v1.5/acme-operator/README.md", "../x"];

fuzz_target!(|bytes: &[u8]| {
    let places = Places::new(Path::new("/tree"), Path::new("/tree"));
    let source = Source::new("baseline.json", bytes.to_vec());
    let mut accepted = match baseline::parse(source, places, &rules::ALL) {
        Ok(accepted) => accepted,
        Err(faults) => {
            assert!(!faults.is_empty());
            for fault in faults {
                assert!(
                    !fault.message.is_empty() && fault.place.region.is_some(),
                    "{fault:?}"
                );
            }
            return;
        }
    };
    let before = left(&accepted);
    let findings = PATHS.iter().flat_map(|path| {
        rules::ALL.iter().map(|rule| {
            Diagnostic::new(
                rule.id,
                Severity::Error,
                Anchor::path(*path),
                Message::words("a"),
            )
        })
    });
    let mut findings: Vec<_> = findings.collect();
    let (all, taken) = (findings.len(), accepted.apply(&mut findings));
    assert_eq!(all, taken + findings.len());
    assert_eq!(before, left(&accepted).saturating_add(taken as u128));
});

fn left(accepted: &baseline::Accepted) -> u128 {
    accepted.unused().map(|(.., left)| left as u128).sum()
}
