//! Compares the committed schemas with the types that they describe.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::print;
use crate::rules;
use crate::site::api;
use gwconform_base::api::Shape;
use gwconform_report::report::fit::of_shape;
use gwconform_report::rules::baseline::Baseline;
use gwconform_report::rules::configuration::Config;
use gwconform_report::statement::Statement;
use gwconform_types::schema::{of_output, of_type};

/// Schemas by committed file. `export-wizard` is omitted, because it describes external data.
fn derived() -> [(&'static str, Value); 27] {
    [
        ("api/changes", of_output::<api::Changes>("api-changes")),
        ("api/features", of_output::<api::Features>("api-features")),
        ("api/findings", of_output::<api::Findings>("api-findings")),
        (
            "api/implementations",
            of_output::<api::Implementations>("api-implementations"),
        ),
        ("api/index", of_output::<api::Index>("api-index")),
        ("api/matrix", of_output::<api::Matrix<'_>>("api-matrix")),
        ("api/reports", of_output::<api::Reports<'_>>("api-reports")),
        ("api/support", of_output::<api::Support<'_>>("api-support")),
        ("baseline", baseline()),
        ("certify", of_output::<print::certify::Verdicts>("certify")),
        ("config", config()),
        ("diff", of_output::<print::diff::Changes>("diff")),
        (
            "dropped-features",
            of_output::<print::dropped::DroppedFeatures<'_>>("dropped-features"),
        ),
        ("features", of_output::<print::facts::Features>("features")),
        ("findings", of_output::<print::json::Findings>("findings")),
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
        ("rules", of_output::<print::rules::Rules>("rules")),
        ("statement", of_type::<Statement>("statement")),
        (
            "statistics",
            of_output::<print::statistics::Statistics>("statistics"),
        ),
        ("tests", of_output::<print::facts::Tests>("tests")),
    ]
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
