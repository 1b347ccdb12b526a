use std::path::Path;

use minijinja::AutoEscape;

use crate::text::escape::{html, inert, markdown};
use crate::text::visible;

/// Output format for escaping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escaping {
    /// Escapes markup, table cell separators, HTML and Hugo shortcodes.
    Markdown,
    /// Escapes text for HTML, XML and SVG.
    Html,
    /// Writes each value as JSON and requires JSON output.
    Json,
    /// Writes each value as JSON, which is valid YAML.
    Yaml,
    /// Quotes cells if required (RFC 4180).
    Csv,
    /// Only makes invisible characters visible.
    Plain,
}

impl Escaping {
    /// Chooses the escaping by file extension. A trailing `.j2` or `.jinja` is ignored.
    pub fn new(path: &Path) -> Self {
        let extension = |path: &Path| {
            let extension = path.extension()?.to_str()?;
            Some(extension.to_ascii_lowercase())
        };
        let found = match extension(path).as_deref() {
            Some("j2" | "jinja" | "jinja2") => extension(&path.with_extension("")),
            _ => extension(path),
        };
        match found.as_deref() {
            Some("md" | "markdown") => Self::Markdown,
            Some("html" | "htm" | "xml" | "svg") => Self::Html,
            Some("json") => Self::Json,
            Some("yaml" | "yml") => Self::Yaml,
            Some("csv") => Self::Csv,
            _ => Self::Plain,
        }
    }

    pub(super) fn is_json(self) -> bool {
        matches!(self, Self::Json | Self::Yaml)
    }

    pub(super) fn escape(self, text: &str) -> String {
        match self {
            Self::Markdown => markdown_cell(text),
            Self::Html => html(text),
            Self::Json | Self::Yaml => serde_json::Value::from(text).to_string(),
            Self::Csv => csv_cell(&inert(text)),
            Self::Plain => visible(text),
        }
    }

    /// Escaping by the engine, which is used only for JSON and YAML.
    pub(super) fn auto_escape(self) -> AutoEscape {
        match self {
            Self::Json | Self::Yaml => AutoEscape::Json,
            Self::Markdown => AutoEscape::Custom("markdown".into()),
            Self::Html => AutoEscape::Custom("html".into()),
            Self::Csv => AutoEscape::Custom("csv".into()),
            Self::Plain => AutoEscape::Custom("plain".into()),
        }
    }
}

/// `|`, `<` and `{` become character references, because tools such as Hugo process shortcodes
/// before Markdown and ignore backslashes.
pub(super) fn markdown_cell(text: &str) -> String {
    markdown(text)
        .replace("\\|", "&#124;")
        .replace("\\<", "&lt;")
        .replace("\\{", "&#123;")
        .replace("\\}", "&#125;")
}

/// Quotes a cell if required (RFC 4180, section 2). The text must not contain line breaks.
fn csv_cell(text: &str) -> String {
    match text.contains(['"', ',']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Escaping, markdown_cell};

    #[test]
    fn the_extension_of_the_output_decides() {
        for (path, escaping) in [
            ("a/v1.5.md", Escaping::Markdown),
            ("list.MD", Escaping::Markdown),
            ("list.md.j2", Escaping::Markdown),
            ("page.htm", Escaping::Html),
            ("data.json", Escaping::Json),
            ("data.yaml.jinja", Escaping::Yaml),
            ("table.csv", Escaping::Csv),
            ("table.txt", Escaping::Plain),
            ("j2", Escaping::Plain),
            ("md", Escaping::Plain),
        ] {
            assert_eq!(Escaping::new(Path::new(path)), escaping, "{path}");
        }
    }

    #[test]
    fn a_value_is_one_cell_of_a_table() {
        let cell = |text| Escaping::Csv.escape(text);
        assert_eq!(cell("acme"), "acme");
        assert_eq!(cell("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(cell("=1+1"), "'=1+1");
        assert_eq!(cell("a\nb"), "a\\nb");
    }

    #[test]
    fn no_text_ends_a_cell_or_begins_a_tag_or_a_shortcode() {
        let text = markdown_cell("a | b\\| <i> {{< x >}} {{% y %}}");
        assert!(!text.contains('|') && !text.contains('<') && !text.contains('{'));
        assert_eq!(
            markdown_cell("v1.20, acme-operator"),
            "v1.20, acme-operator"
        );
        assert_eq!(markdown_cell("\\|"), "\\\\&#124;");
    }
}
