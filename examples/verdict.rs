//! Prints the verdict on an implementation.
//!
//! `cargo run --example verdict -- reports acme/operator`

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program has arguments and output"
)]

fn main() -> Result<(), gwconform::Error> {
    let mut arguments = std::env::args().skip(1);
    let tree = gwconform::Tree::open(arguments.next().unwrap_or_default())?;
    let name = arguments.next().unwrap_or_default();
    for verdict in tree
        .verdicts()?
        .iter()
        .filter(|one| one.implementation() == name)
    {
        let (family, standing) = (verdict.family(), verdict.standing());
        println!("{family}: {standing} ({})", verdict.reason());
    }
    Ok(())
}
