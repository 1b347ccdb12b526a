//! Prints the results of tests in a log: `results LOG TEST…`.

use std::process::ExitCode;

use gwconform_testlog::Log;

#[allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, tests @ ..] = arguments.as_slice() else {
        eprintln!("expected: results LOG TEST…");
        return ExitCode::from(2);
    };
    let known = tests.iter().map(String::as_str).collect();
    let read = std::fs::File::open(path).map_err(Into::into);
    let log: Log = match read.and_then(|file| Log::read(file, &known, ())) {
        Ok(log) => log,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    for run in &log.runs {
        println!("{} from line {}", run.root, run.begin);
        for (name, test) in &run.tests {
            match &test.outcome {
                Some((outcome, mark)) => println!("  {name}: {outcome:?} (line {})", mark.line),
                None => println!("  {name}: no result"),
            }
        }
    }
    ExitCode::SUCCESS
}
