//! Writes a reports tree: a random tree of any size from a seed, or the sample tree of this
//! repository.
//!
//! ```text
//! cargo run --example make_tree -- --out DIR [--seed N] [--submissions N | --reports N] [--mistakes none|some]
//! cargo run --example make_tree -- --sample --out reports
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "a separate program with its own arguments"
)]
#![allow(
    clippy::print_stderr,
    reason = "the program prints errors for its user"
)]

#[path = "maker.rs"]
mod maker;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Parser, ValueEnum};

use maker::{Mistakes, Options, Size};

/// Writes a reports tree of fictional implementations
#[derive(Debug, Parser)]
struct Arguments {
    /// Output folder; must be empty or missing, except with --sample
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Seed; equal seeds produce identical trees
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    size: SizeArguments,
    /// Whether some submissions contain mistakes
    #[arg(long, value_enum, default_value_t = Wanted::None)]
    mistakes: Wanted,
    /// Write the sample tree, and replace an existing one
    #[arg(long, conflicts_with_all = ["seed", "submissions", "reports", "mistakes"])]
    sample: bool,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
struct SizeArguments {
    /// Number of submissions to create
    #[arg(long, value_name = "N")]
    submissions: Option<usize>,
    /// Number of reports to create [default: 100]
    #[arg(long, value_name = "N")]
    reports: Option<usize>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Wanted {
    None,
    Some,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let out = &arguments.out;
    let files = if arguments.sample {
        remove_sample(out)?;
        maker::sample()
    } else {
        if fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some()) {
            bail!("{} is not empty", out.display());
        }
        maker::make(&Options {
            seed: arguments.seed,
            size: match (arguments.size.submissions, arguments.size.reports) {
                (Some(submissions), _) => Size::Submissions(submissions),
                (None, reports) => Size::Reports(reports.unwrap_or(100)),
            },
            mistakes: match arguments.mistakes {
                Wanted::None => Mistakes::None,
                Wanted::Some => Mistakes::Some,
            },
        })
    };
    for (path, text) in &files {
        let path = out.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    for (name, target) in maker::aliases(&files) {
        link(target, &out.join(name)).with_context(|| out.join(name).display().to_string())?;
    }
    Ok(())
}

/// Removes the release folders and aliases of an earlier run.
fn remove_sample(out: &Path) -> anyhow::Result<()> {
    let Ok(entries) = fs::read_dir(out) else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with('v') {
            continue;
        }
        let path = entry.path();
        let removed = if entry.file_type()?.is_dir() {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
        removed.with_context(|| path.display().to_string())?;
    }
    Ok(())
}

#[cfg(unix)]
fn link(target: &str, path: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(windows)]
fn link(target: &str, path: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_dir(target, path)
}
