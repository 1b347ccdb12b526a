//! Compares the committed schemas with the types that they describe.

use std::fs;
use std::path::Path;

use schemars::JsonSchema;
use serde_json::{Value, json};

use crate::print;
use crate::rules;
use crate::site::api;
use gwconform_cluster::support::NeedsFound;
use gwconform_report::document::Document;
use gwconform_report::rules::baseline::Baseline;
use gwconform_report::rules::configuration::Config;
use gwconform_report::statement::Statement;
use gwconform_types::schema::{of_output, of_type};
use gwconform_types::{ConformanceReport, LegacyReport};

/// Schemas by committed file. `export-wizard` is omitted, because it describes external data.
fn derived() -> [(&'static str, Value); 27] {
    [
        ("api/changes", document::<api::Changes>("api-changes")),
        ("api/features", document::<api::Features>("api-features")),
        ("api/findings", document::<api::Findings>("api-findings")),
        (
            "api/implementations",
            document::<api::Implementations>("api-implementations"),
        ),
        ("api/index", document::<api::Index>("api-index")),
        ("api/matrix", document::<api::Matrix<'_>>("api-matrix")),
        ("api/reports", document::<api::Reports<'_>>("api-reports")),
        ("api/support", document::<api::Support<'_>>("api-support")),
        ("baseline", baseline()),
        ("certify", document::<print::certify::Verdicts>("certify")),
        ("config", config()),
        ("diff", document::<print::diff::Changes>("diff")),
        (
            "dropped-features",
            document::<print::dropped::DroppedFeatures<'_>>("dropped-features"),
        ),
        (
            "features",
            document::<print::facts::Features<'_>>("features"),
        ),
        ("findings", document::<print::json::Findings>("findings")),
        ("needs", document::<NeedsFound>("needs")),
        ("outlook", document::<print::outlook::Content>("outlook")),
        ("plan", document::<print::plan::Content<'_>>("plan")),
        (
            "profiles",
            document::<print::facts::Profiles<'_>>("profiles"),
        ),
        (
            "release-changes",
            document::<print::releases::Comparison>("release-changes"),
        ),
        (
            "releases",
            document::<print::releases::Releases<'_>>("releases"),
        ),
        ("report", of_type::<ConformanceReport>("report")),
        ("report-legacy", of_type::<LegacyReport>("report-legacy")),
        ("rules", document::<print::rules::Rules>("rules")),
        ("statement", of_type::<Statement>("statement")),
        (
            "statistics",
            document::<print::statistics::Statistics>("statistics"),
        ),
        ("tests", document::<print::facts::Tests<'_>>("tests")),
    ]
}

/// Schema of a document with the given content.
fn document<T: JsonSchema>(name: &str) -> Value {
    let mut schema = of_output::<Document<'_, T>>(name);
    let content = of_output::<T>(name);
    for key in ["title", "description"] {
        schema[key] = content[key].clone();
    }
    schema
}

/// Names the rules, and describes each one for editors.
fn config() -> Value {
    let mut schema = of_type::<Config>("config");
    let mut properties = serde_json::Map::new();
    for rule in rules::ALL.iter().filter(|rule| rule.is_configurable) {
        let group = format!("All rules of the group `{}`.", rule.group());
        for (name, description) in [(rule.id, rule.summary()), (rule.group(), group)] {
            let severity = json!({"$ref": "#/$defs/RuleSeverity", "description": description});
            properties.insert(name.to_owned(), severity);
        }
    }
    let rules = &mut schema["properties"]["rules"];
    rules["additionalProperties"] = false.into();
    rules["properties"] = properties.into();
    rules["examples"] = json!([{"report/version-not-semver": "error", "text": "off"}]);
    let minors = &mut schema["$defs"]["Policy"]["properties"]["error-since"];
    minors["propertyNames"] = json!({"enum": rule_ids()});
    minors["examples"] = json!([{"report/newer-suite": "v1.7"}]);
    name_rules(&mut schema["$defs"]["Ignore"]);
    schema
}

fn baseline() -> Value {
    let mut schema = of_type::<Baseline>("baseline");
    name_rules(&mut schema["$defs"]["AcceptedEntry"]);
    schema
}

fn name_rules(entry: &mut Value) {
    let rule = &mut entry["properties"]["rule"];
    rule["enum"] = rule_ids().into();
    rule["examples"] = json!(["tree/file-name"]);
}

fn rule_ids() -> Vec<&'static str> {
    let rules = rules::ALL.iter().filter(|rule| rule.is_configurable);
    rules.map(|rule| rule.id).collect()
}

/// Run `GWCONFORM_UPDATE=1 cargo test --lib schemas` to update the files.
#[test]
fn committed_schemas_are_what_the_types_give() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    let mut stale = Vec::new();
    for (name, schema) in derived() {
        let path = folder.join(format!("{name}.schema.json"));
        let text = format!("{schema:#}\n");
        #[expect(
            clippy::disallowed_methods,
            reason = "developers set this variable to update the files"
        )]
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
