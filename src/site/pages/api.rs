//! Renders `/api/`, the documentation of the data files. The results of its examples are computed
//! from the same data.

use askama::Template;

use super::layout::{self, Head, SiteContext};
use crate::site::api::PartCounts;
use crate::site::model::{FeatureView, SiteModel};
use crate::site::{File, api, paths};
use gwconform_base::api::{Family, Level};
use gwconform_report::certify::Standing;
use gwconform_report::certify::catalog::StateKind;

/// Names of the data files, each with its schema, and whether there is a table.
const DATA: [(&str, &str, bool); 7] = [
    ("implementations", "implementations", true),
    ("reports", "reports", true),
    ("features", "features", true),
    ("changes", "changes", true),
    ("findings", "findings", true),
    ("support", "support", false),
    ("index", "index", false),
];

/// Maximum lines of a result.
const MAX_LINES: usize = 5;

/// Root of the site in examples if its URL is unknown: the local server of the documentation.
const LOCAL: &str = "http://localhost:8000/";

#[derive(Template)]
#[template(path = "api.html")]
struct ApiPage<'s> {
    head: Head<'s>,
    made_from: &'s str,
    root: String,
    data: Vec<Data>,
    parts: &'s PartCounts,
    /// A file of each kind that has one for each feature, or each minor and profile.
    examples: Vec<Data>,
    matrices: usize,
    openapi: String,
    license: Option<(String, Option<String>)>,
    source: Option<&'s str>,
    conformant: Vec<String>,
    feature: Option<&'s str>,
    proved: Vec<String>,
    newest: Option<String>,
}

impl ApiPage<'_> {
    /// URL of a JSON file, or of all its parts, as a word of a shell. curl expands the numbers.
    fn all_of(&self, name: &str) -> String {
        let url = self.root.clone() + &paths::data_file(name);
        match self.parts.get(name) {
            Some(parts) => format!("\"{url}/[1-{parts}].json\""),
            None => format!("{url}.json"),
        }
    }

    /// URL of a JSON file, or of its first part.
    fn first_of(&self, name: &str) -> String {
        let name = if self.parts.contains_key(name) {
            paths::data_part(name, 1)
        } else {
            name.to_owned()
        };
        self.root.clone() + &paths::data_file(&format!("{name}.json"))
    }
}

/// Links to the files of one data format.
struct Data {
    name: String,
    title: String,
    description: String,
    json: String,
    csv: Option<String>,
    schema: String,
}

impl Data {
    fn new(name: &str, schema: &str, has_table: bool) -> Self {
        let described = api::described(schema);
        Self {
            name: name.to_owned(),
            title: described.title,
            description: described.description.replace('`', ""),
            json: paths::data_file(&format!("{name}.json")),
            csv: has_table.then(|| paths::data_file(&format!("{name}.csv"))),
            schema: paths::schema_file(schema),
        }
    }
}

pub(super) fn files(site: &SiteContext<'_>) -> Vec<File> {
    let model = site.model;
    let parts = paths::support_data(model.parts.all.len());
    let data = DATA.iter().map(|&(name, schema, has_table)| {
        let name = match name {
            "support" => parts.last().map_or(name, String::as_str),
            _ => name,
        };
        Data::new(name, schema, has_table)
    });
    let newest = model.matrices.iter();
    let newest = newest.max_by_key(|view| (view.minor, view.columns.len()));
    let feature = most_proved(model);
    let about = "The data of this site as JSON and CSV: files, schemas, examples, license, and an OpenAPI description.";
    let page = ApiPage {
        head: site.head(paths::API_PAGE, "Data", about),
        made_from: &site.made_from,
        root: site.base.map_or(LOCAL, |base| base.as_str()).to_owned(),
        data: data.collect(),
        parts: site.data,
        examples: [
            feature.map(|one| Data::new(&paths::feature_data(one.name), "features", false)),
            newest.map(|view| {
                let name = paths::matrix_data(view.minor, view.profile);
                Data::new(&name, "matrix", true)
            }),
        ]
        .into_iter()
        .flatten()
        .collect(),
        matrices: model.matrices.len(),
        openapi: paths::data_file(api::OPENAPI),
        license: site.about.license.as_ref().map(|name| {
            let url = site.about.license_url.as_ref();
            (name.get_ref().clone(), url.map(|url| url.get_ref().clone()))
        }),
        source: site.source,
        conformant: shortened(conformant(model)),
        feature: feature.map(|feature| feature.name),
        proved: feature.map_or_else(Vec::new, |feature| shortened(proving(model, feature.name))),
        newest: model.newest_first().first().and_then(|report| {
            let date = report.date?;
            Some(format!("{} {date}", report.implementation.slug))
        }),
    };
    vec![layout::file(paths::API_PAGE, &page)]
}

fn conformant(model: &SiteModel<'_>) -> Vec<String> {
    let conformant = model.catalog.implementations.iter().filter(|one| {
        let verdict = one.family(Family::Gateway);
        verdict.is_some_and(|verdict| verdict.standing == Standing::Conformant)
    });
    conformant.map(|one| one.name.clone()).collect()
}

/// Extended feature that most implementations proved, so that the example has a result.
fn most_proved<'m>(model: &'m SiteModel<'_>) -> Option<&'m FeatureView<'m>> {
    let features = model
        .features
        .iter()
        .filter(|one| one.until.is_none() && one.level() == Some(Level::Extended));
    features.rev().max_by_key(|feature| feature.newest.proved)
}

fn proving(model: &SiteModel<'_>, feature: &str) -> Vec<String> {
    let all = model.support(feature).into_iter();
    let proving = all.filter(|one| {
        let mut reports = one.in_reports(feature);
        reports.any(|(.., state)| state.kind() == StateKind::Proved)
    });
    proving
        .map(|one| one.implementation.slug.to_owned())
        .collect()
}

fn shortened(mut lines: Vec<String>) -> Vec<String> {
    lines.truncate(MAX_LINES);
    lines
}
