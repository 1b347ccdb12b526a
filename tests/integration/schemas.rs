//! Tests that the program prints the committed schemas, and that lenient parsing reads the same
//! fields as the types.

use std::fs;
use std::path::Path;

use crate::support::{corpus, run};
use serde_json::{Value, json};

use gwconform_base::api::Shape;
use gwconform_report::report::fit::{Extent, Problem, validate};
use gwconform_report::report::view::Report;
use gwconform_types::schema::of_type;
use gwconform_types::{ConformanceReport, LegacyReport};
use gwconform_yaml as yaml;

const COMMITTED: [(&str, &str); 28] = [
    ("api/changes.schema.json", "api-changes"),
    ("api/features.schema.json", "api-features"),
    ("api/findings.schema.json", "api-findings"),
    ("api/implementations.schema.json", "api-implementations"),
    ("api/index.schema.json", "api-index"),
    ("api/matrix.schema.json", "api-matrix"),
    ("api/reports.schema.json", "api-reports"),
    ("api/support.schema.json", "api-support"),
    ("report.schema.json", "report"),
    ("report-legacy.schema.json", "report-legacy"),
    ("features.schema.json", "features"),
    ("findings.schema.json", "findings"),
    ("needs.schema.json", "needs"),
    ("export-wizard.schema.json", "export-wizard"),
    ("outlook.schema.json", "outlook"),
    ("plan.schema.json", "plan"),
    ("profiles.schema.json", "profiles"),
    ("dropped-features.schema.json", "dropped-features"),
    ("release-changes.schema.json", "release-changes"),
    ("releases.schema.json", "releases"),
    ("tests.schema.json", "tests"),
    ("config.schema.json", "config"),
    ("baseline.schema.json", "baseline"),
    ("certify.schema.json", "certify"),
    ("diff.schema.json", "diff"),
    ("rules.schema.json", "rules"),
    ("statement.schema.json", "statement"),
    ("statistics.schema.json", "statistics"),
];

#[test]
fn the_program_prints_each_committed_schema() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    for (file, argument) in COMMITTED {
        let printed = run(&folder, &["schema".into(), argument.into()]).stdout;
        assert_eq!(
            fs::read_to_string(folder.join(file)).unwrap(),
            printed,
            "{file}"
        );
    }
    let below = |part: &str| fs::read_dir(folder.join(part)).unwrap();
    let names = below("")
        .chain(below("api"))
        .map(|entry| entry.unwrap().file_name());
    let schemas = names.filter(|name| name.to_string_lossy().ends_with(".schema.json"));
    assert_eq!(schemas.count(), COMMITTED.len());
}

