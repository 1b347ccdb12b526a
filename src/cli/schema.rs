//! `gwconform schema`

use std::io::Write;

use clap::ValueEnum;
use serde_json::Value;

use super::{Exit, Failure, Streams};
use crate::config::Config;
use crate::render::certify::Verdicts;
use crate::render::diff::Changes;
use crate::render::facts::{Features, Profiles, Tests};
use crate::render::json::Findings;
use crate::report::schema::{Shape, of_output, of_shape, of_type};

/// Print a JSON Schema (2020-12), for editors and other validators.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Of what
    #[arg(value_enum, default_value_t = Of::Report)]
    of: Of,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Of {
    /// A ConformanceReport of a suite from v1.1.0 on
    Report,
    /// A ConformanceReport of a suite up to v1.0.x
    ReportLegacy,
    /// What `check --format json` prints
    Findings,
    /// gwconform.toml
    Config,
    /// What `certify --format json` prints
    Certify,
    /// What `diff --format json` prints
    Diff,
    /// What `features --format json` prints
    Features,
    /// What `profiles --format json` prints
    Profiles,
    /// What `tests --format json` prints
    Tests,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let schema: Value = match arguments.of {
        Of::Report => of_shape(Shape::Current),
        Of::ReportLegacy => of_shape(Shape::Legacy),
        Of::Config => of_type::<Config>(),
        Of::Certify => of_output::<Verdicts>(),
        Of::Diff => of_output::<Changes>(),
        Of::Findings => of_output::<Findings>(),
        Of::Features => of_output::<Features>(),
        Of::Profiles => of_output::<Profiles>(),
        Of::Tests => of_output::<Tests>(),
    };
    writeln!(streams.stdout, "{schema:#}")?;
    Ok(Exit::Done)
}
