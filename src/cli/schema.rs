//! `gwconform schema`

use std::io::Write;

use clap::ValueEnum;
use serde_json::Value;

use super::{Exit, Failure, Streams};
use crate::api::Shape;
use crate::evidence::statement::Statement;
use crate::print::certify::Verdicts;
use crate::print::diff::Changes;
use crate::print::facts::{Features, Profiles, Tests};
use crate::print::json::Findings;
use crate::print::list_check::ListCheck;
use crate::print::needs;
use crate::print::outlook::Document;
use crate::print::plan;
use crate::print::releases::{Comparison, Releases};
use crate::print::statistics::Statistics;
use crate::report::fit::of_shape;
use crate::report::schema::{of_output, of_type};
use crate::rules::baseline::Baseline;
use crate::rules::configuration::Config;
use crate::site::api;

/// Print a JSON Schema (2020-12), for editors and other validators.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Which schema to print
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
    /// What `check --statistics --format json` prints
    Statistics,
    /// What `check --write-baseline` writes
    Baseline,
    /// gwconform.toml
    Config,
    /// What `certify --format json` prints
    Certify,
    /// What `certify --check --format json` prints
    ListCheck,
    /// What `diff --format json` prints
    Diff,
    /// What `explain --format json` prints
    Rules,
    /// What `features --format json` prints
    Features,
    /// What `needs --format json` prints without a target
    Needs,
    /// What `export wizard` writes
    ExportWizard,
    /// What `outlook --format json` prints
    Outlook,
    /// What `plan --format json` prints
    Plan,
    /// What `profiles --format json` prints
    Profiles,
    /// What `verify --statement` writes
    Statement,
    /// What `releases --format json` prints
    Releases,
    /// What `releases diff --format json` prints
    ReleaseChanges,
    /// What `tests --format json` prints
    Tests,
    /// api/v1/changes.json of the site
    ApiChanges,
    /// api/v1/features.json of the site
    ApiFeatures,
    /// api/v1/implementations.json of the site
    ApiImplementations,
    /// api/v1/index.json of the site
    ApiIndex,
    /// Each file below api/v1/matrix/ of the site
    ApiMatrix,
    /// api/v1/reports.json of the site
    ApiReports,
    /// api/v1/support.json of the site
    ApiSupport,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let schema: Value = match arguments.of {
        Of::Report => of_shape(Shape::Current),
        Of::ReportLegacy => of_shape(Shape::Legacy),
        Of::Rules => of_output::<super::explain::Rules>(),
        Of::Config => of_type::<Config>(),
        Of::Certify => of_output::<Verdicts>(),
        Of::ListCheck => of_output::<ListCheck>(),
        Of::Diff => of_output::<Changes>(),
        Of::Baseline => of_type::<Baseline>(),
        Of::Statistics => of_output::<Statistics>(),
        Of::Findings => of_output::<Findings>(),
        Of::Features => of_output::<Features>(),
        Of::Needs => of_output::<needs::Document>(),
        Of::ExportWizard => {
            let schema = include_str!("../../schema/export-wizard.schema.json");
            serde_json::from_str(schema).unwrap_or_default()
        }
        Of::Outlook => of_output::<Document>(),
        Of::Plan => of_output::<plan::Document>(),
        Of::Profiles => of_output::<Profiles>(),
        Of::Statement => of_type::<Statement>(),
        Of::Releases => of_output::<Releases>(),
        Of::ReleaseChanges => of_output::<Comparison>(),
        Of::Tests => of_output::<Tests>(),
        Of::ApiChanges => of_output::<api::Changes<'_>>(),
        Of::ApiFeatures => of_output::<api::Features<'_>>(),
        Of::ApiImplementations => of_output::<api::Implementations<'_>>(),
        Of::ApiIndex => of_output::<api::Index>(),
        Of::ApiMatrix => of_output::<api::Matrix<'_>>(),
        Of::ApiReports => of_output::<api::Reports<'_>>(),
        Of::ApiSupport => of_output::<api::Support<'_>>(),
    };
    writeln!(streams.stdout, "{schema:#}")?;
    Ok(Exit::Done)
}
