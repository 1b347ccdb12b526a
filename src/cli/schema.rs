//! `gwconform schema`

use std::io::Write;

use clap::ValueEnum;

use super::{Exit, Failure, Streams};

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
    /// api/v1/findings.json of the site
    ApiFindings,
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
    let value = arguments.of.to_possible_value();
    let name = value.as_ref().map_or("", |value| value.get_name());
    let (files, name) = match name.strip_prefix("api-") {
        Some(name) => (gwconform_schema::API_SCHEMAS, name),
        None => (gwconform_schema::SCHEMAS, name),
    };
    let file = files.iter().find(|(known, _)| *known == name);
    write!(streams.stdout, "{}", file.map_or("", |(_, text)| text))?;
    Ok(Exit::Done)
}
