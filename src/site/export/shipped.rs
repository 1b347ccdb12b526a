use std::sync::Arc;

use crate::tree::files::Folder;

use crate::api::closed_set;

closed_set! {
    /// Built-in exports of the `export` command.
    pub enum Shipped {
        /// Pages with tables of reports and features, in Markdown.
        Tables = "tables",
        /// The same tables in the form of the Gateway API website.
        TablesDocsy = "tables-docsy",
        /// Data for the Gateway API wizard, as JSON.
        Wizard = "wizard",
        /// List of implementations, in Markdown.
        List = "list",
    }
}

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../../templates/export/", $name)))),+]
    };
}

/// Built-in templates by file name. `--print-template` accepts the part before the first dot.
pub const SHIPPED: [(&str, &str); 7] = shipped![
    "tables.md.j2",
    "tables-docsy.md.j2",
    "index.md.j2",
    "index-docsy.md.j2",
    "macros.md.j2",
    "list.md.j2",
    "wizard.json.j2",
];

/// Template source, and the folder for its includes.
#[derive(Debug, Clone)]
pub struct Template {
    /// File name, such as `tables.md.j2`.
    pub name: String,
    /// Jinja source of the template.
    pub text: String,
    /// Folder for includes. `None` for a built-in template.
    pub folder: Option<Arc<Folder>>,
    /// Prefix of file names in messages.
    pub shown_folder: String,
}

impl Template {
    /// Built-in template by the part of its file name before the first dot.
    pub fn shipped(name: &str) -> Option<Self> {
        let (name, text) = SHIPPED
            .iter()
            .find(|(known, _)| known.split('.').next() == Some(name))?;
        Some(Self {
            name: (*name).to_owned(),
            text: (*text).to_owned(),
            folder: None,
            shown_folder: "templates/export".to_owned(),
        })
    }

    pub(super) fn shown(&self, name: &str) -> String {
        match self.shown_folder.as_str() {
            "" | "." => name.to_owned(),
            folder => format!("{folder}/{name}"),
        }
    }
}
