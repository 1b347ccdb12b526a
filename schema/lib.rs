//! Embeds the files of this folder.

/// File names and contents.
pub type Files = &'static [(&'static str, &'static str)];

macro_rules! files {
    ($before:literal, $after:literal, $($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!($before, $name, $after)))),+]
    };
}

/// `registry/`: release data, and tables for all releases.
pub const REGISTRY: Files = files![
    "registry/",
    "",
    "controllers.json",
    "fields.json",
    "ingress-nginx.json",
    "needs.json",
    "policies.json",
    "references.json",
    "served.json",
    "suites.json",
    "v0.7.0.json",
    "v0.7.1.json",
    "v0.8.0.json",
    "v0.8.1.json",
    "v1.0.0.json",
    "v1.1.0.json",
    "v1.1.1.json",
    "v1.2.0.json",
    "v1.2.1.json",
    "v1.3.0.json",
    "v1.4.0.json",
    "v1.4.1.json",
    "v1.5.0.json",
    "v1.5.1.json",
    "v1.6.0.json",
    "v1.6.1.json",
    "v1.6.2.json",
    "words.json",
];

/// `registry/unreleased/main.json`: data of upstream's main branch, which no verdict uses.
pub const UNRELEASED: &str = include_str!("registry/unreleased/main.json");

/// `resources/conditions.json`: conditions of each kind.
pub const CONDITIONS: &str = include_str!("resources/conditions.json");

/// JSON Schema of reports.
pub const REPORT: &str = include_str!("report.schema.json");

/// JSON Schema of reports before v1.1.0.
pub const REPORT_LEGACY: &str = include_str!("report-legacy.schema.json");

/// JSON Schemas of files that commands read or print.
pub const SCHEMAS: Files = files![
    "",
    ".schema.json",
    "baseline",
    "certify",
    "config",
    "diff",
    "dropped-features",
    "export-wizard",
    "features",
    "findings",
    "needs",
    "outlook",
    "plan",
    "profiles",
    "release-changes",
    "releases",
    "report",
    "report-legacy",
    "rules",
    "statement",
    "statistics",
    "tests",
];

/// `api/`: JSON Schemas of the site's data.
pub const API_SCHEMAS: Files = files![
    "api/",
    ".schema.json",
    "changes",
    "features",
    "findings",
    "implementations",
    "index",
    "matrix",
    "reports",
    "support",
];

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{API_SCHEMAS, Files, REGISTRY, SCHEMAS};

    #[test]
    fn lists_every_file_of_the_folders() {
        let in_folder = |folder: &str, after: &str| -> Vec<String> {
            let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = names
                .filter_map(|name| name.strip_suffix(after).map(str::to_owned))
                .collect();
            names.sort();
            names
        };
        let listed = |files: Files, after: &str| -> Vec<String> {
            let names = files.iter().map(|(name, _)| name);
            names
                .map(|name| name.strip_suffix(after).unwrap_or(name).to_owned())
                .collect()
        };
        assert_eq!(listed(REGISTRY, ".json"), in_folder("registry", ".json"));
        assert_eq!(listed(SCHEMAS, ""), in_folder("", ".schema.json"));
        assert_eq!(listed(API_SCHEMAS, ""), in_folder("api", ".schema.json"));
    }
}
