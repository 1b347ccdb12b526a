//! Fuzzes `gwconform.toml` with arbitrary bytes. Errors must have a position, and a valid
//! configuration must ignore only the findings that it names.

#![no_main]

use std::path::PathBuf;

use gwconform::rules;
use gwconform_base::text::diagnostic::{Anchor, Diagnostic, Severity};
use gwconform_base::text::message::Message;
use gwconform_base::text::source::Source;
use gwconform_report::rules::check::{Selection, Settings};
use gwconform_report::rules::configuration::{Ignores, parse};
use libfuzzer_sys::fuzz_target;

const PATHS: [&str; 3] = [
    "reports/v1.5/acme-operator/README.md",
    "README.md",
    "/elsewhere/x.yaml",
];

fuzz_target!(|bytes: &[u8]| {
    let source = Source::new("gwconform.toml", bytes.to_vec());
    let loaded = match parse(source, PathBuf::from("/tree"), &rules::ALL) {
        Ok(loaded) => loaded,
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
    let settings = Settings::new(&Selection::default(), &loaded.config);
    for rule in rules::ALL.iter() {
        settings.is_selected(rule);
        if let Some(address) = loaded.config.rule_url(rule.id) {
            assert!(address.starts_with("http"), "{address}");
        }
    }
    let mut ignores = Ignores::new(&loaded, &PathBuf::from("/tree"));
    let findings = PATHS.iter().flat_map(|path| {
        let anchor = Anchor::path(*path);
        rules::ALL.iter().map(move |rule| {
            Diagnostic::new(
                rule.id,
                Severity::Error,
                anchor.clone(),
                Message::words("x"),
            )
        })
    });
    let mut findings: Vec<_> = findings.collect();
    let (all, taken) = (findings.len(), ignores.apply(&mut findings));
    assert_eq!(all, taken + findings.len());
    assert!(
        loaded.config.ignore.len() * PATHS.len() >= taken,
        "an entry is for one rule"
    );
    let unused = ignores.unused().count();
    assert!(
        unused <= loaded.config.ignore.len() && (taken == 0 || unused < loaded.config.ignore.len())
    );
});
