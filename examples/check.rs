//! Checks the reports tree in a folder and prints the findings.
//!
//! `cargo run --example check -- reports`

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program has arguments and output"
)]

fn main() -> Result<(), gwconform::Error> {
    let folder = std::env::args_os().nth(1).unwrap_or_default();
    for finding in gwconform::Tree::open(folder)?.check()? {
        println!("{finding}");
    }
    Ok(())
}
