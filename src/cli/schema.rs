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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde_json::Value;

    use crate::api::Shape;
    use crate::evidence::statement::Statement;
    use crate::print;
    use crate::report::fit::of_shape;
    use crate::report::schema::{of_output, of_type};
    use crate::rules::baseline::Baseline;
    use crate::rules::configuration::Config;
    use crate::site::api;

    /// What the types give, by the committed file. `export-wizard` describes data of others and is written
    /// by hand.
    fn derived() -> [(&'static str, Value); 27] {
        [
            ("api/changes", of_output::<api::Changes<'_>>("api-changes")),
            (
                "api/features",
                of_output::<api::Features<'_>>("api-features"),
            ),
            (
                "api/findings",
                of_output::<api::Findings<'_>>("api-findings"),
            ),
            (
                "api/implementations",
                of_output::<api::Implementations<'_>>("api-implementations"),
            ),
            ("api/index", of_output::<api::Index>("api-index")),
            ("api/matrix", of_output::<api::Matrix<'_>>("api-matrix")),
            ("api/reports", of_output::<api::Reports<'_>>("api-reports")),
            ("api/support", of_output::<api::Support<'_>>("api-support")),
            ("baseline", of_type::<Baseline>("baseline")),
            ("certify", of_output::<print::certify::Verdicts>("certify")),
            ("config", of_type::<Config>("config")),
            ("diff", of_output::<print::diff::Changes>("diff")),
            ("features", of_output::<print::facts::Features>("features")),
            ("findings", of_output::<print::json::Findings>("findings")),
            (
                "list-check",
                of_output::<print::list_check::ListCheck>("list-check"),
            ),
            ("needs", of_output::<print::needs::Document>("needs")),
            ("outlook", of_output::<print::outlook::Document>("outlook")),
            ("plan", of_output::<print::plan::Document>("plan")),
            ("profiles", of_output::<print::facts::Profiles>("profiles")),
            (
                "release-changes",
                of_output::<print::releases::Comparison>("release-changes"),
            ),
            (
                "releases",
                of_output::<print::releases::Releases>("releases"),
            ),
            ("report", of_shape(Shape::Current)),
            ("report-legacy", of_shape(Shape::Legacy)),
            ("rules", of_output::<crate::cli::explain::Rules>("rules")),
            ("statement", of_type::<Statement>("statement")),
            (
                "statistics",
                of_output::<print::statistics::Statistics>("statistics"),
            ),
            ("tests", of_output::<print::facts::Tests>("tests")),
        ]
    }

    /// `GWCONFORM_UPDATE=1 cargo test --lib schemas` writes them anew.
    #[test]
    fn committed_schemas_are_what_the_types_give() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
        let mut stale = Vec::new();
        for (name, schema) in derived() {
            let path = folder.join(format!("{name}.schema.json"));
            let text = format!("{schema:#}\n");
            #[expect(clippy::disallowed_methods, reason = "how a developer asks for it")]
            if std::env::var_os("GWCONFORM_UPDATE").is_some() {
                fs::write(&path, &text).unwrap();
            } else if fs::read_to_string(&path).unwrap_or_default() != text {
                stale.push(name);
            }
        }
        assert!(
            stale.is_empty(),
            "schemas are stale: {stale:?}; GWCONFORM_UPDATE=1 cargo test --lib schemas"
        );
    }
}
