//! Prints at the end of `cargo test` whether tests with external files ran. cargo hides the output
//! of passing tests, so this is a separate test binary, whose name makes it run last.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "it prints which variables are set"
)]

#[path = "integration/support/corpus.rs"]
mod corpus;

fn main() {
    // With options or a test name, the run does not include all tests.
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    match corpus::corpus() {
        Some(folder) => println!("corpus: run on {}", folder.display()),
        None => println!("corpus: not run (set GWCONFORM_CORPUS)"),
    }
    match corpus::upstream() {
        Some(folder) => println!("upstream: run on {}", folder.display()),
        None => println!("upstream: not run (set GWCONFORM_UPSTREAM)"),
    }
    if corpus::source_of_facts().is_none() {
        println!(
            "facts of releases: not compared with their source (../registry/gateway-api-releases.json, seen from GWCONFORM_CORPUS)"
        );
    }
    if corpus::sources_of_releases().is_none() {
        println!(
            "sources of releases: not compared (../sources/gateway-api, seen from GWCONFORM_CORPUS)"
        );
    }
    for program in ["jq", "python3"] {
        if !corpus::has_program(program) {
            println!(
                "examples of docs/export.md and docs/api.md: not run with {program} (it is missing)"
            );
        }
    }
    println!("example of docs/api.md in TypeScript: only .ci/browser runs it");
}
