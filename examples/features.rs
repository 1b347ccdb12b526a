//! Lists the supported features of a report.
//!
//! `cargo run --example features < report.yaml`

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program has input and output"
)]

use gwconform_types::Report;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Report::Current(report) = Report::from_yaml(&std::io::read_to_string(std::io::stdin())?)?
    {
        for profile in report.profiles {
            let extended = profile
                .extended
                .and_then(|extended| extended.supported_features);
            println!(
                "{}: {}",
                profile.name,
                extended.unwrap_or_default().join(", ")
            );
        }
    }
    Ok(())
}
