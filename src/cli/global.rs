//! Options of every command.

use std::path::PathBuf;

use clap::ColorChoice;

#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Global options")]
pub struct GlobalArguments {
    /// Print only errors: no other findings, no notes
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Print to stderr which files and release data are used
    #[arg(long, short, global = true)]
    pub verbose: bool,
    /// Use color: auto, always or never
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value_t,
        hide_possible_values = true
    )]
    pub color: ColorChoice,
    /// Configuration, if read [default: gwconform.toml]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Release data that adds to the built-in data, if read
    #[arg(long, global = true, value_name = "DIR")]
    pub registry: Option<PathBuf>,
}
