//! Built-in templates.

use std::sync::Arc;

use crate::tree::files::Folder;

use crate::api::closed_set;

closed_set! {
    /// Built-in exports.
    pub enum Shipped {
        /// Tables of reports and features.
        Tables = "tables",
        /// Data for the Gateway API wizard, as JSON.
        Wizard = "wizard",
        /// The list of implementations.
        List = "list",
    }
}

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../../templates/export/", $name)))),+]
    };
}

/// Built-in templates by file name. `--print-template` accepts the name up to the first dot.
pub const SHIPPED: [(&str, &str); 5] = shipped![
    "tables.md.j2",
    "index.md.j2",
    "macros.md.j2",
    "list.md.j2",
    "wizard.json.j2",
];

/// A template and its include folder.
#[derive(Debug, Clone)]
pub struct Template {
    /// File name.
    pub name: String,
    /// Template source.
    pub text: String,
    /// Folder for includes; `None` for a built-in template, which includes other built-in ones.
    pub folder: Option<Arc<Folder>>,
    /// Folder prefix for messages.
    pub shown_folder: String,
}

impl Template {
    /// Returns a built-in template by the first part of its name.
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
