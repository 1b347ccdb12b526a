use clap::ValueEnum;

use super::{Content, Exit, Failure, Streams};

/// Print a JSON Schema (2020-12) for editors and other validators.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Schema to print
    #[arg(value_enum, default_value_t = Of::Report)]
    of: Of,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Of {
    /// ConformanceReport of suite v1.1.0 or later
    Report,
    /// ConformanceReport of suite v1.0.x or earlier
    ReportLegacy,
    /// Output of `check --format json`
    Findings,
    /// Output of `check --statistics --format json`
    Statistics,
    /// File written by `check --write-baseline`
    Baseline,
    /// gwconform.toml
    Config,
    /// Output of `certify --format json`
    Certify,
    /// Output of `diff --format json`
    Diff,
    /// Output of `explain --format json`
    Rules,
    /// Output of `features --format json`
    Features,
    /// Output of `features --dropped --format json`
    DroppedFeatures,
    /// Output of `needs --format json` without a target
    Needs,
    /// Output of `export wizard`
    ExportWizard,
    /// Output of `outlook --format json`
    Outlook,
    /// Output of `plan --format json`
    Plan,
    /// Output of `profiles --format json`
    Profiles,
    /// File written by `verify --out`
    Statement,
    /// Output of `releases --format json`
    Releases,
    /// Output of `releases diff --format json`
    ReleaseChanges,
    /// Output of `tests --format json`
    Tests,
    /// api/v1/changes.json on the site
    ApiChanges,
    /// api/v1/features.json on the site
    ApiFeatures,
    /// api/v1/findings.json on the site
    ApiFindings,
    /// api/v1/implementations.json on the site
    ApiImplementations,
    /// api/v1/index.json on the site
    ApiIndex,
    /// Each file in api/v1/matrix/ on the site
    ApiMatrix,
    /// api/v1/reports.json on the site
    ApiReports,
    /// api/v1/support.json on the site
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
    write!(
        streams.out(Content::Json),
        "{}",
        file.map_or("", |(_, text)| text)
    )?;
    Ok(Exit::Done)
}
