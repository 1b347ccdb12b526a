//! Lists issues in YAML files by line and column. Run it as `issues FILE…`.

use std::process::ExitCode;

#[allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)]
fn main() -> ExitCode {
    let mut is_clean = true;
    for path in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::from(2);
            }
        };
        for issue in gwconform_yaml::load_manifests(&text, 100_000).issues {
            let before = &text[..issue.span.start as usize];
            let line = before.matches('\n').count() + 1;
            let start = before.rfind('\n').map_or(0, |at| at + 1);
            let column = before[start..].chars().count() + 1;
            println!("{path}:{line}:{column}: {}", issue.message);
            is_clean = false;
        }
    }
    ExitCode::from(u8::from(!is_clean))
}