#[test]
fn schemas_are_valid_2020_12_and_describe_every_field() {
    for (file, argument) in COMMITTED {
        let printed = run(Path::new("."), &["schema".into(), argument.into()]).stdout;
        let schema: Value = serde_json::from_str(&printed).unwrap();
        assert_eq!(
            schema["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
        assert_eq!(schema["$id"], format!("urn:gwconform:schema:{argument}"));
        jsonschema::draft202012::meta::validate(&schema)
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut bare = Vec::new();
        collect_bare_fields(&schema, "", &mut bare);
        assert!(
            bare.is_empty(),
            "{file}: fields without a description: {bare:?}"
        );
    }
}

fn collect_bare_fields(schema: &Value, at: &str, bare: &mut Vec<String>) {
    if let Some(fields) = schema["properties"].as_object() {
        for (name, field) in fields {
            if field.get("description").is_none() {
                bare.push(format!("{at}/{name}"));
            }
        }
    }
    for (key, value) in schema.as_object().into_iter().flatten() {
        collect_bare_fields(value, &format!("{at}/{key}"), bare);
    }
}

const CURRENT: &str = "\
apiVersion: gateway.networking.k8s.io/v1
date: \"2026-05-20T10:15:30Z\"
gatewayAPIChannel: standard
gatewayAPIVersion: v1.5.1
implementation:
  contact:
  - '@acme/maintainers'
  organization: acme
  project: operator
  url: https://acme.example
  version: v2.14.0
kind: ConformanceReport
mode: default
profiles:
- core:
    failedTests:
    - HTTPRouteWeight
    result: failure
    skippedTests:
    - HTTPRouteMatching
    statistics:
      Failed: 1
      Passed: 31
      Skipped: 1
  extended:
    failedTests:
    - HTTPRouteTimeoutRequest
    result: failure
    skippedTests:
    - HTTPRouteCORS
    statistics:
      Failed: 1
      Passed: 2
      Skipped: 1
    supportedFeatures:
    - HTTPRouteCORS
    unsupportedFeatures:
    - HTTPRouteRetry
  name: GATEWAY-HTTP
  summary: Core tests failed with 1 test failures.
succeededProvisionalTests:
- GatewayInfrastructure
";

#[test]
fn strict_types_lenient_view_and_schema_agree_on_a_full_report() {
    let strict: ConformanceReport = serde_yaml::from_str(CURRENT).unwrap();
    let yaml = yaml::load(CURRENT);
    assert!(yaml.issues.is_empty(), "{:?}", yaml.issues);
    let root = yaml.documents[0].root.unwrap();
    assert_eq!(validate(Shape::Current, Extent::Whole, &yaml, root), []);
    assert_eq!(serde_json::to_value(&strict).unwrap(), yaml.to_json(root));
    assert_eq!(
        serde_json::to_value(&strict).unwrap(),
        as_json(&Report::read(&yaml, root))
    );
    assert_eq!(
        serde_yaml::to_string(&serde_json::to_value(&strict).unwrap())
            .unwrap()
            .lines()
            .count(),
        CURRENT.lines().count()
    );
}

#[test]
fn the_view_has_each_number_that_the_schema_accepts() {
    for written in [
        "0",
        "7",
        "+7",
        "07",
        "0x1F",
        "0o17",
        "-1",
        "1_000",
        "3.0",
        "3.",
        "3.5",
        "1e2",
        "1E+2",
        "-0.0",
        ".inf",
        ".nan",
        "4294967295",
        "4294967296",
        "9223372036854775808",
        "18446744073709551616",
        "99999999999999999999",
        "~",
        "''",
        "'7'",
        "!!int 7",
        "!!float 7",
    ] {
        for field in ["Failed", "Passed", "Skipped"] {
            let lines = CURRENT.lines().map(|line| {
                let name = line.trim_start().split(':').next().unwrap_or_default();
                if name == field {
                    let indent = &line[..line.len() - line.trim_start().len()];
                    format!("{indent}{field}: {written}\n")
                } else {
                    format!("{line}\n")
                }
            });
            let text: String = lines.collect();
            let yaml = yaml::load(&text);
            let root = yaml.documents[0].root.unwrap();
            let violations = validate(Shape::Current, Extent::Whole, &yaml, root);
            let is_accepted = !violations
                .iter()
                .any(|violation| violation.field() == field);
            let view = Report::read(&yaml, root);
            let statistics = view.profiles[0].core.as_ref().unwrap().statistics.unwrap();
            let number = match field {
                "Failed" => statistics.failed,
                "Passed" => statistics.passed,
                _ => statistics.skipped,
            };
            let number = number.filter(|number| u32::try_from(number.value).is_ok());
            assert_eq!(is_accepted, number.is_some(), "{field}: {written}");
        }
    }
}

#[test]
fn results_below_status_are_one_misfit() {
    let text = "kind: ConformanceReport\nprofiles:\n- name: GATEWAY-HTTP\n  extended:\n    status:\n      result: success\n      statistics: {failed: 0, passed: 1, skipped: 0}\n";
    let yaml = yaml::load(text);
    let root = yaml.documents[0].root.unwrap();
    let violations = validate(Shape::Current, Extent::Whole, &yaml, root);
    let of_level: Vec<_> = violations
        .iter()
        .filter(|violation| violation.path.starts_with("profiles[0].extended"))
        .map(|violation| &violation.problem)
        .collect();
    assert_eq!(of_level, [&Problem::BelowStatus]);
    let text = text.replace("      result: success\n", "");
    let yaml = yaml::load(&text);
    let root = yaml.documents[0].root.unwrap();
    let violations = validate(Shape::Current, Extent::Whole, &yaml, root);
    assert!(violations.iter().any(|violation| {
        violation.path == "profiles[0].extended"
            && matches!(&violation.problem, Problem::MissingField { name } if name == "result")
    }));
}

#[test]
fn each_field_of_the_strict_types_is_read_by_the_lenient_view() {
    let whole = yaml::load(CURRENT).to_json(yaml::load(CURRENT).documents[0].root.unwrap());
    let mut pointers = Vec::new();
    collect_pointers(&whole, String::new(), &mut pointers);
    assert!(pointers.len() > 30, "{pointers:?}");
    for pointer in pointers {
        let mut changed = whole.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        changed
            .pointer_mut(parent)
            .unwrap()
            .as_object_mut()
            .unwrap()
            .remove(key);
        let text = serde_yaml::to_string(&changed).unwrap();
        let yaml = yaml::load(&text);
        let read = as_json(&Report::read(&yaml, yaml.documents[0].root.unwrap()));
        assert_ne!(read, whole, "the view does not read {pointer}");
    }
}

fn collect_pointers(value: &Value, at: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let at = format!("{at}/{name}");
                pointers.push(at.clone());
                collect_pointers(field, at, pointers);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect_pointers(item, format!("{at}/{index}"), pointers);
            }
        }
        _ => {}
    }
}

