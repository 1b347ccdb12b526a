//! Fuzzes folder and file names of a valid submission. The input consists of three lines: release,
//! submission and report.

#![no_main]

use std::path::PathBuf;

use gwconform_base::api::FolderRelease;
use gwconform_base::release::Registry;
use gwconform_base::text::source::Source;
use gwconform_report::rules::check::{Placement, Settings, check_lone};
use gwconform_report::tree::Submission;
use gwconform_report::tree::load::Loaded;
use libfuzzer_sys::fuzz_target;

#[path = "../../tests/integration/support/promises.rs"]
mod promises;

const REPORT: &str = "gatewayAPIVersion: v1.5.1\ngatewayAPIChannel: standard\nmode: default\ndate: \"2026-03-20T10:15:30Z\"\nimplementation:\n  organization: acme\n  project: operator\n  version: v2.14.0\n";
const README: &str = "# Acme\n\n| API channel | Implementation version | Mode | Report |\n|---|---|---|---|\n| standard | v2.14.0 | default | [v2.14.0 report](./standard-v2.14.0-default-report.yaml) |\n";

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut names = text.splitn(3, '\n').map(str::to_owned);
    let (Some(release), Some(folder), Some(name)) = (names.next(), names.next(), names.next())
    else {
        return;
    };
    let path = PathBuf::from(format!("/reports/{release}/{folder}"));
    let shown = format!("reports/{release}/{folder}");
    let submission = Submission {
        folder: Some(folder),
        release: FolderRelease::parse_leniently(&release),
        readme: Some(path.join("README.md")),
        misnamed_readme: None,
        reports: vec![path.join(&name)],
        path,
    };
    let report = Source::new(format!("{shown}/{name}"), REPORT.as_bytes().to_vec());
    let readme = Source::new(format!("{shown}/README.md"), README.as_bytes().to_vec());
    let loaded = vec![
        Loaded::Folder { shown },
        Loaded::readme(readme),
        Loaded::Report {
            source: report,
            name,
        },
    ];
    let settings = Settings::default();
    let outcome = check_lone(
        &submission,
        Placement::InTree,
        loaded,
        &settings,
        Registry::embedded(),
    );
    promises::are_printed(&outcome);
});
