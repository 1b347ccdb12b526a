//! Tests that queries of the site data have the same results as queries of the tree.

use std::path::Path;

use crate::support::folder::{Folder, NAME, report};
use crate::support::one_in;
use crate::support::site::{self, Files};
use gwconform::workspace::{Options, PathBase, Target, Workspace};
use gwconform_base::api::{Channel, NameKind};
use gwconform_base::release::Registry;
use gwconform_report::certify::catalog::{Catalog, Published, Question, state_in_words};

fn answers(catalog: &Catalog<'_>, question: &Question<'_>, registry: &Registry) -> Vec<String> {
    let answers = catalog.answers(question, registry).into_iter();
    answers
        .map(|answer| {
            let facts = answer.report.judged.facts;
            let verdicts = answer.report.judged.verdicts.iter();
            let verdicts: Vec<_> = verdicts
                .map(|one| (one.profile.to_string(), one.status.as_str()))
                .collect();
            let found = answer.met.iter().chain(&answer.lacking);
            let words: Vec<_> = found
                .map(|one| {
                    let absence = one.absence.as_ref().map(ToString::to_string);
                    (one.word(), state_in_words(&one.state), absence)
                })
                .collect();
            let one = answer.implementation;
            let place = (&one.slug, &one.name, &facts.path, facts.version());
            let line = (facts.channel(), facts.mode(), &facts.release.version);
            format!(
                "{place:?} {line:?} {verdicts:?} {:?} {words:?}",
                answer.nearness()
            )
        })
        .collect()
}

/// Compares site data and tree. Only `.ci/long` runs every kind of query for each feature.
fn compare(folder: &Path, tree: &str, site: &Files) -> usize {
    let names = ["index", "implementations", "reports"].map(|name| format!("api/v1/{name}.json"));
    let registry = Registry::embedded();
    let documents = names
        .iter()
        .map(|name| (name.as_str(), site[name].as_slice()));
    let published = Published::read(documents, registry).unwrap();
    let from_data = published.catalog(registry);
    let options = Options {
        target: Target::Paths(vec![tree.into()]),
        ..Options::default()
    };
    let workspace = Workspace::open(folder, options).unwrap();
    let certified = workspace
        .certify(PathBase::Repository, &|_| {})
        .unwrap()
        .whole()
        .unwrap();
    let from_tree = certified.catalog();
    assert_eq!(from_data.current_minors(), from_tree.current_minors());
    let features = registry.names(NameKind::Feature);
    let alone = features.iter().map(|name| vec![*name]);
    let together = [
        vec!["HTTPRoute", "HTTPRouteCORS", "NoSuchFeature"],
        vec!["GRPCRoute", "HTTPRoute", "Mesh"],
    ];
    let kinds = [
        (None, vec![], None, true),
        (None, vec![], Some(Channel::Standard), false),
        (Some("GATEWAY-HTTP"), vec![], None, true),
        (None, vec!["GATEWAY-HTTP", "GATEWAY-GRPC"], None, true),
        (None, vec!["GATEWAY-HTTP", "MESH-HTTP"], None, false),
    ]
    .into_iter();
    let step = one_in(5);
    let mut compared = 0;
    for (nth, must) in alone.chain(together).enumerate() {
        for (profile, profiles, channel, is_of_all) in kinds.clone().skip(nth % step).step_by(step)
        {
            let question = Question {
                must: must.clone(),
                profile,
                profiles,
                channel,
                is_conformant: false,
                is_of_all,
            };
            let expected = answers(&from_tree, &question, registry);
            assert_eq!(
                answers(&from_data, &question, registry),
                expected,
                "{question:?}"
            );
            compared += expected.len();
        }
    }
    compared
}

#[test]
fn the_data_of_the_sample_site_answers_as_its_tree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(compare(folder, "reports", site::of_sample(&[])) > 1000 / one_in(5));
}

#[test]
fn the_data_of_a_site_answers_as_its_tree_also_where_reports_are_wrong() {
    let folder = Folder::with_tree();
    let text = report();
    let tree = "conformance/reports";
    let with = |from: &str, to: &str| {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "{from}");
        changed
    };
    for (at, text) in [
        format!("{text}]: [\n"),
        with("result: success", "result: failure"),
        with("    result: success\n", ""),
        with("GATEWAY-GRPC", "NO-PROFILE"),
        with("v1.5.1", "v1.99.0"),
        with("v1.5.1", "v1.5.9"),
        with("organization: acme", "organization: Acme"),
        with("organization: acme", "organization: former"),
    ]
    .iter()
    .enumerate()
    {
        let changed = text.replace("v2.14.0", &format!("v2.14.{at}"));
        let name = NAME.replace("v2.14.0", &format!("v2.14.{at}"));
        folder.file(&format!("{tree}/v1.5/acme-operator/{name}"), &changed);
        let changed = changed.replace("project: operator", &format!("project: p{at}"));
        folder.file(&format!("{tree}/v1.5/acme-p{at}/{name}"), changed);
    }
    folder.file(
        &format!("{tree}/gwconform.toml"),
        r#"
[policy]
conformant-minors = 1
partially-conformant-minors = 2
newest-minor = "v1.6"

[[implementation]]
organization = "acme"
project = "operator"
name = "An <Operator>"
aliases = ["former/operator"]
"#,
    );
    let site = site::of(&folder.path().join(tree), &[]);
    let compared = compare(folder.path(), tree, &site);
    assert!(compared > 500 / one_in(5), "{compared}");
}