fn as_json(report: &Report<'_>) -> Value {
    use gwconform_report::report::view::{Level, List, Number, Text};
    fn put(fields: &mut serde_json::Map<String, Value>, name: &str, value: Option<Value>) {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    }
    let text = |text: Option<Text<'_>>| text.map(|text| json!(text.value));
    let list = |list: &Option<List<'_>>| {
        list.as_ref()
            .map(|list| json!(list.items.iter().map(|item| item.value).collect::<Vec<_>>()))
    };
    let number = |number: Option<Number>| number.map(|number| json!(number.value));
    let level = |level: &Level<'_>| {
        let mut fields = serde_json::Map::new();
        put(
            &mut fields,
            "result",
            level.result.text().map(|text| json!(text)),
        );
        put(&mut fields, "summary", text(level.summary));
        put(&mut fields, "skippedTests", list(&level.skipped_tests));
        put(&mut fields, "failedTests", list(&level.failed_tests));
        put(
            &mut fields,
            "supportedFeatures",
            list(&level.supported_features),
        );
        put(
            &mut fields,
            "unsupportedFeatures",
            list(&level.unsupported_features),
        );
        if let Some(statistics) = level.statistics {
            let mut counts = serde_json::Map::new();
            put(&mut counts, "Passed", number(statistics.passed));
            put(&mut counts, "Skipped", number(statistics.skipped));
            put(&mut counts, "Failed", number(statistics.failed));
            fields.insert("statistics".into(), counts.into());
        }
        Value::Object(fields)
    };
    let mut fields = serde_json::Map::new();
    put(&mut fields, "apiVersion", text(report.api_version));
    put(&mut fields, "kind", text(report.kind));
    put(&mut fields, "date", text(report.date));
    put(
        &mut fields,
        "gatewayAPIVersion",
        text(report.stated_release),
    );
    put(&mut fields, "gatewayAPIChannel", text(report.channel));
    put(&mut fields, "mode", text(report.mode));
    if report.implementation.node.is_some() {
        let mut implementation = serde_json::Map::new();
        put(
            &mut implementation,
            "organization",
            text(report.implementation.organization),
        );
        put(
            &mut implementation,
            "project",
            text(report.implementation.project),
        );
        put(&mut implementation, "url", text(report.implementation.url));
        put(
            &mut implementation,
            "version",
            text(report.implementation.version),
        );
        put(
            &mut implementation,
            "contact",
            list(&report.implementation.contact),
        );
        fields.insert("implementation".into(), implementation.into());
    }
    let profiles: Vec<Value> = report
        .profiles
        .iter()
        .map(|profile| {
            let mut fields = serde_json::Map::new();
            put(&mut fields, "name", text(profile.name));
            put(&mut fields, "summary", text(profile.summary));
            put(&mut fields, "core", profile.core.as_ref().map(level));
            put(
                &mut fields,
                "extended",
                profile.extended.as_ref().map(level),
            );
            Value::Object(fields)
        })
        .collect();
    if !profiles.is_empty() {
        fields.insert("profiles".into(), profiles.into());
    }
    put(
        &mut fields,
        "succeededProvisionalTests",
        list(&report.succeeded_provisional_tests),
    );
    Value::Object(fields)
}

#[test]
fn shapes_differ_where_the_releases_do() {
    let current = of_type::<ConformanceReport>("report");
    let legacy = of_type::<LegacyReport>("report-legacy");
    assert!(
        current["properties"].get("mode").is_some() && legacy["properties"].get("mode").is_none()
    );
    assert!(
        legacy["$defs"]["LegacyCore"]["properties"]
            .get("summary")
            .is_some()
    );
    assert!(
        current["$defs"]["Core"]["properties"]
            .get("summary")
            .is_none()
    );
}

#[test]
fn types_and_schema_accept_the_same_real_reports() {
    let Some(corpus) = corpus() else { return };
    let root = corpus.join("gateway-api/conformance/reports");
    let (mut fit, mut violation) = (0, Vec::new());
    for entry in walkdir::WalkDir::new(&root).sort_by_file_name() {
        let entry = entry.unwrap();
        if entry
            .path()
            .extension()
            .is_none_or(|extension| extension != "yaml")
        {
            continue;
        }
        let path = entry
            .path()
            .strip_prefix(&root)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(entry.path()).unwrap();
        let yaml = yaml::load(&text);
        let document = yaml.documents[0].root.unwrap();
        let is_legacy = ["v0.", "v1.0."]
            .iter()
            .any(|release| path.starts_with(release));
        let (shape, parsed) = if is_legacy {
            (
                Shape::Legacy,
                serde_json::from_value::<LegacyReport>(yaml.to_json(document)).is_ok(),
            )
        } else {
            (
                Shape::Current,
                serde_json::from_value::<ConformanceReport>(yaml.to_json(document)).is_ok(),
            )
        };
        let violations = validate(shape, Extent::Whole, &yaml, document);
        assert_eq!(parsed, violations.is_empty(), "{path}: {violations:?}");
        if parsed {
            fit += 1
        } else {
            violation.push(path)
        }
    }
    let expected = [
        "v0.7.1/kong-kubernetes-ingress-controller/2.10.3-report.yaml",
        "v1.0.0/istio-istio/1.20-report.yaml",
        "v1.1.0/azure-application-gateway-for-containers/standard-v1.1.0-default-report.yaml",
        "v1.4.0/cilium/experimental-v1.19.0-pre.2-default-report.yaml",
    ];
    assert_eq!(violation, expected);
    assert!(fit > 100, "{fit}");
}
