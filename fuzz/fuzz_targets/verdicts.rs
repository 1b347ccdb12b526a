//! Fuzzes the diff and the verdicts of two reports, which are arbitrary bytes separated by 0xff.
//! Some inputs also render the site.

#![no_main]

use gwconform::print;
use gwconform::site;
use gwconform::site::badge;
use gwconform_base::release::Registry;
use gwconform_report::certify::catalog::{Catalog, Parts};
use gwconform_report::review::diff;
use gwconform_report::rules::check::CheckReport;
use gwconform_report::rules::configuration::Config;
use libfuzzer_sys::fuzz_target;

#[path = "../../tests/integration/support/promises.rs"]
mod promises;

fuzz_target!(|bytes: &[u8]| {
    let mut reports = bytes.splitn(2, |byte| *byte == 0xff);
    let mut next = |release| {
        let report = reports.next().unwrap_or_default();
        promises::outcome_of(release, b"", report)
    };
    let mut outcome: CheckReport = next("v1.4.0");
    let mut other = next("v1.5");
    for facts in &mut other.reports {
        facts.path = facts.path.replace("v1.5", "v1.4.0");
    }
    outcome.merge(other);
    let (registry, config) = (Registry::embedded(), Config::default());
    if let [old, .., new] = outcome.reports.as_slice() {
        assert!(
            diff::diff(old, old, registry).is_empty(),
            "a report differs from itself"
        );
        let diff = diff::diff(old, new, registry);
        let page = print::diff::page(&diff);
        can_be_seen(page.human(80).as_bytes());
        can_be_seen(page.markdown().as_bytes());
    }
    let parts = Parts {
        outcome: &outcome,
        registry,
        config: &config,
        as_of: gwconform_report::certify::AsOf::default(),
        details: &[],
    };
    let catalog = Catalog::new(parts);
    let page = print::certify::page(&catalog, print::certify::Listing::All);
    can_be_seen(page.human(80).as_bytes());
    if promises::is_one_of(32, bytes) {
        let scopes = badge::BadgeScopes::new(registry);
        for one in &catalog.implementations {
            for (path, text) in badge::files_of(&catalog, &scopes, one) {
                if path.ends_with(".svg") {
                    roxmltree::Document::parse(&text).expect("XML");
                }
            }
        }
        let files = site::files(&site::Input {
            catalog: &catalog,
            registry,
            tree: "",
            config: &config,
            unreleased: None,
            findings: &outcome.findings,
            sections: None,
            base: None,
            revision: None,
            modules: &[],
        });
        for file in &files {
            let is_page = file.path.ends_with(".html") || file.path.ends_with(".atom");
            if is_page && file.bytes.iter().any(|byte| *byte < b'\t' || *byte == 0x7f) {
                panic!("{} has a control character", file.path);
            }
        }
    }
});

fn can_be_seen(bytes: &[u8]) {
    let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
    assert!(
        text.chars().all(|c| c == '\n' || !c.is_control()),
        "{text:?}"
    );
}
