//! Describes the site data to dataset searches, as a schema.org `Dataset` in JSON-LD
//! (<https://schema.org/Dataset>).

use serde::Serialize;

use super::layout::SiteContext;
use crate::site::SourceRevision;
use crate::site::paths;

#[derive(Serialize)]
struct Dataset<'s> {
    #[serde(rename = "@context")]
    context: &'static str,
    #[serde(rename = "@type")]
    kind: &'static str,
    name: &'static str,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'s str>,
    #[serde(rename = "isAccessibleForFree")]
    is_accessible_for_free: bool,
    #[serde(rename = "dateModified", skip_serializing_if = "Option::is_none")]
    date_modified: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'s str>,
    #[serde(rename = "isBasedOn", skip_serializing_if = "Option::is_none")]
    is_based_on: Option<&'s str>,
    distribution: Vec<Download>,
}

#[derive(Serialize)]
struct Download {
    #[serde(rename = "@type")]
    kind: &'static str,
    name: &'static str,
    #[serde(rename = "encodingFormat")]
    encoding_format: &'static str,
    #[serde(rename = "contentUrl")]
    content_url: String,
}

const TABLES: &[&str] = &["implementations", "reports", "features"];
const FORMATS: &[(&str, &str)] = &[("json", "application/json"), ("csv", "text/csv")];

pub(super) fn json(site: &SiteContext<'_>) -> String {
    let downloads = TABLES.iter().flat_map(|table| {
        FORMATS.iter().map(move |(extension, format)| {
            let path = paths::data_file(&format!("{table}.{extension}"));
            Download {
                kind: "DataDownload",
                name: table,
                encoding_format: format,
                content_url: match site.base {
                    Some(base) => base.join(&path),
                    None => path,
                },
            }
        })
    });
    let dataset = Dataset {
        context: "https://schema.org/",
        kind: "Dataset",
        name: "Gateway API conformance",
        description: format!(
            "Verdicts and supported features of the implementations of the Kubernetes Gateway API, by {}.",
            site.made_from
        ),
        url: site.base.map(crate::site::BaseUrl::as_str),
        is_accessible_for_free: true,
        date_modified: site.model.catalog.as_of.day.map(|day| day.to_string()),
        version: site.revision.map(SourceRevision::as_str),
        is_based_on: site.source,
        distribution: downloads.collect(),
    };
    let text = gwconform_base::text::json::to_string_for_markup(&dataset);
    debug_assert!(text.is_ok());
    text.unwrap_or_default()
}
