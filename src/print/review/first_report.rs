use crate::print::diff::{profile_name, value};
use crate::print::page::{Inline, Page, Row, code, names, words};
use gwconform_report::review::{FirstReport, ReportChange};

const HEAD: &[&str] = &["Profile", "Core passed", "Extended passed", "Features"];

/// Adds the results of a first report, and what only a person can check.
pub(super) fn add(page: &mut Page, change: &ReportChange, first: &FirstReport) {
    page.paragraph(words("First report of the implementation: ").with(code(&change.path)));
    page.table(HEAD, first.profiles.iter().map(row).collect());
    page.item(match first.url.as_str() {
        "" => words("[ ] the report has no URL: ask for the site of the project"),
        url => words("[ ] ")
            .with(value(url))
            .with(words(" is the site of the project")),
    });
    page.item(match first.contact.as_slice() {
        [] => words("[ ] the report has no contact: ask for one"),
        contact => words("[ ] the project answers at ").with(names(contact.iter().take(5))),
    });
    page.item(words(
        "[ ] the steps in README.md install this version and run the suite",
    ));
}

fn row(profile: &super::FirstProfile) -> Row {
    let tests = |level: Option<(u64, u64)>| match level {
        Some((passed, all)) => words(format!("{passed} of {all}")),
        None => words("no tests"),
    };
    let (supported, listed) = profile.features;
    let cells: Vec<Inline> = vec![
        profile_name(&profile.name),
        tests(profile.core),
        tests(profile.extended),
        match listed {
            0 => words("none listed"),
            _ => words(format!("{supported} of {listed} supported")),
        },
    ];
    cells.into()
}
