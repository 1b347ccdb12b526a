use serde::Deserialize;
use toml::Spanned;

/// Facts about the generated site that its page `about/` shows.
#[derive(Debug, Clone, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct About {
    /// Person or organization that runs the site.
    #[schemars(with = "Option<String>", length(min = 1), extend("examples" = ["the Acme gateway team"]))]
    pub operator: Option<Spanned<String>>,
    /// URL of the operator, such as a contact page.
    #[schemars(with = "Option<String>", extend("format" = "uri", "examples" = ["https://acme.example/contact"]))]
    pub operator_url: Option<Spanned<String>>,
    /// True if the Gateway API project publishes the site.
    pub official: bool,
    /// License of the reports and of the data files.
    #[schemars(with = "Option<String>", length(min = 1), extend("examples" = ["Apache-2.0"]))]
    pub license: Option<Spanned<String>>,
    /// URL of the license text.
    #[schemars(with = "Option<String>", extend("format" = "uri", "examples" = ["https://acme.example/license"]))]
    pub license_url: Option<Spanned<String>>,
    /// URL of the instructions for submitting a report.
    #[schemars(with = "Option<String>", extend("format" = "uri", "examples" = ["https://acme.example/submit"]))]
    pub submit_url: Option<Spanned<String>>,
}

impl About {
    /// The configured URLs.
    pub(super) fn urls(&self) -> [&Option<Spanned<String>>; 3] {
        [&self.operator_url, &self.license_url, &self.submit_url]
    }

    /// Empty names, with the expected text.
    pub(super) fn errors(&self) -> impl Iterator<Item = (std::ops::Range<usize>, String)> {
        let names = [("operator", &self.operator), ("license", &self.license)];
        names.into_iter().filter_map(|(key, name)| {
            let name = name.as_ref()?;
            let is_empty = name.get_ref().trim().is_empty();
            is_empty.then(|| (name.span(), format!("`{key}` is empty; expected a name")))
        })
    }
}
